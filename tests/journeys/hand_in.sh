#!/bin/sh
# hand_in.sh - a class handed in as people and platforms pack their work: right work earns its points in every shape, and the kit itself
# earns none. hand_in.py makes the class; what is to be remarked is looked for on stderr, in index.html and on the student's page.

. tests/lib.sh
class=$PWD/$BUILD/lockstep-class
submissions=$scratch/submissions
results=$scratch/results
kit=$scratch/kit
cc -o "$scratch/json" tests/json.c -ljansson || exit 1
same() { if [ "$2" = "$3" ]; then pass "hand-in: $1"; else fail "hand-in: $1" "got $2, not $3"; fi; }
score() { "$scratch/json" score <"$results/$1.json" 2>/dev/null | awk '{ printf "%g\n", $1 }'; }

# A learner whose answers are all right: the solutions, each with one line added, so that no file equals its solution.
copy_project "$kit"
(cd "$kit" && git init -q && git add -A && git -c user.name=x -c user.email=x@x commit -qm kit) || exit 1
for file in solutions/01-naive/*.cu; do
    { cat "$file" && echo 'typedef int own;'; } >"$kit/labs/01-naive/${file##*/}"
done
mkdir "$submissions"
/usr/bin/python3 tests/journeys/hand_in.py "$kit" "$submissions" >"$scratch/rows" || exit 1

LC_ALL=C "$class" class "$submissions" --out "$results" --lab 01 --device sim:tiny --seed 7 --jobs 2 >"$scratch/out" 2>"$scratch/err" </dev/null
same 'archives that cannot be read are told by the exit code' "$? $(grep -c '^lockstep-class: 4 of .* could not be read as a whole' "$scratch/err")" '1 1'
same 'a row a student' "$(($(wc -l <"$results/gradebook.csv") - 3))" "$(wc -l <"$scratch/rows")"
tab=$(printf '\t')
while IFS=$tab read -r points student; do same "$student" "$(score "$student")" "$points"; done <"$scratch/rows"

# said STUDENT PATTERN: on stderr, in the overview and on the student's page.
said() {
    row=$(sed 's/<[^>]*>/|/g' "$results/index.html" | grep -E "^\|+$1\|")
    same "$1: $2" "$(grep -cE "^$1: .*$2" "$scratch/err") $(printf '%s\n' "$row" | grep -cE "$2") $(sed 's/<[^>]*>//g' "$results/pages/$1.html" | grep -qE "$2" && echo 1)" '1 1 1'
}
said cut 'the archive cannot be read at 01-naive/matmul.cu'
said half 'the archive cannot be read at labs.zip/01-naive/matmul.cu'
said unnamed 'the archive has a name that cannot be read'
said rar 'a .rar is not read; hand in a .zip'
said beside 'not graded, though it differs from the file that is: .*backup/01-naive/add.cu beside 01-naive/add.cu'
said colab 'work.ipynb is a notebook: the files that its cells write are read'
said copied "the kit's solution, byte for byte: 01-naive/aat.cu, 01-naive/copy.cu"
said copied "the kit's solution but for comments and blanks: 01-naive/add.cu"
said misnamed 'read .*, lab01/Matmul.cu as 01-naive/matmul.cu'
said near '01-naive/coppy.cu is not read; did you mean 01-naive/copy.cu'
said labs_deleted 'holds no file of an exercise that is graded; none is below common/, grading/, slides/, solutions/, tests/'
said empty 'holds no file of an exercise that is graded'
same 'files that were not read stand beside no points' "$(grep -c '>near</a>.*1 file not read' "$results/index.html")" 1
same 'nothing is said of right work' "$(grep -cE '^(adal|bobb|Zoë Müller|李 小龍|submission_12345|lab01-dora|clone_zip|clone_tar|tgz|xz|explorer|codepage|finder|pax|nested|notebook|utf16|latin1|twin-.): ' "$scratch/err")" 0
same 'no path of this machine in what is shown' "$(grep -rlF "$scratch" "$results" --exclude-dir='.*' | wc -l)" 0


# ---- which exercise a path means ----

