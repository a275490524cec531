/* child.c - judging and drawing in a child process (os/child.c), for a terminal.
 *
 *     parent: keys, saves ---- fork ---> child: judge, prints -- pipe --> parent: a page
 *         └-- a new save: the child and its compilers are killed, another child starts
 *
 * The parent opens no device and starts no thread, so that it can fork at any time; if the
 * simulator crashes, only one answer is lost; the session continues. */
#define _GNU_SOURCE
#include "learn/learn_private.h"
#include "view/view.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

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

static void prepare(void)
{
    terminal_forked();
    tell_screen();
}

int learn_start(struct child *c, child_work *work, void *context, struct err *e)
{
    return child_start(c, prepare, work, context, e);
}

int child_run(child_work *work, void *context, struct buf *text, struct err *e)
{
    struct child c = {0};
    int result = -1;
    if (learn_start(&c, work, context, e)) return -1;
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
        os_end_with_parent(SIGTERM);
        terminal_forked();
        int result = work(context, &failed);
        if (result < 0) printf("%s\n", failed.text);
        fflush(stdout);
        _exit(result < 0 ? CHILD_FAILED : result);
    }
    while (pid > 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR)
        if (terminal_ended()) kill(pid, SIGTERM);
    terminal_lend(0);
    if (pid < 0) return err_set(e, ERR_ENV, "no process can be started: %s", strerror(errno));
    return WIFEXITED(status) && WEXITSTATUS(status) != CHILD_FAILED ? WEXITSTATUS(status) : -1;
}
