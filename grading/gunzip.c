/* gunzip.c - decompress a .tar.gz for libarchive, up to the byte at which it is damaged.
 *
 *     file or memory ── zlib's inflate, 64 KiB at a time ──> archive_read_data and others
 *
 * libarchive's own filter loses the whole block of 64 KiB in which a file is damaged or ends
 * early. Most submissions are smaller than that. */
#define _GNU_SOURCE
#include "grading/hand_in.h"

#include <archive.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum { PIECE = 65536 };
struct gunzip {
    FILE *file;
    z_stream z;
    int over;        /* 1: the compressed stream has ended, with or without damage */
    const char *why; /* in what way the stream is damaged; NULL: it is not */
    unsigned char in[PIECE], out[PIECE];
};

/* Read more compressed bytes, after those still in the input buffer. */
static void fill(struct gunzip *g)
{
    memmove(g->in, g->z.next_in, g->z.avail_in);
    g->z.next_in = g->in;
    g->z.avail_in += (uInt)fread(g->in + g->z.avail_in, 1, PIECE - g->z.avail_in, g->file);
}

static int is_gzip(const unsigned char *p, size_t n)
{
    return n > 1 && p[0] == 0x1f && p[1] == 0x8b;
}

/* Called when a gzip member has ended: begin the next one. What follows without being a member is
 * padding. */
static void next_stream(struct gunzip *g)
{
    if (g->z.avail_in < 2) fill(g);
    if (!is_gzip(g->z.next_in, g->z.avail_in) || inflateReset(&g->z) != Z_OK) g->over = 1;
}

static la_ssize_t give(struct archive *a, void *context, const void **data)
{
    struct gunzip *g = context;
    (void)a;
    g->z.next_out = g->out;
    g->z.avail_out = PIECE;
    while (!g->over && g->z.avail_out) {
        if (!g->z.avail_in) fill(g);
        int got = g->z.avail_in ? inflate(&g->z, Z_NO_FLUSH) : Z_BUF_ERROR;
        if (got == Z_STREAM_END)
            next_stream(g);
        else if (got != Z_OK) {
            g->over = 1;
            g->why = got == Z_BUF_ERROR ? "it ends too early"
                                        : "its bytes are not those that were packed";
        }
    }
    *data = g->out;
    return PIECE - (la_ssize_t)g->z.avail_out;
}

struct gunzip *gunzip_open(const char *path, const struct buf *data)
{
    unsigned char head[2];
    FILE *file = path        ? fopen(path, "rbe")
                 : data->len ? fmemopen(data->data, data->len, "rb")
                             : NULL;
    size_t n = file ? fread(head, 1, sizeof head, file) : 0;
    struct gunzip *g = is_gzip(head, n) ? xcalloc(1, sizeof *g) : NULL;
    /* 15: the largest window; 16: a gzip header is expected */
    if (g && inflateInit2(&g->z, 15 + 16) != Z_OK) free(g), g = NULL;
    if (g) {
        rewind(file);
        g->file = file;
        g->z.next_in = g->in;
    } else if (file) {
        fclose(file);
    }
    return g;
}

int gunzip_feed(struct gunzip *g, struct archive *a)
{
    return archive_read_open(a, g, NULL, give, NULL);
}

const char *gunzip_damage(const struct gunzip *g) { return g->why; }

void gunzip_close(struct gunzip *g)
{
    inflateEnd(&g->z);
    fclose(g->file);
    free(g);
}
