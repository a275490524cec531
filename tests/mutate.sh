#!/bin/sh
# mutate.sh [--list] ROOM SEED COUNT - change one token of a room at a time and print the changes that its tests let through.
#
#     sh tests/mutate.sh judge 7 20        ROOM: a folder of common, or grading
#
# The seed decides which changes are drawn; --list prints them and builds nothing. Each is built in a copy of the working tree, and the
# room's tests of the table below run until one fails. A change that does not compile is replaced by another. A survivor prints
#
#     survived common/judge/score.c:20: + -> -        return floor(points * full / ratio * 10 + 0.5) / 10;
#
# and is equivalent, or shows that a test is missing or that the line can be deleted. Interrupting it ends the tests and removes the copy.

cd "$(dirname "$0")/.." || exit 2
. tests/lib.sh
PATIENCE=900 # seconds; a change that makes a test run for ever counts as found

# The quick tests of a room: suites, and scripts with .sh; the fastest first. NAME:short: the suite with the fewer cases that it has
# under the sanitizers. The long ones find more.
tests_of() {
    executed='test_snippets test_shown test_checks test_count test_launches test_banks test_bulk test_wgmma test_dram test_edges test_write_combine'
    executed="$executed test_xorwow test_arrival test_apart test_sim_lanes test_sim:short test_strangers:short"
    case "$1" in
    base) echo test_base test_options test_ptx test_judge test_grading test_lab ;;
    cli) echo test_options learn.sh test_commands cli.sh programs_told.sh ;;
    device) echo test_device test_shown test_transfer test_align test_checks test_count test_sim:short test_cuda ;;
    explain) echo test_edits test_wrong_values test_blamed_lines test_code test_index_trace test_align test_told test_lab_tensor test_lab test_mistakes ;;
    exercise) echo test_options test_arguments test_problems test_wrong_values test_launches test_lab_tensor test_lab test_profile test_lab_apart test_lab_programs test_commands test_mistakes ;;
    judge) echo test_judge test_told test_wrong_values test_lab_tensor test_lab test_lab_apart test_mistakes ;;
    learn) echo test_options learn.sh ;;
    model) (cd tests && echo test_model*.c) | sed 's/\.c//g' && echo "test_launches test_published $executed test_profiles" ;;
    nvcc) echo nvcc.sh programs_lenient.sh runtime.sh nvcc_alone.sh programs_told.sh programs.sh ;;
    os) echo test_os test_lab_apart test_lab_programs ;;
    ptx) echo "test_ptx test_ptx_hostile test_fuzz $executed test_kernels:short" ;;
    ptxas) echo "test_ptx test_registers test_launches test_model_time test_published $executed test_kernels:short" ;;
    runtime) echo runtime.sh programs_checks.sh programs_lenient.sh programs_told.sh programs.sh ;;
    sim) echo "$executed test_kernels:short" ;;
    step) echo test_shown test_step:short step.sh ;;
    view) echo test_shown test_told test_model_figure pictures.sh ncu_page.sh test_profile test_profile_change test_commands test_mistakes ;;
    grading) echo test_grading test_grading_pages test_grading_hand_in course.sh class.sh formats.sh ;;
    esac
}

# Print the lines in a random order that depends on the seed alone, and is the same with every awk.
shuffled() {
    awk -v seed="$1" '
    function draw(n) { state = (state * 16807) % 2147483647; return int(state / 2147483647 * n) }
    BEGIN { state = seed % 2147483646 + 1; for (i = 0; i < 10; i++) draw(1) }
    { line[NR] = $0 }
    END { for (n = NR; n; n--) { i = draw(n) + 1; print line[i]; line[i] = line[n] } }'
}

# Run a command in the background, so that a signal is handled at once; timeout then ends all processes of the command.
patiently() {
    timeout -k 5 "$PATIENCE" "$@" >"$scratch/log" 2>&1 </dev/null &
    running=$!
    wait "$running"
}
run_tests() {
    for test in $tests; do
        case "$test" in
        *.sh) patiently make all-programs && patiently env FIRST=yes sh "tests/$test" || return 1 ;;
        *:short) patiently make "build/tests/${test%:*}" && patiently env LOCKSTEP_SANITIZED=1 "build/tests/${test%:*}" || return 1 ;;
        *) patiently make "build/tests/$test" && patiently "build/tests/$test" || return 1 ;;
        esac
    done
}

case "$1" in --list) list=yes && shift ;; *) list= ;; esac
tests=$(case "$2.$3" in *[!0-9.]* | .* | *.) ;; *) tests_of "$1" ;; esac)
if [ -z "$tests" ]; then
    echo 'usage: sh tests/mutate.sh [--list] ROOM SEED COUNT; ROOM: a folder of common, or grading' >&2
    exit 2
fi
folder=common/$1 built=build/liblockstep.a # what shows that a change compiles
case "$1" in
grading) folder=grading built=build/lockstep-class ;;
runtime) built=build/liblockstep-cudart.so ;;
nvcc) built=build/lockstep-nvcc ;;
esac
# shellcheck disable=SC2046 # no name of a source has a blank
awk -f tests/mutate.awk $(find "$folder" -name '*.[ch]' | LC_ALL=C sort) | shuffled "$2" >"$scratch/drawn"
if [ "$list" ]; then
    head -n "$3" "$scratch/drawn"
    exit 0
fi

trap 'kill "$running" 2>/dev/null; wait "$running"; exit 143' INT TERM HUP
trap 'rm -rf "$scratch"' EXIT
copy_project "$scratch/copy" && cp -a "$BUILD" "$scratch/copy/build" && cd "$scratch/copy" || exit 1
unset BUILD MAKEFLAGS MAKELEVEL
# All mistakes, all programs take minutes: more mistakes for the room that explains them, programs that call the runtime most.
LOCKSTEP_MISTAKES=5
[ "$1" = explain ] && LOCKSTEP_MISTAKES=2
export LOCKSTEP_MISTAKES
export PROGRAMS="boxes callbacks capture clusters copies_2d device_reset driver errors events graphs host_register managed \
memset_forms monte_carlo occupancy pinned_mapped pointer_attributes properties registered streams symbols tensor_map textures"
run_tests || { echo "$test fails without a change:" && cat "$scratch/log" && exit 1; }
killed=0 survived=0 tab=$(printf '\t')
while [ $((killed + survived)) -lt "$3" ] && IFS=$tab read -r file line column length after <&3; do
    cp "$file" "$scratch/before"
    awk -v line="$line" -v column="$column" -v count="$length" -v after="$after" '
        NR == line { $0 = substr($0, 1, column - 1) after substr($0, column + count) } { print }' "$scratch/before" >"$file"
    if patiently make "$built"; then
        if ! run_tests; then
            killed=$((killed + 1))
        else
            survived=$((survived + 1))
            awk -v line="$line" -v column="$column" -v count="$length" -v after="$after" -v file="$file" '
                NR == line { print "survived " file ":" line ": " substr($0, column, count) " -> " after "     " $0 }' "$scratch/before"
        fi
    fi
    cat "$scratch/before" >"$file"
done 3<"$scratch/drawn"
echo "$((killed + survived)) changes: $killed killed, $survived survived"
