#!/bin/sh
# class.sh - a class as an instructor grades it: folders and archives, names as platforms make them, one gradebook; stopped and continued; in
# two terminals; and nothing judged twice.

. tests/lib.sh
root=$PWD
class=$root/$BUILD/lockstep-class
submissions=$scratch/submissions
cc -o "$scratch/json" tests/json.c -ljansson || exit 1
json() { "$scratch/json" "$@"; }
grade() { out=$1 && shift && "$class" class "$submissions" --out "$out" --lab 05 --device sim:tiny --seed 7 --jobs 2 "$@" >"$scratch/out" 2>"$scratch/err" </dev/null; }
same() { if [ "$2" = "$3" ]; then pass "class: $1"; else fail "class: $1" "got $2, not $3"; fi; }

mkdir "$submissions"
cp -R solutions "$submissions/ada"
mkdir -p "$submissions/lab05-eve/code/deep" && cp -R solutions/05-padded "$submissions/lab05-eve/code/deep/"
cp -R labs "$submissions/Bob Böhm, jr_123_assignsubmission_file"
cp -R tests/wrong/conflicts "$submissions/=1+1"
(cd tests/wrong/conflicts && tar -czf "$submissions/carolc_LATE_55_77_lab05.tar.gz" .)
mkdir -p "$submissions/links/05-padded" "$submissions/links/notes"
ln -s "$root/solutions/05-padded/aat.cu" "$submissions/links/05-padded/aat.cu"
ln -s "$root/solutions/05-padded" "$submissions/links/more"
echo text >"$submissions/links/notes/todo.txt"
cp "$submissions/carolc_LATE_55_77_lab05.tar.gz" "$submissions/carolc_66_88_lab05.tar.gz"
head -c 150 "$submissions/carolc_66_88_lab05.tar.gz" >"$submissions/broken.tgz"
echo nobody >"$submissions/readme.txt"
mkdir "$submissions/nothing"

grade "$scratch/results"
same 'is graded' "$? $(cat "$scratch/out")" "1 9 of 9 submissions graded: $scratch/results/gradebook.csv"
same 'a damaged archive is told of, by the exit code too' "$(grep -c '^broken: the archive\|: 1 of 9 submissions could not be read as a whole' "$scratch/err")" 2
same 'what is no submission is named' "$(grep -c 'readme.txt: is no folder' "$scratch/err")" 1
cd "$scratch/results" || exit 1
score() { json score <"$1.json" | awk '{ printf "%g\n", $1 }'; }
part=$(score carolc) # it has conflicts: some points, which depend on the compiler
same 'scores' "$(for s in ada lab05-eve 'Bob Böhm, jr' carolc carolc-2 links broken nothing; do score "$s"; done | xargs)" "39 39 0 $part $part 0 0 0"
same 'some points' "$(awk -v p="$part" 'BEGIN { print (p > 5 && p < 20) }')" 1
same 'late, as Canvas says it' "$(json late <carolc.json) $(json late <carolc-2.json) $(json late <ada.json)" 'false true false'
same 'a link is left out' "$(grep -c 'symbolic link"\|is no exercise\|links are not followed' links.json)" 4
same 'a damaged archive is told of' "$(grep -c '"error": "the archive' broken.json)" 1
same 'exercises in a report' "$(json exercises.# <ada.json) $(json schema <ada.json)" '5 1'
same 'gradebook, a row a student below maxima and weights' "$(wc -l <gradebook.csv) $(sed -n 2,3p gradebook.csv | tr -d '\r' | xargs)" '12 (maximum),,39,,,,,,,,,,12,10,10,3,4 (weight),,,,,,,,,,,,1,1,1,1,1'
same 'gradebook, names that spreadsheets misread' "$(grep -c "^\"'=1+1\",$part,\|^\"Bob Böhm, jr\",0,39,no," gradebook.csv)" 2
same 'gradescope' "$(json score tests.# tests.0.status <gradescope/ada.json | xargs)" '39 5 passed'
same 'junit' "$(grep -c '<testcase' junit.xml)" 45
same 'a page a student, and their links' "$(for p in pages/*.html; do head -n 1 "$p"; done | sort -u) $(grep -c '^<tr><td><a href="pages/' index.html)" '<!DOCTYPE html> 9'
same 'pages without scripts' "$(cat index.html pages/*.html | grep -ci '<script\|javascript:\|onload')" 0
same 'a mistake is named with its students' "$(sed 's/<[^>]*>/|/g' index.html | grep -c 'misses the budget of shared_ld_bank_conflict.*|3||*=1+1|, |carolc|, |carolc-2|')" 1
same 'equal files are judged once' "$(find .judged -type f | wc -l)" 17
cd "$root" || exit 1

# A class that is stopped and continued ends in the same bytes as one that is not, and leaves no further files.
for how in '0.05 KILL' '0.3 TERM' '0.6 KILL'; do
    "$class" class "$submissions" --out "$scratch/stopped" --lab 05 --device sim:tiny --seed 7 --jobs 2 >/dev/null 2>&1 </dev/null &
    pid=$!
    sleep "${how% *}"
    kill -s "${how#* }" "$pid" 2>/dev/null
    wait "$pid" 2>/dev/null
done
grade "$scratch/stopped"
same 'the last run grades all' "$? $(cat "$scratch/out")" "1 9 of 9 submissions graded: $scratch/stopped/gradebook.csv"
expect_none 'class: stopped by kill, it ends in the same bytes' "$(diff -r -x '.*' "$scratch/stopped" "$scratch/results" 2>&1)"
same 'nothing half is left' "$(find "$scratch/stopped" -name '*.tmp*' | wc -l)" 0
same 'no process is left' "$(pgrep -fc -- "$scratch/stopped")" 0

