#!/bin/sh
# cli.sh - the commands as people type them: exit codes, what goes to stdout and what to stderr, text and JSON, --out, --help.
#
# Exit codes: 0: it ran, or graded, whatever the result; 1: an error of this machine; 2: of the command line. An error is a line on stderr
# that names what was typed, with nothing on stdout. Small exercises on small devices: the whole takes seconds of processor time.

. tests/lib.sh
export LC_ALL=C.UTF-8 # columns are characters
unset DEVICE DEVICES EX FORMAT FRONT HTML KERNEL LAB MAP OUT SEED STUDENT
lockstep=$BUILD/lockstep
commands='lab labs hint slide studio learn grade profile step run compare figure ncu transfers explain metrics devices'
gcc -D_GNU_SOURCE -o "$scratch/json" tests/json.c -ljansson || exit 1
json() { "$scratch/json" "$@" 2>&1; }

# run COMMAND...: leaves $status, and what was printed in $scratch/out and $scratch/err.
run() {
    "$@" >"$scratch/out" 2>"$scratch/err" </dev/null
    status=$?
}
count_lines() { awk 'END { print NR }' "$1"; }
# What is wrong with the last run: complain STATUS OUT-LINES ERR-LINES; a number of lines is a number, some or any.
complain_count() { # FILE, WANTED
    n=$(count_lines "$scratch/$1")
    case "$2" in
        any) return ;;
        some) [ "$n" -gt 0 ] && return ;;
        *) [ "$n" -eq "$2" ] && return ;;
    esac
    echo "$n lines on std$1, not $2: $(head -n 3 "$scratch/$1")"
}
complain() {
    [ "$status" -eq "$1" ] || echo "exit code $status, not $1: $(head -n 3 "$scratch/err")"
    complain_count out "$2"
    complain_count err "$3"
}
complain_match() { # FILE PATTERN
    grep -qE -- "$2" "$scratch/$1" || echo "no line like /$2/ on std$1: $(head -n 3 "$scratch/$1")"
}
# works NAME PATTERN COMMAND...: exit code 0, nothing on stderr, and a line of stdout like PATTERN.
works() {
    name=$1 pattern=$2
    shift 2
    run "$@"
    expect_none "cli: $name" "$(complain 0 some 0; complain_match out "$pattern")"
}
# refuses STATUS PATTERN ARGUMENT...: one line like PATTERN on stderr.
refuses() {
    wanted=$1 pattern=$2
    shift 2
    run "$lockstep" "$@"
    expect_none "cli: refuses $*" "$(complain "$wanted" 0 1; complain_match err "^lockstep: $pattern")"
}
same() { # NAME GOT WANTED: equal, and not both empty
    if [ -n "$2" ] && [ "$2" = "$3" ]; then pass "cli: $1"; else fail "cli: $1" "got $2, not $3"; fi
}
# fits NAME: no line of the last run is longer than a terminal of 80 columns.
fits() { expect_none "cli: 80 columns: $1" "$(awk 'length > 80 { print length ": " $0 }' "$scratch/out")"; }

# ---- help ----

run "$lockstep"
expect_none 'cli: without a command' "$(complain 2 0 some; complain_match err '^usage: lockstep COMMAND'; [ "$(count_lines "$scratch/err")" -le 25 ] || echo long)"
run "$lockstep" nonsense
expect_none 'cli: no such command' "$(complain 2 0 some; complain_match err 'nonsense'; [ "$(count_lines "$scratch/err")" -le 25 ] || echo long)"
for word in --help -h help; do
    works "lockstep $word" '^usage: lockstep COMMAND' "$lockstep" $word
    expect_none "cli: lockstep $word names every command" "$(for c in $commands; do complain_match out "^  $c "; done; [ "$(count_lines "$scratch/out")" -le 25 ] || echo long)"
done
cp "$scratch/out" "$scratch/help"
same 'every command is tested here' "$(sed -n 's/^  \([a-z]*\) .*/\1/p' "$scratch/help" | xargs)" "$commands"
for c in $commands; do
    for word in --help -h; do
        run "$lockstep" "$c" $word
        same "$c $word starts with what it does" "$status $(head -n 1 "$scratch/out")" "0 $(sed -n "s/^  $c  *//p" "$scratch/help")"
    done
    fits "$c --help"
    case "$c" in metrics | devices) ;; *) expect_some "cli: $c --help says how to call it" "$(cat "$scratch/out")" "^  lockstep $c [^ ]" ;; esac
