/* csv.c - read and fill in tables. Cells are ranges of the text, so that unfilled cells stay
 * unchanged.
 *
 *     Ada,"Lovelace, A.",\r\n          text, as it was read
 *     ^^^ ^^^^^^^^^^^^^^ ^             cells: start and end; the third is empty
 *                        8             filled: written in its place */
#include "grading/csv.h"

#include <stdlib.h>
#include <string.h>

enum { TABLE_MOST = 64 << 20 };

/* The delimiter that is most frequent in the first row, outside of quotes. */
static char comma_of(const char *text)
{
    static const char commas[] = ",;\t";
    size_t count[3] = {0}, best = 0;
    int quoted = 0;
    for (const char *p = text; *p && (quoted || (*p != '\n' && *p != '\r')); p++) {
        const char *hit = strchr(commas, *p);
        if (*p == '"')
            quoted = !quoted;
        else if (!quoted && hit)
            count[hit - commas]++;
    }
    for (size_t i = 1; i < 3; i++)
        if (count[i] > count[best]) best = i;
    return commas[best];
}

/* The end of the cell that begins at p; NULL with e set: the cell's quotes do not match. */
static const char *cell_end(const struct csv *c, const char *p, size_t line, struct err *e)
{
    const char stops[] = {c->comma, '\r', '\n', 0};
    if (*p != '"') return p + strcspn(p, stops);
    for (p++; *p; p++)
        if (*p == '"' && *++p != '"') break;
    if (!*p && p[-1] != '"')
        return err_set(e, ERR_USAGE,
                   "%s:%zu: a quote opens here and is not closed; download the table again",
                   c->path, line),
               NULL;
    if (*p && !strchr(stops, *p))
        return err_set(e, ERR_USAGE,
                   "%s:%zu: text follows a closing quote: %.20s; download the table again", c->path,
                   line, p),
               NULL;
    return p;
}

static int parse(struct csv *c, struct err *e)
{
    size_t cell_cap = 0, row_cap = 0, line = 1;
    const char *p = c->text, *all = c->text + c->len;
    if (!strncmp(p, "\xef\xbb\xbf", 3)) p += 3;
    c->comma = comma_of(p);
    while (p < all) {
        struct csv_row *row = VEC_PUSH(c->rows, c->row_count, row_cap);
        *row = (struct csv_row){.first = c->cell_count, .line = line};
        for (;; p++) {
            const char *end = cell_end(c, p, line, e);
            if (!end) return -1;
            *VEC_PUSH(c->cells, c->cell_count, cell_cap) =
                (struct csv_cell){(size_t)(p - c->text), (size_t)(end - c->text), NULL};
            row->count++;
            for (; p < end; p++) line += *p == '\n';
            if (*p != c->comma) break;
        }
        p += *p == '\r' && p[1] == '\n' ? 2 : *p != 0;
        line++;
    }
    return 0;
}

int csv_read(struct csv *c, const char *path, struct err *e)
{
    struct err why = {0};
    *c = (struct csv){.path = xstrdup(path)};
    if (file_read(path, TABLE_MOST, &c->text, &c->len, &why))
        return err_set(e, ERR_USAGE, "%s", why.text);
    if (strlen(c->text) != c->len)
        return err_set(e, ERR_USAGE, "%s: is no text in UTF-8; save it as \"CSV UTF-8\"", path);
    return parse(c, e);
}

char *csv_cell(const struct csv *c, size_t row, size_t column)
{
    struct buf b = {0};
    buf_printf(&b, "%s", "");
    if (column >= c->rows[row].count) return b.data;
    const struct csv_cell *cell = &c->cells[c->rows[row].first + column];
    const char *p = c->text + cell->start, *end = c->text + cell->end;
    int quoted = p < end && *p == '"';
    for (p += quoted, end -= quoted; p < end; p++) {
        buf_add(&b, p, 1);
        if (quoted && *p == '"') p++; /* two quotes stand for one: the second is skipped */
    }
    return b.data;
}

int csv_fill(struct csv *c, size_t row, size_t column, const char *text)
{
    if (column >= c->rows[row].count) return 1;
    struct csv_cell *cell = &c->cells[c->rows[row].first + column];
    const char special[] = {c->comma, '"', '\r', '\n', 0};
    struct buf b = {0};
    int quoted = strpbrk(text, special) != NULL;
    buf_printf(&b, "%s", quoted ? "\"" : "");
    for (const char *p = text; *p; p++) buf_printf(&b, *p == '"' ? "\"\"" : "%c", *p);
    buf_printf(&b, "%s", quoted ? "\"" : "");
    free(cell->filled);
    cell->filled = b.data;
    return 0;
}

void csv_write(const struct csv *c, struct buf *out)
{
    size_t at = 0;
    for (size_t i = 0; i < c->cell_count; i++) {
        const struct csv_cell *cell = &c->cells[i];
        if (!cell->filled) continue;
        buf_add(out, c->text + at, cell->start - at);
        buf_printf(out, "%s", cell->filled);
        at = cell->end;
    }
    buf_add(out, c->text + at, c->len - at);
}

void csv_free(struct csv *c)
{
    for (size_t i = 0; i < c->cell_count; i++) free(c->cells[i].filled);
    free(c->cells), free(c->rows), free(c->path), free(c->text);
    *c = (struct csv){0};
}
