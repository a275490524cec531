/* made.c - where ptxas has lanes meet, and where that is not what regions.c tells.
 *
 *     PTX ── ptx_numbered ──> PTX with its own lines ── ptxas -O0 -lineinfo ──> cubin ── ptx_made_elsewhere ──> pairs for ptx_set_regions
 *
 * A region of the machine code is a block's, by the line in force at its BSSY, and ends before a block, by the first line of the program's
 * behind its BSYNC; where that is a loop's first block and the code jumps back there, it ends before the loop's next turn. Lines that
 * several blocks have, as those of a function that is called twice, tell neither. Left out are the regions that all lanes of a group have,
 * whose branches have one post-dominator: those meet there anyway. */
#include "ptx/cubin.h"
#include "ptx/graph.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* ---- numbering ---- */

/* A line without its comment and the white space around it. */
struct text {
    const char *at;
    size_t length;
};

static struct text stripped(const char *line, size_t length)
{
    const char *comment = NULL;
    for (size_t i = 0; i + 1 < length && !comment; i++)
        if (line[i] == '/' && line[i + 1] == '/')
            comment = line + i;
    struct text t = {line, comment ? (size_t)(comment - line) : length};
    for (; t.length && isspace((unsigned char)*t.at); t.at++)
        t.length--;
    while (t.length && isspace((unsigned char)t.at[t.length - 1]))
        t.length--;
    return t;
}

static int starts(struct text t, const char *with)
{
    return t.length >= strlen(with) && !memcmp(t.at, with, strlen(with));
}

static int is_instruction(struct text t)
{
    if (!t.length || (*t.at != '@' && !islower((unsigned char)*t.at)))
        return 0;
    size_t word = 0;
    while (word < t.length && (isalnum((unsigned char)t.at[word]) || t.at[word] == '_' || t.at[word] == '$'))
        word++;
    return word == t.length || t.at[word] != ':';
}

char *ptx_numbered(const char *ptx)
{
    struct buf out = {0};
    int number = 1, depth = 0, fresh = 1; /* fresh: a statement has ended */
    buf_printf(&out, "%s", "");
    for (const char *line = ptx; *line; number++) {
        size_t length = strcspn(line, "\n");
        struct text t = stripped(line, length);
        const char *next = line + length + (line[length] == '\n');
        if (starts(t, ".section"))
            break;
        depth += starts(t, "{") - starts(t, "}");
        if (!starts(t, ".file") && !starts(t, ".loc\t") && !starts(t, ".loc ")) {
            if (depth > 0 && fresh && is_instruction(t))
                buf_printf(&out, ".loc 1 %d 0\n", number);
            buf_printf(&out, "%.*s\n", (int)length, line);
            if (starts(t, ".address_size"))
                buf_printf(&out, ".file 1 \"ptx\"\n");
            if (t.length)
                fresh = strchr(";:{}", t.at[t.length - 1]) != NULL;
        }
        line = next;
    }
    return out.data;
}

/* ---- comparing ---- */

enum { NO_BLOCK = -1, SEVERAL = -2 };
struct made {
    struct graph g;
    const struct cubin_code *code;
    int lines, *block_of;        /* by line */
    int *top;                    /* by a join: the first branch of its group; NO_BLOCK: it is none */
    size_t count;
    int (*regions)[2];           /* the machine code's: of a block, before another */
    int (*elsewhere)[2];         /* those that begin at no group's first branch, or end before its join */
    size_t elsewhere_count;
};

/* Where control goes from a block that only jumps, but to a loop's next turn. */
static int through(const struct made *m, int b)
{
    int to[2];
    for (int i = 0; b >= 0 && b < m->g.n && graph_only_jumps(&m->g, b) && i < m->g.n; i++) {
        cfg_successors(m->g.p, b, to);
        if (to[0] < m->g.n && m->g.p->blocks[to[0]].order <= m->g.p->blocks[b].order)
            break;
        b = to[0];
    }
    return b;
}

static void find_lines(struct made *m)
{
    const struct ptx_program *p = m->g.p;
    for (size_t i = 0; i < p->step_count; i++)
        m->lines = p->steps[i].loc.ptx_line >= m->lines ? p->steps[i].loc.ptx_line + 1 : m->lines;
    m->block_of = xcalloc((size_t)m->lines + 1, sizeof *m->block_of);
    for (int i = 0; i < m->lines; i++)
        m->block_of[i] = NO_BLOCK;
    for (int b = 0; b < m->g.n; b++)
        for (int i = 0; i < p->blocks[b].count; i++) {
            int *of = &m->block_of[p->steps[p->blocks[b].first + i].loc.ptx_line];
            *of = *of == NO_BLOCK || *of == b ? b : SEVERAL;
        }
    m->block_of[0] = NO_BLOCK;
}

