/* sandbox.c - limits the system calls of a learner's host code, and of the assembler that reads it.
 *
 * The filter allows calls that compute: memory, clocks, the process's own signals, and reading and
 * writing descriptors that are already open. The filter allows none that open, name or start
 * anything. Every other call fails with EPERM.
 *
 * Source: Linux man pages seccomp(2) and prctl(2); the kernel's seccomp_filter document. */
#define _GNU_SOURCE
#include "os/os.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

/* System call numbers differ between architectures, so the filter checks the architecture first. */
#if defined(__x86_64__)
#define ARCH AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define ARCH AUDIT_ARCH_AARCH64
#else
#error "sandbox.c knows x86-64 and AArch64"
#endif

/* Parts of a classic BPF program. LOAD fetches a word of struct seccomp_data; ALLOW returns "allow"
 * if that word is the number of the call, and otherwise continues with the next instruction. */
#define LOAD(field) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, field))
#define ALLOW(name) \
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_##name, 0, 1), \
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)
#define REFUSE BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM)

static struct sock_filter filter[] = {
    LOAD(arch),
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, ARCH, 1, 0),
    REFUSE,
    LOAD(nr),
    /* read and write descriptors that are already open */
    ALLOW(read),
    ALLOW(write),
    ALLOW(close),
    ALLOW(lseek),
    ALLOW(fstat),
    /* memory of the process */
    ALLOW(mmap),
    ALLOW(munmap),
    ALLOW(mremap),
    ALLOW(mprotect),
    ALLOW(madvise),
    ALLOW(brk),
    /* The start of a static program. execve is needed once, to start the learner's program. A
     * further execve gains nothing: a dynamic program needs openat to find its libraries, and a
     * static program inherits this filter. */
    ALLOW(execve),
    ALLOW(set_tid_address),
    ALLOW(set_robust_list),
#ifdef __NR_rseq
    ALLOW(rseq),
#endif
#ifdef __NR_arch_prctl
    ALLOW(arch_prctl),
#endif
    ALLOW(getrandom),
    ALLOW(uname),
    /* the process's own signals, clocks and end */
    ALLOW(rt_sigaction),
    ALLOW(rt_sigprocmask),
    ALLOW(rt_sigreturn),
    ALLOW(sigaltstack),
    ALLOW(futex),
    ALLOW(clock_gettime),
    ALLOW(sched_yield),
    ALLOW(restart_syscall),
    ALLOW(exit),
    ALLOW(exit_group),
    REFUSE,
};

/* Set the soft and the hard limit to the same value, so that the child cannot raise it again.
 * Errors are ignored. */
static void limit(int what, rlim_t value)
{
    struct rlimit r = {value, value};
    setrlimit(what, &r);
}

/* Refuses an open or openat that requests neither write access nor O_CLOEXEC. GNU as opens the
 * files that it includes by fopen, which does so. openat2 fails with ENOSYS. */
#define REFUSE_READING(field) \
    LOAD(field), BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, O_ACCMODE | O_CLOEXEC, 0, 1), \
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW), REFUSE
#define UNLESS(name) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_##name, 0, 4)
static struct sock_filter seal[] = {
    LOAD(arch),
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, ARCH, 1, 0),
    REFUSE,
    LOAD(nr),
#ifdef __NR_open
    UNLESS(open),
    REFUSE_READING(args[1]),
#endif
    UNLESS(openat),
    REFUSE_READING(args[2]),
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_openat2, 0, 1),
    BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS),
    BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
};

int sandbox_seal(void)
{
    struct sock_fprog program = {sizeof seal / sizeof *seal, seal};
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
                   prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program)
               ? -1
               : 0;
}

int sandbox_enter(size_t memory_bytes)
{
    struct sock_fprog program = {sizeof filter / sizeof *filter, filter};
    limit(RLIMIT_CORE, 0);
    /* No file can grow. Pipes are not affected. */
    limit(RLIMIT_FSIZE, 0);
    limit(RLIMIT_AS, memory_bytes);
    /* If the kit ends, the child is killed as well. */
    os_end_with_parent(SIGKILL);
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
        prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program))
        return -1;
    return 0;
}
