/* terminal.c - single keys, text page by page, and restoring the terminal's settings in any case.
 *
 *     open ── keys without Enter ── close
 *               │ Ctrl-Z: restored, stopped, set again        SIGINT, SIGTERM, SIGHUP: terminal_ended()
 *               │ a crash, exit(): restored
 *
 * The only control sequence used is "clear screen": so earlier text stays in the scroll-back, over
 * ssh, too. */
#include "learn/learn_private.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

static struct termios before, keys;
static volatile sig_atomic_t is_open, ended, changed;
static struct buf rest; /* the part of the text that did not fit on the page */

static void as_it_was(void)
{
    if (is_open) tcsetattr(STDIN_FILENO, TCSANOW, &before);
}

static void on_end(int signal) { ended = signal; }
static void on_change(int signal) { changed = signal; }

static void on_stop(int signal)
{
    (void)signal;
    int error = errno;
    as_it_was();
    raise(SIGSTOP);
    if (is_open) tcsetattr(STDIN_FILENO, TCSANOW, &keys);
    changed = 1;
    errno = error;
}

/* The program has crashed: restore the terminal first, then handle the signal as usual. */
static void on_crash(int number)
{
    as_it_was();
    signal(number, SIG_DFL);
    raise(number);
}

static const struct {
    int signal;
    void (*does)(int);
} handlers[] = {{SIGINT, on_end}, {SIGTERM, on_end}, {SIGHUP, on_end}, {SIGQUIT, on_end},
    {SIGWINCH, on_change}, {SIGTSTP, on_stop}, {SIGSEGV, on_crash}, {SIGBUS, on_crash},
    {SIGABRT, on_crash}, {SIGFPE, on_crash}, {SIGPIPE, SIG_IGN}, {SIGTTOU, SIG_IGN}};
enum { HANDLERS = sizeof handlers / sizeof *handlers };

int terminal_open(struct err *e)
{
    if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO) || tcgetattr(STDIN_FILENO, &before))
        return err_set(e, ERR_ENV,
            "learn needs a terminal; without one, run make lab LAB=01 after each change of a file");
    keys = before;
    keys.c_lflag &= ~(tcflag_t)(ICANON | ECHO);
    keys.c_cc[VMIN] = 1;
    keys.c_cc[VTIME] = 0;
    for (int i = 0; i < HANDLERS; i++) {
        struct sigaction a = {.sa_handler = handlers[i].does};
        sigaction(handlers[i].signal, &a, NULL);
    }
    atexit(as_it_was);
    is_open = 1;
    tcsetattr(STDIN_FILENO, TCSANOW, &keys);
    return 0;
}

void terminal_close(void)
{
    as_it_was();
    is_open = 0;
    buf_free(&rest);
}

void terminal_lend(int lent) { tcsetattr(STDIN_FILENO, TCSANOW, lent ? &before : &keys); }

void terminal_forked(void)
{
    is_open = 0;
    for (int i = 0; i < HANDLERS; i++) signal(handlers[i].signal, SIG_DFL);
}

int terminal_ended(void) { return ended; }

int terminal_changed(void)
{
    int was = changed;
    changed = 0;
    return was != 0;
}

static struct winsize size_now(void)
{
    struct winsize w = {0};
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &w) || !w.ws_row) w.ws_row = 24;
    if (!w.ws_col) w.ws_col = 80;
    return w;
}

/* The bytes of a key's escape sequence arrive together, while a person's next key takes more than
 * 25 ms. */
int terminal_sequence(void)
{
    struct pollfd more = {STDIN_FILENO, POLLIN, 0};
    unsigned char key = 0;
    if (poll(&more, 1, 25) <= 0 || read(STDIN_FILENO, &key, 1) != 1) return 0;
    if (key != '[' && key != 'O') return 1;
    while (poll(&more, 1, 25) > 0 && read(STDIN_FILENO, &key, 1) == 1)
        if (key >= '@' && key <= '~') break;
    return 1;
}

/* ---- pages ---- */

void terminal_clear(void)
{
    buf_free(&rest);
    printf("\033[H\033[2J");
    fflush(stdout);
}

/* How many rows of the terminal a line takes. Escape sequences take no column, and a UTF-8
 * character takes one. */
static int rows_of(const char *line, size_t n, int columns)
{
    int width = 0;
    for (size_t i = 0; i < n; i++) {
        if (line[i] == '\033')
            while (i + 1 < n && !(line[i] >= '@' && line[i] <= '~' && line[i] != '[')) i++;
        else
            width += ((unsigned char)line[i] & 0xc0) != 0x80;
    }
    return width > columns ? (width + columns - 1) / columns : 1;
}

/* Print as many lines of `rest` as fit, up to a form feed, and a note if more lines follow. The
 * last two rows of the terminal stay free for the list of keys. */
static void page(void)
{
    struct winsize w = size_now();
    int room = w.ws_row > 6 ? w.ws_row - 3 : 3, left = 0;
    size_t at = 0;
    while (at < rest.len && rest.data[at] != '\f') {
        size_t n = strcspn(rest.data + at, "\n");
        int rows = rows_of(rest.data + at, n, w.ws_col);
        if (at && rows > room) break;
        room -= rows;
        at += n + (rest.data[at + n] == '\n');
    }
    fwrite(rest.data, 1, at, stdout);
    at += at < rest.len && rest.data[at] == '\f';
    for (size_t i = at; i < rest.len; i++) left += rest.data[i] == '\n';
    struct buf later = {0};
    if (at < rest.len) buf_add(&later, rest.data + at, rest.len - at);
    buf_free(&rest);
    rest = later;
    if (left) printf("-- %d more line%s: press space --\n", left, plural_s(left));
    fflush(stdout);
}

void terminal_page(struct buf *text)
{
    terminal_clear();
    if (text->len) buf_add(&rest, text->data, text->len);
    buf_free(text);
    if (rest.len) page();
}

int terminal_more(void)
{
    if (!rest.len) return 0;
    printf("\033[H\033[2J");
    page();
    return 1;
}

void terminal_say(const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    vprintf(fmt, args);
    va_end(args);
    printf("\n");
    fflush(stdout);
}
