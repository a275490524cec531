#!/bin/sh
# learn.sh - `lockstep learn` through a pseudo-terminal: each key and each save is answered, and the terminal is given back.
#
#     keys ──> fifo ──> script ──> lockstep learn ──> its screen, a file in which text is waited for

. tests/lib.sh

if ! script --version >/dev/null 2>&1; then
    skip 'learn' 'there is no script(1); apt-get install bsdutils'
    finish
fi
labs=$scratch/labs
screen=$scratch/screen
cp -R labs "$labs"
rm -rf "$labs"/.[a-z]*
mkfifo "$scratch/keys"
seen=0

# start ROWS: the program in a terminal of its own; its keys are descriptor 3.
start() {
    : >"$screen"
    seen=0
    script -qefc "unset DISPLAY WAYLAND_DISPLAY; stty rows $1 cols 80; stty -g; $BUILD/lockstep learn --student $labs --device sim:h200; echo status \$?; stty -g" \
        "$screen" <"$scratch/keys" >/dev/null 2>&1 &
    terminal=$!
    exec 3>"$scratch/keys"
}
# Text that is waited for must come after the last key or save.
mark() { seen=$(wc -c <"$screen"); }
key() { mark && printf '%b' "$1" >&3; }
# since: what the screen has got since then, without escape sequences.
since() { tail -c +$((seen + 1)) "$screen" | tr -d '\r' | sed 's/\x1b\[[0-9;]*[A-Za-z]//g'; }
# wait_for NAME PATTERN: until a line of the screen matches; the limit only ends a test that has failed.
wait_for() {
    tries=0
    until since | grep -qE -- "$2"; do
        tries=$((tries + 1))
        if [ $tries -gt 1200 ] || ! kill -0 "$terminal" 2>/dev/null; then
            since | grep -qE -- "$2" && break
            fail "$1" "expected /$2/, the screen has: $(since | tail -n 30)"
            return 1
        fi
        sleep 0.05
    done
    pass "$1"
}
# An editor's way to save: a new file takes the old one's name.
save() { mark && cp "$1" "$2.new" && mv "$2.new" "$2"; }
# remembered NAME PATTERN: a line of the progress file matches.
remembered() { expect_some "$1" "$(cat "$labs/.progress" 2>&1)" "$2"; }
quit() {
    wait "$terminal"
    exec 3>&-
}
# The terminal's modes, as stty prints them before and after.
modes() { tr -d '\r' <"$screen" | grep -E '^[0-9a-f]+(:[0-9a-f]+){10}' | sort -u | wc -l; }

start 24
wait_for 'a welcome' 'Welcome to Lockstep: [0-9]+ exercises'
key '?'
wait_for 'the keys' 'Save the .cu file in your editor'
key h
wait_for 'a hint' 'Hint 1 of'
key h
wait_for 'a second hint' 'Hint 2 of'
key o
wait_for 'no solution before it is passed' 'solution is shown when the exercise is passed'
key a
wait_for 'no answers before the lab is passed' 'answers are shown when all exercises of the lab are passed'
key p
wait_for 'nothing before the first' 'This is the first'
key s
wait_for 'the slides, as text where there is no display' 'slides/01-naive\.md, as text; make slides'
wait_for 'from the slide that the exercise names' '^# [A-Z]'
expect_none 'without the notes' "$(since | grep @notes)"
key t
wait_for 'the stepper' 'step 1 of [0-9]+'
key n
wait_for 'steps' 'step 2 of [0-9]+'
key q
wait_for 'and comes back' '01-naive [a-z]+: .*\[n\] next'
key h
wait_for 'to the keys of learn' 'Hint 3 of'

remembered 'the hints that were shown are remembered' '^01-naive [a-z]+ not_attempted 0/[0-9]+ hints=3$'
key n
wait_for 'to the next exercise' '\(2 of'
key p
wait_for 'and back' '\(1 of'
key h
wait_for 'hints go on where they were' 'Hint 4 of|That was the last hint'
remembered 'the file says what its words mean' '^#   hints=2  +how many hints you have seen$'