static int block_of(const struct made *m, int line)
{
    return line > 0 && line < m->lines && m->block_of[line] >= 0 ? m->block_of[line] : NO_BLOCK;
}

/* The first block that has code at an address or behind it. */
static int first_behind(const struct made *m, uint64_t address)
{
    int b = NO_BLOCK;
    for (size_t i = 0; i < m->code->line_count && b < 0; i++)
        if (m->code->lines[i].address >= address)
            b = block_of(m, m->code->lines[i].line);
    return b;
}

/* The block of which a region is. One that is a branch alone has its region begin on the line before it. */
static int begins_in(const struct made *m, size_t region)
{
    uint64_t address = m->code->regions[region].from, next = address + CUBIN_INSTRUCTION_BYTES;
    for (size_t i = region + 1; i < m->code->region_count && m->code->regions[i].from == next; i++)
        next += CUBIN_INSTRUCTION_BYTES;
    int to[2], from = block_of(m, cubin_line_at(m->code, address)), b = block_of(m, cubin_line_at(m->code, next));
    return b >= 0 && m->g.p->blocks[b].count == 1 && cfg_successors(m->g.p, b, to) > 1 ? b : from;
}

/* Lanes go on in a loop's next turn: they wait before a block that only jumps there; where there is none, before the loop's first. */
static int before_turn(const struct made *m, int from, int first)
{
    const struct ptx_block *blocks = m->g.p->blocks;
    for (int b = 0; b < m->g.n; b++)
        if (blocks[b].order > blocks[from].order && blocks[b].target == first && graph_only_jumps(&m->g, b) &&
            graph_dominates(&m->g, from, b))
            return b;
    return first;
}

static void find_regions(struct made *m)
{
    m->regions = xcalloc(m->code->region_count + 1, sizeof *m->regions);
    for (size_t i = 0; i < m->code->region_count; i++) {
        int from = begins_in(m, i), at = first_behind(m, m->code->regions[i].at);
        if (from < 0 || at < 0)
            continue;
        if (m->code->regions[i].at <= m->code->regions[i].from && m->g.p->blocks[at].order <= m->g.p->blocks[from].order)
            at = before_turn(m, from, at);
        else if (from == at)
            continue;
        m->regions[m->count][0] = from;
        m->regions[m->count++][1] = through(m, at);
    }
}

/* The first branches of all groups, by their joins; of joins that lead to one block, the block. */
static void find_groups(struct made *m)
{
    int to[2];
    for (int b = 0; b < m->g.n; b++)
        m->top[b] = NO_BLOCK;
    for (int i = 0; i < m->g.n; i++) {
        int b = m->g.sorted[i], join = b < 0 || cfg_successors(m->g.p, b, to) < 2 || to[0] == to[1] ? m->g.n : graph_join(&m->g, b);
        if (join < m->g.n)
            m->top[join] = m->top[join] < 0 ? b : cfg_common_dominator(m->g.p, m->g.dom, m->top[join], b);
    }
}

/* Is a block where a group meets? If so, and from is not negative, does the group begin there? */
static int is_join(const struct made *m, int at, int from)
{
    for (int b = 0; b < m->g.n; b++)
        if (m->top[b] >= 0 && through(m, b) == at && (from < 0 || m->top[b] == from))
            return 1;
    return 0;
}

/* Does a block dominate, and is not, the first branch of every group that meets at another? */
static int is_before(const struct made *m, int from, int at)
{
    for (int b = 0; b < m->g.n; b++)
        if (m->top[b] >= 0 && through(m, b) == at && (m->top[b] == from || !graph_dominates(&m->g, from, m->top[b])))
            return 0;
    return 1;
}

static int has(int (*regions)[2], size_t count, int from, int at)
{
    for (size_t i = 0; i < count; i++)
        if (regions[i][0] == from && regions[i][1] == at)
            return 1;
    return 0;
}

static int group_has_region(const struct made *m, int at)
{
    for (size_t i = 0; i < m->count; i++)
        if (m->regions[i][1] == at && is_join(m, at, m->regions[i][0]))
            return 1;
    return 0;
}

/* Is it more than the region of a group? One that ends at a join is if it begins before the group, which has its own. */
static int is_more(const struct made *m, int from, int at)
{
    if (!is_join(m, at, NO_BLOCK)) {
        int join = graph_join(&m->g, from);
        return join == m->g.n || through(m, join) != at;
    }
    return group_has_region(m, at) && is_before(m, from, at);
}

