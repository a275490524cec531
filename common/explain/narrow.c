/* narrow.c - an index out of bounds because it goes through a variable of a type too narrow for it.
 *
 *     short base = row * k;     "reads a[-32768]; a has 262144 elements"
 *     ... a[base + i]           base is a short, whose greatest value is 32767 */
#include "explain/index_trace.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *name;
    long long most;
} types[] = {{"short", 32767}, {"int16_t", 32767}, {"uint16_t", 65535}, {"char", 127},
    {"int8_t", 127}, {"uint8_t", 255}};

long long narrow_most(const struct code *c, const struct symbol *s, const char **type)
{
    for (int i = s->type; s->kind == SYMBOL_INT && i < s->name; i++)
        for (size_t k = 0; k < sizeof types / sizeof *types; k++)
            if (code_is(c, i, types[k].name)) {
                int wide = code_is(c, i - 1, "unsigned") && i > s->type;
                *type = types[k].name;
                return wide ? 2 * types[k].most + 1 : types[k].most;
            }
    return 0;
}

void narrow_tell(const char *kernel, const char *file, const char *source, struct run_outcome *t)
{
    struct code c = {0};
    int line = t->found.line;
    long long elements = t->found.kind == FOUND_OUTSIDE ? t->found.extent : 0, most = 0;
    if (line && elements && !code_read(&c, source, kernel))
        for (int i = 0; i < c.count && !most; i++) {
            const char *type;
            int s = c.tokens[i].line == line ? code_symbol(&c, i) : -1;
            if (s < 0 || !(most = narrow_most(&c, &c.symbols[s], &type))) continue;
            if (most >= elements) continue;
            t->found.hints |= HINT_TOLD;
            named_add(t->named, c.tokens[c.symbols[s].name].line);
            buf_printf(&t->why,
                "; %s:%d: `%.*s` is a %s, which holds no more than %lld: make it an int", file,
                c.tokens[c.symbols[s].name].line, WORD(&c, i), type, most);
        }
    code_free(&c);
}
