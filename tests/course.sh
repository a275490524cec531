#!/bin/sh
# course.sh - classes with a course file: its labs, weights, rules of lateness, lines about single students and roster take effect, and
# each wrong line gives one clear error.

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

# wrong NAME LINE PATTERN: the course file with LINE at its end is refused, by an error with the line's number and PATTERN
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

# ---- students: who they are, and what is said of them ----

rm -r "$submissions" "$results"
mkdir -p "$submissions" "$scratch/z"
pack() { # FILE, FOLDER of the kit
    cp -R "$2"/05-padded "$scratch/z" && tar -C "$scratch/z" -czf "$submissions/$1" . && rm -r "$scratch/z/05-padded"
}
pack lovelaceada_12_2_lab.tgz solutions
pack cy.tgz tests/wrong/conflicts
cp -R solutions "$submissions/Bob Böhm_45_assignsubmission_file"
cp -R tests/wrong/conflicts "$submissions/dee"
cat >"$scratch/students.csv" <<'END'
Student name;ID;E-Mail;Section;Group
Ada Lovelace;12;ada@uni;A;1
Bob Böhm;45;bob@uni;A;
Cy;46;cy@uni;B;
"Dee; D.";47;dee@uni;B;
Eve;48;eve@uni;B;1
Flo;49;flo@uni;B;
END
cat >"$course" <<'END'
[course]
labs = 05
device = sim:tiny
seed = 7
due = 2026-11-30 23:59 +0100
late_percent_per_day = 10
late_days_at_most = 3
late_days_free = 2
late_days = used.csv
roster = students.csv
times = handed-in.csv
[late_days_used]
dee@uni = 1
[extensions]
Bob Böhm = 2026-12-05 23:59 +0100
[adjust]
46 05-padded/aat = +1.5 ; the report explains it; ask <me>
Ada Lovelace = -2
[excused]
cy.tgz 05-padded/transpose = was ill
bob@uni 05-padded
bob@uni 04
END
printf 'gone,2\r\n46,0\r\n' >"$scratch/used.csv"
cat >"$scratch/handed-in.csv" <<'END'
lovelaceada_12_2_lab.tgz,2026-12-02 20:00 +0100
Bob Böhm,2026-12-05 20:00 +0100
46,2026-12-01 00:00 +0100
dee,2026-12-03 00:00 +0100
END
grade
grade
same 'a roster' "$? $(cat "$scratch/out")" "0 5 of 5 submissions graded, 1 student handed in nothing: $results/gradebook.csv"
transpose=$(of Cy exercises.1.score) aat=$(of Cy exercises.2.score)
same 'free late days, then an adjustment of the whole' "$(of 'Ada Lovelace' days_late) $(of 'Ada Lovelace' late_days_used) $(of 'Ada Lovelace' score_before_lateness) $(of 'Ada Lovelace' score)" '2 2 39 37'
same 'one hands in for a group, and each has their own days' "$(of Eve score) $(of Eve late_days_used) $(of Eve notes | grep -c 'Ada Lovelace handed it in for the group')" '39 2 1'
same 'an adjustment, and an exercise that is excused' "$(of Cy score) $(of Cy max_score)" "$(awk -v x="$aat" 'BEGIN { print x + 1.5 }') 29"
same 'a day that was used before is not free again' "$(of 'Dee; D.' late_days_used) $(of 'Dee; D.' score)" "1 $(awk -v x="$transpose" -v y="$aat" 'BEGIN { printf "%.4g", int((x + y) * 0.8 * 10 + 0.5) / 10 }')"
same 'an extension; all is excused' "$(of 'Bob Böhm' late) $(of 'Bob Böhm' score) $(of 'Bob Böhm' max_score)" 'false 0 0'
same 'nothing was handed in' "$(of Flo score) $(of Flo max_score) $(of Flo handed_in) $(of Flo notes | grep -c '^\["Nothing was handed in."')" '0 39 false 1'
row() { tr -d '\r' <"$results/gradebook.csv" | grep "^$1"; }
same 'rows of the gradebook' "$(row Cy | grep -c 'ask <me>.*,46,,cy@uni,B,,0,excused,') $(row Eve | grep -c ',48,,eve@uni,B,1,12,10,10,3,4$')" '1 1'
same 'late days for the next hand-in' "$(tr -d '\r' <"$results/late-days.csv" | xargs)" '12,2 45,0 46,1 47,2 48,2 49,0 gone,2'
same 'a page says how points count' "$(grep -c '<li>+1.5 points by the instructor for 05-padded aat: the report explains it; ask &lt;me&gt;</li>' "$results/pages/Cy.html") $(grep -c '>excused<' "$results/pages/Cy.html")" '1 1'
same 'platforms say so, and their points are the score' "$(for p in gradescope prairielearn; do grep -c 'Of 2 free late days 1 was used before and 1 here; 0 are left' "$results/$p/Dee; D..json"; done | xargs) $(of ../results/autolab/'Ada Lovelace' scores | tr '{}' ',,' | awk -v RS=, -F: '{ s += $2 } END { print s }')" '1 1 37'
sed -i 's/+1.5 ; the report/+3 ; the report/' "$course"
grade --preview
same 'another adjustment: who gains' "$? $(grep -c '^  Cy .*(+1.5); 05-padded aat ' "$scratch/out") $(grep -c '^1 gain, 0 lose, 5 as before' "$scratch/out")" '0 1 1'

