/* ncu.c - start ncu around another run of this program.
 *
 *     ncu OPTIONS --log-file LOG --metrics A,B,... lockstep-hardware COMMAND
 *
 * The options keep the GPU's clocks as they are, print plain CSV with one line per launch and base
 * units. Source: Nsight Compute CLI manual.
 */
#define _GNU_SOURCE
#include "hardware/ncu.h"

#include <errno.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

enum { WORDS = 64 };

/* The log is a new temporary file, so that several runs do not share one. */
int ncu_open(struct ncu *n, const char *program, struct err *e)
{
    *n = (struct ncu){.program = program, .log = "/tmp/lockstep-ncu.XXXXXX"};
    int fd = mkstemp(n->log);
    if (fd < 0) return err_set(e, ERR_ENV, "no temporary file: %s", strerror(errno));
    close(fd);
    n->self = realpath("/proc/self/exe", NULL);
    return 0;
}

void ncu_close(struct ncu *n, int keep_log)
{
    if (!keep_log) unlink(n->log);
    free(n->self);
    n->self = NULL;
}

/* The array's unset members are NULL, so the command's words are appended at the first NULL. A
 * child that dies from a signal counts as status 128. */
int ncu_run(const struct ncu *n, const char *metrics, int details, const char *const *command,
    struct err *e)
{
    const char *argv[WORDS] = {n->program, "--clock-control", "none", "--target-processes",
        "application-only", "--csv", "--page", "raw", "--print-units", "base",
        "--print-metric-instances", details ? "details" : "none", "--log-file", n->log, "--metrics",
        metrics, n->self};
    int k = 0, status = 0;
    pid_t child;
    while (argv[k]) k++;
    for (; *command; command++) {
        if (k == WORDS - 1) BUG("more than %d words", WORDS);
        argv[k++] = *command;
    }
    int bad = posix_spawnp(&child, n->program, NULL, NULL, (char **)(uintptr_t)argv, environ);
    if (bad)
        return err_set(e, ERR_ENV,
            "%s cannot be started (%s): it is part of the CUDA toolkit; name it by --ncu",
            n->program, strerror(bad));
    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
        ;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128;
}