done
version=$(sed -n 's/^#define LOCKSTEP_VERSION "\(.*\)"$/\1/p' common/base/base.h)
for program in lockstep lockstep-class lockstep-hardware; do
    works "$program --version" "^$program ${version:-none}( \([A-Za-z0-9._/+-]+\))?\$" "$BUILD/$program" --version
done

works 'help goes before the rest of the line' 'run a lab' "$lockstep" lab 99 --nonsense --help

# ---- refused: the command line ----

for c in $commands; do
    case "$c" in figure) at=global ;; *) at= ;; esac
    refuses 2 '.*--nonsense' "$c" $at --nonsense
done
for words in 'lab 01 copy --device' 'lab 01 --student' 'grade --format' 'grade --out' 'grade --lab' 'profile --grid' 'compare 05 banks --devices' \
    'figure global --stride' 'transfers --mib'; do
    # shellcheck disable=SC2086 # words
    refuses 2 ".*${words##* }.*(needs|takes)" $words
done
refuses 2 '--out needs a value' grade --out=
refuses 2 '--json takes no value' profile --json=yes
refuses 2 'which lab\?.*lockstep lab 0' lab
refuses 2 'which exercise\?.*lockstep compare 0' compare 01
refuses 2 'profile needs a file.*lockstep profile ' profile
refuses 2 'profile needs --kernel' profile my.cu
refuses 2 '-D -x: a macro is needed' profile my.cu -D -x
refuses 2 '-D 2=3: a macro is needed' step my.cu -D2=3
refuses 2 '-D : a macro is needed' profile my.cu -D
refuses 2 'run needs a file.*lockstep run ' run
refuses 2 'y: is no source file.*--' run x.cu y
refuses 2 '.*none: there is no such file' run "$scratch/none"
refuses 2 '.*: is neither a source file.* nor a program' run README.md
refuses 2 '--device needs a value' run x.cu --device
refuses 2 '.*sim:none.*sim:h200' run x.cu --device sim:none
refuses 2 'which figure\?.*lockstep figure global' figure
refuses 2 '.*nonsense' figure nonsense
refuses 2 '--lab: figure global shows no launch; hide, ' figure global --lab 01 --exercise copy
refuses 2 'a figure of a launch needs --lab' figure hide --front nonsense

labs='.*99.*01-naive.*06-unrolled'
refuses 2 "$labs" lab 99
refuses 2 "$labs" grade --lab 99
refuses 2 "$labs" compare 99 copy
refuses 2 "$labs" profile --lab 99 --exercise copy
exercises='01-naive has no exercise nonsense.*copy'
refuses 2 "$exercises" lab 01 nonsense
refuses 2 "$exercises" compare 01 nonsense
refuses 2 "$exercises" profile --lab 01 --exercise nonsense
for device in sim:none gpu cuda:x; do
    refuses 2 ".*$device.*(sim:h200|cuda:N)" lab 01 copy --device $device
done
refuses 2 '.*sim:none.*sim:h200' grade --lab 01 --device sim:none
refuses 2 '.*sim:none.*sim:h200' transfers --device sim:none
refuses 2 '.*sim:none.*sim:h200' profile --lab 01 --exercise copy --device sim:none
refuses 2 '.*cuda.*sim:h200' profile --lab 01 --exercise copy --device cuda
refuses 2 '.*sim:none.*sim:h200' compare 01 copy --devices sim:tiny,sim:none
refuses 2 '.*cuda.*sim:h200' compare 01 copy --devices cuda
refuses 2 '.*none' figure global --device none
refuses 2 '--format xml.*text and json' grade --format xml
refuses 2 '--front gcc.*clang and nvcc' lab 01 copy --front gcc
refuses 2 '--seed x.*whole number' grade --seed x
refuses 2 '--seed -1.*whole number' grade --seed -1
refuses 2 '--mib 0' transfers --mib 0
refuses 2 '--mib 9999.*4096' transfers --mib 9999
refuses 2 "--stride.*whole number.*'x'" figure global --stride x
refuses 2 '--grid 1,x.*64,64' profile my.cu --kernel k --grid 1,x --block 1
refuses 2 'my.cu' profile my.cu --kernel k --grid 1 --block 1
refuses 2 '.*nonsense' profile --lab 01 --exercise copy --kernel nonsense --device sim:tiny --student solutions
refuses 2 '.*nonsense' compare 01 copy --kernel nonsense
refuses 2 '.*matmul_cpu.*no kernel' profile --lab 03 --exercise matmul_cpu
refuses 2 '.*matmul_cpu.*no kernel' compare 03 matmul_cpu
for c in metrics transfers grade; do refuses 2 'word' $c word; done
refuses 2 'more' lab 01 copy more

