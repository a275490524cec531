#!/bin/sh
# coverage.sh - how many programs of public suites build and run, unmodified, and what stops the others.
#
#     folders of programs ── draw ──> its own Makefile, or lockstep-nvcc ──> a run in little time ──> a table, and the reasons
#
# README.md beside this file says how it is used, what counts as what, and gives the last results.
set -u
usage='usage: coverage.sh [-n COUNT] [-s SEED] [-w FILE] [-t SECONDS] [-m MEGABYTES] [-o FOLDER] PATTERN...'
count=0 seed=1 limit=60 memory=8000 out= with=
while getopts n:s:w:t:m:o: option; do
    case $option in
        n) count=$OPTARG ;; s) seed=$OPTARG ;; t) limit=$OPTARG ;; m) memory=$OPTARG ;; o) out=$OPTARG ;; w) with=$OPTARG ;;
        *) echo "$usage" >&2; exit 2 ;;
    esac
done
shift $((OPTIND - 1))
[ $# -gt 0 ] || { echo "$usage" >&2; exit 2; }
here=$(cd "$(dirname "$0")" && pwd) start=$(pwd)
BUILD=$(cd "${BUILD:-$here/../../build}" && pwd)
[ -x "$BUILD/lockstep-nvcc" ] || { echo "coverage.sh: $BUILD/lockstep-nvcc is not there: make programs" >&2; exit 2; }
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
: "${out:=$work/out}"
mkdir -p "$out" "$work/cuda/bin" "$work/cuda/lib64"
export LOCKSTEP_DEVICE="${LOCKSTEP_DEVICE:-sim:h200}" LOCKSTEP_CHECK="${LOCKSTEP_CHECK:-lenient}"

# What a Makefile takes for the toolkit.
ln -s "$BUILD/lockstep-nvcc" "$work/cuda/bin/nvcc"
ln -s "$here/../../common/cuda/stubs" "$work/cuda/include"
for library in cudart cuda; do ln -s "$BUILD/liblockstep-cudart.so" "$work/cuda/lib64/lib$library.so"; done
for library in cublas cufft; do ln -s "$BUILD/liblockstep-$library.so" "$work/cuda/lib64/lib$library.so"; done
ln -s libcublas.so "$work/cuda/lib64/libcublasLt.so"
export PATH="$work/cuda/bin:$PATH" LIBRARY_PATH="$work/cuda/lib64" LD_LIBRARY_PATH="$BUILD:$work/cuda/lib64"

# place FOLDER: a copy of the program, with links to what lies beside it up to three folders above: "../../../Common".
place() {
    tree=$work/tree
    at=$(cd "$1" && pwd) || exit 1
    rm -rf "$tree"
    mkdir -p "$tree$at"
    cp -r "$at/." "$tree$at/" 2>/dev/null
    for level in 1 2 3; do
        above=$(dirname "$at")
        [ "$above" != / ] || break
        for beside in "$above"/*; do [ -e "$tree$beside" ] || ln -s "$beside" "$tree$beside" 2>/dev/null; done
        at=$above
    done
    cd "$tree$(cd "$1" && pwd)" || exit 1
}

# build: in the program's folder. What was built is found by find_program.
build() {
    common=
    for up in ../Common ../../Common ../../../Common; do [ ! -d $up ] || common="-I$up"; done
    if [ -f Makefile ] || [ -f makefile ]; then
        make -s clean
        make NVCC=nvcc CUDA_DIR="$work/cuda" CUDA_PATH="$work/cuda" CUDA_HOME="$work/cuda" ARCH=sm_70 \
            CUDA_LIB_DIR="$work/cuda/lib64"
    elif [ -f CMakeLists.txt ] && command -v cmake; then
        cmake -S . -B . -DCMAKE_BUILD_TYPE=Release -DCMAKE_CUDA_COMPILER="$BUILD/lockstep-nvcc" \
            -DCMAKE_TOOLCHAIN_FILE="$here/../../common/nvcc/lockstep.cmake" && make -s
        [ -e main ] || [ -z "$(find_program)" ] || ln -s "$(find_program)" main # for arguments.txt
    fi
    if [ -z "$(find_program)" ]; then
        # shellcheck disable=SC2046,SC2086
        openmp=
        ! grep -qs "omp.h" ./*.cu ./*.cpp || openmp="-Xcompiler -fopenmp"
        nvcc -O3 $openmp -I. $common $(find . -name '*.cu' -o -name '*.cpp' -o -name '*.cc' -o -name '*.c' | sort) -o main
    fi
}
find_program() { find . -newer "$work/begin" -type f -perm -u+x ! -path '*/CMakeFiles/*' ! -name '*.so' ! -name '*.o' ! -name '*.sh' | sort | head -n 1; }

# command: how the program is run: the table arguments.txt, or what "make run" says, or the file run, or no arguments.
command_of() {
    name=$(basename "$1")
    awk -v n="$name" '$1 == n ":" { sub(/^[^:]*: */, ""); print; exit }' "$here/arguments.txt" | grep . && return
    make -n run 2>/dev/null | grep -E '^ *\./' | tail -n 1 | sed 's/>.*//' | grep . && return
    [ -f run ] && grep -v '^#' run | grep '\./' | head -n 1 | sed 's/>.*//' | grep . && return
    find_program
}
# smaller TIMES COMMAND: a last argument that is a number becomes 1, since it is how often most programs repeat their work; numbers
# from 1024 on, alone or after "-name=", are divided by TIMES, and those from 32 on by TIMES / 16.
smaller() {
    printf '%s\n' "$2" | awk -v times="$1" '{
        less = times > 16 ? times / 16 : 1
        if (NF > 2 && $NF ~ /^[0-9]+$/ && $(NF - 1) !~ /^-/) $NF = 1
        if (NF == 2 && times > 1 && $2 ~ /^[0-9]+$/ && $2 < 1024) $2 = 1
        for (i = 2; i <= NF; i++) {
            name = match($i, /^-[^=]*=/) ? substr($i, 1, RLENGTH) : ""
            n = substr($i, length(name) + 1)
            if (n ~ /^[0-9]+$/ && n + 0 >= 32) $i = name int(n / (n + 0 >= 1024 ? times : less))
        }
        print }'
}

