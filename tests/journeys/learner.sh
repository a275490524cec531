#!/bin/sh
# learner.sh - the evening of a learner, in a fresh clone: the README's commands in their order, files edited in labs/
# itself; then what people do with a folder: pull, move, rename, copy, two at once, a full disk, no network.

. tests/lib.sh

unset BUILD READY DEVICE FRONT STUDENT LAB EX SEED FORMAT OUT MAKEFLAGS MAKELEVEL
export LC_ALL=C.UTF-8
upstream=$scratch/upstream
kit=$scratch/kit

# The project as it is here, as a repository to clone and to pull from.
publish() { # MESSAGE
    git -C "$upstream" add -A
    git -C "$upstream" -c user.name=Author -c user.email=author@example.org commit -qm "$1"
}
copy_project "$upstream"
git -C "$upstream" init -q
publish 'The kit'
git clone -q "$upstream" "$kit"

# typed KIT COMMAND...: what a person types there; both outputs, then the status.
typed() {
    (cd "$1" && shift && "$@" 2>&1 </dev/null)
    echo "status $?"
}
# right KIT, wrong KIT: edit the exercise in place, rightly or wrongly.
edit() { # KIT SCRIPT-OF-SED
    (cd "$1" && sed -E "$2" solutions/01-naive/add.cu >labs/01-naive/add.cu)
}
right() { edit "$1" ''; }
wrong() { edit "$1" 's/blockIdx\.x \* blockDim\.x/blockIdx.x * gridDim.x/'; }
lab() { typed "$1" make lab LAB=01 EX=add WHY=2; }
# works NAME KIT: the answer to a wrong edit has its cause and line, a right one passes, and the solutions earn all points.
works() {
    wrong "$2"
    line=$(grep -n 'gridDim' "$2/labs/01-naive/add.cu" | cut -d: -f1)
    out=$(lab "$2" | tr '\n' ' ' | tr -s ' ')
    expect_some "$1: a wrong edit is told its cause" "$out" 'the cause: .*blockDim'
    expect_some "$1: and its line" "$out" "add\.cu:$line"
    expect_none "$1: and nothing else is blamed" "$(printf '%s\n' "$out" | grep -E 'COVERS\([0-9]+, 1\). does not fit|malformed|AST file')"
    right "$2"
    expect_some "$1: a right edit passes" "$(lab "$2")" '^ *4 of 4 points'
    expect_some "$1: solutions are graded" "$(typed "$2" make grade STUDENT=solutions LAB=01)" '^01-naive +add +4 of 4'
}

# ---- the README, in its order ----
out=$(typed "$kit" make grade)
expect_some 'make grade, first of all' "$out" '^status 0$'
expect_some 'make grade: a fresh clone has no points' "$out" '^all +0 of [0-9]+'
expect_none 'make grade: a lab that nobody touched is one line' "$(printf '%s\n' "$out" | grep '^05-padded' | sed 1d)"
expect_some 'make: the list of targets' "$(typed "$kit" make)" '^make learn '
expect_some 'a skeleton as it was given is no error' "$(lab "$kit")" 'add'
works 'in labs/' "$kit"
expect_some 'the next exercise' "$(typed "$kit" make lab LAB=01 EX=copy)" 'copy'
expect_none 'git sees the edited file alone' "$(git -C "$kit" status --porcelain | grep -v '^ M labs/01-naive/add.cu$')"