name=$(awk '$1 == "at" { print $3 }' "$labs/.progress")
file=$labs/01-naive/$name.cu
mark
echo 'int x' >>"$file"
wait_for 'a save that does not compile' 'cannot be run; the reason:'
wait_for 'and its line' "$name\.cu:[0-9]+"
key r
wait_for 'reset asks' 'start this file again'
key 'y\n'
wait_for 'reset' 'is the skeleton again; yours is '
expect_none 'the file is the skeleton' "$(diff "labs/01-naive/$name.cu" "$file" 2>&1)"
expect_some 'the old one is kept' "$(cat "$labs"/.backups/01-naive/*"$name.cu")" '^int x$'
for wrong in tests/mistakes/*/"01-naive/$name.cu"; do :; done
save "$wrong" "$file"
wait_for 'a wrong result is shown' 'Looking for the cause'
wait_for 'and then where its cause is' 'the cause: .*(look at|something is missing)'
expect_none 'and no more' "$(tr -d '\r' <"$screen" | grep 'every result')"
key w
wait_for 'w says what is wrong there' 'w shows an edit that corrects it'
key w
wait_for 'and then the edit' 'every result is right'
save "solutions/01-naive/$name.cu" "$file"
wait_for 'a save by another file is answered' 'PASSED, n is the next exercise'
wait_for 'passing leads to next' '\[n\] next'
remembered 'a pass is remembered' "^01-naive $name passed [0-9]+/[0-9]+ [0-9-]+T"
key o
wait_for 'the solution, now' "solutions/01-naive/$name\.cu"
key n
wait_for 'next' "01-naive [a-z]+ \(2 of"
key l
wait_for 'the list' "\*$name"
wait_for 'all labs are listed' '^06-unrolled '

# Go on to the exercise that has predictions.
until grep -q '^at 02-coalesced soa$' "$labs/.progress"; do
    before=$(grep '^at ' "$labs/.progress")
    [ "$before" != 'at 06-unrolled shape' ] || break
    key n
    while [ "$(grep '^at ' "$labs/.progress")" = "$before" ] && kill -0 "$terminal" 2>/dev/null; do sleep 0.05; done
done
wait_for 'the exercise of structures' 'g asks 2 questions'
key m
wait_for 'the lines that access memory are offered' '^ +[0-9]+ \| .*points\['
key 'x\n'
wait_for 'no line of the list' 'x: not a number of this list'
key '\033'
wait_for 'Escape leaves the question' '02-coalesced soa: \[h\] hint'
key m
wait_for 'and they are offered again' 'map of which line'
key "$(grep -n 'x = points' "$labs/02-coalesced/soa.cu" | cut -d: -f1)\n"
wait_for 'a line is drawn' 'global load, 8 bytes a lane'
key g
wait_for 'a prediction is asked for' 'aos_sectors, at n = 1048576: how many'
key '\033[A3q'
wait_for 'an arrow and a letter are no way out' '3q'
key '\177\177q'
wait_for 'q on an empty line is' '02-coalesced soa: \[h\] hint'
expect_some 'nothing is written then' "$(cat "$labs/02-coalesced/soa.cu")" 'PREDICT\(aos_sectors, UNKNOWN\)'
key g
wait_for 'it is asked for again' 'aos_sectors, at n = 1048576: how many'
save labs/02-coalesced/soa.cu "$labs/02-coalesced/soa.cu"
wait_for 'a save is answered while a question is open' 'Nothing to judge yet'
key g
wait_for 'and the question is there again' 'aos_sectors, at n = 1048576: how many'
save labs/02-coalesced/stride.cu "$labs/02-coalesced/stride.cu"
wait_for 'a save of another exercise is noticed' 'stride\.cu was saved; press j to go there'
key '32\n'
wait_for 'and the next' 'soa_sectors, at n = 1048576: how many'
key 'eight\n'
wait_for 'no number' 'a whole number is needed'
key '8\n'
wait_for 'the answer to predictions' '(Not passed yet|Nothing to judge yet)'
expect_some 'the guess stands in the file' "$(cat "$labs/02-coalesced/soa.cu")" 'PREDICT\(aos_sectors, 32\)'
key q
quit
remembered 'the first guesses are remembered' '^02-coalesced soa .* aos_sectors=32@[0-9-]+T[0-9:]+ soa_sectors=8@'
remembered 'where the learner was' '^at 02-coalesced soa$'
expect_some 'the end is no error' "$(tr -d '\r' <"$screen")" '^status 0$'
expect_some 'the terminal is as it was' "$(modes)" '^1$'

# Begin again, with the reference's kernels and a wrong guess, which is answered by a drawing of the lanes, then by the number.
sed 's/PREDICT(aos_sectors, [0-9]*)/PREDICT(aos_sectors, 32)/' solutions/02-coalesced/soa.cu >"$scratch/wrong.cu"
start 24
wait_for 'welcome back' 'Welcome back'
wait_for 'where one was' '02-coalesced soa'
save "$scratch/wrong.cu" "$labs/02-coalesced/soa.cu"
wait_for 'a wrong guess is drawn, and a kernel within its budgets passes' 'PASSED, n is the next exercise: 8 of 10 points$'
expect_some 'the lanes come before the number' "$(tr -d '\r' <"$screen" | grep -E 'lanes 24-31|the reference counted 24$' | head -n 1)" 'lanes 24-31'
key c
wait_for 'c shows everything, and what does not fit is told' '[0-9]+ more lines?: press space'
key ' '
wait_for 'and shown' 'norm_soa: correct|of 10 points'
key g
wait_for 'the wrong guess is asked for, and no other' '1 that has a number is not asked again'
key n
wait_for 'n leaves' 'soa: passed   \[n\] next'
sed 's/threadIdx.x;/threadIdx.x % 16 * 16 + threadIdx.x \/ 16;/' solutions/02-coalesced/soa.cu >"$scratch/strided.cu"
save "$scratch/strided.cu" "$labs/02-coalesced/soa.cu"
wait_for 'the points of a missed budget stand in the first line' 'Not passed yet: [0-9.]+ of 10 points$'
save solutions/02-coalesced/soa.cu "$labs/02-coalesced/soa.cu"
wait_for 'a second guess passes' 'PASSED, n is the next exercise: 10 of 10 points$'
save labs/03-tiled/matmul.cu "$labs/03-tiled/matmul.cu"
wait_for 'a save in another lab is noticed' '03-tiled/matmul\.cu was saved; press j to go there'
key j
wait_for 'j goes there' '^03-tiled matmul'
wait_for 'and answers' 'Nothing to judge yet'
key j
wait_for 'nothing else was saved' 'No other exercise was saved'
kill -TERM "$(pgrep -P "$(pgrep -P "$terminal" | head -n 1)" -f 'lockstep learn' | head -n 1)" 2>/dev/null || key q
quit
expect_some 'a signal ends it in order' "$(tr -d '\r' <"$screen")" '^status 0$'
expect_some 'the terminal is as it was after a signal' "$(modes)" '^1$'

# A given kernel at fault: key g asks for predictions, nothing else shows the fault, and right predictions show all that was found.
cp "$labs/.progress" "$scratch/kept"
sed -i 's/^at .*/at 01-naive detective_1/' "$labs/.progress"
start 24
wait_for 'a kernel at fault' 'g asks 4 questions'
key m
wait_for 'no line of it is offered' 'is shown once every prediction is right'
key t
wait_for 'nor a step' 'is shown once every prediction is right'
key g
wait_for 'the line is asked for' 'fault_line, at rows = 40, cols = 100: the line of the file'
key '26\n'
wait_for 'the block' 'fault_block_y, at'
key '2\n'
wait_for 'the thread' 'fault_thread_y, at'
key '8\n'
wait_for 'the index' 'fault_index, at'
key '4000\n'
wait_for 'a wrong line is no more than wrong' 'prediction fault_line: 26, WRONG$'
wait_for 'what was found is not told' 'at fault; how is told once every prediction is right'
expect_none 'nor its line' "$(since | grep -E 'reads in.4000.|line 25')"
key g
wait_for 'only the wrong one is asked for again' '3 that have a number are not asked again'
key '25\n'
wait_for 'the right one is answered' 'PASSED, n is the next exercise'
wait_for 'by what was found' 'line 25: block \(0,2\) thread \(0,8\) reads in\[4000\]'
key q
quit
cp "$scratch/kept" "$labs/.progress"