# run SECONDS COMMAND: its exit status; 124: too long. They are seconds of processor time, so that a busy machine changes nothing.
run() {
    (ulimit -v $((memory * 1024)); ulimit -f 2000000; ulimit -t "$1"
     exec timeout -k 5 $(($1 * 8)) sh -c "$2") >"$log.out" 2>"$log.err" </dev/null
    status=$?
    case $status in 137 | 152) status=124 ;; esac
    return $status
}

# out_of_memory STATUS: a run that failed, and that the limit of memory has ended.
out_of_memory() { [ "$1" -ne 0 ] && grep -qaiE 'bad_alloc|memory allocation|out of memory' "$log.err" "$log.out"; }

# Does the simulator stop a kernel? A kernel's own assert is the program's affair.
complains() { grep -a '^lockstep: ' "$log.err" | grep -qavE '^lockstep: warning: |fails the assertion'; }

# The reason of a failed build or run, without names of files: the first error that says something.
build_reason() {
    grep -aE 'error: |undefined reference|cannot find|lockstep-nvcc: |No rule to make|not found' "$1" | grep -avE 'note:|error generated|linker command|ld returned' |
        head -n 1 | sed -E 's/^.*(fatal error|error): //; s/^.*(undefined reference)/\1/; s/^[^ ]*\/ld: //; s/, needed by.*//; s/[^ ]*\/([^ \/]+)/\1/g' | cut -c 1-100
}
run_reason() {
    grep -a '^lockstep: ' "$log.err" | grep -av '^lockstep: warning: ' | head -n 1 | sed -E 's/^lockstep: //; s/[^ ]*\.(cu|cuh|h|hpp|cpp):[0-9]*:([0-9]*:)? *//; s/kernel [^ ]+ //; s/block \([0-9,]*\) thread \([0-9,]*\)/a thread/; s/[0-9]+/N/g' | cut -c 1-100 | grep . && return
    case $1 in
        0) echo 'its own check fails' ;;
        134 | 136 | 139) echo "ends by signal $(($1 - 128))" ;;
        *) echo "exit status $1: $(cat "$log.err" "$log.out" | grep -a . | tail -n 1 | tr -cd '[:print:]' | cut -c 1-70)" ;;
    esac
}
# Does the program say itself that a result is wrong? Or right: by a word, by a status that its source makes of a check, or, where it
# checks nothing, by the line that expected.txt has for it?
says_wrong() { cat "$log.out" "$log.err" | grep -aiE '\b(fail(ed|ure|s)?|mismatch(es)?|incorrect|wrong|invalid result|error at|(not|n.t) match)\b' | grep -qaivE '(no|0|zero|without) (fail|mismatch|error)|(fail(ed|ures?)?|mismatch(es)?|errors?) *[:=] *0|failed as expected|fails the assertion'; }
says_right() {
    cat "$log.out" "$log.err" | grep -qaiE 'pass|success|correct|verif|match|max.* (error|diff)|\bOK\b' && return
    find . \( -name '*.cu' -o -name '*.cpp' \) -exec grep -hE '(exit|return).*\? *EXIT_SUCCESS *: *EXIT_FAILURE' {} + | grep -q . && return
    line=$(sed -n "s/^$(basename "$1"): //p" "$here/expected.txt")
    [ -n "$line" ] && grep -qaE "$line" "$log.out"
}