# ---- refused: this machine ----

refuses 1 "$scratch/none/at/all" lab 01 copy --device sim:tiny --student "$scratch/none/at/all" # a folder is only made in an existing one
refuses 1 "$scratch/none" grade --lab 01 --device sim:tiny --student "$scratch/none"
refuses 1 "$scratch/none.*No such file" grade --lab 01 --out "$scratch/none/report"
refuses 1 "$scratch.*directory" grade --lab 01 --out "$scratch"
small='--device sim:tiny --student solutions'
# shellcheck disable=SC2086 # words
refuses 1 "$scratch/none/page.html.*No such file" profile --lab 01 --exercise copy $small --html "$scratch/none/page.html"
if [ -c /dev/full ]; then
    "$lockstep" devices >/dev/full 2>"$scratch/err"
    status=$?
    : >"$scratch/out"
    expect_none 'cli: a full disk is told of' "$(complain 1 0 1; complain_match err 'full')"
fi

# ---- lab ----

works 'lab, one exercise' '^  10 of 10 points$' "$lockstep" lab 01 copy --device sim:tiny --student solutions --seed 7
fits 'lab 01 copy'
cp "$scratch/out" "$scratch/lab"
works 'lab says on what' '^on sim:tiny' "$lockstep" lab 1 copy --device=sim:tiny --student=solutions --seed=7
same 'lab by another spelling' "$(cat "$scratch/out")" "$(cat "$scratch/lab")"
works 'lab, what is not done yet' '^  0 of 12 points; missing: 2 for budgets, 10 for predictions$' "$lockstep" lab 05-padded banks --device sim:tiny
works 'lab, everything' '^  prediction [a-z0-9_]+: UNKNOWN$' "$lockstep" lab 05-padded banks --device sim:tiny --more
works 'profile: a long sum of wgmma products is no endless loop' '<<<1, 512, 200000>>>' "$lockstep" profile solutions/10-hopper/matmul_wgmma.cu \
    --kernel matmul_wgmma --grid 1 --block 512 --shared 200000 buf:f32:65536 buf:f32:65536 buf:f32:16 i32:4 i32:16384 i32:4
works 'lab says which seed repeats it' 'SEED=[0-9]+ repeats it$' "$lockstep" lab 01 copy --device sim:tiny --student solutions
same 'a file that is not changed gets the same inputs' "$(cat "$scratch/out")" "$("$lockstep" lab 01 copy --device sim:tiny --student solutions)"
# A kernel that is wrong, is missing or does not compile: exit status 1, and nothing on stderr.
for words in 'lab 01 copy --student tests/wrong/syntax' 'lab 01 transpose --student tests/wrong/constants' 'lab 04 aat --student tests/wrong/race'; do
    # shellcheck disable=SC2086 # words
    run "$lockstep" $words --device sim:tiny --seed 7
    expect_none "cli: $words ends with 1" "$(complain 1 some 0; complain_match out '^  0 of 10 points$')"
done
cp "$scratch/out" "$scratch/once"
run "$lockstep" lab 04 aat --student tests/wrong/race --device sim:tiny --seed 7
same 'lab: a seed repeats a run' "$(cat "$scratch/out")" "$(cat "$scratch/once")"
refuses 2 '--seed.*99x' lab 01 copy --seed 99x

# ---- explain ----

works 'explain a word' '32 banks' "$lockstep" explain bank
works 'explain two words' 'same bank|of one bank' "$lockstep" explain bank conflict
works 'explain a counter' 'ncu: l1tex__t_requests' "$lockstep" explain gld_requests
works 'explain a counter that nvprof has not' 'ncu: smsp__inst_executed_op_ldsm' "$lockstep" explain smsp__inst_executed_op_ldsm.sum
works 'explain lists its words' 'dispatch' "$lockstep" explain
fits explain
refuses 2 'nonsense is not explained' explain nonsense

# ---- grade ----