/* As told: the block of whose branch lanes meet before this one; a region of a group is none. */
static int told(const struct made *m, int b)
{
    int from = m->g.p->blocks[b].parted;
    return from >= 0 && !is_join(m, through(m, b), from) ? from : NO_BLOCK;
}

static void find_elsewhere(struct made *m)
{
    m->elsewhere = xcalloc(m->count + 1, sizeof *m->elsewhere);
    for (size_t i = 0; i < m->count; i++) {
        int from = m->regions[i][0], at = m->regions[i][1];
        if (is_more(m, from, at) && !has(m->elsewhere, m->elsewhere_count, from, at)) {
            m->elsewhere[m->elsewhere_count][0] = from;
            m->elsewhere[m->elsewhere_count++][1] = at;
        }
    }
}

static int is_told(const struct made *m, int from, int at)
{
    for (int b = 0; b < m->g.n; b++)
        if (told(m, b) == from && through(m, b) == at)
            return 1;
    return 0;
}

/* Has the machine code a region of block from before at? Of a block that is a branch alone, whose region begins on the line before it, the
 * block that leads to it will do. */
static int is_made(const struct made *m, int from, int at)
{
    if (has(m->regions, m->count, from, at))
        return 1;
    for (size_t i = 0; m->g.p->blocks[from].count == 1 && i < m->elsewhere_count; i++)
        if (m->elsewhere[i][1] == at && !is_told(m, m->elsewhere[i][0], at) && graph_jumps_to(&m->g, m->elsewhere[i][0], from))
            return 1;
    return 0;
}

/* The block, which is a branch alone, of which a region is told that the machine code has begin on the line before it. */
static int stands_for(const struct made *m, int from, int at)
{
    for (int b = 0; b < m->g.n; b++) {
        int of = told(m, b);
        if (of >= 0 && through(m, b) == at && m->g.p->blocks[of].count == 1 && graph_jumps_to(&m->g, from, of))
            return 1;
    }
    return 0;
}

static int line_of(const struct made *m, int block, int last)
{
    const struct ptx_block *x = &m->g.p->blocks[block];
    return m->g.p->steps[x->first + (last ? x->count - 1 : 0)].loc.ptx_line;
}

/* Of what lanes of a block, or none, wait before, as in a pair. */
static int end_line(const struct made *m, int from, int at)
{
    const struct ptx_block *blocks = m->g.p->blocks;
    if (blocks[at].is_latch)
        return -line_of(m, blocks[at].target, 0);
    return (from >= 0 && blocks[at].order <= blocks[from].order ? -1 : 1) * line_of(m, at, 0);
}

static size_t list(struct made *m, int (**pairs)[2])
{
    size_t count = 0;
    *pairs = xcalloc(m->elsewhere_count + (size_t)m->g.n + 1, sizeof **pairs);
    for (int b = 0; b < m->g.n; b++)
        if (told(m, b) >= 0 && !is_made(m, told(m, b), through(m, b)))
            (*pairs)[count++][1] = end_line(m, NO_BLOCK, b);
    for (size_t i = 0; i < m->elsewhere_count; i++) {
        int from = m->elsewhere[i][0], at = m->elsewhere[i][1];
        if (is_told(m, from, at) || stands_for(m, from, at))
            continue;
        (*pairs)[count][0] = line_of(m, from, 1);
        (*pairs)[count++][1] = end_line(m, from, at);
    }
    return count;
}

static size_t compare(struct ptx_program *p, const struct cubin_code *code, int (**pairs)[2])
{
    struct made m = {.code = code};
    int *sorted = cfg_sorted(p);
    graph_find(&m.g, p, sorted);
    m.top = xcalloc(p->block_count + 1, sizeof *m.top);
    find_lines(&m);
    find_groups(&m);
    find_regions(&m);
    find_elsewhere(&m);
    size_t count = list(&m, pairs);
    graph_free(&m.g);
    free(m.block_of);
    free(m.top);
    free(m.regions);
    free(m.elsewhere);
    free(sorted);
    return count;
}

int ptx_made_elsewhere(struct ptx_program *p, const unsigned char *cubin, size_t bytes, int (**pairs)[2], size_t *count, struct err *e)
{
    struct cubin_code code;
    int bad = cubin_read(cubin, bytes, p->kernel->name, &code, e);
    *pairs = NULL;
    *count = bad || !p->ahead ? 0 : compare(p, &code, pairs);
    cubin_free(&code);
    return bad;
}
