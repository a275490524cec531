#!/bin/sh
# course.sh - the course file of a class: labs, weights, lateness, and one clear error for each wrong line.

. tests/lib.sh
class=$PWD/$BUILD/lockstep-class
submissions=$scratch/submissions
results=$scratch/results
course=$scratch/course.ini
cc -o "$scratch/json" tests/json.c -ljansson || exit 1
of() { "$scratch/json" "$2" <"$results/$1.json" | awk '/^[0-9.]+$/ { printf "%g\n", $1; next } { print }'; }
grade() { "$class" class "$submissions" --out "$results" --course "$course" --yes --jobs 2 "$@" >"$scratch/out" 2>"$scratch/err" </dev/null; }
same() { if [ "$2" = "$3" ]; then pass "course: $1"; else fail "course: $1" "got $2, not $3"; fi; }

mkdir "$submissions"
for s in ada_1_2_lab.zip bob_LATE_3_4_lab.zip cy dee 'Zoë, jr'; do
    case $s in
    *.zip) mkdir "$scratch/z" && cp -R solutions/05-padded "$scratch/z" && tar -C "$scratch/z" -czf "$submissions/${s%.zip}.tgz" . && rm -r "$scratch/z" ;;
    *) mkdir "$submissions/$s" && cp -R solutions/05-padded "$submissions/$s" ;;
    esac
done

cat >"$course" <<'END'
; what an instructor writes
[course]
labs = 05
device = sim:tiny
seed = 7
due = 2026-11-30 23:59 +0100
grace_minutes = 10
late_percent_per_day = 10
late_days_at_most = 3
times = handed-in.csv
[weights]
05-padded = 0.5
05-padded/aat = 2
END
cat >"$scratch/handed-in.csv" <<'END'
cy,2026-12-01 00:05 +0100
dee,2026-12-01T22:30:00Z
"Zoë, jr",2026-12-20 12:00 +0100
END
grade
same 'is graded' "$?" 0
# 12 and 10 points at weight 0.5, 10 at weight 2
same 'weights' "$(of ada score) $(of ada max_score) $(of ada exercises.0.weight) $(of ada exercises.2.weight) $(of ada exercises.#)" "34.5 34.5 0.5 2 5"
same 'a mark of Canvas is one day' "$(of bob days_late) $(of bob score) $(of bob score_before_lateness) $(of bob late)" '1 31.1 34.5 true'
same 'within the grace' "$(of cy days_late) $(of cy score)" '0 34.5'
same 'the zone of a time' "$(of dee days_late) $(of dee score)" '1 31.1'
same 'past the last day' "$(of 'Zoë, jr' days_late) $(of 'Zoë, jr' score)" '20 0'
same 'the seed is the course'"'"'s' "$(cat "$results/.seed")" 7

before=$(find "$results/.judged" -type f | wc -l)
sed -i 's/^late_percent_per_day.*/late_percent_per_day = 20/' "$course"
grade
same 'another rule judges nothing again' "$(of bob score) $(($(find "$results/.judged" -type f | wc -l) - before)) $(grep -c '0 gain, 2 lose' "$scratch/out")" '27.6 0 1'
grade --lab 01 --preview
same 'the command line comes first' "$? $(of ada exercises.#)" '0 5'

# wrong NUMBER LINE PATTERN: the file with that line at its end is refused, by its number and value
wrong() {
    { cat "$course" && printf '%s\n' "$2"; } >"$scratch/wrong.ini"
    "$class" class "$submissions" --out "$scratch/none" --course "$scratch/wrong.ini" >"$scratch/out" 2>"$scratch/err" </dev/null
    same "refused: $1" "$? $(wc -l <"$scratch/err") $(grep -c "wrong.ini:$(wc -l <"$scratch/wrong.ini"): .*$3" "$scratch/err")" '2 1 1'
}
wrong 'an exercise that is not' '05-padded/aax = 2' 'aax'
wrong 'a lab that is not' '07-padded = 2' '07-padded'
wrong 'a weight below 0' '05-padded = -1' "'-1' is not a number"
wrong 'no key' 'hello' 'neither \[section\] nor key = value'
wrong 'another section' "$(printf '[extra]\na = 1')" 'extra'
wrong 'another key' "$(printf '[course]\nlate = 10')" "no key 'late'"
wrong 'a time' "$(printf '[course]\ndue = tomorrow')" "'tomorrow' is not a time"
wrong 'no labs' "$(printf '[course]\nlabs = 05 99')" '99'
wrong 'a front end' "$(printf '[course]\nfront = gcc')" 'neither clang nor nvcc'
wrong 'a file of times that is not there' "$(printf '[course]\ntimes = nowhere.csv')" 'nowhere.csv'
echo 'cy;tomorrow' >>"$scratch/handed-in.csv"
grade
same 'a wrong line of the times' "$? $(grep -c 'course.ini:10: .*handed-in.csv:4: .*NAME,TIME' "$scratch/err")" '2 1'
"$class" class "$submissions" --out "$results" --course "$scratch/nowhere.ini" 2>"$scratch/err"
same 'no such file' "$? $(grep -c 'nowhere.ini' "$scratch/err")" '2 1'
finish
