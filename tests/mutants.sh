#!/bin/sh
# mutants.sh - what mutate.sh draws: by the seed alone, tokens of code, in every room.

. tests/lib.sh
draw() { sh tests/mutate.sh --list "$@"; }
same() { if [ "$2" = "$3" ]; then pass "mutate: $1"; else fail "mutate: $1" "got $2, not $3"; fi; }

draw judge 7 200 >"$scratch/drawn"
same 'a seed draws the same changes' "$(draw judge 7 200 | cmp - "$scratch/drawn" 2>&1)" ''
same 'no change is drawn twice' "$(sort "$scratch/drawn" | uniq -d | wc -l) $(wc -l <"$scratch/drawn")" '0 200'
expect_some 'mutate: another seed draws others' "$(draw judge 8 200 | cmp - "$scratch/drawn" 2>&1)" .
same 'a room that is not there' "$(draw nothing 7 1 2>/dev/null; echo $?) $(draw judge x 1 2>/dev/null; echo $?)" '2 2'

# Every kind of change, at its place; none in comments, strings and lines of the preprocessor.
mkdir -p "$scratch/kit/common/os" "$scratch/kit/tests" && cp tests/mutate.sh tests/mutate.awk tests/lib.sh "$scratch/kit/tests/"
cat >"$scratch/kit/common/os/os.c" <<'END'
#define A (1 + 2)
/* a + 3
   && b */
int f(int a, const char *b)
{
    puts("5 + \" + 5"); // 6 + 6
    if (!a && b->c >= '7') return a << 8;
    return a * 0x10;
}
END
cat >"$scratch/wanted" <<'END'
6 5 20 ;
7 12 2 ||
7 20 2 >
7 40 1 7
7 40 1 9
7 5 37 ;
7 9 1
8 14 1 /
8 5 16 ;
END
drawn=$(sh "$scratch/kit/tests/mutate.sh" --list os 7 99 | cut -f 2- | tr '\t' ' ' | sed 's/ $//' | LC_ALL=C sort)
same 'every kind of change' "$drawn" "$(cat "$scratch/wanted")"
finish