cp "$course" "$scratch/kept.ini" && sed -i 's/^Ada Lovelace = -2/Bob Böhm = 1/' "$course"
grade --preview
mv "$scratch/kept.ini" "$course"
same 'who gains stands in columns, whatever the letters' "$(LC_ALL=C.UTF-8 grep -c '^  .\{30\} [0-9.]* of [0-9.]* -> ' "$scratch/out")" 3

# nobody SED-SCRIPT NAME PATTERN: the course file changed by the script names nobody of the class; it is refused by an error that matches
# PATTERN, before anything is graded
nobody() {
    sed "$1" "$course" >"$scratch/wrong.ini"
    "$class" class "$submissions" --out "$scratch/none" --course "$scratch/wrong.ini" >"$scratch/out" 2>"$scratch/err" </dev/null
    same "refused: $2" "$? $(wc -l <"$scratch/err") $(grep -c "$3" "$scratch/err") $(find "$scratch/none" -name '*.json' | wc -l)" '2 1 1 0'
}
nobody 's/^dee@uni = 1/dee@uno = 1/' 'days of nobody' "wrong.ini:13: 'dee@uno' is nobody of this class; the nearest name is 'dee@uni'"
nobody 's/^Bob Böhm = /Bob Böm = /' 'an extension of nobody' "wrong.ini:15: 'Bob Böm' is nobody of this class; the nearest name is 'Bob Böhm'"
nobody 's/^46 05/461 05/' 'an adjustment of nobody' "wrong.ini:17: '461' is nobody"
nobody 's/^46 05-padded.aat/46 05-padded\/att/' 'an adjustment of no exercise' 'wrong.ini:17: 05-padded has no exercise att'
nobody 's/^46 05-padded.aat/46 05/' 'an adjustment of a lab' 'wrong.ini:17: name the exercise: NAME 05-padded/EXERCISE'
nobody 's/^cy.tgz 05-padded.transpose/cy.tgz 55/' 'an excuse of no lab' 'wrong.ini:20: there is no lab 55'
nobody 's/^dee@uni = 1/46 = 1\nCy = 2/' 'one student in two lines' "wrong.ini:14: 'Cy' is 'Cy', who has a line already, .*wrong.ini:13"
echo 'Ada Lovelace,2026-12-02 20:00 +0100' >>"$scratch/handed-in.csv"
nobody '' 'two times of one student' "handed-in.csv:5: 'Ada Lovelace' is 'Ada Lovelace', who has a line already, .*handed-in.csv:1"
sed -i '$d' "$scratch/handed-in.csv" && echo 'Cyy,2026-12-02 20:00 +0100' >>"$scratch/handed-in.csv"
nobody '' 'a time of nobody' "handed-in.csv:5: 'Cyy' is nobody of this class; the nearest name is 'Cy'"
sed -i '$d' "$scratch/handed-in.csv"
sed -i 's/;49;/;48;/' "$scratch/students.csv"
nobody '' 'an id that comes twice' "students.csv:7: '48' has a line already"
sed -i 's/;48;flo/;49;flo/; s/Student name/Teilnehmer/' "$scratch/students.csv"
nobody '' 'a roster without names' 'students.csv:1: has no column name'
sed -i 's/Teilnehmer/name/' "$scratch/students.csv"

# ---- several attempts ----

pack cy-first.tgz solutions && mv "$submissions/cy-first.tgz" "$submissions/46_46_1_cy.tgz"
sed -i 's/^46,/cy.tgz,/' "$scratch/handed-in.csv"
sed -i 's/^46 05-padded/Cy 05-padded/' "$course"
nobody '' 'two attempts, and no rule' 'Cy handed in twice: .*; keep one, or write attempts = last or best'
sed -i 's/^\[late_days_used\]/attempts = best\n&/' "$course"
grade
same 'the best of two' "$? $(of Cy score) $(of Cy notes | grep -c '2 attempts; the best counts: 46_46_1_cy.tgz')" '0 32 1'
echo '46_46_1_cy.tgz,2026-11-29 10:00' >>"$scratch/handed-in.csv"
sed -i 's/^attempts = best/attempts = last/' "$course"
grade
same 'the last of two' "$? $(of Cy score) $(of Cy notes | grep -c '2 attempts; the last counts: cy.tgz')" "0 $(awk -v x="$aat" 'BEGIN { print x + 3 }') 1"

# ---- appeals: one student again, with the same points ----

