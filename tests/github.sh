#!/bin/sh
# github.sh - the workflows of GitHub Actions: this script plays the runner, with the steps that stand in the files. A hand-in is graded with
# annotations, a summary and points; one that attacks changes nothing, and what it writes is no command to the runner.

. tests/lib.sh
unset DEVICE FRONT STUDENT LAB EX SEED FORMAT OUT MAKEFLAGS MAKELEVEL
kit=$PWD
[ "$BUILD" = build ] || { skip github 'grading/github runs what is in build' && finish; }

# steps FILE: the lines `run:` of a workflow, in order.
steps() { sed -n 's/^ *run: //p' "$1"; }
workflow=grading/platforms/github.yml
expect_none 'github: no step has text of an event in its command' "$(for file in $workflow .github/workflows/*.yml; do steps "$file" | grep -F '${{'; done)"
expect_none 'github: every command is in one line' "$(grep -nE '^ *run: *[|>]' $workflow .github/workflows/*.yml)"
expect_some 'github: the gate runs .ci/run' "$(steps .github/workflows/check.yml)" '^\.ci/run$'
expect_some 'github: on pushes and pull requests' "$(sed -n '/^on:/,/^[a-z]*:$/p' .github/workflows/check.yml | xargs)" '^on: push: pull_request:'
expect_some 'github: a tag builds the packages' "$(steps .github/workflows/release.yml)" '^make dist$'
expect_none 'github: none may write' "$(grep -n ': write' $workflow .github/workflows/*.yml)"

# play FOLDER: what the runner does after the two checkouts, FOLDER/kit and FOLDER/hand-in.
play() {
    : >"$scratch/summary" && : >"$scratch/outputs"
    ln -s "$kit" "$1/kit"
    steps "$kit/$workflow" >"$scratch/steps"
    while IFS= read -r command; do
        (cd "$1" && env GITHUB_STEP_SUMMARY="$scratch/summary" GITHUB_OUTPUT="$scratch/outputs" STUDENT=ada \
            OPTIONS='--device sim:h200 --lab 01 --seed 7' bash --noprofile --norc -eo pipefail -c "$command" </dev/null) || return
    done <"$scratch/steps" >"$scratch/out" 2>"$scratch/err"
}

# ---- a hand-in ----

good=$scratch/good
mkdir -p "$good/hand-in/labs/01-naive"
cp solutions/01-naive/add.cu solutions/01-naive/copy.cu labs/01-naive/aat.cu "$good/hand-in/labs/01-naive/"
sed 's/float \*c/flot *c/' solutions/01-naive/matmul.cu >"$good/hand-in/labs/01-naive/matmul.cu"
sed 's/row < rows && col < cols/row < rows/' solutions/01-naive/transpose.cu >"$good/hand-in/labs/01-naive/transpose.cu"
play "$good"
expect_some 'github: it is graded' "$?" '^0$'
out=$(cat "$scratch/out")
line() { grep -n "$2" "$good/hand-in/labs/01-naive/$1.cu" | head -n 1 | cut -d: -f1; }
expect_some 'github: what does not compile' "$out" "^::error file=labs/01-naive/matmul\.cu,line=$(line matmul flot),title=01-naive matmul%3A 0 of 10 points::01-naive/matmul\.cu:.*'flot'.*%0A"
expect_some 'github: what is wrong' "$out" "^::error file=labs/01-naive/transpose\.cu,line=$(line transpose 'out\[')*,title=01-naive transpose%3A 0 of 10 points::transpose fails"
expect_none 'github: nothing about what is right, or not begun' "$(grep -E 'file=labs/01-naive/(add|copy|aat)' "$scratch/out")"
expect_some 'github: points' "$out" '^::notice title=Autograding complete::Points 14/[0-9]+$'
expect_some 'github: points for Classroom' "$out" '^::notice title=Autograding report::\{"totalPoints":14,"maxPoints":[0-9]+\}$'
expect_some 'github: points for other steps' "$(xargs <"$scratch/outputs")" '^score=14 max_score=[0-9]+$'
expect_some 'github: the summary' "$(head -n 1 "$scratch/summary")" '^## 14 of [0-9]+ points$'
expect_some 'github: a row' "$(cat "$scratch/summary")" '^<tr><td>01-naive add</td><td>4 of 4</td><td></td></tr>$'