grade() { "$lockstep" grade --lab 05 --device sim:tiny --student solutions --seed 7 "$@"; }
works 'grade' '^all  *39 of 39$' grade
fits 'grade'
expect_some 'cli: grade says where and with which seed' "$(cat "$scratch/out")" '^    on sim:tiny, .*, seed 7$'
same 'grade, a row an exercise' "$(awk '{ print $1, $2 }' "$scratch/out" | head -n 3 | xargs)" '05-padded banks 05-padded transpose 05-padded aat'
cp "$scratch/out" "$scratch/text"
works 'grade --format json' '"score"' grade --format json
cp "$scratch/out" "$scratch/report.json"
same 'grade as JSON' "$(json score max_score device seed exercises.# exercises.0.lab exercises.0.exercise exercises.0.status <"$scratch/report.json" | xargs)" \
    '39 39 sim:tiny 7 5 05-padded banks passed'
same 'grade as JSON, the scores of the text' "$(json exercises.0.score exercises.1.score exercises.2.score <"$scratch/report.json" | xargs)" \
    "$(awk 'NR <= 3 { print $3 }' "$scratch/text" | xargs)"
same 'grade as JSON has a time and counters' "$(json exercises.1.time_ms exercises.1.counters.smsp__inst_executed.sum <"$scratch/report.json" 2>&1 | grep -cE '^[1-9]|leads nowhere')" 2
run grade --out "$scratch/text.out"
expect_none 'cli: grade --out prints nothing' "$(complain 0 0 0)"
same 'grade --out writes what it would print' "$(cat "$scratch/text.out")" "$(cat "$scratch/text")"
echo old >"$scratch/json.out"
run grade --format=json --out="$scratch/json.out"
expect_none 'cli: grade --format json --out prints nothing' "$(complain 0 0 0)"
same 'grade --format json --out replaces the file' "$(cat "$scratch/json.out")" "$(cat "$scratch/report.json")"
run "$lockstep" grade --lab 05 --device sim:tiny --student tests/wrong/conflicts --final
expect_none 'cli: grade --final tells no count' "$(complain 0 some 0; complain_match out 'misses the budget of shared_ld_bank_conflict'; grep -E 'counted|at most' "$scratch/out")"
works 'grade, what is not done yet' '^all  *0 of 39$' "$lockstep" grade --lab 05 --device sim:tiny
same 'grade: a lab that nobody touched is a line' "$(grep -c . "$scratch/out") $(head -n 1 "$scratch/out")" '4 05-padded: not started, 0 of 39 points'
mkdir -p "$scratch/begun/05-padded" && cp solutions/05-padded/transpose.cu "$scratch/begun/05-padded/" && cp labs/05-padded/aat.cu "$scratch/begun/05-padded/"
works 'grade, a lab that is begun' '^all  *10 of 39$' "$lockstep" grade --lab 05 --device sim:tiny --student "$scratch/begun"
same 'grade: what was not attempted in it is a line' "$(grep -c . "$scratch/out") $(grep -c '^05-padded .* not attempted$' "$scratch/out") $(grep -cE '^05-padded +banks .* not attempted: there is no such file$' "$scratch/out")" '8 1 1'

# A given kernel at fault: what it does is not shown before the predictions about it are right.
for command in 'profile --lab 01 --exercise detective_1' 'profile --json --lab 05 --exercise detective_2' 'profile --map 31 --lab 05 --exercise detective_1' \
    'step --steps 9 --lab 04 --exercise detective_1' 'compare 04 detective_2'; do
    # shellcheck disable=SC2086 # words
    run "$lockstep" $command
    expect_none "cli: a kernel at fault: $command" "$(complain 2 0 1; complain_match err 'is shown once every prediction is right: make lab LAB=0[145] EX=detective_[12]$')"
done
run "$lockstep" profile --lab 01 --exercise detective_1 --student solutions
expect_none 'cli: a kernel at fault that is known is shown' "$(complain 1 0 1; complain_match err 'thread .0,8. reads in.4000.')"

# A student's folder whose name begins with that of the lab.
cp -R tests/mistakes/no_first_barrier "$scratch/04-shared-ada"
run "$lockstep" lab 04 matmul --device sim:tiny --student "$scratch/04-shared-ada"
expect_some 'cli: lab names the folder of the student' "$(tr -d ' \n' <"$scratch/out")" "EX=matmulSTUDENT=$scratch/04-shared-ada,"

# ---- profile, compare, figure ----

