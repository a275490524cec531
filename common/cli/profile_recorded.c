/* profile_recorded.c - lockstep profile --recorded FILE: report on one launch of a whole program,
 * line by line.
 *
 *     program, LOCKSTEP_PROFILE=kernel ── runtime ──> FILE ──> struct profile ──> report
 *
 * The source is read again for the text of its lines; if it no longer exists, the report has
 * only numbers. */
#include "cli/profile.h"

#include <stdlib.h>

int profile_recorded(const struct profile_request *q, struct err *e)
{
    struct launch_file r;
    struct err none = {0};
    char *text = NULL;
    if (launch_file_read(q->recorded, &r, e)) return -1;
    if (*r.file) file_read(r.file, (size_t)16 << 20, &text, NULL, &none);
    struct profile p = {.device = r.device,
        .gpu = model_profile_find(
            device_simulated(r.device) ? r.device + sizeof "sim:" - 1 : r.device),
        .front = "lockstep-nvcc",
        .file = *r.file ? r.file : "the program",
        .source = text ? text : "",
        .kernel = r.kernel,
        .what = r.what,
        .shared = r.shared,
        .ptx = r.ptx,
        .symbol = r.symbol,
        .show_ptx = q->ptx != NULL,
        .m = r.m};
    for (int i = 0; i < 3; i++) p.grid[i] = r.grid[i], p.block[i] = r.block[i];
    int bad = profile_report(q, &p, 1, e);
    free(text);
    launch_file_free(&r);
    return bad;
}
