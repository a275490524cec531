/* devices.c - lockstep devices: the values of --device; and lockstep metrics: all counters.
 * Neither command takes arguments. */
#include "cli/cli.h"

#include <stdio.h>
#include <stdlib.h>

/* [{"device", "title"}]: the simulated devices. */
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

/* The last line that is printed is the device that is used without --device. */
int command_devices(int argc, char **argv, struct err *e)
{
    const char *format = NULL;
    const struct option_spec specs[] = {{"--format", &format}, {0}};
    struct buf out = {0};
    int bad = options_parse(argc, argv, specs, NULL, 0, e) < 0, json = options_format(format, e);
    if (bad || json < 0) return -1;
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
