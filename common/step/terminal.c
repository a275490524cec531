/* terminal.c - step through a recording at a terminal: draw a screen, wait for a key, draw the
 * next.
 *
 *     key ──> another stop, or another view of it ──> step_screen ──> one write
 *
 * The terminal's settings are restored when the loop ends, and when a signal ends the program. */
#define _GNU_SOURCE
#include "step/step.h"

#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

static struct termios before;

static void put_back(void)
{
    static const char leave[] = "\033[?25h\033[?1049l";
    if (write(STDOUT_FILENO, leave, sizeof leave - 1) < 0) return;
    tcsetattr(STDIN_FILENO, TCSAFLUSH, &before);
}

static void killed(int signal)
{
    put_back();
    _exit(128 + signal);
}

static void on_resize(int signal) { (void)signal; }

static void write_all(const struct buf *b)
{
    for (size_t at = 0; at < b->len;) {
        ssize_t n = write(STDOUT_FILENO, b->data + at, b->len - at);
        if (n <= 0) return;
        at += (size_t)n;
    }
}

/* What is shown at present. */
struct looking {
    struct step_session *s;
    /* stop: the stop that is shown; instant: the instruction that is shown, used while PTX is
     * shown */
    size_t stop, instant;
    int flags;
    char note[96];
};

static void draw(struct looking *k)
{
    struct winsize size = {0};
    struct buf screen = {0}, out = {0};
    int bad = ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) || !size.ws_row || !size.ws_col;
    int rows = bad ? 24 : size.ws_row, columns = bad ? 80 : size.ws_col;
    k->s->note = *k->note ? k->note : NULL;
    step_screen(k->s, k->flags & STEP_PTX ? k->instant : k->stop, k->flags, rows, columns,
        !getenv("NO_COLOR"), &screen);
    buf_printf(&out, "\033[H");
    for (const char *at = screen.data; at && *at;) {
        size_t n = strcspn(at, "\n");
        buf_add(&out, at, n);
        buf_printf(&out, "\033[K");
        at += n + (at[n] == '\n');
        if (*at) buf_printf(&out, "\r\n");
    }
    buf_printf(&out, "\033[J");
    write_all(&out);
    buf_free(&screen);
    buf_free(&out);
    *k->note = 0;
}

/* The next byte of input; -1: the input has ended; -2: the wait timed out, or a signal came. */
static int next_byte(int wait)
{
    struct pollfd p = {STDIN_FILENO, POLLIN, 0};
    unsigned char c;
    if (poll(&p, 1, wait) <= 0) return -2;
    return read(STDIN_FILENO, &c, 1) == 1 ? c : -1;
}

/* The next key. Arrows arrive as ESC [ C and ESC [ D, Home and End as ESC [ H and ESC [ F. */
static int next_key(void)
{
    int c = next_byte(-1);
    if (c != 033) return c;
    c = next_byte(50);
    if (c != '[' && c != 'O') return c == -2 ? 033 : c;
    switch (next_byte(50)) {
    case 'C':
    case 'B': return 'n';
    case 'D':
    case 'A': return 'p';
    case 'H': return '<';
    case 'F': return '>';
    default: return 0;
    }
}

/* Read a number, which is shown while it is typed. Returns 0 if there is none. */
static size_t read_number(struct looking *k)
{
    size_t n = 0;
    for (;;) {
        snprintf(k->note, sizeof k->note, "go to step: %.0zu", n);
        draw(k);
        int c = next_key();
        if (c >= '0' && c <= '9' && n < 100000000)
            n = 10 * n + (size_t)(c - '0');
        else if (c == 127 || c == 8)
            n /= 10;
        else if (c == '\r' || c == '\n')
            return n;
        else if (c != -2 && c != 0)
            return 0;
    }
}

