#!/bin/sh
# kernels.sh - how many kernels of public programs lockstep-nvcc compiles and the simulator accepts, and what stops the others.
#
#     .cu files ── draw ──> lockstep-nvcc -ptx ──> cuModuleLoad, cuModuleGetFunction for each .entry ──> a table, and the reasons
#
# A file is compiled as its program's build compiles it: with the folders, definitions and standard that the Makefile's command for it
# names, or CMakeLists.txt. A file that no command names and another file includes is compiled within that one; if there is none, with
# the folders where headers usually lie. A kernel that two files of the draw hold is counted once.
# A kernel of the source that is not in the PTX counts against its file's error, if the file does not compile; a template that its file
# does not use is in no PTX and is not counted, nor are the kernels of Thrust and CUB. README.md beside this file gives the last results.
set -u
usage='usage: kernels.sh [-n FILES] [-s SEED] [-o FILE] FOLDER...
    -o FILE  writes a line for each kernel: accepted, refused or uncompiled; the reason; the file compiled; the kernel'
count=0 seed=1 out=
while getopts n:s:o: option; do
    case $option in n) count=$OPTARG ;; s) seed=$OPTARG ;; o) out=$OPTARG ;; *) echo "$usage" >&2; exit 2 ;; esac
done
shift $((OPTIND - 1))
[ $# -gt 0 ] || { echo "$usage" >&2; exit 2; }
here=$(cd "$(dirname "$0")" && pwd)
BUILD=$(cd "${BUILD:-$here/../../build}" && pwd)
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
export LOCKSTEP_DEVICE="${LOCKSTEP_DEVICE:-sim:h200}"

# Loads a file of PTX: a line "accepted" or "refused" and the kernel's name, for each kernel that is named behind it.
cat >"$work/load.cpp" <<'END'
#include <cstdio>
#include <cuda.h>
int main(int argc, char **argv) {
    CUcontext c;
    CUmodule m;
    CUfunction f;
    int limit;
    cuInit(0);
    cuCtxCreate(&c, 0, 0);
    int bad = cuModuleLoad(&m, argv[1]);
    for (int i = 2; i < argc; i++) {
        int refused = bad || cuModuleGetFunction(&f, m, argv[i]) || cuFuncGetAttribute(&limit, CU_FUNC_ATTRIBUTE_NUM_REGS, f);
        std::printf("%s %s\n", refused ? "refused" : "accepted", argv[i]);
    }
}
END
"$BUILD/lockstep-nvcc" -O1 "$work/load.cpp" -o "$work/load" || exit 1

find "$@" -name '*.cu' | while read -r file; do
    printf '%s %s\n' "$(printf '%s %s' "$seed" "$file" | cksum | cut -d ' ' -f 1)" "$file"
done | sort -n | { [ "$count" -gt 0 ] && head -n "$count" || cat; } | cut -d ' ' -f 2- >"$work/files"

# top FOLDER: the folder, of this and the three above, whose Makefile or CMakeLists.txt builds it; without one, FOLDER itself.
top() {
    at=$1
    for _ in 1 2 3 4; do
        for name in Makefile makefile CMakeLists.txt; do [ ! -f "$at/$name" ] || { echo "$at"; return; }; done
        at=$at/..
    done
    echo "$1"
}

# commands FOLDER: what its build would run, a command a line; of a CMakeLists.txt, one made of its folders, definitions and files.
commands() {
    if [ -f "$1/Makefile" ] || [ -f "$1/makefile" ]; then
        (cd "$1" && timeout 20 make -nBk NVCC=nvcc ARCH=sm_80 CUDA_DIR="$BUILD/cuda" CUDA_PATH="$BUILD/cuda" CUDA_HOME="$BUILD/cuda" 2>/dev/null) | sed -e ':a' -e '/\\$/N; s/\\\n/ /; ta'
    elif [ -f "$1/CMakeLists.txt" ]; then
        sed 's/#.*//' "$1/CMakeLists.txt" | tr '\n)' ' \n' | sed -nE 's/\$\{(CMAKE_CURRENT_SOURCE_DIR|PROJECT_SOURCE_DIR)\}/./g
            s/^ *(target_)?include_directories *\(//p; s/^ *(target_compile|add)_definitions *\(/-D /p; s/^ *(cuda_)?add_(executable|library) *\(/-S /p' |
            awk '{ for (i = 1; i <= NF; i++)
                if ($1 == "-S") { if (i > 1) printf " %s", $i }
                else if ($1 == "-D") { if (i > 1 && $i !~ /^(PRIVATE|PUBLIC)$/) { sub(/^-D/, "", $i); printf " -D%s", $i } }
                else if ($i ~ /^[.A-Za-z]/ && $i ~ /[.\/]/) printf " -I%s", $i } END { print "" }'
    fi
}

# flags FILE TOP: of the command that names the file. Status 1: none does.
flags() {
    pattern=$(basename "$1" | sed 's/[.+]/\\&/g')
    commands "$2" | grep -E "(^|[ /])($pattern|\*\.cu)( |\$)" | grep -vE '^ *(rm|echo|cp|ar) ' >"$work/commands"
    [ -s "$work/commands" ] || return 1
    head -n 1 "$work/commands" | tr ';&|<>()`$' ' ' | xargs -n 1 2>/dev/null | awk -v top="$2" '
        function folder(f) { if (f != "") print "-I" (f ~ /^\// ? f : top "/" f) }
        wait { folder($0); wait = 0; next }
        $0 == "-I" { wait = 1; next }
        /^-I/ { folder(substr($0, 3)) }
        /^-D./ || /^-std=/ || /^--std=/ { print }'
}

# plain FILE: its name without "..", from here.
plain() { echo "$(cd "$(dirname "$1")" && pwd)/${1##*/}" | sed "s|^$(pwd)/||"; }

# whole FILE TOP: the file of the same build that includes it, through headers or not.
whole() {
    inside=$(basename "$1")
    for _ in 1 2 3; do
        by=$(grep -rlE "^ *# *include *[\"<]([^\">]*/)?$(echo "$inside" | sed 's/[.+]/\\&/g')[\">]" "$2" \
            --include='*.cu' --include='*.cuh' --include='*.h' --include='*.hpp' --include='*.cpp' | sort)
        for file in $by; do case $file in *.cu | *.cpp) plain "$file"; return ;; esac; done
        inside=$(basename "$(echo "$by" | head -n 1)")
        [ -n "$inside" ] || return
    done
}

# kernels FILE: the names of the kernels that it defines.
kernels() {
    sed 's://.*$::' "$1" | tr '\n\t' '  ' | sed -E 's/__launch_bounds__ *\(([^()]|\([^()]*\))*\)//g' |
        grep -oE '__global__[^;{}(]*\(' | sed -E 's/ *\($//; s/^.*[^A-Za-z0-9_]//' | sort -u
}

# one FILE: lines "word TAB reason TAB file TAB kernel".
one() {
    part=$1 file=$1 top=$(top "$(dirname "$1")") known=1
    if ! flags "$file" "$top" >"$work/flags"; then
        by=$(whole "$file" "$top")
        file=${by:-$file}
        [ -n "$by" ] && flags "$file" "$top" >"$work/flags" || known=
    fi
    folder=$(dirname "$file")
    set -- "$file"
    if [ -n "$known" ]; then while read -r flag; do set -- "$@" "$flag"; done <"$work/flags"
    else set -- "$file" "-I$folder" "-I$folder/.." "-I$folder/../include" "-I$folder/../inc" "-I$folder/../../../Common"; fi
    case $file in *.cu) ;; *) set -- -x cu "$@" ;; esac
    if ! timeout 120 "$BUILD/lockstep-nvcc" -ptx -arch=sm_80 "$@" -o "$work/one.ptx" >"$work/said" 2>&1; then
        reason=$(grep -aE 'error: |lockstep-nvcc: ' "$work/said" | head -n 1 | sed -E 's/^.*error: //; s/[^ ]*\/([^ \/]+)/\1/g' | cut -c 1-90)
        n=$(grep -c '__global__' "$part")
        while [ "$n" -gt 0 ]; do printf 'uncompiled\t%s\t%s\t%s\n' "$reason" "$part" "$n"; n=$((n - 1)); done
        return
    fi
    sed -n 's/.*\.entry \([^( ]*\).*/\1/p' "$work/one.ptx" | grep -vE '^_ZN(K?6thrust|3cub)' >"$work/entries"
    if [ "$part" != "$file" ]; then
        kernels "$part" | awk '{ print "^" $0 "$\n^_Z.*" length($0) $0 }' >"$work/names"
        grep -E -f "$work/names" "$work/entries" >"$work/own"
        mv "$work/own" "$work/entries"
    fi
    # shellcheck disable=SC2046 # words
    "$work/load" "$work/one.ptx" $(cat "$work/entries") >"$work/words" 2>"$work/said"
    reason=$(grep -a '^lockstep: ' "$work/said" | head -n 1 | sed -E 's/^lockstep: //; s/[^ ]*\/([^ \/]+)/\1/g' | cut -c 1-90)
    while read -r word kernel; do printf '%s\t%s\t%s\t%s\n' "$word" "$reason" "$file" "$kernel"; done <"$work/words"
}
while read -r file; do one "$file" </dev/null; done <"$work/files" | awk -F '\t' '!seen[$3, $4]++' >"$work/all"
[ -z "$out" ] || cp "$work/all" "$out"
echo '| files | kernels | compiled | accepted |'
echo '|---|---|---|---|'
awk -F '\t' -v files="$(wc -l <"$work/files")" '{ n++; r[$1]++ } END { printf "| %d | %d | %d | %d |\n", files, n, n - r["uncompiled"], r["accepted"] }' "$work/all"
echo
awk -F '\t' '$1 != "accepted" { print $1 ": " $2 }' "$work/all" | sort | uniq -c | sort -rn
