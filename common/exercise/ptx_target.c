/* ptx_target.c - raise the version and target of PTX to what its instructions need.
 *
 *     .version 7.5  ->  8.0        clang and nvcc copy inline PTX without parsing it. So a kernel
 *     .target sm_80 ->  sm_90a     that is compiled for 8.0 can contain instructions of 9.0, which
 *                                  no driver accepts for the older target.
 *
 * sm_90a is for instructions that only Hopper has. Source: PTX ISA, PTX ISA notes and target ISA
 * notes. */
#include "exercise/compile.h"

#include <stdlib.h>
#include <string.h>

static const struct {
    const char *instruction, *target;
} rows[] = {
    {"wgmma.mma_async.", "sm_90a"},
    {"setmaxnreg.", "sm_90a"},
    {"elect.sync", "sm_90"},
    {"fence.proxy.async", "sm_90"},
    {"fence.mbarrier_init", "sm_90"},
    {"mbarrier.try_wait", "sm_90"},
    {"mbarrier.arrive.expect_tx", "sm_90"},
    {"cp.async.bulk", "sm_90"},
    {"stmatrix.", "sm_90"},
    {"mapa.", "sm_90"},
    {"barrier.cluster", "sm_90"},
};
enum { ROWS = sizeof rows / sizeof *rows };

/* Does an instruction begin at p, rather than a part of a name? */
static int begins(const char *text, const char *p)
{
    return p == text || strchr(" \t\n;{}", p[-1]);
}

/* Does an mbarrier arrival have a count operand after the barrier's address? That needs compute
 * capability 9.0, except with .noComplete. */
static int arrives_counted(const char *ptx)
{
    for (const char *p = ptx; (p = strstr(p, "mbarrier.arrive")); p++) {
        size_t length = strcspn(p, ";"), there = strcspn(p, "]");
        const char *old = strstr(p, ".noComplete");
        if (there < length && p[there + 1] == ',' && (!old || old > p + length)) return 1;
    }
    return 0;
}

/* The target that the PTX's instructions need; NULL: the target that the PTX states is
 * sufficient. */
static const char *needed(const char *ptx)
{
    const char *target = arrives_counted(ptx) ? "sm_90" : NULL;
    for (int i = 0; i < ROWS; i++)
        for (const char *p = ptx; (p = strstr(p, rows[i].instruction)); p++)
            if (begins(ptx, p)) {
                if (!target || !strcmp(target, "sm_90")) target = rows[i].target;
                break;
            }
    return target;
}

/* If the target of *ptx is below what its instructions need, *ptx is replaced. */
void compile_raise(char **ptx)
{
    static const char version[] = ".version ", target[] = ".target sm_";
    const char *to = needed(*ptx);
    char *v = to ? strstr(*ptx, version) : NULL, *t = v ? strstr(v, target) : NULL;
    if (!t || atoi(t + strlen(target)) >= 90) return;
    size_t number = strspn(v + strlen(version), "0123456789."), name = strcspn(t + 8, ", \n");
    int old = atof(v + strlen(version)) < 8;
    char *raised = xasprintf("%.*s%.*s%.*s%s%s", (int)(v + strlen(version) - *ptx), *ptx,
        old ? 3 : (int)number, old ? "8.0" : v + strlen(version),
        (int)(t + 8 - (v + strlen(version) + number)), v + strlen(version) + number, to,
        t + 8 + name);
    free(*ptx);
    *ptx = raised;
}