# The first guess counts: in a final grading, and the lab says so.
grade() { "$BUILD/lockstep" grade --lab 02 --student "$labs" --device sim:h200 "$@" 2>&1; }
expect_some 'the lab tells which guess counts' "$("$BUILD/lockstep" lab 02 soa --student "$labs" --device sim:h200 2>&1)" 'first guess of aos_sectors: 32, .*; grade --final counts that one'
expect_some 'the second guess, while learning' "$(grade)" '^02-coalesced soa +10 of 10'
expect_some 'the first guess, in the end' "$(grade --final)" '^02-coalesced soa +8 of 10'

# A class: a student who hands in the progress file is graded by its first guesses, another by the numbers in the exercise.
mkdir -p "$scratch/class/ada/02-coalesced" "$scratch/class/bob/02-coalesced"
cp "$labs/.progress" "$scratch/class/ada/"
for student in ada bob; do cp solutions/02-coalesced/soa.cu "$scratch/class/$student/02-coalesced/"; done
"$BUILD/lockstep-class" class "$scratch/class" --out "$scratch/results" --lab 02 --device sim:h200 --final >/dev/null 2>&1 </dev/null
expect_some 'a class: the first guess, handed in' "$(cat "$scratch/results/gradebook.csv" 2>&1)" '^ada,8,61,'
expect_some 'a class: no progress file' "$(cat "$scratch/results/gradebook.csv" 2>&1)" '^bob,10,61,'

