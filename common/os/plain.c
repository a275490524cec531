/* plain.c - what linux.c, landlock.c, sandbox.c and cgroup.c do, with what POSIX has: for macOS and BSD.
 * `make PLAIN=1` builds with it on Linux, too.
 *
 * A child is limited, and not confined: jail_level is JAIL_LIMITS, as on a Linux that allows no more,
 * and reports say so. Sources: POSIX.1-2017. */
#include "os/jail.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

/* Homebrew's clang comes first: Apple's makes no PTX. */
const char spawn_path[] = "/opt/homebrew/opt/llvm/bin:/usr/local/opt/llvm/bin:/opt/homebrew/bin:"
                          "/usr/local/bin:/usr/bin:/bin";

/* ---- this program ---- */

static char program[PATH_MAX];

/* A name without a slash was found in PATH. */
void os_started_as(const char *argv0)
{
    const char *p = strchr(argv0, '/') ? "" : getenv("PATH");
    if (p && !*p && !realpath(argv0, program)) *program = 0;
    while (p && *p && !*program) {
        size_t n = strcspn(p, ":");
        char *candidate = xasprintf("%.*s/%s", (int)n, p, argv0);
        if (access(candidate, X_OK) || !realpath(candidate, program)) *program = 0;
        free(candidate);
        p += n + (p[n] == ':');
    }
}

int os_program(char *path)
{
    memcpy(path, program, sizeof program);
    return *program ? 0 : -1;
}

size_t os_data_bytes(void) { return 0; }

/* ---- descriptors ---- */

static void close_on_exec(int fd) { fcntl(fd, F_SETFD, FD_CLOEXEC); }

/* Another thread may start a child between the two calls: it closes what it does not need by
 * os_close_from. */
int os_pipe(int ends[2])
{
    if (pipe(ends)) return -1;
    close_on_exec(ends[0]), close_on_exec(ends[1]);
    return 0;
}

int os_sockets(int ends[2])
{
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends)) return -1;
    close_on_exec(ends[0]), close_on_exec(ends[1]);
    return 0;
}

void os_close_from(int first)
{
    long most = sysconf(_SC_OPEN_MAX);
    for (int fd = first; fd < (most > 0 && most < 4096 ? most : 4096); fd++) close(fd);
}

/* The object has a name for a moment only. POSIX sets FD_CLOEXEC. */
int os_memory_file(void)
{
    char name[32];
    snprintf(name, sizeof name, "/lockstep.%llx", (unsigned long long)rng_secret() >> 8);
    int fd = shm_open(name, O_RDWR | O_CREAT | O_EXCL, 0600);
    if (fd >= 0) shm_unlink(name);
    return fd;
}

/* ---- children ---- */

/* POSIX has no such signal. What a child sends to a parent that is gone ends it (isolate.c). */
void os_end_with_parent(int signal) { (void)signal; }

double os_processor_seconds(pid_t pid)
{
    (void)pid;
    return 0;
}

int cgroup_open(size_t memory_bytes, int processes)
{
    (void)memory_bytes, (void)processes;
    return 0;
}
int cgroup_is_open(void) { return 0; }
void cgroup_close(void) {}
void cgroup_join(void) {}

int jail_landlock_works(void) { return 0; }
int jail_landlock(const struct jail *j)
{
    (void)j;
    return -1;
}

int sandbox_enter(size_t memory_bytes)
{
    const struct rlimit none = {0, 0}, memory = {memory_bytes, memory_bytes};
    setrlimit(RLIMIT_CORE, &none);
    setrlimit(RLIMIT_FSIZE, &none);
    setrlimit(RLIMIT_AS, &memory);
    return 0;
}
int sandbox_seal(void) { return 0; }

/* ---- files ---- */

/* Nobody tells of changes: who watches a file compares its time as well. */
int os_watch_open(void) { return -1; }
int os_watch_add(int watch, const char *folder)
{
    (void)watch, (void)folder;
    return -1;
}
void os_watch_remove(int watch, int id) { (void)watch, (void)id; }
int os_watch_read(int watch, const char *name)
{
    (void)watch, (void)name;
    return 0;
}

int os_rename_new(int from, const char *name, int to, const char *new_name)
{
    return linkat(from, name, to, new_name, 0) || unlinkat(from, name, 0) ? -1 : 0;
}

/* In three steps, by a third name beside `name`. There is a file `other` at any moment, but on a file
 * system without hard links. */
int os_exchange(int from, const char *name, int to, const char *other)
{
    char third[NAME_MAX + 1];
    if (snprintf(third, sizeof third, "%s.other", name) >= (int)sizeof third) {
        errno = ENAMETOOLONG;
        return -1;
    }
    unlinkat(from, third, 0);
    if (linkat(to, other, from, third, 0) && (errno == ENOENT || renameat(to, other, from, third)))
        return -1;
    if (renameat(from, name, to, other)) {
        int why = errno;
        renameat(from, third, to, other);
        unlinkat(from, third, 0); /* of two names of one file, rename removes none */
        errno = why;
        return -1;
    }
    return renameat(from, third, from, name);
}