# means LAB PATH PLACE: with these labs graded a file at PATH is read as PLACE; none: it is not read.
means() {
    rm -rf "$scratch/path" "$scratch/place" && mkdir -p "$scratch/path/$(dirname "$2")" "$scratch/place" && echo x >"$scratch/path/$2"
    "$class" take "$scratch/path" --into "$scratch/place" ${1:+--lab "$1"} >/dev/null 2>&1
    same "${1:-all}: $2" "$(cd "$scratch/place" && find . -type f | sed 's|^\./||')" "$3"
}
means '' labs/05-padded/transpose.cu 05-padded/transpose.cu
means '' 05-Padded/transpose.cu 05-padded/transpose.cu
means '' 'Lab 4/matmul.cu' 04-shared/matmul.cu
means '' lab4/src/Matmul_final.CU 04-shared/matmul.cu
means '' 'labs/4/matmul (1).cu' 04-shared/matmul.cu
means '' 02_coalesced/matmul.cu 02-coalesced/matmul.cu
means '' lab02/matmul.cu 02-coalesced/matmul.cu
means '' 04_matmul.cu 04-shared/matmul.cu
means '' lab04-matmul.cu 04-shared/matmul.cu
means '' matmul_shared.cu 04-shared/matmul.cu
means '' 'Copy of swizzle.cu' 08-pipelined/swizzle.cu
means '' matmul_tf32_v2.cu 09-tensor/matmul_tf32.cu
means '' matmul_coalesced.cu 03-tiled/matmul_coalesced.cu
means '' matmul_cpu.c 03-tiled/matmul_cpu.c
means '' 'lab 3/matmul_cpu - Copy (2).c' 03-tiled/matmul_cpu.c
means 04 matmul.cu 04-shared/matmul.cu
means 04 'my work/matmul.cu' 04-shared/matmul.cu
means 02 matmul_coalesced.cu 02-coalesced/matmul.cu
# The path may mean several exercises, or one that is not graded, or no exercise.
means '' matmul.cu ''
means '' 1/matmul.cu ''
means '' matmul/2024.cu ''
means 01 copy_transpose.cu ''
means 04 lab05/matmul.cu ''
means 04 02_matmul.cu ''
means 04 matmul.c ''
means 04 matmul.h ''
means 04 solutions/04-shared/matmul.cu ''
means 04 tests/matmul.cu ''
means 04 .hidden/04-shared/matmul.cu ''
means 04 04-shared/._matmul.cu ''
means 04 05-padded/transpose.cu ''

# ---- the same bytes for the same seed, and no path of the instructor's machine ----

wrong=$scratch/wrong
mkdir -p "$wrong/assembly/03-tiled" "$wrong/linked/03-tiled"
{ cat solutions/03-tiled/matmul_cpu.c && echo 'void own(void) { __asm__(".if 1"); }'; } >"$wrong/assembly/03-tiled/matmul_cpu.c"
{ cat solutions/03-tiled/matmul_cpu.c && echo 'void nowhere(void); void own(void) { nowhere(); }'; } >"$wrong/linked/03-tiled/matmul_cpu.c"
for twice in one two; do
    "$class" class "$wrong" --out "$scratch/wrong-$twice" --lab 03 --device sim:tiny --seed 7 >/dev/null 2>&1 </dev/null
done
same 'what an assembler and a linker say' "$(cat "$scratch"/wrong-one/*.json | grep -cE 'message": "[^"]*(03-tiled/matmul_cpu.c in assembly:|undefined reference to .nowhere)')" 2
expect_none 'hand-in: messages of compilers are the same each time' "$(diff -r -x '.*' "$scratch/wrong-one" "$scratch/wrong-two" 2>&1)"
expect_none 'hand-in: messages of compilers hold no path of this machine' "$(grep -rlE "$PWD|$scratch|tmp\.vm\." "$scratch/wrong-one" --exclude-dir='.*')"

# ---- first guesses that cannot be read ----

final=$scratch/final
for who in present absent corrupt large; do mkdir -p "$final/$who" && cp -R solutions/02-coalesced "$final/$who/"; done
guess=$(sed -n 's/.*PREDICT(\([a-z_0-9]*\),.*/\1/p' solutions/02-coalesced/stride.cu | head -n 1)
echo "02-coalesced stride failed $guess=77" | tee "$final/present/.progress" >"$final/corrupt/.progress"
echo 'spoilt' >>"$final/corrupt/.progress"
{ cat "$final/present/.progress" && awk 'BEGIN { for (i = 0; i < 300000; i++) printf "#" }'; } >"$final/large/.progress"
"$class" class "$final" --out "$scratch/finals" --lab 02 --device sim:tiny --seed 7 --final >/dev/null 2>"$scratch/err" </dev/null
results=$scratch/finals
same 'a first guess counts' "$(awk -v p="$(score present)" -v a="$(score absent)" 'BEGIN { print (p < a) }')" 1
same 'a spoilt .progress gains nothing' "$(awk -v p="$(score present)" -v c="$(score corrupt)" -v l="$(score large)" 'BEGIN { print (c <= p && l <= p) }')" 1
said corrupt '.progress:2: spoilt: .*only first guesses before that count'
said large '.progress cannot be read'

