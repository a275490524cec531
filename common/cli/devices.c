/* devices.c - lockstep devices: the values of --device; and lockstep metrics: all counters.
 * Neither command takes arguments. */
#include "cli/cli.h"

#include <stdio.h>

/* The last line that is printed is the device that is used without --device. */
int command_devices(int argc, char **argv, struct err *e)
{
    const struct option_spec none[] = {{0}};
    struct buf out = {0};
    if (options_parse(argc, argv, none, NULL, 0, e) < 0) return -1;
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
