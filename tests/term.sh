#!/bin/sh
# term.sh - a term: 12 weeks, 30 students, extensions, free late days, adjustments, excuses, a group, two regradings, an appeal, and
# 20 gradings that kill -9 stops. Each gradebook has the points that awk computes from the plan by the rules of grading/README.md.

. tests/lib.sh
class=$PWD/$BUILD/lockstep-class
cc -o "$scratch/json" tests/json.c -ljansson || exit 1
same() { if [ "$2" = "$3" ]; then pass "term: $1"; else fail "term: $1" "got $2, not $3"; fi; }
grade() { # WEEK and options
    week=$1 && shift
    "$class" class "$scratch/in$week" --out "$scratch/out$week" --course "$scratch/week$week.ini" --jobs 2 "$@" >"$scratch/out" 2>"$scratch/err" </dev/null
}

# Four kinds of work, each judged once, in the first results: a, all; b, with mistakes; c, the skeletons; d, one file alone.
kinds=$scratch/kinds
mkdir -p "$kinds/a" "$kinds/b" "$kinds/c" "$kinds/d/01-naive"
cp -R solutions/01-naive "$kinds/a/" && cp -R labs/01-naive "$kinds/c/" && cp solutions/01-naive/copy.cu "$kinds/d/01-naive/"
cp -R solutions/01-naive "$kinds/b/" && cp labs/01-naive/matmul.cu "$kinds/b/01-naive/" && cp -R tests/wrong/race/01-naive/. "$kinds/b/01-naive/" 2>/dev/null
for kind in a b c d; do tar -C "$kinds/$kind" -czf "$scratch/$kind.tgz" 01-naive; done
printf '[course]\nlabs = 01\ndevice = sim:tiny\nseed = 7\n' >"$scratch/kinds.ini"
"$class" class "$kinds" --out "$scratch/out0" --course "$scratch/kinds.ini" >"$scratch/out" 2>&1
tr -d '\r' <"$scratch/out0/gradebook.csv" >"$scratch/kinds.csv"
same 'the kinds of work earn different points' "$(awk -F, '/^[abcd],/ { print $2 }' "$scratch/kinds.csv" | sort -u | wc -l)" 4

# The plan: a line WEEK STUDENT KIND DAYS_AFTER EXTENDED ADJUSTS_COPY ADJUSTS_ALL EXCUSED; kind -: nothing is handed in.
awk 'function draw(n) { x = x * 16807 % 2147483647; return x % n }
BEGIN { x = 4711
    for (w = 1; w <= 12; w++) for (s = 1; s <= 30; s++) {
        kind = substr("aaabbbccd-", draw(10) + 1, 1)
        if (s == 30) kind = "-"
        print w, s, kind, draw(3) ? 0 : 1 + draw(5), draw(8) == 0, draw(9) ? 0 : draw(9) - 4.5, draw(12) ? 0 : draw(7) - 3, draw(12) == 0
    }
}' >"$scratch/plan"

# The roster: students 29 and 30 are a group.
awk 'BEGIN { print "name,id,login,section,group"; for (s = 1; s <= 30; s++) printf "Student %d,%d,login%d,%s,%s\n", s, 1000 + s, s, (s % 2 ? "A" : "B"), (s > 28 ? "g" : "") }' >"$scratch/students.csv"

# build WEEK WEIGHT: what is handed in, its times and the course file. Names are those of four platforms.
build() {
    mkdir -p "$scratch/in$1"
    awk -v w="$1" '$1 == w && $3 != "-" { print $2, $3 }' "$scratch/plan" | while read -r s kind; do
        case $((s % 4)) in
        0) name=login${s}_9${s}_8_lab.tgz ;;
        1) name="Student ${s}_$((1000 + s))_assignsubmission_file.tgz" ;;
        2) name=lab01_login${s}_attempt_2026-09-07-12-00-00_lab.tgz ;;
        3) name=login$s.tgz ;;
        esac
        cp "$scratch/$kind.tgz" "$scratch/in$1/$name"
    done
    awk -v w="$1" '$1 == w && $3 != "-" { printf "%d,2026-09-%02d 12:00 +0000\n", 1000 + $2, 7 + $4 }' "$scratch/plan" >"$scratch/times$1.csv"
    awk -v w="$1" -v weight="$2" 'BEGIN {
        printf "[course]\nlabs = 01\ndevice = sim:tiny\nseed = 7\nroster = students.csv\ntimes = times%d.csv\ndue = 2026-09-07 23:59 +0000\n", w
        printf "late_percent_per_day = 15\nlate_days_at_most = 3\nlate_days_free = 4\n"
        if (w > 1) printf "late_days = out%d/late-days.csv\n", w - 1
        printf "[weights]\n01-naive/copy = %s\n", weight
    }
    $1 == w {
        if ($5) extensions = extensions sprintf("Student %d = 2026-09-10 23:59 +0000\n", $2)
        if ($6) adjust = adjust sprintf("login%d 01/copy = %g ; by hand, week %d\n", $2, $6, w)
        if ($7) adjust = adjust sprintf("%d = %g ; the interview\n", 1000 + $2, $7)
        if ($8) excused = excused sprintf("Student %d 01-naive/transpose ; ill\n", $2)
    }
    END { printf "[extensions]\n%s[adjust]\n%s[excused]\n%s", extensions, adjust, excused }' "$scratch/plan" >"$scratch/week$1.ini"
}