# shellcheck disable=SC2086 # words
{
    works 'profile' '^solutions/01-naive/copy\.cu: kernel copy' "$lockstep" profile --lab 01 --exercise copy $small
    works 'profile explains lines' 'out\[row \* cols \+ col\]' "$lockstep" profile --lab 01 --exercise copy $small
    works 'profile --json' '"kernel"' "$lockstep" profile --lab 01 --exercise copy $small --json
    same 'profile as JSON' "$(json kernels.0.kernel device kernels.0.grid.# kernels.0.block.0 kernels.0.time_is <"$scratch/out" | xargs)" 'copy sim:tiny 3 32 modelled'
    works 'profile --map' 'copy\.cu:11' "$lockstep" profile --lab 01 --exercise copy $small --map 11
    works 'profile --html' 'kernel copy' "$lockstep" profile --lab 01 --exercise copy $small --html "$scratch/page.html"
}
expect_some 'cli: profile --html writes a page' "$(cat "$scratch/page.html")" '</html>'
works 'profile of a lab is of the own file' '^labs/01-naive/copy\.cu: kernel copy' "$lockstep" profile --lab 01 --exercise copy --device sim:tiny
expect_some 'cli: profile says that nothing is stored' "$(cat "$scratch/out")" '^The kernel stores nothing'
works 'profile --before a lab' '^modelled time .* times as fast$' "$lockstep" profile --lab 05 --exercise transpose --student solutions --before 04
fits 'profile --before'
same 'profile has all kernels' "$(sed -n 's/^solutions.*: kernel \([a-z_0-9]*\)<<<.*/\1/p' "$scratch/out" | xargs)" 'transpose_pad_1 transpose_pad_2'
run "$lockstep" profile --lab 05 --exercise transpose --student solutions --json
same 'profile --json has all kernels' "$(json kernels.# kernels.1.kernel <"$scratch/out" | xargs)" '2 transpose_pad_2'
cp "$scratch/out" "$scratch/run.json"
works 'profile --before an earlier run' ': the same speed$' "$lockstep" profile --lab 05 --exercise transpose --student solutions --before "$scratch/run.json"
printf 'template <int A, int B> __global__ void fill(int *p) { p[threadIdx.x] = A + B; }\ntemplate __global__ void fill<1, 2>(int *);\n' >"$scratch/one.cu"
sed 's/1, 2/3, 4/' "$scratch/one.cu" >"$scratch/other.cu"
works 'profile --before a file whose only kernel is of a template' '^before: .*other\.cu: kernel fill<3,4>' "$lockstep" profile "$scratch/one.cu" \
    --before "$scratch/other.cu" --kernel 'fill<1,2>' --grid 1 --block 32 buf:i32:32
works 'profile --ptx' '^    \. ld\.global' "$lockstep" profile --lab 01 --exercise copy $small --ptx
fits 'profile --ptx'
works 'profile of a wrong kernel' '^The result is wrong, so the time means nothing yet: c at row 0' "$lockstep" profile --lab 04 --exercise matmul \
    --student tests/mistakes/last_tile_only
works 'profile --before of a wrong kernel' '^  - now: The result is wrong' "$lockstep" profile --lab 04 --exercise matmul \
    --student tests/mistakes/last_tile_only --before 04
fits 'profile of a wrong kernel'
works 'profile of a file' 'kernel copy' "$lockstep" profile solutions/01-naive/copy.cu --kernel copy --grid 2 --block 32,16 --device sim:tiny \
    buf:f32:1024 buf:f32:1024 i32:16 i32:64
# --why for a wrong kernel, of which no edit is known that makes it right.
COLUMNS=80 "$lockstep" lab 08 matmul --student tests/lab-mistakes/stage-never-flips --seed 7 --why 1 >"$scratch/out" 2>&1
expect_some 'lab --why: no edit is known' "$(cat "$scratch/out")" '^  no edit is known that makes it right'
works 'compare' '^copy, ' "$lockstep" compare 01 copy --devices sim:tiny,sim:gtx280 --student solutions
fits 'compare'
same 'compare has a row a device' "$(awk '/^sim:/ { print $1 }' "$scratch/out" | xargs)" 'sim:tiny sim:gtx280'
works 'figure' '^<svg ' "$lockstep" figure global --stride 2
same 'figure is a whole one' "$(tail -n 1 "$scratch/out")" '</svg>'
works 'figure of shared memory' '^<svg ' "$lockstep" figure shared --stride 2