# A budget that is missed is a warning at the line that costs most; a final grading does not show it.
mkdir "$scratch/budget" && cp -R tests/wrong/conflicts "$scratch/budget/labs"
grading/github "$scratch/budget" --lab 05 --device sim:h200 >"$scratch/out" 2>&1
expect_some 'github: a budget' "$(cat "$scratch/out")" "^::warning file=labs/05-padded/aat\.cu,line=[0-9]+,title=05-padded aat%3A 5 of 10 points::aat: shared_st_bank_conflict is [0-9]+, at most 0 is asked for\. "
grading/github "$scratch/budget" --lab 05 --device sim:h200 --final >"$scratch/out" 2>&1
expect_some 'github: a final grading' "$(cat "$scratch/out")" '^::warning file=labs/05-padded/aat\.cu,title=05-padded aat%3A 5 of 10 points::'
expect_none 'github: tells no counts' "$(grep -E 'is [0-9]+, at most' "$scratch/out")"

# ---- a hand-in that attacks ----

bad=$scratch/bad
labs=$bad/hand-in/labs
mkdir -p "$labs/01-naive" "$bad/hand-in/grading" "$bad/hand-in/build" "$bad/hand-in/solutions/01-naive" "$bad/hand-in/common"
for file in Makefile grading/github grading/class build/lockstep-class common/setup.sh configure; do
    printf '#!/bin/sh\n$(shell touch %s/pwned)\ntouch %s/pwned\n' "$scratch" "$scratch" >"$bad/hand-in/$file" && chmod +x "$bad/hand-in/$file"
done
printf '[course]\nspeed = 1000\n[adjust]\nada = +50 ; mine\n' >"$bad/hand-in/course.ini"
cp "$bad/hand-in/course.ini" "$labs/course.ini"
cp solutions/01-naive/aat.cu "$bad/hand-in/solutions/01-naive/"
ln -s "$kit/solutions/01-naive/copy.cu" "$labs/01-naive/copy.cu"
ln -s "$kit/solutions/01-naive" "$labs/Lab_1"
printf '#error ::error::pwned %%0A::error::pwned\n::error title=mine::pwned </pre><h1>##[error]pwned\n' >"$labs/01-naive/transpose.cu"
newline=$(printf '\n_') newline=${newline%_}
mkdir "$labs/lab1${newline}::error::pwned ##[add-mask]x" && cp labs/01-naive/aat.cu "$labs/lab1${newline}::error::pwned ##[add-mask]x/matmul.cu"
printf 'x' >"$labs/01-naive/a${newline}::error::pwned.cu"
play "$bad"
expect_some 'github: an attack: it is graded' "$?" '^0$'
expect_none 'github: an attack: nothing of it was run' "$(ls "$scratch/pwned" 2>"$scratch/null")"
expect_some 'github: an attack: nor were its links followed, its solutions and course file read' "$(xargs <"$scratch/outputs")" '^score=0 max_score=[0-9]+$'
# What the runner takes for commands: lines that begin with ::, blanks aside, and ##[ anywhere else.
commands() { grep -hE '^[[:space:]]*::|##\[' "$@"; }
expected='^::(error file=labs/01-naive/(transpose|matmul)\.cu,|notice title=Autograding (complete|report)::[{P])'
expect_some 'github: an attack: its message is told' "$(cat "$scratch/out")" '^::error file=labs/01-naive/transpose\.cu,line=1,.*pwned %250A::error::pwned%0A'
expect_none 'github: an attack: what it writes is no command' "$(commands "$scratch/out" "$scratch/err" | grep -vE "$expected")"
expect_none 'github: an attack: nor HTML' "$(grep -F '</pre><h1>' "$scratch/summary")"
expect_some 'github: an attack: one output a line' "$(wc -l <"$scratch/outputs")" '^2$'

for kind in link none; do
    mkdir -p "$scratch/$kind/hand-in"
    [ $kind = none ] || ln -s "$kit/solutions" "$scratch/$kind/hand-in/labs"
    play "$scratch/$kind"
    expect_some "github: labs, $kind: refused" "$? $(cat "$scratch/out")" '^2 ::error::The hand-in has no folder labs/\.$'
done
finish
