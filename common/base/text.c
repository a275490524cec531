/* text.c - makes untrusted text harmless before it is shown.
 *
 *     ESC [ 2 J   U+202E   0xff   "ok"   ──>   "ok"
 *
 * A compiler's messages and a learner's lines reach terminals, JSON and pages. Removed are escape
 * sequences and control characters, bytes that are not UTF-8, and characters that change the
 * writing direction, which can make one line look like another. Source: Unicode 15, bidirectional
 * formatting; ECMA-48. */
#include "base/base.h"

/* The length of an escape sequence after its ESC, at p: "[", parameters and a final letter; or a
 * single character. */
static size_t escape(const unsigned char *p, size_t n)
{
    size_t i = 1;
    if (!n) return 0;
    if (*p == '[')
        while (i < n && !(p[i] >= '@' && p[i] <= '~')) i++;
    return *p == '[' && i < n ? i + 1 : i;
}

/* Decodes the UTF-8 character at p, of at most n bytes, into *code. Returns its length; 0: it is
 * not valid. */
static size_t character(const unsigned char *p, size_t n, unsigned *code)
{
    static const unsigned least[] = {0, 0, 0x80, 0x800, 0x10000};
    size_t length = *p < 0x80   ? 1
                    : *p < 0xc2 ? 0
                    : *p < 0xe0 ? 2
                    : *p < 0xf0 ? 3
                    : *p < 0xf5 ? 4
                                : 0;
    if (!length || length > n) return 0;
    *code = length == 1 ? *p : *p & (0x7f >> length);
    for (size_t i = 1; i < length; i++) {
        if ((p[i] & 0xc0) != 0x80) return 0;
        *code = *code << 6 | (p[i] & 0x3f);
    }
    return *code < least[length] || *code > 0x10ffff || (*code >= 0xd800 && *code < 0xe000)
               ? 0
               : length;
}

static int shown(unsigned c)
{
    if (c == '\n' || c == '\t') return 1;
    return c >= ' ' && !(c >= 0x7f && c < 0xa0) && !(c >= 0x202a && c <= 0x202e) &&
           !(c >= 0x2066 && c <= 0x2069) && c != 0x200e && c != 0x200f && c != 0x61c && c != 0xfeff;
}

void text_clean(struct buf *b)
{
    unsigned char *p = (unsigned char *)b->data;
    size_t n = 0;
    for (size_t i = 0; i < b->len;) {
        unsigned code = 0;
        size_t length = character(p + i, b->len - i, &code);
        if (length && shown(code))
            for (size_t k = 0; k < length; k++) p[n++] = p[i + k];
        i += length ? length : 1;
        if (code == 0x1b) i += escape(p + i, b->len - i);
    }
    if (b->data) b->data[b->len = n] = 0;
}
