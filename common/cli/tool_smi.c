/* tool_smi.c - nvidia-smi: the GPU on which programs run. What the simulator does not have, such as
 * a temperature, is N/A. */
#include "cli/tool.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MEMORY_MIB = 16384 }; /* the memory that runtime/info.c reports for every simulated GPU */

/* The value of a field that --query-gpu names; NULL: it is N/A. The caller frees it. */
static char *field(const struct model_profile *p, const char *name)
{
    if (!strcmp(name, "name") || !strcmp(name, "gpu_name")) return xstrdup(p->title);
    if (!strcmp(name, "index") || !strcmp(name, "utilization.gpu")) return xstrdup("0");
    if (!strcmp(name, "count")) return xstrdup("1");
    if (!strcmp(name, "compute_cap")) return xasprintf("%d.%d", p->cc_major, p->cc_minor);
    if (!strcmp(name, "driver_version")) return xstrdup("lockstep " LOCKSTEP_VERSION);
    if (!strcmp(name, "memory.total") || !strcmp(name, "memory.free"))
        return xasprintf("%d MiB", MEMORY_MIB);
    if (!strcmp(name, "memory.used")) return xstrdup("0 MiB");
    if (!strncmp(name, "clocks.", 7) && strstr(name, "sm"))
        return xasprintf("%.0f MHz", p->clock_ghz * 1e3);
    return NULL;
}

/* Print the answer to --query-gpu=name,memory.total --format=csv,noheader,nounits. */
static void query(const struct model_profile *p, const char *names, const char *format)
{
    char *list = xstrdup(names);
    struct buf head = {0}, row = {0};
    for (char *name = strtok(list, ", "); name; name = strtok(NULL, ", ")) {
        char *value = field(p, name);
        if (value && isdigit((unsigned char)*value) && strstr(format, "nounits"))
            value[strcspn(value, " ")] = 0;
        buf_printf(&head, "%s%s", head.len ? ", " : "", name);
        buf_printf(&row, "%s%s", row.len ? ", " : "", value ? value : "[N/A]");
        free(value);
    }
    if (!strstr(format, "noheader")) printf("%s\n", head.data ? head.data : "");
    printf("%s\n", row.data ? row.data : "");
    buf_free(&head), buf_free(&row);
    free(list);
}

static void overview(const struct model_profile *p)
{
    static const char line[] =
        "+-----------------------------------------+------------------------+----------------------+\n";
    char *first =
        xasprintf("Lockstep %s      Driver: simulated      CUDA Version: 13.0", LOCKSTEP_VERSION);
    char *top = xstrdup(line);
    for (char *c = top + 1; c[2]; c++) *c = '-';
    printf("%s| %-87s |\n%s", top, first, line);
    free(top);
    printf(
        "| GPU  Name                 Persistence-M | Bus-Id          Disp.A | Volatile Uncorr. ECC |\n"
        "| Fan  Temp   Perf          Pwr:Usage/Cap |           Memory-Usage | GPU-Util  Compute M. |\n"
        "|=========================================+========================+======================|\n"
        "|   0  %-30s Off |      simulated     Off |                  N/A |\n"
        "| N/A   N/A    N/A              N/A / N/A |      0MiB / %7dMiB |      0%%      Default |\n%s",
        p->title, MEMORY_MIB, line);
    free(first);
    printf(
        "\nPrograms that lockstep-nvcc builds run on this GPU; LOCKSTEP_DEVICE=sim:t4 chooses another.\n");
}

int tool_smi(int argc, char **argv, struct err *e)
{
    const char *fields = NULL, *format = "csv", *listed = NULL, *shown = NULL;
    const struct tool_option options[] = {{"--query-gpu", NULL, 1, &fields},
        {"--format", NULL, 1, &format}, {"-L", "--list-gpus", 0, &listed},
        {"-q", "--query", 0, &shown}, {"-i", "--id", 1, NULL}, {0}};
    struct err none;
    if (tool_options(argc, argv, options, "", &none) >= 0)
        return err_set(e, ERR_USAGE, "nvidia-smi shows the GPU: -L, --query-gpu=name,memory.total");
    const struct model_profile *p = tool_gpu(e);
    if (!p) return -1;
    if (fields)
        query(p, fields, format);
    else if (listed)
        printf("GPU 0: %s (UUID: simulated)\n", p->title);
    else
        overview(p);
    return 0;
}
