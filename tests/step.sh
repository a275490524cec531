#!/bin/sh
# step.sh - lockstep step as people use it: at a terminal of 80 x 24 (by script, of util-linux), as text, with bad words, and as a page
# in a real browser.

. tests/lib.sh
lockstep=$BUILD/lockstep
transpose="--lab 04 --exercise transpose --student solutions --warp 3"

# ---- text ----

text=$("$lockstep" step $transpose --steps 40 2>&1)
expect_some 'step: text names the line' "$text" '^step 23 of 38  line 21: out\[\(col \+ y \+ j\) \* rows \+ row \+ x\] = tile\[x\]\[y \+ j\];$'
expect_some 'step: text has the conflict' "$text" '^reads tile\[0, 1, \.\.\. 31 \(lane\)\]\[3\]: 32 wavefronts, 31 conflicts$'
expect_some 'step: text has the lanes' "$text" '^lanes 0 #{32} 31  32 run$'
expect_some 'step: text has values' "$text" '^[* ]x +0, 1, \.\.\. 31 \(lane\)$'
expect_some 'step: a size of its own' "$("$lockstep" step $transpose --size 5,70 --steps 3 2>&1)" 'rows = 5   cols = 70'
expect_some 'step: optimised code' "$("$lockstep" step $transpose --optimised --steps 3 2>&1)" '^ %rd[0-9]+ '
expect_some 'step: make' "$(${MAKE:-make} -s step LAB=04 EX=transpose STUDENT=solutions WARP=3 BLOCK=1,0 STEPS=3 2>&1)" 'col = 32'
expect_some 'step: a fault' "$("$lockstep" step tests/profile/step.cu --kernel outside --grid 1 --block 32 buf:f32:32 buf:f32:32:none 2>&1)" \
    '^FAULT: tests/profile/step.cu:58: block \(0,0\) thread \(31,0\) reads in\[32\]; in has 32 elements$'

# A race: both warps are shown where they touch the word, whichever of the two the simulator finds at fault.
mistake="--lab 04 --exercise matmul --student tests/mistakes"
race=$("$lockstep" step $mistake/no_second_barrier --steps 1 2>&1)
expect_some 'step: a race in words' "$race" '^RACE: warp 0 reads b_tile\[1\]\[0\] in line 17, then warp 1 writes it in line 14, and no barrier'
expect_some 'step: a race, side by side' "$race" '^>  17 .* \| >  14 '
expect_some 'step: a race, its lanes' "$race" '^lane 0 reads it +\| lane 0 writes it$'
expect_some 'step: a race, the variables of both' "$race" '^y = 0 +row = 0 +t = 0 .* \| y = 1 +row = 1 +t = 32 '
race=$("$lockstep" step $mistake/no_first_barrier --steps 100 2>&1)
expect_some 'step: a write that comes too late' "$race" '^RACE: warp 0 reads b_tile\[8\]\[0\] in line 16, then warp 8 writes it in line 14'
expect_some 'step: a read that comes too early is the last step' "$(printf '%s\n' "$race" | grep '^step' | tail -n 1)" '^step ([0-9]+) of \1  line 16'
raced() { "$lockstep" step tests/kernels/races.cu --grid 1 --steps 1 "$@" 2>&1; }
expect_some 'step: two writes of one instruction' "$(raced --kernel two_writers --block 64 buf:f32:64)" '^RACE: warp 0 writes last in line 67, then warp 1 writes it in line 67'
expect_some 'step: all lanes of a race' "$(raced --kernel two_writers --block 64 buf:f32:64)" '^lanes 0, 1, \.\.\. 31 write it +\| lanes'
expect_some 'step: a race of neither the first nor the asked warp' "$(raced --kernel half_sum --block 128 --warp 3 buf:f32:128 buf:f32:1)" '^RACE: warp 1 writes sum\[32\] in line 86, then warp 0 reads it'
expect_some 'step: a race without names' "$(raced --kernel two_writers --block 64 --optimised buf:f32:64)" '^RACE: warp 0 writes byte 0 of shared memory'
expect_none 'step: no race, and none is told' "$(raced --kernel whole_sum --block 128 buf:f32:128 buf:f32:1 | grep RACE)"

# ---- bad words ----

expect_some 'step: no such warp' "$("$lockstep" step $transpose --warp 8 --steps 1 2>&1)" '^lockstep: --warp 8: a block has 8 warps, counted from 0$'
expect_some 'step: no such block' "$("$lockstep" step $transpose --at 64 --steps 1 2>&1)" '^lockstep: --at 64: the grid has 64 x 64 x 1 blocks'
expect_some 'step: a bad size' "$("$lockstep" step $transpose --size 3 2>&1)" '^lockstep: --size 3: 2 whole numbers'
expect_some 'step: no kernel' "$("$lockstep" step tests/profile/step.cu --grid 1 --block 1 2>&1)" 'step needs --kernel NAME'
expect_some 'step: a GPU' "$("$lockstep" step $transpose --device cuda 2>&1)" 'a simulated device is needed'

# ---- a terminal ----

