#!/bin/sh
# calls.sh - how many programs of public suites call only what the kit's headers declare: sh tests/programs/calls.sh FOLDER...
#
# Each folder is a program, such as HeCBench/src/*-cuda. It counts if one of its files has "main(" and one has "<<<". Its calls are the
# names before "(" or "<...>(" that begin like CUDA's (cuda, cu, nvrtc, cublas, curand, cufft, cusparse, cusolver, cudnn, and then a
# capital), in its files without comments. A name that the program defines itself is not CUDA's. Prints the share of programs whose
# calls are all there, by library, and the names that are missing, most frequent first.

export LC_ALL=C
headers=$(cd "$(dirname "$0")/../../common/cuda" && pwd)
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
grep -rhoE '\w+' "$headers" | sort -u >"$scratch/there"
sed -n 's/^ *LOCKSTEP_ERROR(\(\w*\).*/cudaError\1/p' "$headers/stubs/cuda_errors.h" >>"$scratch/there"
# cublas_v2.h declares each function for both precisions by a macro
sed -nE 's/.*cublas##S##(\w+).*/cublasS\1\ncublasD\1/p' "$headers/stubs/cublas_v2.h" >>"$scratch/there"

calls='\b(cuda|cu|nvrtc|cublas|curand|cufft|cusparse|cusolver|cudnn)[A-Z]\w*(<[^<>;()]*>)? *\('
for program in "$@"; do
    find "$program/" -type f \( -name '*.cu' -o -name '*.cuh' -o -name '*.h' -o -name '*.hpp' -o -name '*.cpp' -o -name '*.cc' -o -name '*.c' \) \
        -exec cat {} + 2>/dev/null | sed 's|//.*||' >"$scratch/text"
    grep -qE '\bmain *\(' "$scratch/text" && grep -q '<<<' "$scratch/text" || continue
    tr '\n' '\r' <"$scratch/text" | sed 's|/\*[^*]*\*\+\([^/*][^*]*\*\+\)*/||g' | tr '\r' '\n' >"$scratch/code"
    # defined here: a macro, or a function at the start of a line with its type
    { sed -nE 's/^ *# *define +(\w+).*/\1/p' "$scratch/code"
        grep -avE '^ *(return|else)\b|[=(,;].*\b(cuda|cu|nvrtc|cu[a-z]+)[A-Z]\w* *\(' "$scratch/code" | sed -nE 's/^ *([A-Za-z_][A-Za-z0-9_:<>*& ]* [*&]?)((cuda|cu|nvrtc|cublas|curand|cufft|cusparse|cusolver|cudnn)[A-Z][A-Za-z0-9_]*) *\(.*/\2/p'
    } | sort -u >"$scratch/own"
    grep -aohE "$calls" "$scratch/code" | sed 's/[ <(].*//' | sort -u | grep -vxFf "$scratch/own" >"$scratch/calls"
    grep -vxFf "$scratch/there" "$scratch/calls" | sed "s|\$| $(basename "$program")|" >>"$scratch/missing"
    echo "$(basename "$program") $(grep -c . "$scratch/calls") $(grep -vxFf "$scratch/there" "$scratch/calls" | tr '\n' ' ')"
done >"$scratch/programs"

awk '
    { programs++; runtime = all = 1
      for (i = 3; i <= NF; i++) { all = 0; if ($i ~ /^cuda[A-Z]/) runtime = 0 }
      runtimes += runtime; alls += all }
    END { printf "%d programs; calls of the runtime are all there in %d (%.0f%%), calls of all libraries in %d (%.0f%%)\n",
          programs, runtimes, 100 * runtimes / programs, alls, 100 * alls / programs }' "$scratch/programs"
cut -d' ' -f1 "$scratch/missing" 2>/dev/null | sort | uniq -c | sort -rn | head -n "${TOP:-40}"