# ---- transfers, metrics, devices ----

works 'transfers' '^in,  pinned  *[0-9.]+  *[0-9.]+$' "$lockstep" transfers --device sim:tiny --mib 1
fits transfers
works 'metrics' '^\| `smsp__inst_executed.sum` \| `inst_executed` \| inst \| PTX only \| [a-z]' "$lockstep" metrics
expect_none 'cli: metrics is a table of five columns' "$(awk -F '|' 'NF != 7 { print }' "$scratch/out")"
works 'devices' '^default: ' "$lockstep" devices
fits devices
works 'devices of a GPU' '^~ +29  .*shared memory$' "$lockstep" devices "RTX 5090"
fits 'devices RTX 5090'
works 'devices of a GPU: what it lacks' '^  warpgroups \(wgmma\): GPUs have it with 9\.0 only$' "$lockstep" devices rtx5090
expect_some 'cli: devices as JSON' "$("$lockstep" devices h100 --format json)" '"sms": ?132.*"assumed": ?\[\].*"lacks": ?\[\]'
expect_some 'cli: devices as JSON: what nobody has measured' "$("$lockstep" devices b200 --format json)" '"sms": ?148.*"assumed": ?\["sfu_lanes".*"lacks": ?\["'
refuses 2 '.*RTX 3070.*nearest is sim:rtx3060' devices 'RTX 3070'
refuses 2 '.*simulated GPUs' devices cuda
works 'devices' '^default: ' "$lockstep" devices
expect_none 'cli: the README of the model names each device' "$(grep '^sim:' "$scratch/out" | while read -r device; do grep -qF "\`$device\`" common/model/README.md || echo "$device"; done)"
expect_none 'cli: every device that is listed works' "$(for d in $(grep '^sim:' "$scratch/out"); do "$lockstep" transfers --mib 1 --device "$d" 2>&1 >/dev/null; done)"
expect_some 'cli: the default is listed' "$(grep -v '^default' "$scratch/out")" "^$(sed -n 's/^default: //p' "$scratch/out")$"

# ---- the GPU that a name means, and auto ----

on() { "$lockstep" transfers --mib 1 --device "$1" 2>&1 | grep -oE 'sim:[a-z0-9]+' | head -n 1; }
for name in 'RTX 4060' rtx4060 RTX4060 'NVIDIA GeForce RTX 4060'; do same "cli: --device '$name'" "$(on "$name")" sim:rtx4060; done
refuses 2 '.*RTX 4070 Ti.*nearest is sim:rtx4060' transfers --device 'RTX 4070 Ti'
if [ "$("$lockstep" devices | tail -n 1)" = 'default: sim:h200' ]; then
    mkdir -p "$scratch/smi"
    smi() { # LINE that nvidia-smi prints
        printf '#!/bin/sh\necho "%s"\n' "$1" >"$scratch/smi/nvidia-smi"
        chmod +x "$scratch/smi/nvidia-smi"
        PATH=$scratch/smi:$PATH "$lockstep" transfers --mib 1 --device auto 2>&1 | head -n 1
    }
    same 'cli: auto by a name' "$(smi 'Tesla T4, 7.5')" 'device: sim:t4, for Tesla T4: the same'
    same 'cli: auto by a capability' "$(smi 'NVIDIA GeForce RTX 3070, 8.6')" \
        'device: sim:rtx3060, for NVIDIA GeForce RTX 3070: the same compute capability'
    same 'cli: auto without either' "$(smi 'NVIDIA X, 5.2')" 'device: sim:h200, for NVIDIA X: the kit has none of its compute capability'
    same 'cli: auto without an answer' "$(smi 'No devices were found')" 'device: sim:h200; no GPU answers, and nvidia-smi names none'
fi

# ---- make, with its variables ----

kit_make() { make -o "$BUILD/lockstep" BUILD="$BUILD" "$@"; } # the kit as it is: a test builds nothing
works 'make lab' '^  10 of 10 points$' kit_make lab LAB=01 EX=copy DEVICE=sim:tiny STUDENT=solutions SEED=7
same 'make lab prints what lockstep lab does' "$(cat "$scratch/out")" "$(cat "$scratch/lab")"
wrong_lab="make -o $BUILD/lockstep BUILD=$BUILD lab LAB=04 EX=aat STUDENT=tests/wrong/race DEVICE=sim:tiny"
script -qefc "$wrong_lab" "$scratch/screen" </dev/null >/dev/null 2>&1
same 'make lab of a wrong kernel adds nothing at a terminal' "$? $(grep -c '0 of 10 points' "$scratch/screen") $(grep -c 'Error' "$scratch/screen")" '0 1 0'
# shellcheck disable=SC2086 # words
run $wrong_lab
expect_none 'cli: make lab of a wrong kernel fails in a script' "$(complain 2 some 1; complain_match err 'Error 1$')"
works 'make grade' '^all  *39 of 39$' kit_make grade LAB=05 DEVICE=sim:tiny STUDENT=solutions SEED=7
same 'make grade prints what lockstep grade does' "$(cat "$scratch/out")" "$(cat "$scratch/text")"
works 'make grade FORMAT=json' '"score"' kit_make grade LAB=05 DEVICE=sim:tiny STUDENT=solutions SEED=7 FORMAT=json
same 'make grade FORMAT=json prints JSON alone' "$(json score seed <"$scratch/out" | xargs)" '39 7'
mkdir "$scratch/a dir"
cp -R solutions/05-padded "$scratch/a dir"
run kit_make grade LAB=05 DEVICE=sim:tiny STUDENT="$scratch/a dir" SEED=7 OUT="$scratch/a dir/report"
expect_none 'cli: make grade OUT= prints nothing' "$(complain 0 0 0)"
same 'make grade OUT= writes the report' "$(cat "$scratch/a dir/report")" "$(cat "$scratch/text")"
works 'make profile FORMAT=json' '"kernel"' kit_make profile LAB=01 EX=copy DEVICE=sim:tiny STUDENT=solutions FORMAT=json
same 'make profile FORMAT=json prints JSON alone' "$(json kernels.0.kernel device <"$scratch/out" | xargs)" 'copy sim:tiny'
works 'make profile HTML=' 'kernel copy' kit_make profile LAB=01 EX=copy DEVICE=sim:tiny STUDENT=solutions KERNEL=copy HTML="$scratch/a dir/page"
expect_some 'cli: make profile HTML= writes a page' "$(cat "$scratch/a dir/page")" '</html>'
works 'make profile BEFORE=' '^before: solutions/01-naive/transpose\.cu: kernel' kit_make profile LAB=04 EX=transpose DEVICE=sim:tiny STUDENT=solutions BEFORE=01
works 'make profile PTX=' '^    \. ld\.global' kit_make profile LAB=01 EX=copy DEVICE=sim:tiny STUDENT=solutions PTX=1
works 'make profile MAP=' 'copy\.cu:11' kit_make profile LAB=01 EX=copy DEVICE=sim:tiny STUDENT=solutions MAP=11
works 'make compare' '^sim:gtx280 ' kit_make compare LAB=01 EX=copy DEVICES=sim:tiny,sim:gtx280 STUDENT=solutions
works 'make: a variable of the environment is no option' '^on ' env DEVICE=sim:none make -o "$BUILD/lockstep" BUILD="$BUILD" lab LAB=01 EX=copy \
    STUDENT=solutions
for words in 'lab LAB=99' 'lab LAB=01 EX=99' 'grade LAB=99' 'grade SEED=99x' 'profile LAB=99 EX=copy' 'compare LAB=99 EX=copy' 'grade LAB=01 DEVICE=sim:99'; do
    # shellcheck disable=SC2086 # words
    run kit_make $words
    expect_none "cli: make refuses $words" "$(complain 2 0 2; complain_match err '^lockstep: .*99')"
done
run kit_make lab
expect_none 'cli: make lab says what to type' "$(complain 2 0 2; complain_match err 'make lab LAB=')"

# Macros that a file uses and does not define.
cat >"$scratch/open.cu" <<'CODE'
__global__ void fill(float *out) { out[threadIdx.x] = IPAD + TILE_DIM; }
CODE
for command in profile 'step --steps 9'; do
    # shellcheck disable=SC2086 # words
    told=$("$BUILD/lockstep" $command -D IPAD=2 -DTILE_DIM=8 --kernel fill --grid 1 --block 32 "$scratch/open.cu" buf:f32:32 2>&1)
    expect_some "cli: ${command%% *} takes -D" "$told" 'fill'
    expect_none "cli: ${command%% *} -D TILE_DIM says nothing" "$(printf '%s\n' "$told" | grep -E 'redefined|error')"
done
finish
