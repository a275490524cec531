/* opcode.c - splits an opcode and removes its modifiers, until the rest is a row of ops.h.
 *
 *      add.rn.ftz.f32     add | rn | ftz | f32     take rn, ftz     add | f32     look up "add.f32"
 *
 * Part 0 is the name, the others are modifiers. Each modifier that is handled is removed, so if an
 * unknown modifier remains at the end, no row is found and the instruction is refused. Source: PTX
 * ISA, instruction set. */
#include "ptx/resolve.h"

#include <string.h>

/* s->part points into s->text, so s must not be copied. */
void opcode_split(struct flatten *f, struct frame *fr, const char *opcode, struct parts *s)
{
    s->count = 0;
    if (strlen(opcode) >= sizeof s->text) flatten_fail(f, fr, "is not supported");
    strcpy(s->text, opcode);
    for (char *p = s->text; p;) {
        if (s->count == MAX_PARTS) flatten_fail(f, fr, "is not supported");
        s->part[s->count++] = p;
        p = strchr(p, '.');
        if (p) *p++ = 0;
    }
}

/* Remove a modifier. Returns whether the opcode had it. */
int opcode_take(struct parts *s, const char *name)
{
    for (int i = 1; i < s->count; i++)
        if (!strcmp(s->part[i], name)) {
            memmove(&s->part[i], &s->part[i + 1], sizeof s->part[0] * (size_t)(s->count - i - 1));
            s->count--;
            return 1;
        }
    return 0;
}

/* Remove the first of names (terminated by NULL) that is one of the modifiers. Returns the
 * modifier's index in names; -1: the opcode has none of them. */
int opcode_take_one_of(struct parts *s, const char *const *names)
{
    for (int i = 0; names[i]; i++)
        if (opcode_take(s, names[i])) return i;
    return -1;
}

void opcode_take_all(struct parts *s, const char *const *names)
{
    while (opcode_take_one_of(s, names) >= 0)
        ;
}

/* Join the remaining parts with dots and look up the result. */
enum ptx_op opcode_find(const struct parts *s)
{
    char key[160] = "";
    for (int i = 0; i < s->count; i++) {
        if (i) strcat(key, ".");
        strcat(key, s->part[i]);
    }
    return ptx_op_find(key);
}

enum ptx_type opcode_last_type(struct flatten *f, struct frame *fr, struct parts *s)
{
    enum ptx_type t = s->count > 1
                          ? ptx_type_find(s->part[s->count - 1], strlen(s->part[s->count - 1]))
                          : PTX_NONE;
    if (t == PTX_NONE) flatten_fail(f, fr, "has a type that is not supported");
    s->count--;
    return t;
}

void opcode_no_more(struct flatten *f, struct frame *fr, const struct parts *s)
{
    if (s->count > 1) flatten_fail(f, fr, "is not supported (.%s)", s->part[1]);
}