one() { "$class" one "$@" --seed 7 --course "$course" 2>"$scratch/err"; }
last() { "$scratch/json" score max_score front_end seed <"$results/$1.json" | xargs -d '\n' printf "$1: %g of %g points, on sim:tiny, by %s, seed %s\n" | tr -d '"'; }
sed -i 's/^cy.tgz 05/Cy 05/' "$course"
same 'an appeal gives the points of the class' "$(one "$submissions/cy.tgz" | tail -n 1)" "$(last Cy)"
same 'late days, adjustments and the group, too' "$(one "$submissions/lovelaceada_12_2_lab.tgz" --for text | tail -n 1)" "$(last 'Ada Lovelace')"
mkdir -p "$scratch/nested/a/b" && cp "$submissions/cy.tgz" "$scratch/nested/a/b/" && (cd "$scratch/nested" && /usr/bin/python3 -m zipfile -c "$scratch/mine.zip" a)
same 'nested, under another name' "$(one "$scratch/mine.zip" --student cy@uni | tail -n 1)" "$(last Cy)"
same 'as JSON, with the seed' "$(one "$scratch/mine.zip" --student 46 --for json | "$scratch/json" student seed | xargs)" 'Cy 7'
same 'a seed that others have is not told to a student' "$(one "$scratch/mine.zip" --for gradescope | grep -c 'seed') $("$class" one "$scratch/mine.zip" --lab 05 --device sim:tiny --for gradescope | grep -c 'Graded with the seed [0-9]*\.') $(cat "$results"/pages/*.html "$results"/*/*.json | grep -c 'seed') $(grep -c 'with the seed 7' "$results/index.html")" '0 1 0 1'
sed -i '/^device/d' "$course" # the course file names the device; without that line it is sim:h200
same 'the device is the course'"'"'s' "$(one "$scratch/mine.zip" | grep -c ' on sim:h200, ')" 1
sed -i 's/^labs = 05/&\ndevice = sim:tiny/' "$course"

# --only: one student is judged anew, and the results of others stay, whatever they handed in meanwhile
before=$(of Cy score)
echo 'garbage' >"$submissions/dee/05-padded/aat.cu"
rm "$results/.judged"/* && grade --only cy.tgz
same 'only one is graded again' "$? $(cat "$scratch/out") $(find "$results/.judged" -type f | wc -l)" "0 1 of 1 submissions graded: $results/gradebook.csv 5"
same 'the others stay, in the gradebook, too' "$(of Cy score) $(of 'Dee; D.' exercises.2.score) $(grep -c . "$results/gradebook.csv")" "$before $aat 9"
printf 'Student,ID,SIS User ID,SIS Login ID,Section,Lab (1)\nA,12,,,,\nE,,48,,,\n' >"$scratch/canvas.csv"
grade --only 12 --canvas "$scratch/canvas.csv"
same 'a group is graded together, and each has their own row' "$? $(cat "$scratch/out" | cut -d: -f1) $(sed 1d "$results/canvas.csv" | xargs)" '0 2 of 2 submissions graded A,12,,,,37 E,,48,,,39'
grade --only cyy
same 'only nobody' "$? $(grep -c 'only cyy: is nobody of this class; the nearest name is ' "$scratch/err")" '2 1'

# ---- for graders and for a web server ----

"$class" class "$submissions" --out "$scratch/numbers" --course "$course" --anonymous "$scratch/numbers/key.csv" >"$scratch/out" 2>"$scratch/err" </dev/null
same 'the key lies apart' "$? $(grep -c 'key.csv: lies in the results; keep the key apart' "$scratch/err")" '2 1'
cp -R "$results/.judged" "$scratch/numbers/"
"$class" class "$submissions" --out "$scratch/numbers" --course "$course" --anonymous "$scratch/key.csv" >"$scratch/out" 2>"$scratch/err" </dev/null
number=$(tr -d '\r' <"$scratch/key.csv" | sed -n 's/,Cy,46$//p')
same 'numbers in place of names' "$? $(wc -l <"$scratch/key.csv") $(echo "$number" | grep -c '^[0-9]\{6\}$') $("$scratch/json" score <"$scratch/numbers/$number.json" | awk '{ printf "%g", $1 }')" "0 7 1 $(of Cy score)"
expect_none 'course: no name is among the results' "$(grep -rlE 'Lovelace|Böhm|Cy|cy\.tgz|Dee|Eve|Flo|@uni|lovelaceada' "$scratch/numbers" --exclude-dir=.judged)"
grade --unguessable
cp "$results/published.csv" "$scratch/first"
page=$(tr -d '\r' <"$scratch/first" | sed -n 's/^Cy,cy@uni,//p')
same 'pages that nobody can guess' "$(echo "$page" | grep -c '^[0-9a-f]\{32\}.html$') $(cmp "$results/published/$page" "$results/pages/Cy.html" && ls "$results/published" | wc -l)" '1 6'
grade --unguessable
same 'a page keeps its name' "$(cmp "$results/published.csv" "$scratch/first" && ls "$results/published" | wc -l)" 6
finish
