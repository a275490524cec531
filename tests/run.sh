#!/bin/sh
# run.sh [--sanitized | --quick | --short] BUILD - run every test and end with the line 'N passed, N failed, N skipped';
# exit 1 when one failed.
#
# The journeys of people, the Check suites of BUILD/tests, the scripts beside this file, and the suites of
# BUILD/sanitize/tests, built with ASan and UBSan. --sanitized: only these. --quick: the journeys, and the suites and
# scripts that take less than half a minute, without these. --short: those that take a few seconds each. One more
# runs at once than there are processors (JOBS=N: so many), since some wait for a browser or a clock; the longest first.
# What a failing test printed is shown, and once more before the last line; of a passing one, a line. A test that this
# machine can't run prints a line, 'skip NAME: why': it is counted as skipped, and the lines are shown.
#
# Each runs as `run.sh --one KIND PATH BUILD`, which adds a line with its counts to the file $RESULTS.

cd "$(dirname "$0")/.." || exit 1
only_sanitized=
quick=
short=
one=
case "$1" in
--quick) quick=yes && shift ;;
--short) quick=yes && short=yes && shift ;;
--sanitized) only_sanitized=yes && shift ;;
--one) one=$2 path=$3 && shift 3 ;;
esac
BUILD=${1:-build}
export BUILD
unset FORMAT OUT SEED STUDENT LAB EX DEVICE FRONT MORE WHY MAKEFLAGS MAKELEVEL # what `make check` was given is not for the tests
# A busy machine fails no test: what is limited is processor time. A test of a suite is a process.
LIMIT=${LIMIT:-600} # seconds of processor time a process may take
PATIENCE=7200 # seconds after which a suite or script that waits for ever is stopped
export CK_DEFAULT_TIMEOUT=0 # Check's own limits are of wall-clock time

begin() { started=$(date +%s%N); }
seconds() { echo "$started $(date +%s%N)" | awk '{printf "%.1f", ($2 - $1) / 1e9}'; }
# Seconds of processor time of what has run so far: the second line of `times` is that of children.
processor() { awk 'NR == 2 { gsub(/[ms]/, " "); print int($1 * 60 + $2 + $3 * 60 + $4) }' "$log.times"; }

# count TITLE STATUS PASSED FAILED: add the counts to the file, and print them. A STATUS of failure without a failed test counts as one. Skipped
# tests are counted from the log, and are not among PASSED.
count() {
    times >"$log.times"
    ok=$3 bad=$4 left=$(grep -c '^skip ' "$log")
    if [ "$2" -ne 0 ] && [ "$bad" -eq 0 ]; then
        bad=1
        [ "$2" -ge 124 ] && echo "ended with status $2 (124: still there after $PATIENCE s; 152: took more than $LIMIT s of processor time)" >>"$log"
    fi
    [ "$2" -eq 0 ] && [ $((ok + bad + left)) -eq 0 ] && ok=1
    {
        printf '  %-34s %4d passed %3d failed %3d skipped %6.1f s %4d s of processor time\n' "$1" "$ok" "$bad" "$left" "$(seconds)" "$(processor)"
        grep '^skip ' "$log" | sort | uniq -c | sed -E 's/^ +1 /    /; s/^ +([0-9]+) (.*)/    \2 (\1 times)/'
        if [ "$bad" -gt 0 ]; then grep -Ev '^(ok|skip) ' "$log" | sed 's/^/    /'; fi
    } >"$log.told"
    (flock 9 && cat "$log.told" && echo "$ok $bad $left" >&9) 9>>"$RESULTS" # in one piece, not mixed with the lines of other jobs
    [ "$bad" -eq 0 ] || (flock 9 && head -n 60 "$log.told" >&9) 9>>"$RESULTS.failed"
    rm -f "$log.told" "$log.times"
}

# limited COMMAND...: run it within both limits, with its output in the log.
# shellcheck disable=SC3045 # every sh has it
limited() { (ulimit -S -t "$LIMIT" && exec timeout -k 5 "$PATIENCE" "$@") >"$log" 2>&1 </dev/null; }
suite() { # TITLE PROGRAM
    begin
    limited "$2"
    status=$?
    # Check ends with: 96%: Checks: 28, Failures: 1, Errors: 0
    summary=$(grep -E '^[0-9]+%: Checks: ' "$log" | tail -n 1 | tr -c '0-9\n' ' ')
    # shellcheck disable=SC2086 # four numbers
    set -- "$1" ${summary:-0 0 0 0}
    # A test of a suite that skips has passed for Check.
    count "$1" "$status" $(($3 - $4 - $5 - $(grep -c '^skip ' "$log"))) $(($4 + $5))
}
script() { # PATH
    begin
    limited sh "$1"
    count "$1" "$?" "$(grep -c '^ok ' "$log")" "$(grep -c '^not ok ' "$log")"
}

