/* sandbox.c - the system calls a learner's host code may make: those of computing, none that open, name or start a thing.
 * Every other call fails with EPERM. */
#define _GNU_SOURCE
#include "os/os.h"

#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#if defined(__x86_64__)
#define ARCH AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define ARCH AUDIT_ARCH_AARCH64
#else
#error "sandbox.c knows x86-64 and AArch64"
#endif

#define LOAD(field) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, field))
#define ALLOW(name)                                        \
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_##name, 0, 1), \
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)
#define REFUSE BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM)

static struct sock_filter filter[] = {
    LOAD(arch),
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, ARCH, 1, 0),
    REFUSE,
    LOAD(nr),
    /* descriptors it already has */
    ALLOW(read), ALLOW(write), ALLOW(close), ALLOW(lseek), ALLOW(fstat),
    /* memory */
    ALLOW(mmap), ALLOW(munmap), ALLOW(mremap), ALLOW(mprotect), ALLOW(madvise), ALLOW(brk),
    /* the start of a static program; the one exec that brings it there (it could name nothing else that runs: a
     * dynamic program needs files, and a static one has no more rights than this) */
    ALLOW(execve), ALLOW(set_tid_address), ALLOW(set_robust_list),
#ifdef __NR_rseq
    ALLOW(rseq),
#endif
#ifdef __NR_arch_prctl
    ALLOW(arch_prctl),
#endif
    ALLOW(getrandom), ALLOW(uname),
    /* its own signals, clocks, end */
    ALLOW(rt_sigaction), ALLOW(rt_sigprocmask), ALLOW(rt_sigreturn), ALLOW(sigaltstack), ALLOW(futex), ALLOW(clock_gettime),
    ALLOW(sched_yield), ALLOW(restart_syscall), ALLOW(exit), ALLOW(exit_group),
    REFUSE,
};

static void limit(int what, rlim_t value)
{
    struct rlimit r = {value, value};
    setrlimit(what, &r);
}

int sandbox_enter(size_t memory_bytes)
{
    struct sock_fprog program = {sizeof filter / sizeof *filter, filter};
    limit(RLIMIT_CORE, 0);
    limit(RLIMIT_FSIZE, 0); /* pipes are not files */
    limit(RLIMIT_AS, memory_bytes);
    prctl(PR_SET_PDEATHSIG, SIGKILL); /* the kit gone, it goes */
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program))
        return -1;
    return 0;
}
