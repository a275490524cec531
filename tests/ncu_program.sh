#!/bin/sh
# ncu_program.sh - make ncu: an exercise becomes a program that builds and runs, and whose launches count what the lab counts.

. tests/lib.sh

# program LAB EX: write the program of an exercise from its solution; $said: what the command prints.
program() {
    said=$("$BUILD/lockstep" ncu "$1" "$2" --student solutions --out "$scratch/$1-$2.cu" 2>&1)
}
for exercise in '02 paths' '05 transpose' '07 matmul' '08 matmul_split'; do
    # shellcheck disable=SC2086 # two words
    program $exercise
    name=$(echo "$exercise" | tr ' ' -)
    expect_some "$exercise: the command of ncu" "$said" '^ *ncu --clock-control none --metrics'
    out=$(LOCKSTEP_DEVICE=sim:h200 "$BUILD/lockstep" run "$scratch/$name.cu" 2>&1)
    expect_some "$exercise: its program ends well" "$out; status $?" 'status 0$'
    expect_none "$exercise: without an error" "$(printf '%s\n' "$out" | grep -iE 'error|invalid')"
    if command -v nvcc >/dev/null && nvcc --version >/dev/null 2>&1; then
        expect_none "$exercise: nvcc builds it" "$(nvcc -arch=sm_90 -Icommon/cuda -o "$scratch/real" "$scratch/$name.cu" 2>&1 | grep -i error)"
    fi
done

# The counters of the program's launch are those that the command prints.
program 05 transpose
LOCKSTEP_DEVICE=sim:h200 "$BUILD/lockstep" run --profile transpose_pad_1 "$scratch/05-transpose.cu" >"$scratch/profile" 2>&1
told=$(printf '%s\n' "$said" | awk '/sectors_per_request_pipe_lsu_mem_global_op_st/ && $1 ~ /^[0-9]/ { print $1; exit }')
expect_some 'the sectors of a store are told' "$told" '^[0-9]'
expect_some 'and the program has as many' "$(cat "$scratch/profile")" "a store touches +$told sectors"

refused() {
    message=$("$BUILD/lockstep" ncu "$@" 2>&1)
    expect_some "ncu $*: $name" "$message; status $?" "$pattern.*status $status$"
}
name='tensor maps' pattern='tensor maps' status=2 refused 10 transpose_tma --student solutions --out "$scratch/x.cu"
name='no GPU takes part' pattern='C for the CPU' status=2 refused 03 matmul_cpu --out "$scratch/x.cu"
name='no file' pattern='into which file' status=2 refused 05 transpose
expect_none 'nothing was written' "$(ls "$scratch/x.cu" 2>/dev/null)"
finish