# ---- a folder of one's own ----
lab_own() { typed "$kit" make lab LAB=01 EX=add STUDENT="$1"; }
exercises() { (cd "$1" && find . -type f ! -path './.*' ! -name lab.c -name '*.c*' | sort); }
out=$(lab_own my)
expect_some 'a folder of my own is made' "$out" '^my is new: your own folder, with the skeletons of [0-9]+ exercises$'
expect_some 'and holds skeletons, though labs/ was edited' "$out" 'add has written no output yet'
expect_some 'all of them' "$(exercises "$kit/my" | cksum)" "^$(exercises "$kit/labs" | cksum)\$"
expect_none 'as they were given' "$(exercises "$kit/my" | while read -r file; do git -C "$kit" show "HEAD:./labs/$file" | cmp -s - "$kit/my/$file" || echo "$file"; done)"
expect_none 'and nothing else' "$(cd "$kit/my" && find . -type f ! -name '*.cu' ! -name '*.c' ! -name .progress)"
echo '// mine' >>"$kit/my/01-naive/add.cu"
expect_none 'it is made once' "$(lab_own my/ | grep 'is new')"
expect_some 'and not written again' "$(cat "$kit/my/01-naive/add.cu")" '^// mine$'
expect_none 'git leaves it alone' "$(git -C "$kit" status --porcelain | grep -v '^ M labs/01-naive/add.cu$')"
expect_some 'a repository of my own takes it' "$(cd "$kit/my" && git init -q && git add . && git status --porcelain)" '^A  01-naive/add\.cu$'
expect_some 'make grade STUDENT=typo is an error' "$(typed "$kit" make grade LAB=01 STUDENT=typo)" 'typo: there is no such directory.*make learn STUDENT=my makes such a folder'
expect_some 'make profile too' "$(typed "$kit" make profile LAB=01 EX=add STUDENT=typo)" 'typo: there is no such directory'
expect_some 'a path that leads nowhere' "$(lab_own no/where)" 'no/where: there is no such directory'
expect_some 'nor in solutions/' "$(lab_own solutions/mine)" 'solutions/mine: there is no such directory'
expect_some 'nor for a lab that there is not' "$(typed "$kit" make lab LAB=77 STUDENT=typo)" '^status 2$'
expect_none 'nothing was made' "$(cd "$kit" && ls -d typo no solutions/mine 2>/dev/null)"
expect_none 'each room is tracked' "$(cd "$kit" && git ls-tree -d --name-only HEAD | git check-ignore --no-index --stdin)"
printf q >"$scratch/q"
(cd "$kit" && script -qefc 'stty cols 80 rows 24; make learn STUDENT=our' "$scratch/screen" <"$scratch/q" >/dev/null 2>&1)
expect_some 'make learn makes one and says so' "$(tr -d '\r' <"$scratch/screen")" '^our is new: your own folder'
expect_some 'and how to go on' "$(tr -d '\r' <"$scratch/screen")" '^make learn STUDENT=our goes on'
expect_some 'its progress is kept there' "$(cat "$kit/our/.progress")" '^at 01-naive'

# ---- make learn: saves in labs/ ----
# saved NAME PATTERN COMMAND...: after the command, a save, the screen says PATTERN. The limit ends a test that has failed.
saved() {
    name=$1 pattern=$2 from=$(wc -c <"$scratch/screen") tries=0
    shift 2
    "$@"
    until tail -c +$((from + 1)) "$scratch/screen" | tr -d '\r' | tr '\n' ' ' | grep -qE "$pattern"; do
        tries=$((tries + 1))
        [ $tries -le 1200 ] && kill -0 "$terminal" 2>/dev/null || { fail "$name" "$(tail -n 20 "$scratch/screen")" && return; }
        sleep 0.1
    done
    pass "$name"
}
rm -rf "$kit"/labs/.[a-z]*
git -C "$kit" checkout -q labs
mkfifo "$scratch/keys"
: >"$scratch/screen"
(cd "$kit" && exec script -qefc 'stty cols 80 rows 24; make learn' "$scratch/screen" <"$scratch/keys" >/dev/null 2>&1) &
terminal=$!
exec 3>"$scratch/keys"
saved 'make learn' 'Welcome to Lockstep' true
saved 'make learn: a wrong save is told where its cause is' 'the cause: .*look at' wrong "$kit"
saved 'make learn: a right save passes' 'PASSED' right "$kit"
printf q >&3
wait "$terminal"
exec 3>&-
expect_some 'make learn: what is passed is kept' "$(cat "$kit/labs/.progress")" '^01-naive add passed'

