/* jail.c - restricts what a started program can access: the system's programs and headers, the
 * paths that its caller lists, and nothing else. No network.
 *
 *     bubblewrap   a file system of its own, in separate name spaces    by "bwrap ..." before argv
 *     Landlock     the same file system, with other paths closed        in the child, before exec
 *     limits       neither is possible: only the limits of spawn.c
 *
 * Sources: bwrap(1); the kernel's userspace-api/landlock; seccomp(2). */
#define _GNU_SOURCE
#include "os/jail.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/landlock.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* The system paths that compilers need. */
static const char *const system_paths[] = {"/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64",
    "/opt", "/etc/alternatives", "/etc/ld.so.cache", NULL};

const char *jail_shows(const char *path)
{
    char real[PATH_MAX], prefix[PATH_MAX];
    if (!realpath(path, real)) return NULL;
    for (const char *const *p = system_paths; *p; p++) {
        size_t n = realpath(*p, prefix) ? strlen(prefix) : 0;
        if (n && !strncmp(real, prefix, n) && (!real[n] || real[n] == '/')) return *p;
    }
    return NULL;
}

const char *const jail_names[] = {"none", "limits", "landlock", "bubblewrap"};

/* ---- bubblewrap ---- */

/* Append bwrap's option for a path. A system path that is a link (/bin to usr/bin) becomes the same
 * link; a missing path is skipped. */
static void add_path(struct words *w, const char *how, const char *path)
{
    char target[PATH_MAX], *real;
    ssize_t n = readlink(path, target, sizeof target - 1);
    if (n > 0 && path[0] == '/' && !strchr(path + 1, '/')) {
        target[n] = 0;
        WORDS(w, "--symlink", target, path);
    } else if ((real = realpath(path, NULL))) {
        WORDS(w, how, real, real);
        free(real);
    }
}

void jail_wrap(struct words *w, const char *bwrap, const struct jail *j, const char *const *argv)
{
    char here[PATH_MAX];
    WORDS(w, bwrap, "--unshare-all", "--die-with-parent", "--cap-drop", "ALL", "--proc", "/proc",
        "--dev", "/dev", "--tmpfs", "/tmp");
    for (const char *const *p = system_paths; *p; p++) add_path(w, "--ro-bind", *p);
    for (const char *const *p = j->read; p && *p; p++) add_path(w, "--ro-bind", *p);
    if (j->write) add_path(w, "--bind", j->write);
    if (getcwd(here, sizeof here)) WORDS(w, "--dir", here, "--chdir", here);
    WORDS(w, "--");
    words_list(w, argv);
}

/* ---- Landlock ---- */

enum {
    MAY_READ =
        LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR,
    /* MAY_ALL: all access rights of Landlock's first version; those of later versions are not
     * restricted */
    MAY_ALL = (LANDLOCK_ACCESS_FS_MAKE_SYM << 1) - 1,
    OF_FILES =
        LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_WRITE_FILE
};

/* Allow access to a path. A missing path is skipped: it stays inaccessible. */
static void allow(int rules, const char *path, uint64_t access)
{
    struct stat st;
    int fd = open(path, O_PATH | O_CLOEXEC);
    struct landlock_path_beneath_attr rule = {.allowed_access = access, .parent_fd = fd};
    if (rule.parent_fd < 0) return;
    if (!fstat(rule.parent_fd, &st) && !S_ISDIR(st.st_mode)) rule.allowed_access &= OF_FILES;
    syscall(SYS_landlock_add_rule, rules, LANDLOCK_RULE_PATH_BENEATH, &rule, 0);
    close(rule.parent_fd);
}

/* Block the system calls for sockets, and those that affect other processes or the kernel. */
static int close_calls(void)
{
#define REFUSE(name) \
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_##name, 0, 1), \
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM)
    static struct sock_filter filter[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)), REFUSE(socket),
        REFUSE(ptrace), REFUSE(process_vm_readv), REFUSE(process_vm_writev), REFUSE(keyctl),
        REFUSE(add_key), REFUSE(request_key), REFUSE(bpf), REFUSE(mount), REFUSE(unshare),
        REFUSE(setns), REFUSE(io_uring_setup), REFUSE(perf_event_open), REFUSE(userfaultfd),
        REFUSE(pidfd_open), BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)};
    struct sock_fprog program = {sizeof filter / sizeof *filter, filter};
    return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}

int jail_landlock(const struct jail *j)
{
    static const char *const devices[] = {"/dev/null", "/dev/urandom", NULL};
    struct landlock_ruleset_attr all = {.handled_access_fs = MAY_ALL};
    int rules = (int)syscall(SYS_landlock_create_ruleset, &all, sizeof all.handled_access_fs, 0);
    if (rules < 0) return -1;
    for (const char *const *p = system_paths; *p; p++) allow(rules, *p, MAY_READ);
    for (const char *const *p = j->read; p && *p; p++) allow(rules, *p, MAY_READ);
    for (const char *const *p = devices; *p; p++)
        allow(rules, *p, MAY_READ | LANDLOCK_ACCESS_FS_WRITE_FILE);
    if (j->write) allow(rules, j->write, MAY_ALL);
    int bad = prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
              syscall(SYS_landlock_restrict_self, rules, 0) || close_calls();
    close(rules);
    return bad ? -1 : 0;
}

/* ---- selecting the level ---- */

static pthread_once_t probed = PTHREAD_ONCE_INIT;
static enum jail_level level;
static char *bwrap_path;

/* Does bwrap work here? In a container it may be installed, but not permitted. */
static int bwrap_works(const char *path)
{
    const char *const argv[] = {"/bin/true", NULL};
    struct words w = {0};
    struct buf out = {0};
    int status = 1;
    jail_wrap(&w, path, &(struct jail){0}, argv);
    struct spawn s = {.argv = w.word, .seconds = 10};
    int bad = spawn_run(&s, &out, &status, NULL);
    words_free(&w);
    buf_free(&out);
    return !bad && !status;
}

static void probe(void)
{
    const char *most = getenv("LOCKSTEP_SANDBOX");
    for (level = JAIL_BUBBLEWRAP; most && level > JAIL_NONE && strcmp(most, jail_names[level]);)
        level--;
    /* an unknown name in LOCKSTEP_SANDBOX is ignored */
    if (level == JAIL_NONE) level = JAIL_BUBBLEWRAP;
    if (level == JAIL_BUBBLEWRAP) {
        bwrap_path = spawn_find("bwrap");
        if (!bwrap_path || !bwrap_works(bwrap_path)) level = JAIL_LANDLOCK;
    }
    if (level == JAIL_LANDLOCK &&
        syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION) < 1)
        level = JAIL_LIMITS;
}

enum jail_level jail_level(void)
{
    pthread_once(&probed, probe);
    return level;
}

const char *jail_text(void)
{
    static char text[32];
    snprintf(
        text, sizeof text, "%s%s", jail_names[jail_level()], cgroup_is_open() ? ", cgroup" : "");
    return text;
}

const char *jail_bwrap(void) { return jail_level() == JAIL_BUBBLEWRAP ? bwrap_path : NULL; }
