/* launch_file.c - a file that describes one launch: written by a program's runtime, read by
 * `lockstep profile`.
 *
 *     a line, with the sizes of this build's structs -- the members of struct launch_file
 *
 * Both programs must be of the same build; a file from another build is refused. */
#include "device/device.h"

#include <stdlib.h>
#include <string.h>

#define AT(member) MEMBER_AT(struct launch_file, member)
static const struct member launch_members[] = {
    {MEMBER_TEXT, AT(device)},
    {MEMBER_TEXT, AT(file)},
    {MEMBER_TEXT, AT(kernel)},
    {MEMBER_TEXT, AT(symbol)},
    {MEMBER_TEXT, AT(what)},
    {MEMBER_TEXT, AT(ptx)},
    {MEMBER_BYTES, AT(grid)},
    {MEMBER_BYTES, AT(block)},
    {MEMBER_BYTES, AT(shared)},
    {MEMBER_STRUCT, AT(m), .of = measurement_members},
    {MEMBER_STRUCT, AT(m), .of = measurement_lists},
    {MEMBER_END},
};

/* Append the first line of a file. */
static void head(struct buf *out)
{
    buf_printf(out, "lockstep launch 2: %zu %zu %zu\n", sizeof(struct measurement),
        sizeof(struct line_counts), sizeof(struct line_access));
}

int launch_file_write(const char *file, const struct launch_file *r, struct err *e)
{
    struct buf b = {0};
    head(&b);
    members_write(&b, launch_members, r);
    int bad = file_write(file, b.data, b.len, e);
    buf_free(&b);
    return bad;
}

int launch_file_read(const char *file, struct launch_file *out, struct err *e)
{
    char *text = NULL;
    size_t n = 0;
    struct buf b = {0};
    *out = (struct launch_file){0};
    if (file_read(file, (size_t)1 << 30, &text, &n, e)) return -1;
    head(&b);
    int bad = n < b.len || memcmp(text, b.data, b.len) ||
              members_read(text + b.len, n - b.len, launch_members, out) || !out->device ||
              !out->file || !out->kernel || !out->what;
    buf_free(&b);
    free(text);
    if (!bad) return 0;
    launch_file_free(out);
    return err_set(e, ERR_USAGE,
        "%s: is no launch that a program of this build has recorded; record it again: lockstep run --profile",
        file);
}

void launch_file_free(struct launch_file *r)
{
    char *const strings[] = {r->device, r->file, r->kernel, r->symbol, r->what, r->ptx};
    for (size_t i = 0; i < sizeof strings / sizeof *strings; i++) free(strings[i]);
    measurement_free(&r->m);
    *r = (struct launch_file){0};
}
