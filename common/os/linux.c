/* linux.c - the small things that Linux has a way of its own for, as os.h promises them. plain.c does the
 * same with what POSIX has.
 *
 * Source: Linux man pages proc(5), prctl(2), inotify(7), memfd_create(2), close_range(2), renameat2(2). */
#define _GNU_SOURCE
#include "os/os.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

const char spawn_path[] = "/usr/local/bin:/usr/bin:/bin:/usr/local/cuda/bin";

void os_started_as(const char *argv0) { (void)argv0; }

int os_program(char *path)
{
    ssize_t n = readlink("/proc/self/exe", path, PATH_MAX - 1);
    path[n > 0 ? n : 0] = 0;
    return n > 0 ? 0 : -1;
}

void os_end_with_parent(int signal) { prctl(PR_SET_PDEATHSIG, signal); }

int os_pipe(int ends[2]) { return pipe2(ends, O_CLOEXEC); }

int os_sockets(int ends[2]) { return socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends); }

void os_close_from(int first) { close_range((unsigned)first, ~0u, 0); }

int os_memory_file(void) { return memfd_create("lockstep", MFD_CLOEXEC); }

double os_processor_seconds(pid_t pid)
{
    clockid_t clock;
    struct timespec t;
    if (clock_getcpuclockid(pid, &clock) || clock_gettime(clock, &t)) return 0;
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

size_t os_data_bytes(void)
{
    unsigned long pages = 0;
    FILE *f = fopen("/proc/self/statm", "re"); /* its sixth number: data and stack, in pages */
    int known = f && fscanf(f, "%*u %*u %*u %*u %*u %lu", &pages) == 1;
    if (f) fclose(f);
    return known ? pages * (size_t)sysconf(_SC_PAGESIZE) : 0;
}

int os_watch_open(void) { return inotify_init1(IN_NONBLOCK | IN_CLOEXEC); }

int os_watch_add(int watch, const char *folder)
{
    return watch < 0 ? -1
                     : inotify_add_watch(watch, folder, IN_CLOSE_WRITE | IN_MOVED_TO | IN_ONLYDIR);
}

void os_watch_remove(int watch, int id)
{
    if (id >= 0) inotify_rm_watch(watch, id);
}

int os_watch_read(int watch, const char *name)
{
    _Alignas(struct inotify_event) char events[4096];
    int found = 0;
    for (ssize_t n; watch >= 0 && (n = read(watch, events, sizeof events)) > 0;)
        for (char *at = events; at < events + n;) {
            const struct inotify_event *v = (struct inotify_event *)at;
            found |= v->len && !strcmp(v->name, name);
            at += sizeof *v + v->len;
        }
    return found;
}

int os_rename_new(int from, const char *name, int to, const char *new_name)
{
    return renameat2(from, name, to, new_name, RENAME_NOREPLACE);
}

int os_exchange(int from, const char *name, int to, const char *other)
{
    return renameat2(from, name, to, other, RENAME_EXCHANGE);
}
