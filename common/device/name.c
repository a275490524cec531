/* name.c - the device that a person means.
 *
 *     "auto" ── a GPU that answers ──> cuda
 *            └─ else nvidia-smi ─────> the simulated GPU of its name, or of its capability
 *     "RTX 4060", "rtx4060" ─────────> sim:rtx4060
 */
#include "device/device.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The name of a profile's device. It is kept until the process ends. */
static const char *simulated(const struct model_profile *p)
{
    static char name[64];
    snprintf(name, sizeof name, "sim:%s", p->name);
    return name;
}

/* The first line that nvidia-smi prints: "NAME, MAJOR.MINOR". Returns -1 if there is no nvidia-smi
 * or it lists no GPU. LOCKSTEP_DEVICE is unset for this, since the kit's own nvidia-smi would show
 * the device that the variable names. */
static int ask_nvidia_smi(char line[128])
{
    FILE *f = popen("LOCKSTEP_DEVICE= timeout 20 nvidia-smi --query-gpu=name,compute_cap "
                    "--format=csv,noheader 2>/dev/null",
        "r");
    char *got = f ? fgets(line, 128, f) : NULL;
    int bad = !f || pclose(f) || !got || !strchr(line, ',');
    return bad ? -1 : 0;
}

/* The simulated GPU that stands for the one of this machine; NULL: not known. *how: what the two
 * have in common, as text. */
static const struct model_profile *stand_in(char line[128], const char **how)
{
    int major = 0, minor = 0;
    char *comma = strrchr(line, ',');
    *comma = 0;
    const struct model_profile *p = model_profile_titled(line);
    *how = "the same";
    if (p || sscanf(comma + 1, "%d.%d", &major, &minor) != 2) return p;
    *how = "the same compute capability";
    return model_profile_capable(major, minor);
}

static const char *choose(void)
{
    char line[128];
    const char *device = device_default(), *how;
    if (!device_simulated(device)) {
        fprintf(stderr, "device: %s\n", device);
    } else if (ask_nvidia_smi(line)) {
        fprintf(stderr, "device: %s; no GPU answers, and nvidia-smi names none\n", device);
    } else {
        const struct model_profile *p = stand_in(line, &how);
        if (p) device = simulated(p);
        fprintf(stderr, "device: %s, for %s: %s\n", device, line,
            p ? how : "the kit has none of its compute capability");
    }
    return device;
}

const char *device_meant(const char *text)
{
    const struct model_profile *nearest;
    if (!strcmp(text, "auto")) return choose();
    if (strncmp(text, "cuda", 4) == 0) return text;
    const char *name = device_simulated(text) ? text + strlen("sim:") : text;
    const struct model_profile *p = model_profile_meant(name, &nearest);
    return !p || (name != text && !strcmp(name, p->name)) ? text : simulated(p);
}

int device_unknown(const char *text, struct err *e)
{
    const struct model_profile *nearest;
    struct buf known = {0};
    model_profile_meant(device_simulated(text) ? text + strlen("sim:") : text, &nearest);
    if (nearest)
        buf_printf(&known, "the nearest is sim:%s; `lockstep devices` lists all", nearest->name);
    else
        buf_printf(&known, "there are: "), device_list(&known);
    for (size_t i = 0; i < known.len; i++)
        if (known.data[i] == '\n') known.data[i] = ' ';
    while (known.data[known.len - 1] == ' ') known.data[--known.len] = 0;
    err_set(e, ERR_USAGE, "device '%s' does not exist; %s", text, known.data);
    buf_free(&known);
    return -1;
}
