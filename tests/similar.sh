#!/bin/sh
# similar.sh - who worked together: of a class of 200 from tests/class, 10 hand in all of another's work and 10 a third of it, in a
# disguise. Those are found, honest pairs are not reported, equal skeletons are no finding, and padding and macros hide nothing.

. tests/lib.sh
class=$PWD/$BUILD/lockstep-class
same() { if [ "$2" = "$3" ]; then pass "similar: $1"; else fail "similar: $1" "got $2, not $3"; fi; }
holds() { if [ "$2" -eq 1 ]; then pass "similar: $1"; else fail "similar: $1" "$3"; fi; }
for program in generate disguise; do cc -O1 -o "$scratch/$program" "tests/class/$program.c" || exit 1; done
cc -o "$scratch/json" tests/json.c -ljansson || exit 1
json() { "$scratch/json" "$@" <"$scratch/out/similar/pairs.json" | sed 's/^"\(.*\)"$/\1/'; }
compare() { rm -rf "$scratch/out" && "$class" similar "$1" --out "$scratch/out" >"$scratch/said" 2>&1; }

# copies CLASS SEED: the work of students 7, 14, ... is copied, alternately a third of it by an existing student, or all of it by a new one.
copies() {
    for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
        victim=$(printf 'student-%04d' $((i * 7))) to=$1/copy-$(printf 'student-%04d' $((i * 7)))
        if [ $((i % 2)) = 0 ]; then mkdir "$to"; else mv "$1/$(printf 'student-%04d' $((i * 7 + 3)))" "$to"; fi
        x=0
        for file in "$1/$victim"/*/*; do
            x=$((x + 1)) name=${file#"$1/$victim/"}
            mkdir -p "$to/${name%/*}"
            if [ $((i % 2)) = 0 ] || [ $(((x * 7 + i * 5) % 22)) -lt 7 ]; then
                "$scratch/disguise" $(($2 * 1000 + i * 50 + x)) <"$file" >"$to/$name"
            fi
        done
    done
}
# Sets found, honest and pairs from similar/pairs.json.
count() {
    found=0 honest=0 i=0 pairs=$(json pairs_compared)
    while [ "$i" -lt "$(json pairs.#)" ]; do
        if [ "$(json pairs.$i.a)" = "copy-$(json pairs.$i.b)" ]; then found=$((found + 1)); else honest=$((honest + 1)); fi
        i=$((i + 1))
    done
}

for seed in ${SEEDS:-1}; do
    submissions=$scratch/class-$seed
    "$scratch/generate" tests/class labs "$submissions" 200 "$seed"
    copies "$submissions" "$seed"
    compare "$submissions"
    count
    holds "seed $seed: 19 of 20 copies are found, $found" $((found >= 19)) "$found of 20 found"
    holds "seed $seed: at most 1 honest pair in 1000 is told of, $honest of $pairs" $((honest * 1000 <= pairs)) "$honest of $pairs pairs"
done
first=$(json pairs.0.a)--$(json pairs.0.b)
same 'the most unusual pair is a copy of all' "$([ "$(json pairs.0.exercises.#)" -ge 12 ] && echo yes)" yes
same 'a page a pair, and their links' "$(find "$scratch/out/similar" -name '*.html' | wc -l) $(grep -c '<a href="similar/' "$scratch/out/similar.html")" "$(json pairs.#) $(json pairs.#)"
same 'matching lines have a number in the margin that leads to the other side' \
    "$(grep -c '^ *[0-9]* <a href="#b[0-9]*-[0-9]*"> *[0-9]*</a>&gt; <mark id="a' "$scratch/out/similar/$first.html" | awk '{ print ($1 > 0) }')" 1
dead=$(sed -n 's/.*<a href="#\([ab][0-9-]*\)".*/\1/p' "$scratch/out/similar/$first.html" | while read -r id; do
    grep -q "id=\"$id\"" "$scratch/out/similar/$first.html" || echo "$id"
done)
same 'each of these links leads to a line' "$dead" ''
same 'pages without scripts' "$(cat "$scratch/out/similar.html" "$scratch/out"/similar/*.html | grep -ci '<script\|javascript:\|onload')" 0

# A disguise changes no points.
mkdir "$scratch/few"
for n in 0002 0014 0028; do cp -R "$submissions/student-$n" "$scratch/few/$n"; done
for n in 0014 0028; do cp -R "$submissions/copy-student-$n" "$scratch/few/copy-$n"; done
"$class" class "$scratch/few" --out "$scratch/graded" --lab 05 --device sim:tiny --seed 7 >/dev/null 2>&1 </dev/null
points() { "$scratch/json" score <"$scratch/graded/$1.json"; }
same 'a disguise changes no points' "$(points copy-0014) $(points copy-0028)" "$(points 0014) $(points 0028)"
holds 'a student of the class earns points' "$(points 0002 | awk '{ print ($1 >= 15) }')" "$(points 0002)"
same 'a class has its pairs' "$(find "$scratch/graded/similar.html" "$scratch/graded/similar/pairs.json" | wc -l) $(grep -c 'href="similar.html"' "$scratch/graded/index.html")" '2 1'

