#!/bin/sh
# handout.sh - what a teacher hands out, and a student who has nothing else: make handout, the folder moved, the kit built there, a
# mistake in labs/01-naive/matmul.cu and its answer.

. tests/lib.sh

unset READY DEVICE FRONT STUDENT LAB EX SEED FORMAT OUT MAKEFLAGS MAKELEVEL
export LC_ALL=C.UTF-8
# typed FOLDER COMMAND...: what a person types there; both outputs, then the status.
typed() {
    (cd "$1" && shift && "$@" 2>&1 </dev/null)
    echo "status $?"
}
hand_out() { typed . make handout BUILD="$BUILD" OUT="$1"; }

# ---- the teacher ----
out=$(hand_out "$scratch/handout")
expect_some 'make handout' "$out" '^status 0$'
given=$scratch/handout
expect_none 'it holds what students get, and no more' "$(cd "$given" && find . -mindepth 1 -maxdepth 1 | sed 's|^\./||' |
    grep -vxE 'labs|slides|common|Makefile|README\.md|LICENSE|\.gitignore|\.clangd|\.devcontainer|\.vscode')"
sums() { find "$@" -type f -exec cksum {} + | sort; }
sums solutions/[0-9]*/*.c* | cut -d ' ' -f 1,2 | sort >"$scratch/solved"
expect_none 'no solution goes along' "$(sums "$given" | sort | join -j 1 -o 1.1,1.2,1.3,2.2 - "$scratch/solved" | awk '$2 == $4 { print $3 }')"
expect_none 'labs, slides and common are whole' "$(for room in labs slides common; do
    project_files . | grep "^$room/" | while read -r file; do cmp -s "$file" "$given/$file" || echo "$file"; done
done)"
expect_none 'its README leads nowhere outside' "$(grep -oE '\]\([^)#:]+' "$given/README.md" | sed 's/^](//' | while read -r link; do
    [ -e "$given/$link" ] || echo "$link"
done)"
expect_some 'its README says what it is' "$(cat "$given/README.md")" '^This folder is a handout'
expect_none 'and shows no mark of the whole kit' "$(grep -nE '^<!-- (whole|end|handout)|^-->$' "$given/README.md")"
listed() { find "$given" -printf '%p %T@\n' | sort; }
before=$(listed)
expect_some 'a folder that is not empty is refused' "$(hand_out "$given")" "^handout: $given: is not empty"
expect_some 'and left as it was' "$(listed | cksum)" "^$(printf '%s\n' "$before" | cksum)\$"
expect_some 'a file is refused' "$(hand_out "$given/README.md")" '^handout: .*README\.md: is a file'
expect_some 'a handout into nowhere' "$(hand_out '')" '^handout: name the folder'

# ---- the student: moved, renamed, built ----
kit="$scratch/my labs (1)"
mv "$given" "$kit"
out=$(typed "$kit" make)
expect_some 'make: what can be made' "$out" '^make learn '
expect_none 'make: and nothing else' "$(printf '%s\n' "$out" | grep -E '^make (class|autograder|handout|check|test|quick|tables|published|ladder|fuzz|format) ')"
expect_some 'make class says what is missing' "$(typed "$kit" make class)" 'make class needs the folder grading/, which a handout does not have'
expect_some 'make check too' "$(typed "$kit" make check)" 'make check needs the folder tests/'
expect_some 'make kit' "$(typed "$kit" make kit)" '^status 0$'
lab() { typed "$kit" make lab DEVICE=sim:h200 "$@" | tr '\n' ' ' | tr -s ' '; }
expect_some 'a skeleton' "$(lab LAB=01 EX=matmul)" 'matmul has written no output yet'
edit() { sed -E "$2" "solutions/$1" >"$kit/labs/$1"; } # FILE SCRIPT-OF-SED
edit 01-naive/matmul.cu 's/blockIdx\.x \* blockDim\.x/blockIdx.x * gridDim.x/'
line=$(grep -n gridDim "$kit/labs/01-naive/matmul.cu" | cut -d: -f1)
expect_some 'a mistake: its cause and line' "$(lab LAB=01 EX=matmul WHY=1)" "the cause: labs/01-naive/matmul\.cu:$line: .blockIdx\.x \* gridDim\.x \+ threadIdx\.x. takes gridDim, the number of blocks, for blockDim"
edit 01-naive/matmul.cu ''
out=$(lab LAB=01 EX=matmul)
expect_some 'right: points, without those for time' "$out" ' 8 of 8 points; 2 for time need the solution, which this kit does not have'
expect_some 'budgets are counted' "$out" 'budgets 4 of 4 met'
expect_none 'nothing is compared' "$(printf '%s' "$out" | grep -o 'reference')"
edit 02-coalesced/soa.cu 's/PREDICT\(aos_sectors, [0-9]+\)/PREDICT(aos_sectors, 32)/'
out=$(lab LAB=02 EX=soa)
expect_some 'a wrong prediction is held against the own kernel' "$out" 'predictions: 1 of 2 right .* your kernel counted 24'
edit 03-tiled/matmul_cpu.c ''
expect_some 'C for the CPU' "$(lab LAB=03 EX=matmul_cpu)" ' 7 of 7 points; 3 for time need'
# A given kernel at fault: right predictions open the answer here, too.
cp solutions/04-shared/detective_1.cu "$kit/labs/04-shared/detective_1.cu"
expect_some 'a given kernel at fault is examined' "$(lab LAB=04 EX=detective_1)" '2 of 2 points.* a race'
expect_some 'make grade' "$(typed "$kit" make grade LAB=01 DEVICE=sim:h200)" '^8 more for time need the solutions, which this kit does not have$'
expect_some 'make profile BEFORE=01: the own file' "$(typed "$kit" make profile LAB=02 EX=matmul BEFORE=01)" '^before: labs/01-naive/matmul\.cu: kernel'
out=$(typed "$kit" make compare LAB=01 EX=matmul DEVICES=sim:h200)
expect_some 'make compare: the own file' "$out" '^sim:h200 .* 0\.14'
expect_some 'and says so' "$out" '^your own file in labs: this kit does not have the solution$'
expect_some 'STUDENT=solutions' "$(lab LAB=01 STUDENT=solutions)" 'solutions: this kit is a handout, without solutions'
out=$(cd "$kit" && awk -v lockstep=build/lockstep -v deck=slides/04-shared.md -f slides/directives.awk slides/04-shared.md 2>&1 && echo 'status 0')
expect_some 'a deck with all its figures' "$out" '^status 0$'
expect_some 'also those of a solution' "$out" 'at the barrier they wait for'
expect_some 'and tables of what was measured' "$(cd "$kit" && awk -v lockstep=build/lockstep -v deck=slides/06-unrolled.md -f slides/directives.awk slides/06-unrolled.md 2>&1)" '^\| naive \| 01-naive \| [0-9.]+ \|'

# ---- make learn, and a lab whose solutions were handed out later ----
if script --version >/dev/null 2>&1; then
    printf 'o?aq' >"$scratch/keys"
    (cd "$kit" && script -qefc 'stty cols 80 rows 24; make learn DEVICE=sim:h200' "$scratch/screen" <"$scratch/keys" >/dev/null 2>&1)
    expect_some 'make learn: no key for a solution' "$(tr -d '\r' <"$scratch/screen")" 'solutions/[0-9a-z-]+/[a-z_0-9]+\.cu: not in this kit'
    expect_none 'the keys do not list it' "$(tr -d '\r' <"$scratch/screen" | grep 'the solution, once')"
    expect_some 'nor answers' "$(tr -d '\r' <"$scratch/screen")" 'solutions/[0-9a-z-]+/README\.md: not in this kit'
else
    skip 'make learn' 'there is no script(1); apt-get install bsdutils'
fi
mkdir -p "$kit/solutions" && cp -R solutions/01-naive "$kit/solutions/"
expect_some 'solutions of a lab: it has everything' "$(lab LAB=01 EX=matmul)" ' 10 of 10 points'
expect_some 'make compare in the next lab' "$(typed "$kit" make compare LAB=02 EX=soa DEVICES=sim:h200)" '^your own file in labs'
expect_some 'the next lab still has not' "$(lab LAB=02 EX=soa)" 'need the solution, which this kit does not have'

# A class is never graded without solutions.
mkdir -p "$scratch/bare/build" "$scratch/class/ada" && cp -R common "$scratch/bare/" && cp "$BUILD/lockstep-class" "$scratch/bare/build/"
cp -R labs/01-naive "$scratch/class/ada/"
expect_some 'a class needs the solutions' "$(typed . "$scratch/bare/build/lockstep-class" class "$scratch/class" --out "$scratch/results" --device sim:h200)" \
    'solutions/01-naive: .* is not there; a class is graded beside the solutions'
finish
