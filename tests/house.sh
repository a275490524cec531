#!/bin/sh
# house.sh - rules that every file of the project keeps, and what its documents say about it.

. tests/lib.sh
export LC_ALL=C.UTF-8

# Each function prints FILE:LINE and what is wrong there, for the files of the project in ROOT.
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
# Lengths are in bytes. Tests are exempt: they state what they expect in one line.
long_lines() { LC_ALL=C in_text "$1" '^(common|grading|labs|solutions)/.*\.(c|h|cu)$|^common/cuda/stubs/[^.]*$' '^.{111}'; }
# What a GPU can do is in the features of its profile: nothing outside of model and ptx compares its compute capability.
generations() {
    in_text "$1" '^(common|grading|slides)/.*\.(c|h|js)$' 'cc_(major|minor)|\.major' | grep -vE '^common/(model|ptx|cuda)/' | sed 's/->/./g' |
        grep -E '[<>]|[=!]=|switch'
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

# A message that is read back: what it says travels as a value beside it (struct finding).
messages() {
    (cd "$1" && grep -rnE '\<(strstr|sscanf|strncmp)\(([a-z]+(->|\.))?(why|message|words|(e|err)(->|\.)text)(->data|\.data)?,' common grading --include=*.c)
}

rules='messages machine_paths left_open white_space tabs long_lines generations no_end_of_line dead_links unknown_targets not_posix'
for rule in $rules; do expect_none "house: $rule" "$($rule .)"; done

# A function that no other file calls is static, or goes. Reads lines of nm -A: FILE: [VALUE] KIND NAME.
kept_by_one() {
    awk '{ file = $1; sub(/:.*/, "", file) } $(NF - 1) == "U" { used[$NF] } $(NF - 1) == "T" && $NF != "main" { at[$NF] = file }
        END { for (name in at) if (!(name in used)) print at[name] ": " name " is called by no other file: make it static, or remove it" }'
}
whole=yes
for program in lockstep-class lockstep-studio lockstep-hardware lockstep-nvcc liblockstep-cudart.so; do [ -e "$BUILD/$program" ] || whole=; done
if [ "$whole" ]; then
    objects() { find "$BUILD/obj" "$BUILD/pic/common/runtime" -name '*.o' -exec nm -A {} + 2>/dev/null; }
    expect_none 'house: functions of one file' "$(objects | kept_by_one | grep -v '/pic/')"
    expect_some 'planted: functions of one file' "$(printf 'a.o:0 T shared\na.o:8 T alone\nb.o: U shared\n' | kept_by_one)" '^a\.o: alone is called by no other file'
    expect_none 'planted: and no others' "$(printf 'a.o:0 T shared\nb.o: U shared\nb.o:0 T main\n' | kept_by_one | grep -E 'shared|main')"
else
    skip 'house: functions of one file' 'not all programs are built'
fi

# Each rule finds a violation that is planted in a copy.
copy=$scratch/copy
copy_project "$copy"
mkdir -p "$copy/common/base"
planted=$copy/common/base/planted
printf '/* See /home/me/x. */ \n/* TODO: more */\n\tint x = p->cc_major >= 9;\nint y = !strstr(why->data, "race");\n' >"$planted.c"
awk 'BEGIN { for (i = 0; i < 111; i++) printf "x" }' >"$planted.h"
printf 'no end' >>"$planted.h"
printf 'if then\n' >"$planted.sh"
printf 'See [this](nowhere.md) and `make nothing`.\n' >"$planted.md"
for rule in $rules; do expect_some "planted: $rule" "$($rule "$copy")" 'common/base/planted|planted\.sh|nothing'; done

finish
