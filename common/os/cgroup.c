/* cgroup.c - a common limit on memory and processes for all children, if this machine lets the user
 * create cgroups.
 *
 *     this process's cgroup, or a neighbour below the same parent
 *         └-- lockstep.PID     memory, pids     children of spawn_run and isolate_run enter it
 *
 * Version 2 of cgroups has one tree; version 1 has one for memory and one for processes. A
 * desktop's terminal and `systemd-run --user --scope -p Delegate=yes` let an ordinary user create
 * cgroups. Source: the kernel's admin-guide/cgroup-v2 and admin-guide/cgroup-v1/memory. */
#define _GNU_SOURCE
#include "os/jail.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* A cgroup that was created. Version 1 needs two. */
struct group {
    char path[PATH_MAX];
    int enter; /* descriptor of the group's cgroup.procs (or tasks), open for writing */
};
static struct group groups[2];
static int group_count;

static int put(int directory, const char *file, const char *text)
{
    int fd = openat(directory, file, O_WRONLY | O_CLOEXEC);
    int bad = fd < 0 || write(fd, text, strlen(text)) < 0;
    if (fd >= 0) close(fd);
    return bad;
}

void cgroup_join(void)
{
    for (int i = 0; i < group_count; i++)
        if (write(groups[i].enter, "0", 1) < 0) _exit(127);
}

/* Can a child enter the group? The kernel may refuse that even if the group could be created. */
static int can_join(int enter)
{
    int status = 1;
    pid_t pid = fork();
    if (pid == 0) _exit(write(enter, "0", 1) < 0);
    return pid > 0 && waitpid(pid, &status, 0) == pid && !status;
}

/* Remove the empty groups that were left by processes that were killed. */
static void sweep(const char *parent)
{
    DIR *d = opendir(parent);
    for (struct dirent *entry; d && (entry = readdir(d));) {
        int pid = 0;
        if (sscanf(entry->d_name, "lockstep.%d", &pid) == 1 && pid > 0 && kill(pid, 0) &&
            errno == ESRCH)
            unlinkat(dirfd(d), entry->d_name, AT_REMOVEDIR);
    }
    if (d) closedir(d);
}

/* Create a group below parent, with limits: pairs of a file name and its contents, terminated by
 * NULL. Returns 0 if the group was created. enter: the file to which a process writes itself. A
 * child has one thread, so for version 1 "tasks" is as good as "cgroup.procs", which stops every
 * process of the machine for about 10 ms. */
static int make(const char *parent, const char *const *limits, const char *enter)
{
    struct group *g = &groups[group_count];
    if (snprintf(g->path, sizeof g->path, "%s/lockstep.%d", parent, (int)getpid()) >=
        (int)sizeof g->path)
        return -1;
    sweep(parent);
    if (mkdir(g->path, 0755)) return -1;
    int directory = open(g->path, O_RDONLY | O_DIRECTORY | O_CLOEXEC), bad = directory < 0;
    for (const char *const *l = limits; !bad && *l; l += 2) bad = put(directory, l[0], l[1]);
    g->enter = bad ? -1 : openat(directory, enter, O_WRONLY | O_CLOEXEC);
    if (directory >= 0) close(directory);
    if (g->enter >= 0 && can_join(g->enter)) {
        group_count++;
        return 0;
    }
    if (g->enter >= 0) close(g->enter);
    rmdir(g->path);
    return -1;
}

/* In version 2 a group that contains processes cannot limit groups below it, so the parent of this
 * process's group is tried as well. */
static int make_v2(const char *own, const char *const *limits)
{
    char path[PATH_MAX];
    if (snprintf(path, sizeof path, "/sys/fs/cgroup%s", own) >= (int)sizeof path) return -1;
    if (!make(path, limits, "cgroup.procs")) return 0;
    char *last = strrchr(path, '/');
    if (!own[1] || last == path) return -1;
    *last = 0;
    return make(path, limits, "cgroup.procs");
}

int cgroup_open(size_t memory_bytes, int processes)
{
    char memory[24], pids[24], line[PATH_MAX + 64];
    const char *const v2[] = {"memory.max", memory, "pids.max", pids, NULL},
                      *const v1_memory[] = {"memory.limit_in_bytes", memory, NULL},
                      *const v1_pids[] = {"pids.max", pids, NULL};
    snprintf(memory, sizeof memory, "%zu", memory_bytes);
    snprintf(pids, sizeof pids, "%d", processes);
    FILE *f = fopen("/proc/self/cgroup", "re");
    /* whole: groups created by version 2; halves: groups created by version 1, of which two are
     * needed */
    int whole = 0, halves = 0;
    while (f && !whole && fgets(line, sizeof line, f)) {
        char *controllers = strchr(line, ':'),
             *own = controllers ? strchr(controllers + 1, ':') : NULL;
        char parent[PATH_MAX];
        if (!own) continue;
        *own++ = 0, controllers++;
        own[strcspn(own, "\n")] = 0;
        snprintf(parent, sizeof parent, "/sys/fs/cgroup/%s%.3000s", controllers, own);
        if (!*controllers)
            whole = !halves && !make_v2(own, v2);
        else if (!strcmp(controllers, "memory"))
            halves += !make(parent, v1_memory, "tasks");
        else if (!strcmp(controllers, "pids"))
            halves += !make(parent, v1_pids, "tasks");
    }
    if (f) fclose(f);
    if (!whole && halves < 2) cgroup_close();
    return group_count > 0;
}

/* A killed child leaves its group only a moment later, so the removal is tried repeatedly. */
void cgroup_close(void)
{
    while (group_count) {
        struct group *g = &groups[--group_count];
        close(g->enter);
        for (int tries = 0; tries < 100 && rmdir(g->path) && errno == EBUSY; tries++) usleep(10000);
    }
}

int cgroup_is_open(void) { return group_count > 0; }