# Files that all were given are no finding. Students with exactly the same files are found, even if they are many.
"$scratch/generate" tests/class labs "$scratch/equal" 60 3 30 40
compare "$scratch/equal"
same 'equal skeletons are no finding, equal works are' "$(json clusters.#) $(json clusters.0.#) $(json clusters.0.0)" '1 25 student-0001'
mkdir "$scratch/given" && for n in 1 2 3 4 5 6; do cp -R labs "$scratch/given/labs-$n" && cp -R solutions "$scratch/given/solutions-$n"; done
compare "$scratch/given"
same 'skeletons and solutions are no finding' "$(json pairs_found)" 0

# Changes that hide no copy: in a class of 40, each file of student-0001 is copied in a disguise, and then changed in one of these ways.
lined='BEGIN { for (i = 0; i < 66000; i++) { printf " "; if (i % 100 == 99) print "" } }'
junk='BEGIN { for (i = 0; i < 1100; i++) printf "static __device__ int junk%d(int a, int b)\n{\n    return a * %d + b - (a >> %d) + a;\n}\n", i, i, i % 31 }'
macro='/^#|^LAUNCH|^PREDICT/ { print; next } { sub("//.*", ""); body = body " \\\n" $0 } END { print "#define ALL" body "\n\nALL" }'
splices='{ gsub("{", "<%"); gsub("}", "%>"); gsub("\\[", "<:"); gsub("\\]", ":>"); }
    /^#|LAUNCH|PREDICT/ || length < 12 { print; next } { print substr($0, 1, 9) "\\\n" substr($0, 10) }'
change() { # HOW: change a file in this way, from stdin to stdout
    case $1 in
    blanks) cat && awk "$lined" ;;
    junk) awk "$junk" && cat ;;
    macro) awk "$macro" ;;
    splices) awk "$splices" ;;
    esac
}
for how in blanks junk macro splices; do
    "$scratch/generate" tests/class labs "$scratch/$how" 40 5
    seed=0
    for file in "$scratch/$how"/student-0001/*/*; do
        seed=$((seed + 1)) name=${file#"$scratch/$how/student-0001/"}
        mkdir -p "$scratch/$how/copy/${name%/*}"
        "$scratch/disguise" $seed <"$file" | change $how >"$scratch/$how/copy/$name"
    done
    compare "$scratch/$how"
    same "a copy is found behind $how" "$(json pairs.0.a pairs.0.b 2>"$scratch/err" | tr '\n' ' ')" 'copy student-0001 '
    shown=$(json pairs.0.exercises.# 2>"$scratch/err")
    holds "and its page shows most exercises, behind $how" $((${shown:-0} >= 12)) "${shown:-0} exercises"
done

# Who hands in a solution is named, also in a disguise; who hands in the skeleton is not.
for student in solver skeleton; do mkdir -p "$scratch/solved/$student/05-padded" "$scratch/solved/$student/06-unrolled"; done
"$scratch/disguise" 1 <solutions/05-padded/transpose.cu >"$scratch/solved/solver/05-padded/transpose.cu"
cp labs/05-padded/transpose.cu "$scratch/solved/skeleton/05-padded/"
cp labs/06-unrolled/shape.cu "$scratch/solved/skeleton/06-unrolled/"
compare "$scratch/solved"
same 'who equals the solution is named' "$(json equals_the_solution)" '[["05-padded/transpose.cu","solver"]]'
same 'and stands on the page' "$(grep -c '^<li>05-padded/transpose.cu, solver$' "$scratch/out/similar.html")" 1

# A student's text is shown as text: a browser executes nothing of it.
hostile=$scratch/hostile
"$scratch/generate" tests/class labs "$hostile" 8 4
cp -R "$hostile/student-0001" "$hostile/<b>&\"eve"
echo '// </pre><script>alert(1)</script>' >>"$hostile/<b>&\"eve/04-shared/matmul.cu"
awk 'BEGIN { for (i = 0; i < 9000; i++) print "{ for ((("; for (i = 0; i < 9000; i++) print "a = a +" }' >"$hostile/student-0002/04-shared/matmul.cu"
compare "$hostile"
same 'markup in names and texts is escaped' "$(json clusters.0.#) $(cat "$scratch/out/similar.html" "$scratch/out"/similar/*.html | grep -c '<script>\|<b>')" '2 0'
same 'one submission' "$(mkdir "$scratch/one" && cp -R solutions "$scratch/one/ada" && compare "$scratch/one" && json pairs_found)" 0
mkdir "$scratch/two" && for n in ada bob; do cp -R "$hostile/student-0001" "$scratch/two/$n"; done
compare "$scratch/two"
same 'two equal works, and no others' "$(json clusters)" '[["ada","bob"]]'
"$class" similar "$scratch/none" --out "$scratch/out" 2>"$scratch/err"
same 'no such folder' "$? $(grep -c none "$scratch/err")" '2 1'
finish
