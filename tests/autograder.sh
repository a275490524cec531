#!/bin/sh
# autograder.sh - one submission as a platform grades it, and the archive that Gradescope gets: unpacked into a folder that stands for
# /autograder, with this kit's program in the place of the one that setup.sh builds.

. tests/lib.sh
class=$PWD/$BUILD/lockstep-class
cc -o "$scratch/json" tests/json.c -ljansson || exit 1
json() { "$scratch/json" "$@"; }
same() { if [ "$2" = "$3" ]; then pass "autograder: $1"; else fail "autograder: $1" "got $2, not $3"; fi; }
one() { "$class" one "$@" --device sim:tiny --lab 05 --seed 7 2>"$scratch/err"; }

# ---- one submission ----

TMPDIR=$scratch/tmp
export TMPDIR
mkdir "$TMPDIR"
one solutions --for gradescope --out "$scratch/results.json"
same 'gradescope' "$? $(json score tests.# tests.0.status <"$scratch/results.json" | xargs)" '0 39 5 passed'
(cd tests/wrong/conflicts && tar -cf "$scratch/handin.tar" .)
one "$scratch/handin.tar" --for autolab >"$scratch/out"
same 'autolab: messages, then one line of JSON' "$? $(grep -c 'shared_ld_bank_conflict' "$scratch/out") $(tail -n 1 "$scratch/out" | json scores.# scoreboard.# | xargs)" '0 1 5 1'
SUBMISSION_TAG=submit/1 CLASSROOM=c ASSIGNMENT=a COMMIT_URL=u RELEASE_URL=r one solutions --for classroom50 >"$scratch/out"
same 'classroom50: what the runner says' "$(json submission classroom assignment commit release review <"$scratch/out" | xargs) $(json datetime <"$scratch/out" | wc -c)" 'submit/1 c a u r u 23'
expect_none 'autograder: nothing stays in the temporary folder' "$(ls -A "$TMPDIR")"
one "$scratch/none" --for gradescope
same 'no submission' "$? $(grep -c 'none: there is no such submission' "$scratch/err")" '2 1'
one solutions --for moodle
same 'no such platform' "$? $(grep -c 'moodle: .*is none of gradescope, autolab' "$scratch/err")" '2 1'
one solutions --for gradescope --out "$scratch/no/results.json"
same 'a file that cannot be written' "$?" 1

# A grading that is stopped after its first exercise leaves the points so far. It writes its file after each exercise; here that is a pipe.
mkfifo "$scratch/pipe"
exec 3<>"$scratch/pipe" # open at both ends, so that its readers wait for more
"$class" one solutions --for gradescope --out "$scratch/pipe" --device sim:tiny --lab 05 --seed 7 &
pid=$!
for n in 0 1; do
    while IFS= read -r line <&3 && printf '%s\n' "$line" && [ "$line" != '}' ]; do :; done >"$scratch/partial.$n.json"
done
kill -9 "$pid"
wait "$pid" 2>/dev/null
exec 3>&-
same 'before the first exercise' "$(json score tests.# <"$scratch/partial.0.json" | xargs)" '0 5'
same 'after the first exercise' "$(json score tests.# tests.0.status tests.1.output <"$scratch/partial.1.json" | xargs)" '12 5 passed is not graded yet'
rm -rf "$TMPDIR" && mkdir "$TMPDIR"

# ---- the archive ----

if ! git rev-parse --git-dir >/dev/null 2>&1; then
    skip 'autograder: the archive' 'this is no clone by git'
    finish
fi
grading/autograder "$scratch/autograder.zip" --lab 05 --device sim:tiny >/dev/null 2>"$scratch/err"
same 'an archive' "$? $(cat "$scratch/err")" '0 '
root=$scratch/autograder
mkdir -p "$root/source" "$root/submission"
/usr/bin/python3 -m zipfile -e "$scratch/autograder.zip" "$root/source"
same 'at its root' "$(ls "$root/source" | xargs)" 'Dockerfile lockstep options run_autograder setup.sh'
programs=$(grep -E '^(RUN|CMD)' "$root/source/Dockerfile" | grep -oE '/autograder/[a-z_./]+')
same 'what the container runs is in the archive' "$(for file in $programs; do [ -f "$root${file#/autograder}" ] && echo "${file##*/}"; done | xargs)" 'setup.sh run_autograder'
expect_none 'autograder: neither results, builds nor tests are in it' "$(find "$root/source/lockstep" -maxdepth 1 \( -name build -o -name tests -o -name '.git*' -o -name results \))"
expect_none 'autograder: the files are those of this folder' "$(for f in Makefile common grading labs solutions; do
    (cd "$root/source/lockstep" && find "$f" -type f) | while read -r file; do cmp -s "$file" "$root/source/lockstep/$file" || echo "$file"; done
done)"
mkdir "$root/source/lockstep/build"
ln "$class" "$root/source/lockstep/build/" 2>/dev/null || cp "$class" "$root/source/lockstep/build/"
cp -R tests/wrong/conflicts/. "$root/submission/"
AUTOGRADER_ROOT=$root bash "$root/source/run_autograder" 2>"$scratch/err"
same 'run_autograder' "$? $(json tests.# <"$root/results/results.json") $(json tests.1.output <"$root/results/results.json" | grep -c shared_ld_bank_conflict)" '0 5 1'
rm -rf "$root/source/lockstep/solutions"
AUTOGRADER_ROOT=$root bash "$root/source/run_autograder" 2>"$scratch/err"
same 'a machine that fails leaves no points' "$? $(ls "$root/results" | wc -l)" '1 0'
grading/autograder "$scratch/autograder.rar" >/dev/null 2>"$scratch/err"
same 'another kind of archive' "$? $(grep -c 'ends neither in .zip' "$scratch/err")" '2 1'
grading/autograder "$scratch/autograde.tar" --lab 05 >/dev/null
same 'autolab' "$? $(tar -tf "$scratch/autograde.tar" | grep -c '^options$\|^lockstep/Makefile$') $(grep -c 'for autolab' "$scratch/autograde-Makefile")" '0 2 1'
finish