# again TIMES COMMAND: a run that was too large is repeated with smaller numbers. One that only says how it is called was too small.
again() {
    [ "$status" -eq 124 ] || out_of_memory "$status" || return
    made=$(smaller "$1" "$2")
    [ "$made" != "$last" ] || return
    last=$made times=$1
    run "$limit" "$made"
    status=$?
    ! cat "$log.out" "$log.err" | grep -qaiE '^ *usage' || status=124
}

# one SUITE FOLDER: a line "SUITE TAB result TAB NAME TAB reason TAB times", result: nobuild, wrong, long, ran, right; times: what large
# numbers were divided by.
one() {
    log=$out/$(basename "$2") times=1 last=
    place "$2"
    touch "$work/begin"
    build >"$log.build" 2>&1
    if [ -z "$(find_program)" ]; then
        result=nobuild why=$(build_reason "$log.build")
    else
        command=$(command_of "$2")
        if grep -q "^$(basename "$2"): " "$here/arguments.txt"; then run "$limit" "$command"
        else run $(((limit + 4) / 5)) "$(smaller 1 "$command")"; fi
        status=$?
        again 16 "$command"
        again 256 "$command"
        grep -a '^lockstep: warning: ' "$log.err" | head -n 1 | sed "s/^lockstep: warning/$(basename "$2")/" >>"$work/defects"
        if [ $status -eq 124 ]; then result=long why="longer than $limit s"
        elif [ $status -ne 0 ] || complains || says_wrong; then result=wrong why=$(run_reason $status)
        elif says_right "$2"; then result=right why=
        else result=ran why=; fi
    fi
    cd "$start" || exit 1
    printf '%s\t%s\t%s\t%s\t%s\n' "$1" "$result" "$(basename "$2")" "${why:-}" "$times" | tee -a "$work/all" >&2
}

# Draw COUNT of a suite's folders that hold CUDA files, by the seed.
draw() {
    for folder in $1; do
        [ -z "$(find "$folder" -maxdepth 3 \( -name '*.cu' -o -name '*.cuh' \) 2>/dev/null | head -n 1)" ] ||
            printf '%s %s\n' "$(printf '%s %s' "$seed" "$(basename "$folder")" | cksum | cut -d ' ' -f 1)" "$folder"
    done | sort -n | { [ "$count" -gt 0 ] && head -n "$count" || cat; } | cut -d ' ' -f 2- |
        while read -r folder; do [ -n "$with" ] && [ ! -e "$folder/$with" ] || echo "$folder"; done
}

: >"$work/all"
: >"$work/defects"
for pattern; do
    draw "$pattern" >"$work/drawn"
    while read -r folder; do one "$pattern" "$folder" </dev/null; done <"$work/drawn"
done
echo '| suite | programs | build | run to the end | say they are right |'
echo '|---|---|---|---|---|'
for pattern; do
    awk -F '\t' -v s="$pattern" '$1 == s { n++; r[$2]++ }
        END { sub(/\/\*$/, "", s); printf "| %s | %d | %d | %d | %d |\n", s, n, n - r["nobuild"], r["ran"] + r["right"], r["right"] }' "$work/all"
done
echo
awk -F '\t' '$2 == "ran" || $2 == "right" { n[$5]++ }
    END { printf "Run as they are: %d; smaller by 16: %d; by 256: %d\n\n", n[1], n[16], n[256] }' "$work/all"
awk -F '\t' '$4 != "" { print ($2 == "nobuild" ? "build: " : "run: ") $4 }' "$work/all" | sort | uniq -c | sort -rn
echo
echo 'Defects of programs that the simulator warned of:'
sort -u "$work/defects" | cut -c 1-200
