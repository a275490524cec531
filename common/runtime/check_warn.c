/* check_warn.c - LOCKSTEP_CHECK=warn: a launch that a check stopped is reported, then repeated
 * without checks.
 *
 *     save all memory ── launch, checked ──> fault ── restore memory ── launch, unchecked
 *
 * If the second launch succeeds, only the check's finding is reported. If it faults, too, the
 * fault is real. */
#include "runtime/runtime.h"

#include <stdlib.h>
#include <string.h>

struct kept {
    dev_ptr at;
    size_t bytes;
    void *copy;
    struct kept *next;
};

static void keep(void *context, dev_ptr at, size_t bytes)
{
    struct kept **list = context, *k = xcalloc(1, sizeof *k);
    struct err e = {0};
    *k = (struct kept){at, bytes, malloc(bytes), *list};
    if (!k->copy || device_copy_out(runtime.device, k->copy, at, bytes, &e)) k->bytes = 0;
    *list = k;
}

static void add(void *context, dev_ptr at, size_t bytes)
{
    (void)at;
    *(size_t *)context += bytes;
}

int again_keep(struct kept **list)
{
    static const size_t MOST = (size_t)2 << 30;
    static int told;
    size_t bytes = 0;
    memory_each(add, &bytes);
    registry_each(add, &bytes);
    *list = NULL;
    if (bytes > MOST) {
        if (!told++)
            runtime_say("warning: kernels are not checked while more than 2 GiB are allocated; "
                        "without LOCKSTEP_CHECK=warn they are");
        return -1;
    }
    memory_each(keep, list);
    registry_each(keep, list);
    return 0;
}

void again_put_back(const struct kept *list)
{
    struct err e = {0};
    for (; list; list = list->next)
        device_copy_in(runtime.device, list->at, list->copy, list->bytes, &e);
}

void again_free(struct kept *list)
{
    while (list) {
        struct kept *next = list->next;
        free(list->copy);
        free(list);
        list = next;
    }
}

void again_warn(const struct function *f, const struct err *e)
{
    static struct warned {
        const struct function *kernel;
        int line;
    } * warned;
    static size_t count, cap;
    for (size_t i = 0; i < count; i++)
        if (warned[i].kernel == f && warned[i].line == e->found.line) return;
    *VEC_PUSH(warned, count, cap) = (struct warned){f, e->found.line};
    runtime_say("warning: %s", e->text);
    report_finding(e);
}
