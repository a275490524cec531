/* golden.h - a whole output that is kept in a file, and compared with what is printed now.
 *
 * A difference fails with both versions of the first line that differs. GOLDEN=write in the
 * environment writes the files instead: what changed is then read with git diff, and committed with
 * the change that made it. */
#ifndef LOCKSTEP_TESTS_GOLDEN_H
#define LOCKSTEP_TESTS_GOLDEN_H

#include "base/base.h"
#include "suite.h"
#include "view/view.h"

#include <stdlib.h>
#include <string.h>

/* The text with STYLE for each style sheet, whose changes do not count. The caller frees it. */
static inline char *golden_plain(const char *text)
{
    struct buf out = {0};
    for (const char *at; (at = strstr(text, view_style)); text = at + strlen(view_style)) {
        buf_add(&out, text, (size_t)(at - text));
        buf_printf(&out, "STYLE");
    }
    buf_printf(&out, "%s", text);
    return out.data;
}

static inline void golden_check(const char *path, const char *printed)
{
    struct err e;
    char *kept = NULL;
    size_t len;
    char *is = golden_plain(printed);
    if (getenv("GOLDEN")) {
        FILE *out = fopen(path, "w");
        ck_assert_msg(out && fputs(is, out) >= 0 && !fclose(out), "%s: cannot be written", path);
        free(is);
        return;
    }
    ck_assert_msg(!file_read(path, 1 << 22, &kept, &len, &e), "%s", e.text);
    size_t at = 0, line = 1, begin = 0;
    for (; kept[at] && kept[at] == is[at]; at++)
        if (kept[at] == '\n') line++, begin = at + 1;
    ck_assert_msg(kept[at] == is[at], "%s:%zu: kept\n%.*s\nis now\n%.*s", path, line,
        (int)strcspn(kept + begin, "\n"), kept + begin, (int)strcspn(is + begin, "\n"), is + begin);
    free(kept), free(is);
}

#endif
