#!/bin/sh
# house.sh - rules that every file of the project keeps, and what its documents say about it.

. tests/lib.sh
export LC_ALL=C.UTF-8

# Each prints FILE:LINE: what is wrong under a top level, or nothing.
in_text() { # ROOT, names by grep -E, then grep's own arguments
    root=$1 names=$2
    shift 2
    (cd "$root" && project_files . | grep -E "$names" | tr '\n' '\0' | xargs -0 grep -nIE "$@" /dev/null)
}
sources='\.(c|h|cu|sh|awk|js|css)$|^Makefile$'
machine_paths() { in_text "$1" . '(^|[^A-Za-z0-9_.$}])/(home|work|root|Users|mnt)/[A-Za-z]' | grep -v '^tests/house.sh:'; }
left_open() { in_text "$1" "$sources" '(//|/\*|^ \*|#).*\b(TODO|FIXME|XXX)\b' | grep -vE '^(labs/[^:]*\.(cu|c)|tests/[^:]*):'; }
white_space() { in_text "$1" "$sources" '[ 	]+$'; }
tabs() { in_text "$1" '\.(c|h|cu|sh|awk|js|css)$' '	' | grep -v '^tests/house.sh:'; }
# In bytes, whoever counts. The kernels of tests state what they expect in one line.
long_lines() { LC_ALL=C in_text "$1" '\.(c|h)$|^(common|labs|solutions)/.*\.cu$|^common/cuda/stubs/[^.]*$' '^.{111}'; }
long_files() { (cd "$1" && project_files . | grep -E '\.(c|h|cu|sh)$' | while read -r f; do awk -v f="$f" 'END { if (NR > 500) print f ":" NR ": more than 500 lines" }' "$f"; done); }
# From the line of a function's opening brace to that of its closing one, both at the first column.
long_functions() {
    (cd "$1" && project_files . | grep -E '^(common|tests/hardware)/.*\.[ch]$' | while read -r f; do
        awk -v f="$f" '/^\{/ { start = NR }
            /^\}/ { if (start && NR - start + 1 > 50) print f ":" start ": a function of " NR - start + 1 " lines"; start = 0 }' "$f"
    done)
}
# Lines that hold nothing but comment, over all lines.
comment_share() {
    (cd "$1" && project_files . | grep -E '^common/.*\.[ch]$' | tr '\n' '\0' | xargs -0 cat) | awk '
        { sub(/^[ \t]+/, ""); if (inside || /^\/\//) comments++ }
        inside { if (/\*\//) inside = 0; next }
        /^\/\*/ { if (/\*\/$/ || !/\*\//) comments++; inside = !/\*\// }
        END { share = NR ? 100 * comments / NR : 0
              if (share < 12 || share > 25) printf "common:%d: %.1f%% of the lines are comment, not 12 to 25%%\n", NR, share }'
}
no_end_of_line() { (cd "$1" && project_files . | grep -E "$sources|\.md$" | while read -r f; do [ -z "$(tail -c 1 "$f")" ] || echo "$f:1: no newline at its end"; done); }

# A link of a document that leads to no file, and a `make TARGET` that the Makefile does not have.
dead_links() {
    (cd "$1" && project_files . | grep '\.md$' | while read -r doc; do
        grep -oE '\]\([^)#:]+\)' "$doc" | sed 's/^](//; s/)$//' | while read -r link; do
            [ -e "$(dirname "$doc")/$link" ] || echo "$doc:1: leads to $link"
        done
    done)
}
unknown_targets() {
    (cd "$1" && project_files . | grep '\.md$' | xargs grep -noE '(`|^    )make [a-z]+' /dev/null | while IFS= read -r hit; do
        target=${hit##*make }
        grep -qE "^([a-z]+ )*$target( [a-z]+)*:" Makefile || echo "$hit is no target"
    done)
}
not_posix() { (cd "$1" && project_files . | grep '\.sh$' | while read -r f; do sh -n "$f" 2>&1; done); }

rules='machine_paths left_open white_space tabs long_lines long_files long_functions no_end_of_line dead_links unknown_targets not_posix'
for rule in $rules comment_share; do expect_none "house: $rule" "$($rule .)"; done

# Each rule sees what it should, planted in a copy.
copy=$scratch/copy
copy_project "$copy"
mkdir -p "$copy/common/base"
planted=$copy/common/base/planted
printf '/* See /home/me/x. */ \n/* TODO: more */\n\tint x;\n' >"$planted.c"
awk 'BEGIN { print "{"; for (i = 0; i < 49; i++) print ""; print "}" }' >>"$planted.c"
awk 'BEGIN { for (i = 0; i < 111; i++) printf "x"; for (i = 0; i < 500; i++) print "" }' >"$planted.h"
printf 'no end' >>"$planted.h"
printf 'if then\n' >"$planted.sh"
printf 'See [this](nowhere.md) and `make nothing`.\n' >"$planted.md"
for rule in $rules; do expect_some "planted: $rule" "$($rule "$copy")" 'common/base/planted|planted\.sh|nothing'; done

# 100 lines, of which so many are comment.
commented() { # COUNT
    rm -rf "$scratch/commented"
    mkdir -p "$scratch/commented/common/base"
    awk -v n="$1" 'BEGIN { print "    /* one"; for (i = 3; i < n; i++) print "more, // of it"; print "*/ // two"; print "// three"
        for (i = n; i < 98; i++) print "int x; /* code */"; print "/* code */ int x;"; print "int x; // code" }' >"$scratch/commented/common/base/a.c"
    comment_share "$scratch/commented"
}
for n in 12 25; do expect_none "comment share: $n%" "$(commented $n)"; done
for n in 11 26; do expect_some "comment share: $n%" "$(commented $n)" "$n.0% of the lines"; done
finish
