/* child.c - run work in a child process whose output is a pipe, and which can be killed at any time.
 *
 *     parent ── fork ──> child: prepare, work, prints ── pipe ──> parent, as it comes
 *        └── child_end: the child's process group is killed, and the child is reaped
 *
 * The child ends with its parent. If the work crashes, only its answer is lost; the parent
 * continues. */
#include "os/os.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static void be_child(int out, void (*prepare)(void), child_work *work, void *context)
{
    struct err e = {0};
    setpgid(0, 0);
    os_end_with_parent(SIGKILL);
    prepare();
    dup2(out, STDOUT_FILENO);
    dup2(out, STDERR_FILENO);
    int status = work(context, &e);
    if (status < 0) printf("%s\n", e.text);
    fflush(stdout);
    _exit(status < 0 ? CHILD_FAILED : status);
}

int child_start(
    struct child *c, void (*prepare)(void), child_work *work, void *context, struct err *e)
{
    int ends[2];
    child_end(c);
    fflush(stdout);
    if (os_pipe(ends)) return err_set(e, ERR_ENV, "no pipe: %s", strerror(errno));
    c->pid = fork();
    if (!c->pid) be_child(ends[1], prepare, work, context);
    close(ends[1]);
    if (c->pid < 0) {
        close(ends[0]);
        c->pid = 0;
        return err_set(e, ERR_ENV, "no process can be started: %s", strerror(errno));
    }
    setpgid(c->pid, c->pid); /* called in parent and child, since either may run first */
    c->out = ends[0];
    c->began = clock_seconds();
    return 0;
}

static int reap(struct child *c)
{
    int status;
    while (waitpid(c->pid, &status, 0) < 0 && errno == EINTR) continue;
    close(c->out);
    c->pid = 0;
    return WIFEXITED(status) && WEXITSTATUS(status) != CHILD_FAILED ? WEXITSTATUS(status) : -1;
}

int child_take(struct child *c, struct buf *text, int *result)
{
    char chunk[4096];
    ssize_t n = read(c->out, chunk, sizeof chunk);
    if (n > 0) buf_add(text, chunk, (size_t)n);
    if (n > 0 || (n < 0 && errno == EINTR)) return 1;
    *result = reap(c);
    return 0;
}

void child_end(struct child *c)
{
    if (!c->pid) return;
    kill(-c->pid, SIGKILL);
    reap(c);
}