# One class in two terminals.
mkfifo "$scratch/held" "$scratch/stop"
flock "$scratch/results/.lock" sh -c "echo >'$scratch/held'; read -r line <'$scratch/stop'" &
read -r line <"$scratch/held"
grade "$scratch/results"
same 'a second grading is refused' "$? $(grep -c 'another grading writes there' "$scratch/err")" '1 1'
echo >"$scratch/stop"
wait

# Only what changed is judged again, and published points change only if the instructor agrees (--yes).
before=$(find "$scratch/results/.judged" -type f | wc -l)
cp solutions/05-padded/aat.cu "$submissions/=1+1/05-padded/aat.cu"
grade "$scratch/results" --preview
same 'who gains, before it is written' "$? $(grep -c "^  =1+1 .* of 39 -> .*; 05-padded aat .* -> 10$" "$scratch/out") $(grep -c '^1 gain, 0 lose, 8 as before, 0 new$' "$scratch/out") $(score "$scratch/results/=1+1")" "1 1 1 $part"
grade "$scratch/results"
same 'without leave nothing is written' "$? $(grep -c -- '--yes' "$scratch/err") $(score "$scratch/results/=1+1")" "2 1 $part"
grade "$scratch/results" --yes
after=$(score "$scratch/results/=1+1")
same 'a regrade' "$(awk -v a="$after" -v b="$part" 'BEGIN { print (a > b) }') $(($(find "$scratch/results/.judged" -type f | wc -l) - before))" '1 0'

# A result that cannot be written is a failure of the machine, not of the student.
mkdir -p "$scratch/two/a" "$scratch/two/b" "$scratch/failures/.next/a.json/x"
"$class" class "$scratch/two" --out "$scratch/failures" --lab 05 --device sim:tiny --seed 7 >/dev/null 2>"$scratch/err" </dev/null
same 'the machine fails' "$? $(grep -c '^a: not graded, by no fault of the student' "$scratch/err") $(find "$scratch/failures" -maxdepth 1 -type f -name '?.json' | wc -l)" '1 1 1'
same 'the page says who was not graded, and why' "$(sed -n '/id="failures"/,/<h2/p' "$scratch/failures/index.html" | grep -c '^<li>a: ..')" 1

# What other platforms export, and what cannot be read.
export TZ=UTC
names=$scratch/names
mkdir -p "$names/submission_1"
pack() { (cd "$1" && tar -czf "$names/$2" 05-padded); }
pack tests/wrong/conflicts 'lab05_jdoe_attempt_2026-11-20-23-59-00_labs.tgz'
pack solutions 'lab05_jdoe_attempt_2026-11-21-08-00-00_labs.tgz'
echo 'Name: J. Doe' >"$names/lab05_jdoe_attempt_2026-11-21-08-00-00.txt"
cp solutions/05-padded/aat.cu "$names/12-345 - Ada Lovelace- Nov 30, 2026 1159 PM - aat.cu"
cp solutions/05-padded/transpose.cu "$names/12-345 - Ada Lovelace- Nov 30, 2026 1159 PM - transpose.cu"
cp -R solutions/05-padded "$names/submission_1"
printf -- "---\nsubmission_1:\n  :submitters:\n  - :name: Bob\n    :sid: '7'\n  :created_at: 2026-11-20 23:59:00.1 Z\n" >"$names/submission_metadata.yml"
echo Rar >"$names/eve_5_6_labs.rar"
echo text >"$names/fay_7_8_essay.odt"
echo text >"$names/gil.docx" && pack solutions gil.tar.gz && mv "$names/gil.tar.gz" "$names/gil.tar"
mkdir "$scratch/n" && cp -R "$scratch/results/.judged" "$scratch/n/"
submissions=$names
grade "$scratch/n"
same 'names of other platforms' "$? $(for s in jdoe 'Ada Lovelace' Bob eve fay gil; do score "$scratch/n/$s"; done | xargs) $(find "$scratch/n" -maxdepth 1 -name '*.json' | wc -l)" '1 39 20 39 0 0 39 6'
same 'the last of two attempts' "$(grep -c '2 attempts; the last counts: lab05_jdoe_attempt_2026-11-21-08-00-00_labs.tgz' "$scratch/n/jdoe.json")" 1
same 'what cannot be read has a row that says so' "$(grep -c '^eve,0,.*,Not read as a whole: a .rar is not read; hand in a .zip.,5,\|^fay,0,.*,Not read: 1 file.,7,' "$scratch/n/gradebook.csv") $(sed -n '/id="students"/,$p' "$scratch/n/index.html" | grep -c 'pages/eve.html.*a .rar is not read; hand in a .zip\|pages/fay.html.*1 file not read')" '2 2'
same 'a loose file lies beside what its student handed in' "$(grep -c 'gil.docx: is no exercise' "$scratch/n/gil.json")" 1
grade "$names/results"
same 'results in the submissions are refused' "$? $(cat "$scratch/err") $(ls -d "$names/results" 2>/dev/null)" "2 lockstep-class: $names/results: lies in the submissions' folder; name an --out beside it "
submissions=$scratch/all.zip
(cd "$scratch" && /usr/bin/python3 -m zipfile -c all.zip names)
grade "$scratch/n"
same 'submissions as one archive' "$? $(grep -c 'all.zip: is an archive; unpack it, and name the folder' "$scratch/err")" '2 1'

"$class" class "$scratch/none" --out "$scratch/results" 2>"$scratch/err"
same 'no such folder' "$? $(grep -c none "$scratch/err")" '2 1'
"$class" class "$names" 2>"$scratch/err"
same 'without --out' "$? $(grep -c -- --out "$scratch/err")" '2 1'
finish
