#!/bin/sh
# formats.sh - what comes out of a class, held to the rules of its formats: results/NAME.json to its schema, each platform's file to what
# the platform publishes (tests/formats), and the gradebooks of Canvas and Moodle byte by byte. Names are chosen to break careless writers.

. tests/lib.sh
root=$PWD
class=$root/$BUILD/lockstep-class
submissions=$scratch/submissions
results=$scratch/results
cc -o "$scratch/json" tests/json.c -ljansson || exit 1
json() { "$scratch/json" "$@"; }
same() { if [ "$2" = "$3" ]; then pass "formats: $1"; else fail "formats: $1" "got $2, not $3"; fi; }
# accepts SCHEMA FILE...: nothing if all are as the schema says, else what is wrong.
accepts() { (schema=$1 && shift && for f; do set -- "$@" -i "$f" && shift; done && /usr/bin/python3 -W ignore -m jsonschema "$@" "$schema" 2>&1); }
grade() { "$class" class "$submissions" --out "$results" --device sim:tiny --seed 7 --jobs 2 "$@" >"$scratch/out" 2>"$scratch/err" </dev/null; }

mkdir "$submissions"
mkdir "$submissions/ada" && cp -R solutions/05-padded "$submissions/ada/"
cp -R tests/wrong/conflicts "$submissions/=1+1,\"x\""
cp -R tests/wrong/predictions "$submissions/$(printf '\ttab\nline')"
cp -R tests/wrong/syntax "$submissions/-Zoë <b>&amp; 李_123_assignsubmission_file"
cp -R tests/wrong/diluted "$submissions/@sum_LATE_55_77_lab05"
mkdir "$submissions/+bye" "$submissions/long"
(cd tests/wrong/conflicts && tar -czf "$submissions/carolc_LATE_56_78_lab05.tar.gz" .)
head -c 300 "$submissions/carolc_LATE_56_78_lab05.tar.gz" >"$submissions/broken.tgz"
# A submission in which every exercise has a message of the greatest length.
find solutions -name '*.c' -o -name '*.cu' | while read -r file; do
    mkdir -p "$submissions/long/$(dirname "${file#*/}")" && awk 'BEGIN { while (n++ < 20) { printf "#error"; for (i = 0; i < 3000; i++) printf " <&"; print "" } }' >"$submissions/long/${file#*/}"
done
grade
same 'the class is graded' "$? $(cut -d' ' -f1-5 "$scratch/out")" '1 9 of 9 submissions graded:'
cd "$results" || exit 1

# ---- a student's result ----

schema=$root/grading/result.schema.json
expect_none 'formats: results are as their schema says' "$(accepts "$schema" ./*.json)"
damaged() { # WHAT, sed script: the schema refuses ada's result changed so
    sed "$2" ada.json >"$scratch/damaged.json"
    if cmp -s ada.json "$scratch/damaged.json"; then fail "formats: refused: $1" 'the result was not changed'
    else expect_some "formats: refused: $1" "$(accepts "$schema" "$scratch/damaged.json")" '.'; fi
}
damaged 'another schema' 's/"schema": 1/"schema": 2/'
damaged 'no version' '/^  "version"/d'
damaged 'no score' '/^  "score"/d'
damaged 'a score of text' 's/^  "score": \([0-9.]*\)/  "score": "\1"/'
damaged 'an unknown status' 's/"status": "passed"/"status": "excellent"/'
damaged 'a part of another kind' 's/"part": "speed"/"part": "style"/'
damaged 'a counter of text' 's/"smsp__inst_executed.sum": [0-9]*/"smsp__inst_executed.sum": "many"/'
head -c 2000 ada.json >"$scratch/damaged.json"
expect_some 'formats: refused: half a file' "$(accepts "$schema" "$scratch/damaged.json")" '.'
# sums FILE: exercises whose parts do not add up to their points.
cat >"$scratch/sums.py" <<'END'
import json, sys
for name in sys.argv[1:]:
    result = json.load(open(name, encoding="utf-8"))
    for x in result["exercises"]:
        points, of = (sum(p[k] for p in x["parts"]) for k in ("points", "of"))
        if x["parts"] and (abs(points - x["score"]) > 1e-9 or of != x["max_score"]):
            print(f"{name} {x['exercise']}: {points} of {of}")
    if abs(sum(x["score"] for x in result["exercises"]) - result["score"]) > 1e-9:
        print(f"{name}: {result['score']}")
END
expect_none 'formats: the parts of an exercise add up to its points' "$(/usr/bin/python3 "$scratch/sums.py" ./*.json 2>&1)"

# ---- platforms ----

platforms=$("$class" one "$root/solutions" --for none 2>&1 | sed -n 's/.* is none of //; s/,//gp')
for platform in ${platforms:-none}; do
    expect_none "formats: $platform's rules" "$(accepts "$root/tests/formats/$platform.schema.json" "$platform"/*.json)"
    same "$platform, a file a student" "$(ls "$platform" | wc -l)" 9
done
sed 's/"status": "passed"/"status": "fine"/' gradescope/ada.json >"$scratch/damaged.json"
expect_some 'formats: refused: a status that Gradescope has not' "$(accepts "$root/tests/formats/gradescope.schema.json" "$scratch/damaged.json")" fine
same 'a score is its platform'"'"'s' "$(json score <gradescope/ada.json) $(json scoreboard.0 <autolab/ada.json) $(json score <classroom50/ada.json) $(json score <prairielearn/ada.json | cut -c1-8)" '39 39 39 0.072222'
same 'autolab, one line' "$(cat autolab/*.json | wc -l)" 9
same 'prairielearn, less than 1 MB' "$(find prairielearn -size +999k | wc -l) $(find prairielearn -size +19k -name long.json | wc -l)" '0 1'
same 'tenths of a point are kept' "$(awk -v s="$(json score <@sum.json)" 'BEGIN { print (s * 10 % 10 > 0) }') $(json score <gradescope/@sum.json)" "1 $(json score <@sum.json)"
same 'classroom50, the points are those of its tests' "$(for f in classroom50/*.json; do
    json score tests <"$f" | awk 'NR == 1 { all = $0 } NR == 2 { n = gsub(/"score":/, "&"); split($0, t, /"score":/); for (i = 2; i <= n + 1; i++) s += t[i] + 0; print s == all }'
done | sort -u)" 1
same 'a submission that cannot be read says so' "$(grep -l 'the archive' gradescope/broken.json prairielearn/broken.json | wc -l)" 2
expect_none 'formats: the rules of JUnit' "$(xmllint --noout --schema "$root/tests/formats/junit.xsd" junit.xml 2>&1 | grep -v ' validates$')"
same 'junit, its sums' "$(xmllint --xpath 'count(//testcase)' junit.xml) $(($(xmllint --xpath 'sum(//@failures) + sum(//@errors)' junit.xml) - $(xmllint --xpath 'count(//failure | //error)' junit.xml)))" '477 0'

