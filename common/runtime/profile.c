/* profile.c - LOCKSTEP_PROFILE=kernel:n: report on the n-th launch of a kernel line by line.
 *
 *     launch -- measurement --> a temporary file -- lockstep profile --recorded --> stderr, or a page
 *
 * The program lockstep is in the same folder as this library, or after make install in bin/
 * beside lib/. */
#define _GNU_SOURCE
#include "runtime/runtime.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *wanted; /* name of the kernel to profile; NULL: no launch is profiled */
static size_t name_length;
static unsigned long number = 1;
static int done;

/* Read LOCKSTEP_PROFILE: a kernel's name, and a number after the last colon that is not part of
 * "::". */
static void read_wanted(void)
{
    static int read;
    if (read++) return;
    wanted = getenv("LOCKSTEP_PROFILE");
    if (!wanted || !*wanted) {
        wanted = NULL;
        return;
    }
    const char *colon = strrchr(wanted, ':');
    char *end = NULL;
    unsigned long n =
        colon && colon > wanted && colon[-1] != ':' ? strtoul(colon + 1, &end, 10) : 0;
    name_length = n && !*end ? (size_t)(colon - wanted) : strlen(wanted);
    if (n && !*end) number = n;
}

static int is_named(const struct function *f)
{
    size_t n = strlen(f->name);
    return n >= name_length && !strncmp(f->name, wanted, name_length) &&
           (n == name_length || f->name[name_length] == '<');
}

int profile_wants(const struct function *f)
{
    unsigned long launches = 1;
    read_wanted();
    if (!wanted || done || !is_named(f)) return 0;
    for (const struct launch_record *r = f->records; r; r = r->next) launches += r->calls;
    return launches == number;
}

/* Run lockstep on the file. The report goes to stderr, since stdout belongs to the program. */
static void show(const char *lockstep, const char *file)
{
    const char *page = getenv("LOCKSTEP_PROFILE_PAGE");
    const char *const words[] = {
        lockstep, "profile", "--recorded", file, page && *page ? "--html" : NULL, page, NULL};
    fflush(stdout);
    if (runtime_run(words, NULL) < 0)
        runtime_say("LOCKSTEP_PROFILE: %s cannot be started", lockstep);
}

void profile_take(const struct function *f, const struct launch_shape *s,
    const struct measurement *m, const char *source)
{
    struct err e = {0};
    struct launch_file r = {.device = (char *)device_name(runtime.device),
        .file = (char *)source,
        .kernel = f->name,
        .symbol = (char *)kernel_symbol(f->kernel),
        .what = xasprintf("launch %lu", number),
        .ptx = (char *)registry_ptx(f),
        .shared = s->dynamic_shared,
        .m = *m};
    done = 1;
    memcpy(r.grid, s->grid, sizeof r.grid);
    memcpy(r.block, s->block, sizeof r.block);
    char file[] = "/tmp/lockstep-launch.XXXXXX", *lockstep = runtime_program("lockstep");
    int fd = mkstemp(file);
    if (fd >= 0) close(fd);
    if (!device_simulated(r.device))
        runtime_say(
            "LOCKSTEP_PROFILE: %s counts no lines; use a simulated device, or ncu", r.device);
    else if (!lockstep)
        runtime_say("LOCKSTEP_PROFILE: lockstep is not beside the runtime: make kit");
    else if (fd < 0 || launch_file_write(file, &r, &e))
        runtime_say("LOCKSTEP_PROFILE: %s: %s", file, e.text);
    else
        show(lockstep, file);
    unlink(file);
    free(r.what), free(lockstep);
}

void profile_missed(void)
{
    struct buf b = {0};
    read_wanted();
    if (!wanted || done) return;
    for (const struct function *f = registry_functions(); f; f = f->next) {
        unsigned long launches = 0;
        for (const struct launch_record *r = f->records; r; r = r->next) launches += r->calls;
        if (launches) buf_printf(&b, "%s%s (%lu)", b.len ? ", " : "", f->name, launches);
    }
    runtime_say("LOCKSTEP_PROFILE=%s: there was no such launch; kernels and their launches: %s",
        wanted, b.data ? b.data : "none");
    buf_free(&b);
}
