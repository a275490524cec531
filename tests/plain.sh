#!/bin/sh
# plain.sh - the kit without what only Linux has, as it is built on macOS and BSD: common/os/plain.c in the place of linux.c and its kin.
#
# The copy that is built here sees neither Linux's headers nor what glibc alone declares, so that nothing of either creeps in. What macOS and
# BSD have beside POSIX is declared below. With what was built, a lab, a class, the loop of `learn` and the studio are walked.

. tests/lib.sh

built=$PWD/$BUILD copy=$scratch/copy
copy_project "$copy"
cd "$copy" || exit 1
mkdir -p linux/sys linux/linux
for header in sys/inotify sys/prctl sys/syscall linux/seccomp linux/filter linux/audit linux/landlock; do
    echo "#error \"$header.h is Linux's own\"" >"linux/$header.h"
done
printf '#include <stddef.h>\nint getentropy(void *, size_t);\n' >linux/sys/random.h
cat >linux/others.h <<'EOF'
#include <stdarg.h>
#include <stddef.h>
int vasprintf(char **, const char *, va_list);
char *strcasestr(const char *, const char *);
void *memmem(const void *, size_t, const void *, size_t);
EOF
grep -rl _GNU_SOURCE common grading | xargs sed -i 's/#define _GNU_SOURCE/#define _XOPEN_SOURCE 700\n#define _DEFAULT_SOURCE/'
flags='-std=gnu11 -O1 -march=native -ffp-contract=off -fno-math-errno -fno-trapping-math -Wall -Wextra -Wno-missing-field-initializers -Wno-psabi'
if make PLAIN=1 BUILD=build READY="$built" CFLAGS="$flags -Werror -Icommon -Itests -I. -Ilinux -include linux/others.h" \
    build/lockstep build/lockstep-class build/lockstep-studio >"$scratch/said" 2>&1; then
    pass 'the kit builds without Linux'
else
    fail 'the kit builds without Linux' "$(grep -E 'error|undefined' "$scratch/said" | head -n 5)"
    exit
fi
expect_none 'no name of Linux is in it' "$(grep -alE '/proc/self|inotify|memfd' build/lockstep build/lockstep-class build/lockstep-studio)"

expect_some 'a lab, with an exercise in C' "$(build/lockstep grade --lab 03 --student solutions)" '^all +30 of 30'
mkdir -p class/ada class/bob && cp -r solutions/01-naive class/ada/ && cp -r labs/01-naive class/bob/
LOCKSTEP_SANDBOX=limits build/lockstep-class class class --out results --lab 01 >"$scratch/out" 2>"$scratch/said"
expect_some 'a class: the gradebook' "$(cat results/gradebook.csv)" '^ada,'
expect_some 'a class: what is not protected is said' "$(cat "$scratch/said")" 'limits'
ln -s "$built/studio-tools" build/ 2>/dev/null
for walk in learn studio; do
    BUILD=build sh tests/$walk.sh >"$scratch/walk" 2>&1
    expect_none "$walk.sh" "$(grep -A 3 '^not ok' "$scratch/walk")"
    expect_some "$walk.sh has tests" "$(grep -c '^ok' "$scratch/walk")" '[0-9][0-9]'
done
