#!/bin/sh
# figures.sh - every figure in the prose of labs, solutions, slides and pages has a source: a generator, a record, a document or a test.

. tests/lib.sh
export LC_ALL=C.UTF-8

# Points and limits of time are rules of the kit, not measurements: grading/README.md and common/judge/README.md have no other figures.
documents() { ls README.md labs/*/README.md labs/*/hints.md solutions/[0-9]*/README.md slides/*.md common/*/README.md | grep -v '^common/judge/'; }
without_source() { awk -f tests/figures.awk "$@"; }
expect_none 'every figure has a source' "$(documents | xargs awk -f tests/figures.awk)"
# What is cited: a document by its name, or a file that is there.
expect_none 'what is cited is there' "$(documents | xargs grep -ho '<!-- cited: [^ ]*/[^ ]*' | sed 's/.* //' | sort -u | while read -r file; do [ -e "$file" ] || echo "$file"; done)"

cat >"$scratch/planted.md" <<'END'
It takes 0.5 ms, or 30%, or 7
clocks; `1.5 ms`, "2.5 ms", clang 14.0.6 and compute capability 8.0 are none.
<!-- figures: 0.5 = 1 / 2 -->
It moves 12 GB/s.
<!-- cited: a document -->
And 3 million.
END
expect_some 'planted: figures without a source' "$(without_source "$scratch/planted.md" | sed 's/.*planted.md://' | tr '\n' ',')" '^1: 30 %,1: 7 clocks,6: 3 million,$'
finish
