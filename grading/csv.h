/* csv.h - private to grading/: a table exported by a platform, in which cells are filled in and
 * all else stays byte for byte. */
#ifndef LOCKSTEP_CSV_H
#define LOCKSTEP_CSV_H

#include "base/base.h"

struct csv_cell {
    size_t start, end; /* offsets of the cell in the text, including quotes */
    char *filled;      /* the new content of the cell; NULL: unchanged */
};
struct csv_row {
    /* first: index of the row's first cell; count: how many cells the row has */
    size_t first, count;
    size_t line; /* the line of the text where the row begins, from 1 */
};
struct csv {
    char *path, *text;
    size_t len;
    /* the delimiter: , ; or a tab, whichever is most frequent in the first row */
    char comma;
    struct csv_cell *cells;
    struct csv_row *rows;
    size_t cell_count, row_count;
};

/* Read a table (RFC 4180) of at most 64 MiB, with or without a UTF-8 byte order mark, and with any
 * line ends. -1 with ERR_USAGE, which names file and line: the file is no such table. */
int csv_read(struct csv *c, const char *path, struct err *e);
/* The content of a cell without quotes; "" if the row has no such cell. The caller frees it. */
char *csv_cell(const struct csv *c, size_t row, size_t column);
/* Set the content of a cell. 1: the row has no such cell. */
int csv_fill(struct csv *c, size_t row, size_t column, const char *text);
/* Append the table: every byte as it was read, except those of filled cells. */
void csv_write(const struct csv *c, struct buf *out);
void csv_free(struct csv *c);

#endif