# A cell that a spreadsheet would compute begins with = + - @ tab or return, unless it is a number.
cat >"$scratch/formulas.py" <<'END'
import csv, re, sys
rows = list(csv.reader(open(sys.argv[1], encoding="utf-8", newline="")))
for row in rows:
    if len(row) != len(rows[0]): print("a row of", len(row), "cells:", row[0])
    for cell in row:
        if cell[:1] in tuple("=+-@\t\r") and not re.fullmatch(r"-?[0-9.]+", cell): print("formula:", cell)
END
# Results with what a course file says of students, and of one who handed in nothing, keep the rules of all formats, too.
cat >"$scratch/students.csv" <<'END'
name,id,email
ada,"1 <&",a@b
"=Nobody, ""N""",2,
END
cat >"$scratch/course.ini" <<'END'
[course]
labs = 05
late_percent_per_day = 15
late_days_free = 0.5
roster = students.csv
[weights]
05/aat = 0.3
[adjust]
ada 05/aat = +2.25 ; <why> & "so"
ada = -0.5
@sum = -1000
[excused]
ada 05/banks ; ill
carolc 05
END
"$class" class "$submissions" --out "$scratch/course" --course "$scratch/course.ini" --device sim:tiny --seed 7 >"$scratch/out" 2>"$scratch/err" </dev/null
cd "$scratch/course" || exit 1
cat >"$scratch/moodle.csv" <<'END'
Identifier,Full name,Email address,Grade,Feedback comments
Participant 900,Ada,a@b,,
Participant 123,Zoë,,,old
END
(cd "$root" && "$class" class "$submissions" --out "$scratch/course" --course "$scratch/course.ini" --device sim:tiny --seed 7 --moodle "$scratch/moodle.csv") >"$scratch/out" 2>"$scratch/err" </dev/null
same 'moodle: found by the roster, with what there is to say' "$(sed -n 2p moodle.csv)" 'Participant 900,Ada,a@b,20.2,"20.2 of 20 points<br>Of 0.5 free late days 0 were used before and 0 here; 0.5 are left.<br>+2.25 points by the instructor for 05-padded aat: &lt;why&gt; &amp; &quot;so&quot;<br>-0.5 points by the instructor for the whole submission, after lateness: no reason is given<br>Excused, and counts neither for nor against: 05-padded banks: ill<br>05-padded banks: 12 of 12, 05-padded transpose: 10 of 10, 05-padded aat: 12.25 of 10, 05-padded detective_1: 3 of 3, 05-padded detective_2: 4 of 4"'
same 'moodle: an archive of feedback' "$(/usr/bin/python3 -m zipfile -l moodle-feedback.zip | sed 1d | sed 's/  *[0-9-]* [0-9:]* *[0-9]*$//')" '-Zoë <b>&amp; 李_123_assignfeedback_file_/feedback.html'
same 'canvas: an archive of comments' "$(/usr/bin/python3 -m zipfile -l canvas-feedback.zip | sed 1d | awk '{ print $1 }' | sort | xargs)" '@sum_LATE_55_77_feedback.html carolc_LATE_56_78_feedback.html'
/usr/bin/python3 -m zipfile -e canvas-feedback.zip "$scratch/unpacked"
expect_none 'formats: canvas: a comment is the page' "$(cmp "$scratch/unpacked/carolc_LATE_56_78_feedback.html" pages/carolc.html 2>&1)"
same 'a course' "$(grep -c 'handed in nothing' "$scratch/out") $(sed -n 's/^  "score": \(.*\),/\1/p' ada.json)" '1 20.2'
expect_none 'formats: results of a course are as their schema says' "$(accepts "$schema" ./*.json)"
for platform in ${platforms:-none}; do
    expect_none "formats: $platform's rules, for a course" "$(accepts "$root/tests/formats/$platform.schema.json" "$platform"/*.json)"
