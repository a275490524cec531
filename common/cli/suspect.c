/* suspect.c - hold back what other commands would tell of a given kernel that is at fault, until
 * the predictions about it are right. */
#include "cli/cli.h"

static void passed(void *context, const struct result *r)
{
    *(int *)context = r->status == STATUS_PASSED;
}

int suspect_told(struct session *s, const struct lab *lab, const struct exercise *x, struct err *e)
{
    int right = 0;
    if (!exercise_suspect(x)) return 0;
    if (grade_labs(s, lab, x, passed, &right, e)) return -1;
    if (right) return 0;
    return err_set(e, ERR_USAGE,
        "%s %s: what its kernel does is shown once every prediction is right: make lab LAB=%.2s EX=%s",
        lab->name, x->name, lab->name, x->name);
}

int suspect_told_in(const char *student, const char *device, const char *front,
    const struct lab *lab, const struct exercise *x, struct err *e)
{
    struct session s;
    uint64_t seed = 1;
    if (!exercise_suspect(x)) return 0;
    if (session_open(&s, device, front, student, &seed, e)) return -1;
    int bad = suspect_told(&s, lab, x, e);
    session_close(&s);
    return bad;
}
