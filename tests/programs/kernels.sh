#!/bin/sh
# kernels.sh - how many kernels of public programs lockstep-nvcc compiles and the simulator accepts, and what stops the others.
#
#     .cu files ── draw ──> lockstep-nvcc -ptx ──> cuModuleLoad, cuModuleGetFunction for each .entry ──> a table, and the reasons
#
# A kernel of the source that is not in the PTX counts against its file's error, if the file does not compile; a template that its file
# does not use is in no PTX and is not counted. README.md beside this file gives the last results.
set -u
usage='usage: kernels.sh [-n FILES] [-s SEED] FOLDER...'
count=0 seed=1
while getopts n:s: option; do
    case $option in n) count=$OPTARG ;; s) seed=$OPTARG ;; *) echo "$usage" >&2; exit 2 ;; esac
done
shift $((OPTIND - 1))
[ $# -gt 0 ] || { echo "$usage" >&2; exit 2; }
here=$(cd "$(dirname "$0")" && pwd)
BUILD=$(cd "${BUILD:-$here/../../build}" && pwd)
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
export LOCKSTEP_DEVICE="${LOCKSTEP_DEVICE:-sim:h200}"

# Loads a file of PTX: a line "accepted" or "refused" for each kernel that is named behind it.
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
        std::printf("%s\n", refused ? "refused" : "accepted");
    }
}
END
"$BUILD/lockstep-nvcc" -O1 "$work/load.cpp" -o "$work/load" || exit 1

find "$@" -name '*.cu' | while read -r file; do
    printf '%s %s\n' "$(printf '%s %s' "$seed" "$file" | cksum | cut -d ' ' -f 1)" "$file"
done | sort -n | { [ "$count" -gt 0 ] && head -n "$count" || cat; } | cut -d ' ' -f 2- >"$work/files"

# one FILE: lines "word TAB reason", one a kernel.
one() {
    folder=$(dirname "$1")
    set -- "$1" "-I$folder" "-I$folder/.." "-I$folder/../include" "-I$folder/../inc" "-I$folder/../../../Common"
    if ! timeout 120 "$BUILD/lockstep-nvcc" -ptx -arch=sm_80 "$@" -o "$work/one.ptx" >"$work/said" 2>&1; then
        reason=$(grep -aE 'error: |lockstep-nvcc: ' "$work/said" | head -n 1 | sed -E 's/^.*error: //; s/[^ ]*\/([^ \/]+)/\1/g' | cut -c 1-90)
        n=$(grep -c '__global__' "$1")
        while [ "$n" -gt 0 ]; do printf 'uncompiled\t%s\n' "$reason"; n=$((n - 1)); done
        return
    fi
    # shellcheck disable=SC2046 # words
    "$work/load" "$work/one.ptx" $(sed -n 's/.*\.entry \([^( ]*\).*/\1/p' "$work/one.ptx") >"$work/words" 2>"$work/said"
    reason=$(grep -a '^lockstep: ' "$work/said" | head -n 1 | sed -E 's/^lockstep: //; s/[^ ]*\/([^ \/]+)/\1/g' | cut -c 1-90)
    while read -r word; do printf '%s\t%s\n' "$word" "$reason"; done <"$work/words"
}
while read -r file; do one "$file" </dev/null; done <"$work/files" >"$work/all"
echo '| files | kernels | compiled | accepted |'
echo '|---|---|---|---|'
awk -F '\t' -v files="$(wc -l <"$work/files")" '{ n++; r[$1]++ } END { printf "| %d | %d | %d | %d |\n", files, n, n - r["uncompiled"], r["accepted"] }' "$work/all"
echo
awk -F '\t' '$1 != "accepted" { print $1 ": " $2 }' "$work/all" | sort | uniq -c | sort -rn