done
expect_none 'formats: the rules of JUnit, for a course' "$(xmllint --noout --schema "$root/tests/formats/junit.xsd" junit.xml 2>&1 | grep -v ' validates$')"
expect_none 'formats: gradebook.csv of a course is a table without formulas' "$(/usr/bin/python3 "$scratch/formulas.py" gradebook.csv 2>&1)"
cd "$results" || exit 1

# ---- tables ----

expect_none 'formats: gradebook.csv is a table without formulas' "$(for f in gradebook.csv parts.csv; do /usr/bin/python3 "$scratch/formulas.py" $f 2>&1; done)"
printf 'a,b\n=1,2\n3\n' >"$scratch/formula.csv"
same 'a formula is seen' "$(/usr/bin/python3 "$scratch/formulas.py" "$scratch/formula.csv" | wc -l)" 2

cd "$root" || exit 1
# Canvas: a byte order mark, line ends of Windows, quotes, a formula, a line break within a cell.
printf '\357\273\277Student,ID,SIS User ID,SIS Login ID,Section,Quiz (11),"Lab 5, padded (4711)",Current Score (read only)\r\n    Points Possible,,,,,5,100,(read only)\r\n"Carol, ""C""",56,=1+1,c@x,"A\r\nB",3,,12\r\nBob,99,u9,bob,A,1,7,2\r\n=Ada,98,u8,ada,A,1,,\r\n"Sum, @",55,,,"",,"old",' >"$scratch/canvas.csv"
grade --canvas "$scratch/canvas.csv"
same 'canvas: which column' "$? $(cat "$scratch/err")" "2 lockstep-class: $scratch/canvas.csv: several assignments; give --canvas-column one of its assignments: \"Quiz (11)\", \"Lab 5, padded (4711)\""
grade --canvas "$scratch/canvas.csv" --canvas-column 'Lab 6'
same 'canvas: no such column' "$? $(grep -c 'no assignment is called Lab 6' "$scratch/err")" '2 1'
grade --canvas "$scratch/canvas.csv" --canvas-column 'Lab 5, padded'
same 'canvas: is filled in' "$?" 1
points() { json score <"$results/$1.json" | awk '{ printf "%g", $1 }'; }
sed "s/B\",3,,12/B\",3,$(points carolc),12/; s/^\(=Ada,.*,1\),,/\1,$(points ada),/; s/,\"old\",/,$(points @sum),/" "$scratch/canvas.csv" >"$scratch/wanted.csv"
expect_none 'formats: canvas: every other byte stays' "$(cmp "$scratch/wanted.csv" "$results/canvas.csv" 2>&1)"
same 'canvas: other points there are told' "$(grep -c 'canvas.csv:2: the assignment has 100 points there and 540 here' "$scratch/err")" 1
same 'canvas: who is not in the table is told' "$(grep -c 'canvas.csv: has no row for .*long' "$scratch/err")" 1
# Moodle: in German, separated by semicolons.
printf '"Teilnehmernummer";"Vollständiger Name";Bewertung;"Zuletzt geändert (Bewertung)"\n"Teilnehmer/in123";"Zoë; =x";"";-\nTeilnehmer/in12;Bob;;-\n' >"$scratch/moodle.csv"
grade --moodle "$scratch/moodle.csv"
same 'moodle: a column in another language' "$? $(grep -c 'no column is called "Grade"; give --moodle-column .*"Bewertung"' "$scratch/err")" '2 1'
grade --moodle "$scratch/moodle.csv" --moodle-column Bewertung
same 'moodle: is filled in' "$?" 1
sed "2s/;\"\";/;$(points '-Zoë <b>&amp; 李' 2>/dev/null || echo 0);/" "$scratch/moodle.csv" >"$scratch/wanted.csv"
expect_none 'formats: moodle: every other byte stays' "$(cmp "$scratch/wanted.csv" "$results/moodle.csv" 2>&1)"
same 'without a table, none is made' "$("$class" class "$submissions" --out "$scratch/plain" --lab 05 --device sim:tiny --seed 7 >/dev/null 2>&1; cd "$scratch/plain" && ls ./*.csv | xargs)" './gradebook.csv ./parts.csv'

