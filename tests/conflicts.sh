#!/bin/sh
# conflicts.sh - in lab 05 the modelled time of banks grows with the conflicts that its answer counts, and padding wins it back.

. tests/lib.sh

# "stride_1 0.0037" for each kernel with a stride.
times=$("$BUILD/lockstep" lab 05 banks --student solutions --device sim:h200 --more 2>&1 | awk '
    /^  (stride_[0-9]+|padded): correct/ { kernel = $1; sub(/:$/, "", kernel) }
    $1 == "time" && kernel { print kernel, $2; kernel = "" }')
wrong=$(printf '%s\n' "$times" | awk '
    { ms[$1] = $2 }
    END {
        if (NR != 6) print NR " kernels instead of 6"
        if (ms["stride_2"] < 1.2 * ms["stride_1"]) print "2 wavefronts cost as little as 1"
        if (ms["stride_4"] < 1.2 * ms["stride_2"]) print "4 wavefronts cost as little as 2"
        if (ms["stride_12"] != ms["stride_4"]) print "strides 4 and 12 take 4 wavefronts, and differ"
        if (ms["stride_3"] != ms["stride_1"] || ms["padded"] != ms["stride_1"]) print "an odd stride has no conflict, and costs time"
    }')
expect_none 'conflicts: the time of banks grows with them' "${wrong:+$wrong: $times}"
finish
