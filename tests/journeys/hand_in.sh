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

# A right learner: the solutions with a line of one's own.
copy_project "$kit"
(cd "$kit" && git init -q && git add -A && git -c user.name=x -c user.email=x@x commit -qm kit) || exit 1
for file in solutions/01-naive/*.cu; do
    { cat "$file" && echo 'typedef int own;'; } >"$kit/labs/01-naive/${file##*/}"
done
mkdir "$submissions"
/usr/bin/python3 tests/journeys/hand_in.py "$kit" "$submissions" >"$scratch/rows" || exit 1

LC_ALL=C "$class" class "$submissions" --out "$results" --lab 01 --device sim:tiny --seed 7 --jobs 2 >"$scratch/out" 2>"$scratch/err" </dev/null
same 'archives that cannot be read are told by the exit code' "$? $(grep -c '^lockstep-class: 2 of .* could not be read as a whole' "$scratch/err")" '1 1'
same 'a row a student' "$(($(wc -l <"$results/gradebook.csv") - 1))" "$(wc -l <"$scratch/rows")"
tab=$(printf '\t')
while IFS=$tab read -r points student; do same "$student" "$(score "$student")" "$points"; done <"$scratch/rows"

# said STUDENT PATTERN: on stderr, in the overview and on the student's page.
said() {
    row=$(sed 's/<[^>]*>/|/g' "$results/index.html" | grep -E "^\|+$1\|")
    same "$1: $2" "$(grep -cE "^$1: .*$2" "$scratch/err") $(printf '%s\n' "$row" | grep -cE "$2") $(sed 's/<[^>]*>//g' "$results/pages/$1.html" | grep -qE "$2" && echo 1)" '1 1 1'
}
said cut 'the archive cannot be read at 01-naive/matmul.cu'
said rar 'a .rar is not read; hand in a .zip'
said beside 'not graded, though it differs from the file that is: .*backup/01-naive/add.cu beside 01-naive/add.cu'
said copied "the kit's solution, byte for byte: 01-naive/aat.cu, 01-naive/copy.cu"
said copied "the kit's solution but for comments and blanks: 01-naive/add.cu"
said misnamed 'read .*, lab01/Matmul.cu as 01-naive/matmul.cu'
said near '01-naive/copy.cu is not there; did you mean 01-naive/coppy.cu'
said labs_deleted 'holds no file of an exercise that is graded; [0-9]+ entries were not read'
said empty 'holds no file of an exercise that is graded'
same 'files that were not read stand beside no points' "$(grep -c '>near</a>.*1 file not read' "$results/index.html")" 1
same 'nothing is said of right work' "$(grep -cE '^(adal|bobb|Zoë Müller|李 小龍|submission_12345|lab01-dora|clone_zip|clone_tar|tgz|xz|explorer|codepage|finder|pax|nested|notebook|utf16|latin1|twin-.): ' "$scratch/err")" 0
same 'no path of this machine in what is shown' "$(grep -rlF "$scratch" "$results" --exclude-dir='.*' | wc -l)" 0

# The order of an archive makes no difference, and one lab's files can be meant where it alone is graded.
finish
