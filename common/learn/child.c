/* child.c - run judging and drawing in a child process.
 *
 *     parent: keys, saves ---- fork ---> child: judge, prints -- pipe --> parent: a page
 *         └-- a new save: the child and its compilers are killed, another child starts
 *
 * The parent opens no device and starts no thread, so that it can fork at any time; if the
 * simulator crashes, one answer is lost and not the session. */
#define _GNU_SOURCE
#include "learn/learn_private.h"
#include "view/view.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

enum { FAILED = 100 }; /* exit status of a child process whose work function returned -1 */

/* The child's output is a pipe, but is shown on the terminal: tell it the terminal's size, and
 * whether it has colour. */
static void tell_screen(void)
{
    struct screen s = screen_of(STDOUT_FILENO);
    char number[16];
    snprintf(number, sizeof number, "%d", s.width);
    setenv("COLUMNS", number, 1);
    snprintf(number, sizeof number, "%d", s.height);
    setenv("LINES", number, 1);
    setenv("CLICOLOR_FORCE", s.colour ? "1" : "0", 1);
}

static void be_child(int out, child_work *work, void *context)
{
    struct err e = {0};
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    terminal_forked();
    tell_screen();
    dup2(out, STDOUT_FILENO);
    dup2(out, STDERR_FILENO);
    int status = work(context, &e);
    if (status < 0) printf("%s\n", e.text);
    fflush(stdout);
    _exit(status < 0 ? FAILED : status);
}

int child_start(struct child *c, child_work *work, void *context, struct err *e)
{
    int ends[2];
    child_end(c);
    fflush(stdout);
    if (pipe2(ends, O_CLOEXEC)) return err_set(e, ERR_ENV, "no pipe: %s", strerror(errno));
    c->pid = fork();
    if (!c->pid) be_child(ends[1], work, context);
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
    return WIFEXITED(status) && WEXITSTATUS(status) != FAILED ? WEXITSTATUS(status) : -1;
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

int child_run(child_work *work, void *context, struct buf *text, struct err *e)
{
    struct child c = {0};
    int result = -1;
    if (child_start(&c, work, context, e)) return -1;
    while (!terminal_ended() && child_take(&c, text, &result)) continue;
    child_end(&c);
    return result;
}

/* The terminal sends its signals to the child process, too; SIGTERM is passed on to the child. */
int child_attend(child_work *work, void *context, struct err *e)
{
    int status = 0;
    terminal_lend(1);
    fflush(stdout);
    pid_t pid = fork();
    if (!pid) {
        struct err failed = {0};
        prctl(PR_SET_PDEATHSIG, SIGTERM);
        terminal_forked();
        int result = work(context, &failed);
        if (result < 0) printf("%s\n", failed.text);
        fflush(stdout);
        _exit(result < 0 ? FAILED : result);
    }
    while (pid > 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR)
        if (terminal_ended()) kill(pid, SIGTERM);
    terminal_lend(0);
    if (pid < 0) return err_set(e, ERR_ENV, "no process can be started: %s", strerror(errno));
    return WIFEXITED(status) && WEXITSTATUS(status) != FAILED ? WEXITSTATUS(status) : -1;
}