# screens KEY...: what the last of the screens shows, as lines of text. A screen begins at ESC [ H; a key is typed once the screen before
# it is there, so nothing waits for a clock unless something is wrong.
screens() {
    mkfifo "$scratch/keys"
    rm -f "$scratch/typescript" # it has the screens of an earlier call
    script -q -e -f -c "stty rows 24 cols 80; NO_COLOR=1 $lockstep step $stepped" "$scratch/typescript" <"$scratch/keys" >/dev/null 2>&1 &
    exec 3>"$scratch/keys"
    typed=0
    drawn=$(wait_for 2)
    for key; do
        printf "$key" >&3
        typed=$((typed + 1))
        wait_for $((2 + typed)) >/dev/null
    done
    printf q >&3
    exec 3>&-
    wait $!
    rm "$scratch/keys"
    # the last screen, without the sequences around its lines
    awk 'BEGIN { RS = "\033\\[H" } { last = $0 } END { print last }' "$scratch/typescript" | sed 's/\x1b\[[?0-9]*[A-Za-z]//g' | tr -d '\r' | grep -v '^Script done'
}
# wait_for N: until N screens are complete.
wait_for() {
    for i in $(seq 300); do
        [ "$(grep -ao "$(printf '\033')\[J" "$scratch/typescript" 2>/dev/null | wc -l)" -ge "$1" ] && return
        sleep 0.1
    done
}
stepped=$transpose
if command -v script >/dev/null; then
    first=$(screens)
    expect_some 'step: the first screen' "$first" '^transpose\.cu  transpose  block \(0,0,0\)  warp 3 +step 1 of 38$'
    expect_some 'step: says that it is not optimised' "$first" 'compiled without optimisation'
    expect_some 'step: counters of the optimised code' "$first" '^optimised, end +8 +32 +32 +8 +132 +124 +[0-9]+$'
    lines=$(printf '%s\n' "$first" | head -n 24)
    expect_none 'step: fits 80 columns' "$(printf '%s\n' "$lines" | awk 'length($0) > 80')"
    conflict=$(screens c)
    expect_some 'step: c goes to the conflict' "$conflict" 'step 23 of 38'
    expect_some 'step: the line is marked' "$conflict" '^>  21 '
    expect_some 'step: banks are drawn' "$conflict" 'banks 0 \.\.\.\+\.{28} 31'
    expect_some 'step: t shows the tile' "$(screens c t)" '^tile, 1024 elements, rows of 32'
    expect_some 'step: i shows PTX' "$(screens c i)" '^> *[0-9]+ +(ld|shl|add|mov|cvt|mul)[.a-z0-9]+ '
    expect_some 'step: b goes to the barrier' "$(screens b)" '^lanes 0 B{32} 31  B: 32 at a barrier'
    expect_some 'step: g goes to a step' "$(screens g 1 2 '\r')" 'step 12 of 38'
    if [ "$(screens n n n p p '\033[C' '\033[D' p)" = "$first" ]; then pass 'step: back is forth'; else fail 'step: back is forth' "$(screens n p)"; fi
    stepped=$mistake/no_second_barrier
    expect_some 'step: a race is told at the start' "$(screens)" '^RACE on b_tile\[1\]\[0\], warps 0 and 1: press r'
    both=$(screens r)
    expect_some 'step: r shows both warps' "$both" '^1st: warp 0, line 17 +\| 2nd: warp 1, line 14$'
    expect_none 'step: both fit 80 columns' "$(printf '%s\n' "$both" | head -n 24 | awk 'length($0) > 80')"
    expect_some 'step: and 24 rows' "$both" '^1 or 2: step through that warp from here   r back   q quit$'
    expect_some 'step: 1 goes on with the first' "$(screens r 1)" '^matmul\.cu  matmul  block \(0,0,0\)  warp 0 +step 11 of 76$'
    expect_some 'step: r goes back' "$(screens r r)" 'warp 1 +step 1 of 77$'
    stepped=$transpose
    expect_some 'step: r without a race' "$(screens r)" '^there is no race in shared memory in this block$'
    expect_some 'step: q ends it' "$(tail -n 1 "$scratch/typescript")" 'COMMAND_EXIT_CODE="0"'
else
    skip 'step: terminal' 'there is no script; bsdutils has it'
fi

# ---- a page ----

page=$scratch/page.html
"$lockstep" step $transpose --html "$page" || fail 'step: a page' 'it was not written'
expect_none 'step: the page asks nobody' "$(grep -nE '(src|href)=|https?:' "$page")"
tools=$BUILD/browser
browser=$(command -v chromium || command -v chromium-browser)
for needed in node "${browser:-chromium}"; do
    command -v "$needed" >/dev/null || { skip 'step page' "there is no $needed; sh common/setup.sh browser installs it" && finish; }
done
[ -d "$tools/node_modules/playwright-core" ] || { skip 'step page' 'playwright-core is not there; sh common/setup.sh browser installs it' && finish; }
"$lockstep" step $mistake/no_second_barrier --html "$scratch/race.html" || fail 'step: a page of a race' 'it was not written'
node tests/step.mjs "$tools/node_modules/playwright-core" "$browser" "$page" "$scratch/race.html" 2>&1 || failed=1
finish