/* Move by one stop or, while PTX is shown, by one instruction. */
static void move(struct looking *k, int by)
{
    const struct recording *r = k->s->recording;
    int ptx = k->flags & STEP_PTX;
    size_t *at = ptx ? &k->instant : &k->stop, end = ptx ? recording_count(r) : recording_stops(r);
    if (by < 0 && *at == 0)
        snprintf(k->note, sizeof k->note, "this is the first step");
    else if (by > 0 && *at + 1 >= end)
        snprintf(k->note, sizeof k->note,
            recording_cut(r)     ? "the recording ends here; the warp does not"
            : recording_fault(r) ? "the block ends here, by the fault"
                                 : "the warp has ended");
    else
        *at += (size_t)by;
    if (ptx) k->stop = recording_stop_of(r, k->instant);
}

static void jump(struct looking *k, enum step_wish wish)
{
    static const char *const none[] = {
        "no barrier follows", "no conflict and no wasted sector follows", "no fault follows"};
    size_t to = recording_find(k->s->recording, k->stop, wish);
    if (to == SIZE_MAX)
        snprintf(k->note, sizeof k->note, "%s", none[wish]);
    else
        k->stop = to;
}

/* Handle a key while the race is shown. Returns 0 if the user quits. */
static int obey_race(struct looking *k, int key)
{
    if (key == 'q' || key == 3 || key == 4 || key == -1) return 0;
    if (key == 'r' || key == '1' || key == '2') k->flags &= ~STEP_RACE;
    if (key != '1' && key != '2') return 1;
    const struct step_side *side = &k->s->race.side[key - '1'];
    k->s->recording = side->recording;
    k->s->warp = side->warp;
    /* the counters of the optimized build belong to one of the warps only */
    k->s->has_optimised = 0;
    k->stop = side->stop;
    k->instant = side->instant;
    return 1;
}

/* Handle a key. Returns 0 if the user quits. */
static int obey(struct looking *k, int key)
{
    if (k->flags & STEP_RACE) return obey_race(k, key);
    size_t n, last = recording_stops(k->s->recording) - 1;
    switch (key) {
    case 'q':
    case 3:
    case 4:
    case -1: return 0;
    case 'n':
    case ' ':
    case 'l':
    case 'j': move(k, 1); return 1;
    case 'p':
    case 'h':
    case 'k': move(k, -1); return 1;
    case 'i':
        k->flags ^= STEP_PTX;
        k->instant = recording_stop(k->s->recording, k->stop);
        return 1;
    case 't': k->flags ^= STEP_TILE; return 1;
    case 'r':
        if (k->s->race.side[0].recording)
            k->flags |= STEP_RACE;
        else
            snprintf(k->note, sizeof k->note, "there is no race in shared memory in this block");
        return 1;
    case 'b': jump(k, WISH_BARRIER); break;
    case 'c': jump(k, WISH_WASTE); break;
    case 'f': jump(k, WISH_FAULT); break;
    case '<': k->stop = 0; break;
    case '>': k->stop = last; break;
    case 'g':
        n = read_number(k);
        *k->note = 0;
        if (n) k->stop = n - 1 > last ? last : n - 1;
        break;
    default: return 1;
    }
    k->instant = recording_stop(k->s->recording, k->stop);
    return 1;
}

int step_terminal(struct step_session *s, struct err *e)
{
    struct looking k = {.s = s};
    static const char enter[] = "\033[?1049h\033[?25l";
    if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO) || tcgetattr(STDIN_FILENO, &before))
        return err_set(
            e, ERR_ENV, "stepping needs a terminal; --steps N prints the first N steps instead");
    struct termios raw = before;
    raw.c_lflag &= ~(tcflag_t)(ICANON | ECHO | ISIG);
    raw.c_iflag &= ~(tcflag_t)(IXON | ICRNL);
    raw.c_cc[VMIN] = 1;
    raw.c_cc[VTIME] = 0;
    tcsetattr(STDIN_FILENO, TCSAFLUSH, &raw);
    struct sigaction end = {.sa_handler = killed}, resize = {.sa_handler = on_resize};
    sigaction(SIGTERM, &end, NULL);
    sigaction(SIGHUP, &end, NULL);
    sigaction(SIGWINCH, &resize, NULL);
    if (write(STDOUT_FILENO, enter, sizeof enter - 1) < 0)
        return err_set(e, ERR_ENV, "the terminal cannot be written");
    draw(&k);
    step_complete(s);
    do draw(&k);
    while (obey(&k, next_key()));
    put_back();
    return 0;
}