# expected WEEK WEIGHTS: a line a student, NAME,SCORE,MAX,LATE,DAYS,BEFORE. WEIGHTS: the weight of copy in each week, since free days that
# are used depend on no weight, but on all weeks so far.
cat >"$scratch/expected.awk" <<'EOF2'
function tenths(v) { return int(v * 10 + 0.5) / 10 }
function max(a, b) { return a > b ? a : b }
FNR == 1 { file++ }
file == 1 && FNR == 1 { for (i = 13; i <= NF; i++) { sub(/^01-naive /, "", $i); name[i] = $i } n = NF; next }
file == 1 && $1 == "(maximum)" { for (i = 13; i <= n; i++) most[i] = $i }
file == 1 && /^[abcd],/ { for (i = 13; i <= n; i++) points[$1, i] = $i }
file == 2 { split($0, p, " "); if (p[1] <= week) for (i = 1; i <= 8; i++) plan[p[1], p[2], i] = p[i] }
END {
    for (s = 1; s <= 30; s++) {
        used = 0
        for (w = 1; w <= week; w++) {
            of = s == 30 ? 29 : s # what 29 hands in counts for 30, who never hands in
            kind = plan[w, of, 3]
            days = kind == "-" ? 0 : max(0, plan[w, of, 4] - (plan[w, s, 5] ? 3 : 0))
            free = max(0, 4 - used)
            if (free > days) free = days
            charged = days - free
            if (charged > 3) free = 0
            share = charged > 3 ? 0 : 1 - charged * 15 / 100
            used += free
        }
        w = week; before = all = 0
        for (i = 13; i <= n; i++) {
            weight = name[i] == "copy" ? weights : 1
            if (plan[w, s, 8] && name[i] == "transpose") weight = 0
            got = kind == "-" ? 0 : points[kind, i]
            before += weight * max(0, got + (name[i] == "copy" ? plan[w, s, 6] : 0)); all += weight * most[i]
        }
        printf "Student %d,%g,%g,%s,%g,%g\n", s, tenths(max(0, before * share + plan[w, s, 7])), tenths(all), days ? "yes" : "no", days, tenths(before)
    }
}
EOF2
expected() { awk -F, -v week="$1" -v weights="$2" -f "$scratch/expected.awk" "$scratch/kinds.csv" "$scratch/plan" | sort; }
# right WEEK WEIGHTS NAME: the gradebook of the week has what is expected.
right() {
    tr -d '\r' <"$scratch/out$1/gradebook.csv" | grep '^Student' | cut -d, -f1-6 | sort >"$scratch/got"
    expected "$1" "$2" >"$scratch/wanted"
    expect_none "term: week $1, $3" "$(diff "$scratch/wanted" "$scratch/got" 2>&1)"
}

kills=0
for week in 1 2 3 4 5 6 7 8 9 10 11 12; do
    weight=$((week % 3 ? 1 : 2))
    build "$week" $weight
    mkdir -p "$scratch/out$week" && cp -R "$scratch/out0/.judged" "$scratch/out$week/"
    [ $((week % 2)) -eq 0 ] || rm -f "$scratch/out$week/.judged"/*[0-3] # some exercises are judged again, and the stop comes meanwhile
    stops=$((week > 4 ? 2 : 1))
    for _ in $(seq $stops); do
        "$class" class "$scratch/in$week" --out "$scratch/out$week" --course "$scratch/week$week.ini" --jobs 2 --yes >/dev/null 2>&1 </dev/null &
        pid=$!
        sleep "0.$((kills * 37 % 90 + 10))"
        kill -9 "$pid" 2>/dev/null
        wait "$pid" 2>/dev/null
        kills=$((kills + 1))
    done
    grade "$week" --yes
    same "week $week is graded" "$? $(grep -c 'submissions graded' "$scratch/out")" '0 1'
    right "$week" $weight 'every point'
done
same 'gradings that were killed' "$kills" 20

# Two regradings: another weight in week 4, and an adjustment more in week 8. Weeks after them stay.
sed -i 's/^01-naive.copy = 1/01-naive\/copy = 3/' "$scratch/week4.ini"
grade 4
same 'a regrading asks before points change' "$? $(grep -c 'gain, 0 lose' "$scratch/out")" '2 1'
right 4 1 'before it is allowed'
grade 4 --yes
right 4 3 'regraded'
awk '$1 == 8 && $2 == 11 { $6 += 2.5 } { print }' "$scratch/plan" >"$scratch/plan2" && mv "$scratch/plan2" "$scratch/plan"
build 8 1 && grade 8 --yes
right 8 1 'regraded'
grade 9 --yes
right 9 2 'as before'

# An appeal: one student again, by the seed and the course file.
s=$(awk '$1 == 8 && $3 == "b" && $4 > 0 { print $2; exit }' "$scratch/plan")
file=$(ls "$scratch/in8" | grep -E "(login|Student )${s}[_.]")
same 'an appeal' "$("$class" one "$scratch/in8/$file" --course "$scratch/week8.ini" --seed "$(cat "$scratch/out8/.seed")" --for json 2>/dev/null | "$scratch/json" student score | tr -d '"' | xargs printf '%s %s,%g')" \
    "$(tr -d '\r' <"$scratch/out8/gradebook.csv" | grep "^Student $s," | cut -d, -f1,2)"
finish