# With --final, what a student sees shows no count: neither the pages nor what platforms show.
"$class" class "$submissions" --out "$scratch/final" --lab 05 --device sim:tiny --seed 7 --final >/dev/null 2>&1
cd "$scratch/final" || exit 1
expect_none 'formats: results of --final are as the schema says' "$(accepts "$schema" ./*.json)"
same 'final: what is shown has no counts' "$(cat pages/carolc.html */carolc.json | grep -c 'costs most\|counted\|is [0-9]*, the budget') $(grep -c 'misses the budget' pages/carolc.html) $(grep -c '<h3>Line [0-9]* of .* costs most' "$results/pages/carolc.html")" '0 2 2'
cd "$root" || exit 1

# refused WHAT, TEXT of a table, PATTERN: one line on stderr, exit code 2, before anything is graded.
refused() {
    printf "$2" >"$scratch/bad.csv"
    rm -rf "$scratch/refused"
    "$class" class "$submissions" --out "$scratch/refused" --lab 05 --device sim:tiny --seed 7 --canvas "$scratch/bad.csv" >/dev/null 2>"$scratch/err" </dev/null
    same "refused: $1" "$? $(grep -cE "bad.csv$3" "$scratch/err") $(find "$scratch/refused" -name '*.json' | wc -l)" '2 1 0'
}
refused 'an open quote' 'Student,ID,Lab (1)\nx,"55,\n' ':2: a quote opens here'
refused 'text after a quote' 'Student,ID,Lab (1)\nx,"55"x,\n' ':2: text follows a closing quote'
refused 'an empty table' '' ': is empty'
refused 'no ID' 'Student,Lab (1)\nx,\n' ':1: has no column ID'
refused 'no assignment' 'Student,ID\nx,55\n' ': no assignment'
refused 'nobody of the class' 'Student,ID,Lab (1)\nx,4,\n' ': has a row for none'
refused 'UTF-16' '\377\376S\000t\000' ': is no text in UTF-8'
cp -R "$submissions/@sum_LATE_55_77_lab05" "$submissions/@sum_55_90_more"
refused 'two submissions of one student' 'Student,ID,Lab (1)\nx,55,\n' ":2: two submissions are this student's"
finish
