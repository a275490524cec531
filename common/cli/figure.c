/* figure.c - lockstep figure: an access pattern as SVG on stdout. view/figure.c parses the words
 * and draws. */
#include "cli/cli.h"

#include <stdio.h>

/* Nothing is printed unless the whole figure could be made. */
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
