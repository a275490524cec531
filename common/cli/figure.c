/* figure.c - lockstep figure: the model draws what it counts. */
#include "cli/cli.h"

#include <stdio.h>

int command_figure(int argc, char **argv, struct err *e)
{
    struct buf out = {0};
    if (argc < 1)
        return err_set(e, ERR_USAGE, "which memory? For example: lockstep figure global --stride 2");
    if (figure_pattern(argc, argv, &out, e)) {
        buf_free(&out);
        return -1;
    }
    fwrite(out.data, 1, out.len, stdout);
    buf_free(&out);
    return 0;
}
