/* maker.c - the line of the file that makes a wrong output.
 *
 *     source -- comments out, lines --> where the output is made, by the words of why --> "; see x.cu:24"
 *
 * The text is searched, not compiled: a line that is not understood is passed over. */
#include "judge/maker.h"
#include "judge/said.h"
#include "judge/subscript.h"

#include <stdlib.h>
#include <string.h>

/* The comments become blanks, so that lines keep their numbers. The caller frees the copy. */
static char *without_comments(const char *source)
{
    char *text = xstrdup(source), *end;
    for (char *at = text; *at; at++) {
        if (at[0] != '/' || (at[1] != '/' && at[1] != '*')) continue;
        end = at[1] == '/' ? strchr(at, '\n') : strstr(at + 2, "*/");
        end = end ? end + (at[1] == '*' ? 2 : 0) : at + strlen(at);
        for (; at < end; at++)
            if (*at != '\n') *at = ' ';
        at--;
    }
    return text;
}

/* Cut the text at its newlines, and find the kernel. */
static void cut(struct source *s)
{
    s->lines = xcalloc(strlen(s->text) + 1, sizeof *s->lines);
    s->first = s->last = -1;
    for (char *text = s->text, *end; text; text = end ? end + 1 : NULL) {
        if ((end = strchr(text, '\n'))) *end = 0;
        if (*text && !strchr(" \t#", *text) && !strchr(text, ';') && s->first < 0 &&
            text_find(text, text, s->bound->step->kernel) && !strstr(text, "LAUNCH"))
            s->first = s->count;
        if (s->first >= 0 && s->last < 0 && *text == '}') s->last = s->count;
        s->lines[s->count++] = text;
    }
}

static void begin(struct source *s, const struct bound *b, const char *source)
{
    *s = (struct source){.bound = b, .p = problem_find(b->step->problem), .source = source};
    s->text = without_comments(source);
    cut(s);
}

static void end(struct source *s)
{
    free(s->lines);
    free(s->text);
}

/* ---- the line that makes the output ---- */

/* "where b is read": the last line that reads b and is no sum. -1: none. */
static int reader(struct source *s, const char *why)
{
    const char *where = strstr(why, "where "), *end = where ? strstr(where, " is read") : NULL;
    char name[32];
    int best = -1;
    if (!end || text_name(where + 6) != (size_t)(end - where - 6)) return -1;
    text_copy(name, sizeof name, where + 6, end);
    for (int i = 0; i < s->count; i++) {
        const char *equals = strchr(s->lines[i], '='), *at = equals ? text_find(equals, equals, name) : NULL;
        if (at && strchr("[,", at[strlen(name)]) && !strstr(s->lines[i], "+=") && !maker_elsewhere(s, i))
            best = i;
    }
    return best;
}

/* How well a line fits as the one that makes the output: it stores, adds up, or is of what is said. */
static int rank_of(struct source *s, const char *line, unsigned is)
{
    const char *equals = strchr(line, '='), *output = text_find(line, line, s->p->buffers[s->p->output].name);
    int sum = strstr(line, "+=") && strchr(line, '[');
    const char *begin = text_skip(line), *after = begin + text_name(begin);
    if (is & SAID_FLOAT4 && *after == '[' && strstr(after, "] = ")) return 4;
    if (is & SAID_PLACE) /* c[..] = or store(c, ..) */
        return output && (equals > output || (output > line && output[-1] == '(')) ? 3 : 0;
    if (is & SAID_GRID_SWAPPED && strstr(line, "blockIdx.")) return 4;
    if (is & SAID_NOT_WRITTEN) return output && equals > output ? 2 : 0;
    if (is & SAID_NOT_ADDED)
        return equals && !sum && strstr(equals, "* ") && strchr(equals, '[') ? 3 : sum;
    if (is & SAID_PRECISION && (text_find(line, line, "float") || strstr(line, "half"))) return 3;
    if (is & SAID_ZERO && slips_starts_late(line)) return 4;
    if (is & SAID_ZERO && strstr(line, " = 0;")) return 3;
    return sum ? 2 : output && equals > output;
}

/* Is nothing of the output written? Then a kernel that has no store is not written yet. */
static int untouched(unsigned is)
{
    return is & SAID_NOT_WRITTEN && is & SAID_ALL;
}

int maker_elsewhere(const struct source *s, int line)
{
    int first = line, other = 0;
    if (line >= s->first && line <= s->last) return 0;
    while (first > 0 && *s->lines[first - 1] != '}') first--;
    for (; first <= line; first++) other |= strstr(s->lines[first], "__global__") != NULL;
    return other;
}

/* The line where the output is made, or the loop around it, if why speaks of one. -1: none. */
static int maker(struct source *s, const char *why)
{
    unsigned says = said(why);
    int best = reader(s, why), rank = 0;
    if (best >= 0) return best;
    for (int whole = 0; whole < 2 - untouched(says) && rank < 2; whole++) /* the kernel, then what it calls */
        for (int i = whole ? 0 : s->first; i >= 0 && i < s->count && (whole || i <= s->last); i++) {
            int is = maker_elsewhere(s, i) ? 0 : rank_of(s, s->lines[i], says);
            if (is > rank || (is == rank && (is == 3 || (whole && is)))) best = i, rank = is;
        }
    for (int i = best; says & SAID_LOOP && rank < 3 && i >= 0 && *s->lines[i] != '}'; i--)
        if (text_find(s->lines[i], s->lines[i], "for")) return i;
    return best;
}

/* Would the line of a long kernel's sum be no more than a guess? */
static int is_unknown(const struct source *s, const char *why)
{
    enum { LONG = 60 };
    return s->count > LONG && said(why) & SAID_UNKNOWN;
}

int maker_slip(const struct bound *b, const char *file, const char *source, struct buf *why)
{
    struct source s;
    struct buf says = {0};
    if (!source || !why->data) return 0;
    begin(&s, b, source);
    s.why = why->data;
    int unwritten = untouched(said(why->data)) && maker(&s, why->data) < 0;
    int told = !unwritten && slips_tell(&s, &says);
    if (told) buf_printf(why, "; look at %s:%d: %s", file, s.line + 1, says.data);
    buf_free(&says);
    end(&s);
    return told;
}

void maker_tell(const struct bound *b, const char *file, const char *source, struct buf *why)
{
    struct source s;
    int line;
    if (!source || !why->data || maker_slip(b, file, source, why)) return;
    begin(&s, b, source);
    if (!strstr(why->data, file) && !is_unknown(&s, why->data) && (line = maker(&s, why->data)) >= 0)
        buf_printf(why, "; see %s:%d", file, line + 1);
    end(&s);
}
