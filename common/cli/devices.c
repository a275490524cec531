/* devices.c - lockstep devices: the values of --device, or the figures of one simulated GPU; and
 * lockstep metrics: all counters. */
#include "cli/cli.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Print the simulated devices as [{"device", "title"}]. */
static int print_json(void)
{
    json_t *all = json_array();
    for (int i = 0; model_profile_at(i); i++) {
        char *name = xasprintf("sim:%s", model_profile_at(i)->name);
        json_array_append_new(
            all, json_pack("{s:s,s:s}", "device", name, "title", model_profile_at(i)->title));
        free(name);
    }
    json_print(all);
    return 0;
}

/* Kernels can require the features before FEATURE_HALF_WARPS; the others say how the GPU counts. */
static int is_required(int feature) { return feature < FEATURE_HALF_WARPS; }

/* Print one GPU as {"device", "title", "generation", "compute_capability", "figures": {NAME:
 * VALUE}, "assumed": [NAME], "lacks": [FEATURE]} */
static int print_gpu_json(const struct model_profile *p)
{
    json_t *figures = json_object(), *assumed = json_array(), *missing = json_array();
    char *name = xasprintf("sim:%s", p->name),
         *capability = xasprintf("%d.%d", p->cc_major, p->cc_minor);
    for (int i = 0; i < FIGURE_COUNT; i++) {
        json_object_set_new(figures, model_figures[i].name, json_number(model_figure(p, i)));
        if (model_figure_assumed(p, i))
            json_array_append_new(assumed, json_string(model_figures[i].name));
    }
    for (int i = FEATURE_NONE + 1; is_required(i); i++)
        if (!model_has(p, i)) json_array_append_new(missing, json_string(model_features[i].name));
    json_print(json_pack("{s:s,s:s,s:s,s:s,s:o,s:o,s:o}", "device", name, "title", p->title,
        "generation", model_generation(p), "compute_capability", capability, "figures", figures,
        "assumed", assumed, "lacks", missing));
    free(name);
    free(capability);
    return 0;
}

static int print_gpu(const struct model_profile *p)
{
    int assumed = 0, missing = 0;
    printf("sim:%s, %s: compute capability %d.%d, %s\n\n", p->name, p->title, p->cc_major,
        p->cc_minor, model_generation(p));
    for (int i = 0; i < FIGURE_COUNT; i++) {
        int no_source = model_figure_assumed(p, i);
        printf("%c %12.10g  %s\n", no_source ? '~' : ' ', model_figure(p, i),
            model_figures[i].meaning);
        assumed += no_source;
    }
    if (assumed)
        printf("\n~ No source is known: an estimate, or the figure of a similar GPU. What\n"
               "  depends on it is less certain.\n");
    for (int i = FEATURE_NONE + 1; is_required(i); i++)
        if (!model_has(p, i))
            printf("%s  %s: GPUs have it %s\n", missing++ ? "" : "\nIt does not have:\n",
                model_features[i].name, model_features[i].where);
    return 0;
}

/* The GPU that a word names; NULL with ERR_USAGE. */
static const struct model_profile *named(const char *word, struct err *e)
{
    const char *device = device_meant(word);
    const struct model_profile *p =
        device_simulated(device) ? model_profile_find(device + strlen("sim:")) : NULL;
    if (!p && !strncmp(device, "cuda", 4))
        err_set(e, ERR_USAGE, "%s: only simulated GPUs have figures to show", device);
    else if (!p)
        device_unknown(word, e);
    return p;
}

/* The last line that is printed is the device that is used without --device. */
int command_devices(int argc, char **argv, struct err *e)
{
    const char *format = NULL, *words[1];
    const struct option_spec specs[] = {{"--format", &format}, {0}};
    struct buf out = {0};
    int count = options_parse(argc, argv, specs, words, 1, e), json = options_format(format, e);
    if (count < 0 || json < 0) return -1;
    const struct model_profile *p = count ? named(words[0], e) : NULL;
    if (count) return !p ? -1 : json ? print_gpu_json(p) : print_gpu(p);
    if (json) return print_json();
    device_list(&out);
    printf("%s", out.data ? out.data : "");
    printf("default: %s\n", device_default());
    buf_free(&out);
    return 0;
}

/* Print the metrics as a Markdown table. A metric without a name by nvprof has "-" there, which
 * is not marked as code. */
int command_metrics(int argc, char **argv, struct err *e)
{
    static const char *const kinds[] = {"modelled", "as the hardware", "PTX only"};
    const struct option_spec none[] = {{0}};
    if (options_parse(argc, argv, none, NULL, 0, e) < 0) return -1;
    printf("| ncu | nvprof | unit | counted | meaning |\n|---|---|---|---|---|\n");
    for (int i = 0; i < METRIC_COUNT; i++)
        printf("| `%s` | %s%s%s | %s | %s | %s |\n", model_metrics[i].ncu,
            model_metrics[i].nvprof[0] == '-' ? "" : "`", model_metrics[i].nvprof,
            model_metrics[i].nvprof[0] == '-' ? "" : "`", model_metrics[i].unit,
            kinds[model_metrics[i].exact], model_metrics[i].meaning);
    return 0;
}
