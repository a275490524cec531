/* landlock.c - closes all paths to a started program but those of its jail, and the network, by Landlock and
 * a filter of system calls.
 *
 * Sources: the kernel's userspace-api/landlock; seccomp(2). */
#define _GNU_SOURCE
#include "os/jail.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/landlock.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

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
    for (const char *const *p = jail_system_paths; *p; p++) allow(rules, *p, MAY_READ);
    for (const char *const *p = j->read; p && *p; p++) allow(rules, *p, MAY_READ);
    for (const char *const *p = devices; *p; p++)
        allow(rules, *p, MAY_READ | LANDLOCK_ACCESS_FS_WRITE_FILE);
    if (j->write) allow(rules, j->write, MAY_ALL);
    int bad = prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
              syscall(SYS_landlock_restrict_self, rules, 0) || close_calls();
    close(rules);
    return bad ? -1 : 0;
}

int jail_landlock_works(void)
{
    return syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION) >= 1;
}