# ---- results among the submissions ----

for out in "$final/results" "$final" "$final/absent/results"; do
    "$class" class "$final" --out "$out" --lab 02 >"$scratch/out" 2>"$scratch/err" </dev/null
    same "refused: results in ${out#"$final"}" "$? $(wc -l <"$scratch/err") $(grep -c 'lies in the submissions.* folder' "$scratch/err") $(ls "$final" | wc -l)" '2 1 1 4'
done

"$class" class "$submissions/adal_101_5001_labs.zip" --out "$scratch/none" >"$scratch/out" 2>"$scratch/err" </dev/null
same 'refused: an archive for a class' "$? $(grep -c 'is an archive; unpack it, and name the folder' "$scratch/err")" '2 1'

# ---- one submission ----

one() { grading/grade "$@" --lab 01 --device sim:tiny --seed 7 2>"$scratch/err" | awk '/^all / { print $2 }'; }
mkdir "$scratch/clone" && cp -R "$kit/labs" solutions "$scratch/clone/"
same 'grading/grade: a clone is graded by its labs/' "$(one "$scratch/clone")" 51
same 'make grade: so is it there' "$(make -s BUILD="$BUILD" grade STUDENT="$scratch/clone" LAB=01 DEVICE=sim:tiny 2>&1 | awk '/^all / { print $2 }')" 51
same 'grading/grade: an archive' "$(one "$submissions/finder.zip") $(wc -l <"$scratch/err")" '44 0'
same 'grading/grade: a damaged archive' "$(one "$submissions/cut.tar.gz") $(grep -c 'cut.tar.gz: the archive' "$scratch/err")" '24 1'
grading/grade "$submissions/cut.tar.gz" --lab 01 --device sim:tiny --format json --out="$scratch/cut.json" >"$scratch/out" 2>&1
same 'grading/grade: its exit code and its report' "$? $("$scratch/json" score <"$scratch/cut.json")" '1 24'
grading/grade "$final/large" --lab 02 --final >"$scratch/out" 2>"$scratch/err"
same 'grading/grade: a spoilt .progress is refused' "$? $(tail -n 1 "$scratch/err" | grep -c '.progress cannot be read, and first guesses count')" '2 1'

# ---- what make is given is text ----

# A program that prints its words in place of the kit's program: what make and a shell made of the values.
printf '#!/bin/sh\nprintf "[%%s]" "$@"\n' >"$scratch/print" && chmod +x "$scratch/print"
value="\$(shell touch $scratch/pwned)\`touch $scratch/pwned\`\$(touch $scratch/pwned) \"Übung 'x'"
made() { make -s BUILD="$BUILD" LOCKSTEP="$scratch/print" CLASS="$scratch/print" "$@" 2>&1 </dev/null; }
words() { # TARGET VARIABLE...: each is a word of the command, as it was given
    target=$1 && shift && n=$#
    for v; do set -- "$@" "$v=$value" && shift; done
    same "make $target: values are words" "$(made "$target" "$@" | grep -oF "[$value]" | wc -l)" "$n"
}
words lab LAB EX STUDENT DEVICE FRONT SEED
words grade STUDENT LAB DEVICE FORMAT OUT SEED FRONT
words class SUBMISSIONS OUT JOBS LAB DEVICE FRONT SEED COURSE ENGINE
words profile LAB EX KERNEL STUDENT DEVICE FRONT MAP HTML BEFORE
words step LAB EX KERNEL STUDENT BLOCK WARP SIZE STEPS DEVICE FRONT HTML
words compare LAB EX DEVICES KERNEL STUDENT FRONT
made uninstall PREFIX="$value" DESTDIR="$scratch/$value" >/dev/null
same 'nothing that make was given is run' "$(ls "$scratch/pwned" 2>&1 | grep -c 'No such')" 1
odd="$scratch/\$(shell x) \"Übung 'x'"
mkdir -p "$odd/01-naive" && cp solutions/01-naive/add.cu "$odd/01-naive/"
same 'a folder of such a name is graded' "$(make -s BUILD="$BUILD" grade STUDENT="$odd" LAB=01 DEVICE=sim:tiny 2>&1 | grep -c '^01-naive  *add  *4 of 4')" 1
finish