if [ "$one" ]; then
    log=$(mktemp) || exit 1
    trap 'rm -f "$log"' EXIT
    case "$one" in
    suite) suite "$path" "$BUILD/tests/$(basename "$path" .c)" ;;
    sanitized) LOCKSTEP_SANITIZED=1 && export LOCKSTEP_SANITIZED && suite "$path, ASan and UBSan" "$BUILD/sanitize/tests/$(basename "$path" .c)" ;;
    script) script "$path" ;;
    esac
    exit 0
fi

# The tests that take longest run first, so that no processor waits for them at the end; the rest in the order of their names.
long='journeys/ attacks.sh programs.sh browser.sh test_kernels test_cuda test_commands test_step test_mistakes tables.sh test_lab_grade'
long="$long test_half test_strangers test_lab_cheapest similar.sh cli.sh step.sh test_sim test_profiles test_differential test_lab_probe"
long="$long slides documents.sh devices.sh slurm.sh test_grading_gpus test_profile_change formats.sh measured.sh lab_mistakes.sh class.sh course.sh term.sh arm64.sh plain.sh"
medium='journeys/ programs_told.sh nvcc.sh cuda_folder.sh tools.sh seeds.sh silence.sh test_profile test_lab_programs published.sh studio.sh'
medium="$medium notebook.sh vscode.sh dist.sh"
# Is the test one of those? Journeys are not: they count as quick.
is_long() { for name in ${long#journeys/}; do case "$1" in *"$name"*) return 0 ;; esac; done; return 1; }
task() { # KIND PATH
    [ -z "$only_sanitized" ] || [ "$1" = sanitized ] || return 0
    if [ "$quick" ] && { [ "$1" = sanitized ] || is_long "$2"; }; then return 0; fi
    if [ "$short" ]; then for name in $medium; do case "$2" in *"$name"*) return 0 ;; esac; done; fi
    echo "$1 $2"
}
tasks() {
    for test in tests/test_*.c; do
        task sanitized "$test"
        task suite "$test"
    done
    for test in tests/journeys/*.sh tests/*.sh; do
        case "$test" in tests/run.sh | tests/lib.sh | tests/path.sh | tests/mutate.sh) ;; *) task script "$test" ;; esac
    done
}
in_order() { awk -v long="$long" 'BEGIN { n = split(long, l) } { rank = n + 1; for (i = n; i; i--) if (index($2, l[i])) rank = i; print rank, $0 }' | sort -s -n -k1,1 | cut -d' ' -f2-; }

RESULTS=$(mktemp) && commands=$(mktemp -d) || exit 1
export RESULTS
trap 'rm -rf "$RESULTS" "$RESULTS.failed" "$commands"' EXIT
# PATH holds only commands that common/setup.sh installs (path.sh): a test that uses another one fails.
sh tests/path.sh "$commands" && [ -e "$commands/make" ] && PATH=$commands && export PATH
# What a learner waits for is measured with nothing beside it.
alone='tests/silence.sh'
at_once() { xargs -r -P "$1" -L 1 sh -c 'exec sh tests/run.sh --one "$@" "$BUILD"' run; }
tasks | in_order | grep -v "$alone" | at_once "${JOBS:-$(($(nproc) + 1))}"
tasks | grep "$alone" | at_once 1
if [ -s "$RESULTS.failed" ]; then
    echo 'failed:' && cat "$RESULTS.failed"
    if [ -e .git ] && ! git diff --quiet HEAD -- labs 2>/dev/null; then
        echo 'labs/ holds work of yours; tests hold the skeletons as they are given: git stash sets it aside, git stash pop brings it back'
    fi
fi
# A suite that left no counts has failed too.
awk -v all="$(tasks | wc -l)" '{ p += $1; f += $2; s += $3 }
    END { f += all - NR; printf "%d passed, %d failed, %d skipped\n", p, f, s; exit f != 0 || !NR }' "$RESULTS"
