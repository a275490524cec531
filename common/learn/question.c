/* question.c - a line that is typed key by key.
 *
 *     question_ask ──> the loop waits for one thing at a time: a key, a save, a child
 *                          └── key ──> question_key ──> MORE, LINE, or LEAVE: Escape, q, n
 *
 * The terminal does not echo, so typed characters are printed here. Ctrl-U clears the line. */
#include "learn/learn_private.h"

#include <stdio.h>

enum { CTRL_D = 4, CTRL_U = 21, ESCAPE = 27, DELETE = 127 };

void question_again(const struct question *q)
{
    printf("%s%s", q->prompt, q->line);
    fflush(stdout);
}

void question_ask(struct question *q, const char *prompt)
{
    *q = (struct question){.prompt = prompt};
    question_again(q);
}

static void shorten(struct question *q)
{
    if (!q->length) return;
    q->line[--q->length] = 0;
    printf("\b \b");
}

enum pressed question_key(struct question *q, int key)
{
    enum pressed pressed = PRESSED_MORE;
    if (key == '\n' || key == '\r') {
        pressed = PRESSED_LINE;
    } else if (key == ESCAPE || key == CTRL_D || (!q->length && (key == 'q' || key == 'n'))) {
        pressed = PRESSED_LEAVE;
    } else if (key == '\b' || key == DELETE) {
        shorten(q);
    } else if (key == CTRL_U) {
        while (q->length) shorten(q);
    } else if (key >= ' ' && key < DELETE && q->length < (int)sizeof q->line - 1) {
        q->line[q->length++] = (char)key;
        q->line[q->length] = 0;
        printf("%c", key);
    }
    if (pressed != PRESSED_MORE) printf("\n");
    fflush(stdout);
    return pressed;
}
