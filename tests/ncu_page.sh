#!/bin/sh
# ncu_page.sh - what common/cuda/README.md says of ncu: its program builds and runs, and the counters have names that ncu knows.

. tests/lib.sh

page=common/cuda/README.md
awk '/^```c$/ { inside = 1; next } /^```$/ { inside = 0 } inside' "$page" | sed 's|"labs/|"solutions/|' >"$scratch/run.cu"
words=$(sed -n 's/^    nvcc \(.*\) -o run run\.cu$/\1/p' "$page")
# shellcheck disable=SC2086 # options are words
"$BUILD/lockstep-nvcc" $(printf '%s' "$words" | sed 's/-arch=native//') -o "$scratch/run" "$scratch/run.cu" >"$scratch/said" 2>&1 &&
    LOCKSTEP_DEVICE=sim:h200 LOCKSTEP_REPORT=1 "$scratch/run" >>"$scratch/said" 2>&1
expect_some 'the program of the page runs' "$(cat "$scratch/said")" ' transpose$'
if command -v nvcc >/dev/null && nvcc --version >/dev/null 2>&1; then
    # shellcheck disable=SC2086
    if nvcc $(printf '%s' "$words" | sed 's/-arch=native/-arch=sm_90/') -o "$scratch/real" "$scratch/run.cu" >"$scratch/said" 2>&1; then
        pass 'nvcc builds the program of the page'
    else
        fail 'nvcc builds the program of the page' "$(cat "$scratch/said")"
    fi
else
    skip 'nvcc builds the program of the page' 'nvcc is not installed'
fi
"$BUILD/lockstep" metrics >"$scratch/metrics"
unknown() { grep -oE '(l1tex|smsp|sm|lts|dram|gpu)__[a-z0-9_.]+' "$1" | sed 's/\.$//' | sort -u | while read -r name; do
    [ "$name" = gpu__time_duration.sum ] || grep -qF "\`$name\`" "$scratch/metrics" || echo "$name"
done; }
expect_none 'the counters of the page are those of the kit, by ncu names' "$(unknown "$page")"
echo 'ncu --metrics l1tex__t_nothing.sum' >"$scratch/planted.md"
expect_some 'planted: a counter of another name' "$(unknown "$scratch/planted.md")" '^l1tex__t_nothing.sum$'
finish
