/* slips.c - usual slips in the text of a file whose result is wrong: the line that holds one is named.
 *
 *     source ── comments out, lines ──> each line: slips_line.c, slips_loop.c ──> "; look at x.cu:12: ..."
 *                                       no line has one: where the output is made ──> "; see x.cu:24"
 *
 *     int first = blockIdx.x * 64 + x; with COVERS(128, 1)       blocks that start too near         covers
 *
 * The text is searched, not compiled: a rule passes over what it does not understand. Nothing is searched
 * unless a result is wrong; but blocks that have nothing to do are a warning. */
#include "judge/slips.h"
#include "judge/story.h"
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

int slips_is_dim(struct slips *s, const char *name)
{
    for (int d = 0; s->p->dim_names[d]; d++)
        if (!strcmp(s->p->dim_names[d], name)) return 1;
    return 0;
}

/* ---- where blocks start ---- */

/* "int col = blockIdx.x * 64 + x", where COVERS says that a block covers 32. */
struct moved {
    char axis;
    long long by;
    unsigned covers;
    const char *name; /* of what it moves, in the line */
};

/* The first use of blockIdx in the line that moves something by more or less than COVERS says. */
static int moves(struct slips *s, const char *line, struct moved *m)
{
    if (s->line < s->first || s->line > s->last || strstr(s->source, "gridDim")) return 0;
    for (const char *use = line; (use = strstr(use, "blockIdx.")); use++) {
        const char *value = use, *name;
        while (value > line && !strchr("=,;", value[-1])) value--;
        if (value == line || value[-1] != '=' || !strchr("xy", use[9])) continue;
        for (name = value - 1; name > line && strchr(" \t", name[-1]); name--) continue;
        while (name > line && text_is_word(name[-1])) name--;
        *m = (struct moved){use[9], story_moved(s->source, value, s->bound->block, use[9]),
            s->bound->covers[use[9] == 'y'], name};
        if (m->by > 0 && m->by != m->covers && text_name(name)) return 1;
    }
    return 0;
}

static int covers(struct slips *s, const char *line, struct buf *says)
{
    struct moved m;
    if (!moves(s, line, &m)) return 0;
    buf_printf(says, "blockIdx.%c moves %.*s by %lld, and COVERS(%u, %u) says that a block covers %u in %c",
        m.axis, (int)text_name(m.name), m.name, m.by, s->bound->covers[0], s->bound->covers[1], m.covers,
        m.axis);
    return 1;
}

/* The line that uses one of blockIdx and threadIdx along an axis, where the file never uses the other, or a
 * line of the other axis, where it uses neither; -1: it uses both. */
static int lonely(struct slips *s, char axis, const char **missing)
{
    char block[12] = "blockIdx.?", thread[12] = "threadIdx.?";
    int line[2] = {-1, -1};
    block[9] = thread[10] = axis;
    for (int i = 0; i < s->count; i++) {
        if (line[0] < 0 && strstr(s->lines[i], block)) line[0] = i;
        if (line[1] < 0 && strstr(s->lines[i], thread)) line[1] = i;
    }
    *missing = line[0] < 0 ? "blockIdx" : "threadIdx";
    if (line[0] >= 0 && line[1] >= 0) return -1;
    for (int i = 0; line[0] < 0 && line[1] < 0 && i < s->count; i++)
        if (strstr(s->lines[i], "blockIdx.")) line[0] = i; /* along the other axis */
    return line[0] >= 0 ? line[0] : line[1];
}

static int one_of_two(struct slips *s, struct buf *says)
{
    const char *missing;
    for (int y = 0; y < 2; y++) {
        int line = s->bound->block[y] > 1 ? lonely(s, "xy"[y], &missing) : -1;
        if (line < 0) continue;
        buf_printf(says, "%s.%c is used nowhere", missing, "xy"[y]);
        s->line = line;
        return 1;
    }
    return 0;
}

/* ---- the file ---- */

/* Cut the text at its newlines, and find the kernel. */
static void cut(struct slips *s)
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

static void begin(struct slips *s, const struct bound *b, const char *source)
{
    *s = (struct slips){.bound = b, .p = problem_find(b->step->problem), .source = source};
    s->text = without_comments(source);
    s->shared = strstr(s->text, "__shared__") != NULL;
    cut(s);
}

static void end(struct slips *s)
{
    free(s->lines);
    free(s->text);
}

