#!/bin/sh
# silence.sh - what a learner waits for: no likely attempt keeps the terminal silent, or the processor busy, for long.
#
#     attempt ──> lockstep lab in a pseudo-terminal ──> script --log-timing: the pauses between its outputs
#
# A pause counts by the share of the time in which this attempt had a processor: the machine may do other work as well.

. tests/lib.sh
SILENT=2 # seconds between two outputs
BUSY=10  # seconds of processor time
# Both limits are for a machine on which the product of lab 01 takes YARDSTICK seconds of processor time. On a slower machine, or while other
# work slows it down, they are larger in proportion; that is measured only where a limit is passed.
YARDSTICK=1.25
slowness() {
    sh -c '"$1" lab 01 matmul --student solutions --device sim:h200 --seed 7 >/dev/null 2>&1; times' yard "$BUILD/lockstep" | tail -n 1 |
        awk -F'[ms ]+' -v usual="$YARDSTICK" '{ x = (60 * $1 + $2 + 60 * $3 + $4) / usual; print (x > 1 ? x : 1) }'
}

if ! script --help 2>/dev/null | grep -q -- --log-timing; then
    skip 'silence' 'there is no script(1) that logs times; apt-get install bsdutils'
    finish
fi
labs=$scratch/labs

export LOCKSTEP_SANDBOX=landlock # of what runs in bubblewrap, compilers above all, `times` would not count the time

# judge SLOWER: print the processor time and the longest pause; it fails unless both are within SLOWER times their limits.
judge() {
    awk -v used="$used" -v silent="$SILENT" -v busy="$BUSY" -v slower="$1" '
        { all += $1; if ($1 > pause) pause = $1 }
        END {
            pause *= used < all ? used / all : 1
            printf "%.1f s of processor time, silent for %.1f s at most", used, pause
            if (used > busy * slower || pause > silent * slower || NR < 3) exit 1
        }' "$scratch/pauses"
}

# attempt NAME LAB EXERCISE FOLDER [SCRIPT-OF-SED [ANSWER]]: the file of the folder, perhaps changed.
attempt() {
    file=$(cd "$4" && ls -d "$2"-*/"$3.cu") && mkdir -p "$labs/${file%/*}" && sed -E "$5" "$4/$file" >"$labs/$file"
    script -qefc "stty cols 80; NO_COLOR=1 $BUILD/lockstep lab $2 $3 --student $labs --device sim:h200 --seed 7; times >$scratch/times" \
        -T "$scratch/pauses" "$scratch/screen" >/dev/null 2>&1 </dev/null
    # The last line of times is that of children: 0m1.200000s 0m0.100000s. A line of pauses: seconds, bytes.
    used=$(tail -n 1 "$scratch/times" | awk -F'[ms ]+' '{ printf "%.2f", 60 * $1 + $2 + 60 * $3 + $4 }')
    told=$(judge 1) || told=$(judge "$(slowness)") || { fail "silence: $1" "$told; $(tail -n 3 "$scratch/screen")"; return; }
    pass "silence: $1: $told"
    expect_some "silence: $1 is answered" "$(tr -d '\r' <"$scratch/screen" | tail -n 60)" "${6:-correct\. At }"
}

attempt 'one thread a block' 03 matmul solutions 's/(TILE|BLOCK\(|COVERS\(| )16\b/\11/g'
attempt 'tiles of one element' 06 matmul solutions 's/define TILE .*/define TILE 1/'
attempt 'sums in global memory' 02 matmul tests/mistakes/adds_in_memory_02
attempt 'a given kernel made slow' 06 matmul tests/mistakes/given_slow
# The cause itself, for which a slow machine has too little time, is asked for by test_mistakes.
attempt 'a cause that is looked for' 09 matmul_3xtf32 tests/mistakes/sum_of_rows_before '' 'elements are wrong'
finish
