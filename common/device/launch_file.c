/* launch_file.c - one launch as a file: what a program's runtime has measured, lockstep profile shows.
 *
 *     magic, sizes -- strings, each with its length -- shape -- measurement -- its lines and accesses
 *
 * Both programs are of one build: numbers stand as they do in memory, and a file of another build is refused.
 */
#include "device/device.h"

#include <stdlib.h>
#include <string.h>

static const char magic[] = "lockstep launch 1\n";
static const size_t sizes[] = {
    sizeof(struct measurement), sizeof(struct line_counts), sizeof(struct line_access)};

/* The strings of a launch, in the order of the file. */
enum { STRINGS = 6 };
static char **string_at(struct launch_file *r, int i)
{
    char **const all[STRINGS] = {&r->device, &r->file, &r->kernel, &r->symbol, &r->what, &r->ptx};
    return all[i];
}

int launch_file_write(const char *file, const struct launch_file *r, struct err *e)
{
    struct buf b = {0};
    buf_add(&b, magic, sizeof magic - 1);
    buf_add(&b, sizes, sizeof sizes);
    for (int i = 0; i < STRINGS; i++) {
        const char *s = *string_at((struct launch_file *)r, i);
        size_t n = s ? strlen(s) : 0;
        buf_add(&b, &n, sizeof n);
        buf_add(&b, s ? s : "", n);
    }
    buf_add(&b, r->grid, sizeof r->grid);
    buf_add(&b, r->block, sizeof r->block);
    buf_add(&b, &r->shared, sizeof r->shared);
    buf_add(&b, &r->m, sizeof r->m);
    buf_add(&b, r->m.lines, r->m.line_count * sizeof *r->m.lines);
    buf_add(&b, r->m.accesses, r->m.access_count * sizeof *r->m.accesses);
    int bad = file_write(file, b.data, b.len, e);
    buf_free(&b);
    return bad;
}

/* The next bytes of a file; NULL after its end. */
struct reader {
    const char *at;
    size_t left;
};
static const void *take(struct reader *r, size_t bytes)
{
    const char *here = r->at;
    if (!here || bytes > r->left) {
        r->at = NULL;
        return NULL;
    }
    r->at += bytes, r->left -= bytes;
    return here;
}

static int take_into(struct reader *r, void *out, size_t bytes)
{
    const void *from = take(r, bytes);
    if (from) memcpy(out, from, bytes);
    return from ? 0 : -1;
}

static void *take_array(struct reader *r, size_t count, size_t each)
{
    const void *from = count <= r->left / each ? take(r, count * each) : (r->at = NULL);
    void *out = xcalloc(from ? count : 0, each);
    if (from) memcpy(out, from, count * each);
    return out;
}

static int parse(struct reader *r, struct launch_file *out)
{
    const void *head = take(r, sizeof magic - 1), *have = take(r, sizeof sizes);
    if (!head || !have) return -1;
    if (memcmp(head, magic, sizeof magic - 1) || memcmp(have, sizes, sizeof sizes)) return -1;
    for (int i = 0; i < STRINGS; i++) {
        size_t n = 0;
        const char *s = take_into(r, &n, sizeof n) ? NULL : take(r, n);
        if (!s) return -1;
        *string_at(out, i) = xstrndup(s, n);
    }
    int bad = take_into(r, out->grid, sizeof out->grid) || take_into(r, out->block, sizeof out->block) ||
              take_into(r, &out->shared, sizeof out->shared) || take_into(r, &out->m, sizeof out->m);
    out->m.printed = NULL;
    out->m.lines = bad ? NULL : take_array(r, out->m.line_count, sizeof *out->m.lines);
    out->m.accesses = bad ? NULL : take_array(r, out->m.access_count, sizeof *out->m.accesses);
    return bad || !r->at ? -1 : 0;
}

int launch_file_read(const char *file, struct launch_file *out, struct err *e)
{
    char *text = NULL;
    size_t n = 0;
    *out = (struct launch_file){0};
    if (file_read(file, (size_t)1 << 30, &text, &n, e)) return -1;
    struct reader r = {text, n};
    int bad = parse(&r, out);
    free(text);
    if (!bad) return 0;
    launch_file_free(out);
    return err_set(e, ERR_USAGE,
        "%s: is no launch that a program of this build has recorded; record it again: lockstep run --profile",
        file);
}

void launch_file_free(struct launch_file *r)
{
    for (int i = 0; i < STRINGS; i++) free(*string_at(r, i));
    measurement_free(&r->m);
    *r = (struct launch_file){0};
}