/* "where b is read": the last line that reads b and is no sum. -1: none. */
static int reader(struct slips *s, const char *why)
{
    const char *where = strstr(why, "where "), *end = where ? strstr(where, " is read") : NULL;
    char name[32];
    int best = -1;
    if (!end || text_name(where + 6) != (size_t)(end - where - 6)) return -1;
    text_copy(name, sizeof name, where + 6, end);
    for (int i = 0; i < s->count; i++) {
        const char *equals = strchr(s->lines[i], '='), *at = equals ? text_find(equals, equals, name) : NULL;
        if (at && at[strlen(name)] == '[' && !strstr(s->lines[i], "+=")) best = i;
    }
    return best;
}

/* How well a line fits as the one that makes the output: it stores, adds up, or is what why speaks of. */
static int rank_of(struct slips *s, const char *line, const char *why)
{
    const char *equals = strchr(line, '='), *output = text_find(line, line, s->p->buffers[s->p->output].name);
    int sum = strstr(line, "+=") && strchr(line, '[');
    if (strstr(why, "of the grid swapped") && strstr(line, "blockIdx.")) return 4;
    if (strstr(why, "nothing was written")) return output && equals > output ? 2 : 0;
    if (strstr(why, "set and not added to"))
        return equals && !sum && strstr(equals, "* ") && strchr(equals, '[') ? 3 : sum;
    if (strstr(why, "less precision") && (text_find(line, line, "float") || strstr(line, "half"))) return 3;
    if (strstr(why, "added to c again")) return output && strstr(output, "+=") ? 3 : sum;
    if (strstr(why, "set to 0") && slips_starts_late(line)) return 4;
    if (strstr(why, "set to 0") && strstr(line, " = 0;")) return 3;
    return sum ? 2 : output && equals > output;
}

/* Is nothing of the output written? Then a kernel that has no store is not written yet. */
static int untouched(const char *why)
{
    return strstr(why, "nothing was written") != NULL && strstr(why, "; all ") != NULL;
}

/* The line where the output is made, or the loop around it, if why speaks of one. -1: none. */
static int maker(struct slips *s, const char *why)
{
    int best = reader(s, why), rank = 0;
    if (best >= 0) return best;
    for (int whole = 0; whole < 2 - untouched(why) && rank < 2; whole++) /* the kernel, then what it calls */
        for (int i = whole ? 0 : s->first; i >= 0 && i < s->count && (whole || i <= s->last); i++) {
            int is = rank_of(s, s->lines[i], why);
            if (is > rank || (is == rank && (is == 3 || (whole && is)))) best = i, rank = is;
        }
    int loop = strstr(why, "loop") || strstr(why, "the sum of the first");
    for (int i = best; loop && rank < 3 && i >= 0 && *s->lines[i] != '}'; i--)
        if (text_find(s->lines[i], s->lines[i], "for")) return i;
    return best;
}

void slips_tell(const struct bound *b, const char *file, const char *source, struct buf *why)
{
    struct slips s;
    struct buf says = {0};
    if (!source) return;
    begin(&s, b, source);
    int none = why->data && untouched(why->data) && maker(&s, why->data) < 0;
    for (int i = 0; i < s.count && !says.len && !none; i++) {
        const char *line = s.lines[s.line = i];
        if (!slips_line(&s, line, &says) && !slips_loop(&s, line, &says)) covers(&s, line, &says);
    }
    if (!says.len && !none) one_of_two(&s, &says);
    if (says.len) buf_printf(why, "; look at %s:%d: %s", file, s.line + 1, says.data);
    else if (why->data && !strstr(why->data, file) && (s.line = maker(&s, why->data)) >= 0)
        buf_printf(why, "; see %s:%d", file, s.line + 1);
    buf_free(&says);
    end(&s);
}

void slips_idle(const struct build *b, struct buf *warnings)
{
    const struct compiled *c = &b->compiled;
    struct slips s;
    struct moved m;
    int found = 0;
    for (int i = 0; c->source && b->exercise->kind == EXERCISE_CUDA && i < exercise_steps(b->exercise); i++) {
        const unsigned *covers = b->bound[i].covers;
        begin(&s, &b->bound[i], c->source);
        for (s.line = 0; s.line < s.count && !found; s.line++)
            if ((found = moves(&s, s.lines[s.line], &m) && m.by > m.covers))
                buf_printf(warnings, "%s:%d: warning: blockIdx.%c moves %.*s by %lld, but COVERS(%u, %u) "
                    "makes a block for each %u: some blocks have nothing to do\n", c->file, s.line + 1,
                    m.axis, (int)text_name(m.name), m.name, m.by, covers[0], covers[1], m.covers);
        end(&s);
    }
}