# ---- git pull over edits ----
echo '<!-- more -->' >>"$upstream/README.md"
sed -i '1s|^|// Revised.\n|' "$upstream/labs/01-naive/copy.cu"
publish 'Revise'
expect_some 'git pull over edits' "$(typed "$kit" git pull -q)" '^status 0$'
works 'after git pull' "$kit"

# ---- the folder moved, renamed, copied ----
mkdir -p "$scratch/Übung 1 (neu)"
cp -a "$kit" "$scratch/copy"
works 'a copy' "$scratch/copy"
moved="$scratch/Übung 1 (neu)/kit's \"three\""
mv "$scratch/copy" "$moved"
works 'moved to a path of blanks, quotes and umlauts' "$moved"
expect_some 'there, a folder of blanks as STUDENT' "$(typed "$moved" make grade LAB=01 STUDENT="$scratch/Übung 1 (neu)/kit's \"three\"/solutions")" '^01-naive +add +4 of 4'
mv "$kit" "$scratch/renamed"
works 'renamed' "$scratch/renamed"
mv "$scratch/renamed" "$kit"

# A compiler's header that was replaced after it was parsed: cache entries that do not load are made again.
for entry in "$kit"/build/cache/*; do
    if head -c 4000 "$entry" | grep -aq 'header clang'; then sed -i 's|kit/common/cuda/lockstep|kit/common/cuda/lackstep|g' "$entry"; fi
done
works 'with cache entries that are broken' "$kit"

# ---- two clones at once ----
for one in "$kit" "$moved"; do right "$one"; done
lab "$kit" >"$scratch/first" &
lab "$moved" >"$scratch/second"
wait $!
expect_some 'two at once: one' "$(cat "$scratch/first")" '^ *4 of 4 points'
expect_some 'two at once: the other' "$(cat "$scratch/second")" '^ *4 of 4 points'
lab "$kit" >"$scratch/first" &
typed "$kit" make grade LAB=01 >"$scratch/second"
wait $!
expect_some 'two in one clone: lab' "$(cat "$scratch/first")" '^ *4 of 4 points'
expect_some 'two in one clone: grade' "$(cat "$scratch/second")" '^01-naive +add +4 of 4'

# ---- no network ----
alone='unshare -n'
[ "$(id -u)" = 0 ] || alone='unshare -rn'
if $alone true 2>/dev/null; then
    wrong "$kit"
    # shellcheck disable=SC2086 # words
    expect_some 'no network' "$(typed "$kit" $alone make lab LAB=01 EX=add | tr '\n' ' ')" 'the cause: '
else
    skip 'no network' 'unshare -n is not allowed here'
fi

# ---- a build/ that cannot be written, a disk that is full ----
right "$kit"
small=$scratch/small
mkdir "$small"
if mount --bind "$kit/build" "$kit/build" 2>/dev/null && mount -o remount,bind,ro "$kit/build" 2>/dev/null; then
    expect_some 'build/ read-only' "$(lab "$kit")" '^ *4 of 4 points'
    wrong "$kit"
    expect_some 'build/ read-only: the cause' "$(lab "$kit" | tr '\n' ' ')" 'the cause: '
    umount "$kit/build"
    mount -t tmpfs -o size=300m none "$small"
    cp -a "$kit" "$small/kit"
    head -c 300M /dev/zero >"$small/full" 2>/dev/null
    right "$kit"
    cp "$kit/labs/01-naive/add.cu" "$scratch/add.cu"
    rm -rf "$small/kit/build/cache"
    rm -f "$small/kit/labs/01-naive/add.cu" # room for a file of this size, and no more
    cp "$scratch/add.cu" "$small/kit/labs/01-naive/add.cu"
    head -c 300M /dev/zero >>"$small/full" 2>/dev/null
    expect_some 'a full disk' "$(lab "$small/kit")" '^ *4 of 4 points'
    expect_some 'a full disk: no report is told as written' "$(typed "$small/kit" make grade LAB=01 OUT=report.txt)" 'report\.txt: .*No space left'
    umount "$small"
else
    umount "$kit/build" 2>/dev/null
    skip 'a build/ that is read-only, a full disk' 'mount is not allowed here'
fi
finish
