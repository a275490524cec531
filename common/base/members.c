/* members.c - converts structs to bytes and back, by tables of their members: for files, pipes and
 * the cache.
 *
 *     struct ── walk(), writing ──> bytes ── walk(), reading ──> struct
 *
 * One function serves both directions, so that they cannot differ. The bytes may come from an
 * untrusted process: every length and every int is checked, and the memory used is proportional to
 * the input. */
#include "base/base.h"

#include <stdlib.h>
#include <string.h>

/* The state of a walk over a struct's members. */
struct walk {
    struct buf *out; /* where to write; NULL: this walk reads */
    const char *in;  /* input that is not yet read */
    size_t left;
    int bad; /* when reading: the bytes are not valid */
};

/* Write or read n bytes unchanged. Past the end of the input, they are set to zeros and bad is
 * set. */
static void raw(struct walk *w, void *p, size_t n)
{
    if (w->out) {
        buf_add(w->out, p, n);
    } else if (w->bad || n > w->left) {
        w->bad = 1;
        memset(p, 0, n);
    } else {
        memcpy(p, w->in, n);
        w->in += n;
        w->left -= n;
    }
}

/* Write or read an allocated array, preceded by its count; NULL if it has no elements. A count that
 * is read is checked against the input's length. */
static void array(struct walk *w, void **p, size_t *count, size_t each)
{
    raw(w, count, sizeof *count);
    w->bad |= !w->out && *count > w->left / each;
    if (w->bad) *count = 0;
    if (!w->out) *p = *count ? xcalloc(*count, each) : NULL;
    if (*count) raw(w, *p, *count * each);
}

/* Write or read a string, as an array of characters with its NUL. */
static void text(struct walk *w, void **s)
{
    size_t length = w->out && *s ? strlen(*s) + 1 : 0;
    array(w, s, &length, 1);
    if (!w->out && length) ((char *)*s)[length - 1] = 0;
}

static void walk(struct walk *w, const struct member *row, void *of)
{
    for (; row->kind; row++) {
        void *at = (char *)of + row->offset, *count = (char *)of + row->count;
        struct buf *b = at;
        void *s;
        switch (row->kind) {
        case MEMBER_END: break;
        case MEMBER_DOUBLE:
        case MEMBER_BYTES: raw(w, at, row->size); break;
        case MEMBER_INT:
            raw(w, at, sizeof(int));
            if (w->out || (*(int *)at >= 0 && *(int *)at <= row->most)) break;
            w->bad = 1;
            *(int *)at = 0;
            break;
        case MEMBER_TEXT: text(w, at); break;
        case MEMBER_BUF:
            s = w->out ? b->data : NULL;
            text(w, &s);
            if (w->out || !s) break;
            buf_add(b, s, strlen(s));
            free(s);
            break;
        case MEMBER_STRUCT: walk(w, row->of, at); break;
        case MEMBER_ARRAY:
            for (int i = 0; i < *(int *)count; i++)
                walk(w, row->of, (char *)at + (size_t)i * row->size);
            break;
        case MEMBER_LIST: array(w, at, count, row->size);
        }
    }
}

/* The cast removes const; writing does not modify the struct. */
void members_write(struct buf *out, const struct member *table, const void *of)
{
    walk(&(struct walk){.out = out}, table, (void *)(uintptr_t)of);
}

int members_read(const void *bytes, size_t length, const struct member *table, void *of)
{
    struct walk w = {.in = bytes, .left = length};
    walk(&w, table, of);
    return w.bad || w.left ? -1 : 0;
}