# The last screen, with a progress file written by hand.
for file in labs/*/*.c*; do
    case "$file" in */lab.c) ;; *) echo "$file" | sed -E 's|labs/(.*)/(.*)[.]cu?|\1 \2 passed|' ;; esac
done | sed 's/^01-naive matmul.*/& matmul=0.5ms@sim:h200/; s/^02-coalesced matmul.*/& matmul=0.25ms@sim:h200/' >"$labs/.progress"
start 24
wait_for 'all are passed' 'Welcome back\. ([0-9]+) of \1 exercises are passed'
key e
wait_for 'the last screen' 'This is your own ladder'
wait_for 'its rungs' '^  coalesced +0\.250 ms #+ +2\.0x'
key a
wait_for 'answers, now' '^# 01-naive: answers to the questions'
expect_none 'without what make tables reads in them' "$(since | grep figures:)"
key q
quit

# A progress file that was edited by hand.
printf '\n# mine\n  02-coalesced   soa passed\n' >"$labs/.progress"
expect_some 'a short line will do' "$(grade --final)" '^02-coalesced soa +10 of 10'
"$BUILD/lockstep" lab 02 soa --student "$labs" --device sim:h200 >/dev/null 2>&1
remembered 'comments stay' '^# mine$'
# A time is kept if it is the best, and the screen says if it is better than before.
copy_at() { # MS: what the progress file says, then a run of the solution
    printf '01-naive copy passed 8/8 copy=%sms@sim:h200\n' "$1" >"$labs/.progress"
    cp solutions/01-naive/copy.cu "$labs/01-naive/copy.cu"
    "$BUILD/lockstep" lab 01 copy --student "$labs" --device sim:h200 2>&1
}
expect_some 'the best run so far is told' "$(copy_at 0.5)" '^  copy: your best so far, 0\.0[0-9]+ ms; before 0\.5'
remembered 'and kept' '^01-naive copy passed .*copy=0\.0[0-9]+ms@sim:h200'
expect_none 'a run that is no better is not' "$(copy_at 0.001 | grep 'best so far')"
remembered 'and the best stays' '^01-naive copy passed .*copy=0\.001ms@sim:h200'
broken() { # LINE, the error
    printf '# mine\n%s\n' "$1" >"$labs/.progress"
    expect_some "progress: $1" "$(grade --final)" "/labs/\.progress:2: $2"
}
broken '02-coalesced sao passed' 'sao: a line begins with a lab and an exercise'
broken '02-coalesced soa done' 'done: the status is passed, failed, not_attempted or error'
broken '02-coalesced soa failed 5/10 aos=3@2026-01-01' 'aos=3@2026-01-01: the exercise asks for no prediction of this name'
broken '02-coalesced soa failed 5/10 hints=some' 'hints=some: a number'
broken '02-coalesced soa failed five' 'five: neither points'
# A learner can go on: the wrong line is reported and kept.
told=$("$BUILD/lockstep" lab 02 soa --student "$labs" --device sim:h200 2>&1)
expect_some 'a line that cannot be read is told' "$told" '/labs/\.progress:2: five: neither points'
remembered 'and kept' '^02-coalesced soa failed five$'
remembered 'and the run is noted' '^02-coalesced soa passed '
printf 'q' >"$scratch/q"
script -qefc "$BUILD/lockstep learn --student $labs --device sim:h200" "$screen" <"$scratch/q" >/dev/null 2>&1
expect_some 'make learn begins and tells it' "$(tr -d '\r' <"$screen")" '/labs/\.progress:2: five: neither points'
remembered 'it is kept there, too' '^02-coalesced soa failed five$'
expect_some 'learn needs a terminal' "$("$BUILD/lockstep" learn --student "$labs" </dev/null 2>&1)" 'learn needs a terminal'
expect_some 'solutions are nobody'"'"'s progress' "$("$BUILD/lockstep" learn --student solutions </dev/null 2>&1)" 'solutions: lies in the kit'
# Learning in a copy that lies inside the kit, in build/.
copy=$(mktemp -d "$BUILD/copy.XXXXXX") && trap 'rm -rf "$scratch" "$copy"' EXIT
mkdir "$copy/02-coalesced" && cp solutions/02-coalesced/soa.cu "$copy/02-coalesced/"
"$BUILD/lockstep" lab 02 soa --student "$copy" --device sim:h200 >/dev/null 2>&1
expect_some 'a copy inside the kit keeps its progress' "$(cat "$copy/.progress" 2>&1)" '^02-coalesced soa passed'
finish
