/* golden.h - a whole output that is kept in a file, and compared with what is printed now.
 *
 * A difference fails with both versions of the first line that differs. GOLDEN=write in the
 * environment writes the files instead: what changed is then read with git diff, and committed with
 * the change that made it. */
#ifndef LOCKSTEP_TESTS_GOLDEN_H
#define LOCKSTEP_TESTS_GOLDEN_H

#include "base/base.h"
#include "suite.h"

#include <stdlib.h>
#include <string.h>

static inline void golden_check(const char *path, const char *is)
{
    struct err e;
    char *kept = NULL;
    size_t len;
    if (getenv("GOLDEN")) {
        FILE *out = fopen(path, "w");
        ck_assert_msg(out && fputs(is, out) >= 0 && !fclose(out), "%s: cannot be written", path);
        return;
    }
    ck_assert_msg(!file_read(path, 1 << 22, &kept, &len, &e), "%s", e.text);
    size_t at = 0, line = 1, begin = 0;
    for (; kept[at] && kept[at] == is[at]; at++)
        if (kept[at] == '\n') line++, begin = at + 1;
    ck_assert_msg(kept[at] == is[at], "%s:%zu: kept\n%.*s\nis now\n%.*s", path, line,
        (int)strcspn(kept + begin, "\n"), kept + begin, (int)strcspn(is + begin, "\n"), is + begin);
    free(kept);
}

#endif
