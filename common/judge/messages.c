/* messages.c - a compiler's messages as a learner should read them: each once, without the count at
 * the end.
 *
 *     x.cu:6:17: warning: loop not unrolled ...     a message: its first line, and all lines up to
 *     __global__ void add(...)                      the next error or warning
 *                     ^
 *     x.cu:6:17: warning: loop not unrolled ...     the same again, from another use of a template
 *     2 warnings generated when compiling for sm_70. */
#include "judge/grade.h"

#include <stdlib.h>
#include <string.h>

/* Does text[0..n) contain a word? */
static int holds(const char *text, size_t n, const char *word)
{
    size_t length = strlen(word);
    for (size_t i = 0; i + length <= n; i++)
        if (!memcmp(text + i, word, length)) return 1;
    return 0;
}

/* Is a line of no use to a learner: clang's count of messages, or its note that it does not know
 * where a message belongs? */
static int is_noise(const char *line, size_t n)
{
    int count = *line >= '0' && *line <= '9' &&
                (holds(line, n, " generated when compiling") || holds(line, n, " generated."));
    return count || holds(line, n, "note: could not determine the original source location");
}

static int begins(const char *line, size_t n)
{
    return holds(line, n, ": warning:") || holds(line, n, ": error:") ||
           holds(line, n, ": fatal error:");
}

/* Do the bytes of `to` from `from` on repeat a message that stands before them? */
static int is_again(const struct buf *to, size_t from)
{
    size_t n = to->len - from;
    for (size_t i = 0; i + n <= from; i++)
        if ((!i || to->data[i - 1] == '\n') && !memcmp(to->data + i, to->data + from, n)) return 1;
    return 0;
}

void messages_once(struct buf *to, const char *output)
{
    size_t from = to->len;
    for (const char *at = output; *at;) {
        size_t n = strcspn(at, "\n");
        n += at[n] != 0;
        if (begins(at, n)) {
            if (to->len > from && is_again(to, from)) to->len = from;
            from = to->len;
        }
        if (!is_noise(at, n)) buf_add(to, at, n);
        at += n;
    }
    if (to->len > from && is_again(to, from)) to->len = from;
    if (to->data) to->data[to->len] = 0;
}

int messages_line(const char *output, const char *file)
{
    size_t length = strlen(file);
    for (const char *at = output; *at;) {
        size_t n = strcspn(at, "\n");
        if (n > length && !strncmp(at, file, length) && strchr(":(", at[length]) && begins(at, n) &&
            !holds(at, n, ": warning:"))
            return atoi(at + length + 1);
        at += n + (at[n] != 0);
    }
    return 0;
}
