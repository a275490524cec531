/* csv.h - private to grading: a table of a platform, read, filled in, and otherwise left byte for
 * byte. */
#ifndef LOCKSTEP_CSV_H
#define LOCKSTEP_CSV_H

#include "base/base.h"

struct csv_cell {
    size_t start, end; /* its bytes in the text, with its quotes */
    char *filled;      /* the new text of the cell; NULL: unchanged */
};
struct csv_row {
    size_t first, count; /* its cells */
    size_t line;         /* where it begins, from 1 on */
};
struct csv {
    char *path, *text;
    size_t len;
    /* what parts cells: , ; or a tab, whichever the first row has most of */
    char comma;
    struct csv_cell *cells;
    struct csv_row *rows;
    size_t cell_count, row_count;
};

/* Read a table of at most 64 MiB: RFC 4180, with or without a mark of UTF-8 before it, and any ends
 * of lines. -1 with ERR_USAGE, naming file and line: it is no such table. */
int csv_read(struct csv *c, const char *path, struct err *e);
/* The content of a cell without quotes; "" if the row has no such cell. The caller frees it. */
char *csv_cell(const struct csv *c, size_t row, size_t column);
/* Put a text that needs no quotes into a cell. 1: the row has no such cell. */
int csv_fill(struct csv *c, size_t row, size_t column, const char *text);
/* Append the table: every byte as it was read but those of filled cells. */
void csv_write(const struct csv *c, struct buf *out);
void csv_free(struct csv *c);

#endif
