/* index_source.c - which lines compute the index of an access. A report shows them beside an access
 * that costs too much.
 *
 *     72   int column = warp * 4 + (lane & 3), row = lane >> 2;     then the names in their initializers
 *     73   int i = base + row * 32 + column;                        first the names in the subscript,
 *     75   out[i] = in[i];                                          <-- the line that costs */
#include "explain/code.h"
#include "explain/explain.h"

/* For each integer variable named in tokens first to last: insert the line of its declaration in
 * lines[], which is sorted and holds `count`. Loop variables, and lines at or after line `below`,
 * are left out. Returns the new count. */
static int add(
    const struct code *c, int first, int last, int below, int lines[ORIGIN_LINES], int count)
{
    for (int i = first; i <= last; i++) {
        int s = code_symbol(c, i), known = 0, at = 0;
        if (s < 0 || c->symbols[s].kind != SYMBOL_INT || c->symbols[s].init[0] < 0 ||
            c->symbols[s].statement < 0 || code_loop_variable(c, i))
            continue;
        int line = code_line(c, start_of(c, c->symbols[s].name));
        while (at < count && lines[at] < line) at++;
        known = line >= below || (at < count && lines[at] == line);
        if (known || count == ORIGIN_LINES) continue;
        for (int k = count++; k > at; k--) lines[k] = lines[k - 1];
        lines[at] = line;
    }
    return count;
}

/* Insert the lines that declare the integers named in the initializers of the integers named in
 * tokens first to last. Parameters and result are those of add(). */
static int add_below(
    const struct code *c, int first, int last, int below, int lines[ORIGIN_LINES], int count)
{
    for (int i = first; i <= last; i++) {
        int s = code_symbol(c, i);
        if (s >= 0 && c->symbols[s].kind == SYMBOL_INT && c->symbols[s].init[0] >= 0)
            count = add(c, c->symbols[s].init[0], c->symbols[s].init[1], below, lines, count);
    }
    return count;
}

int explain_index_lines(
    const char *source, const char *kernel, int line, int shared, int lines[ORIGIN_LINES])
{
    struct code c;
    int count = 0;
    int bad = !source || code_read(&c, source, kernel);
    for (int deep = 0; deep < 2 && !bad; deep++)
        for (int i = 1; i < c.count; i++) {
            int symbol = code_is(&c, i, "[") ? code_symbol(&c, i - 1) : -1;
            if (symbol < 0 || code_line(&c, start_of(&c, i)) != line ||
                c.symbols[symbol].kind != (shared ? SYMBOL_ARRAY : SYMBOL_POINTER))
                continue;
            count = (deep ? add_below : add)(&c, i + 1, c.tokens[i].pair - 1, line, lines, count);
        }
    if (source) code_free(&c);
    return count;
}
