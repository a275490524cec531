#!/bin/sh
# attacks.sh - submissions that try to break the grading, to see what they should not, or to earn what they should not: what each earns and
# the sentence that it gets, as root and as an ordinary user, and under each kind of sandbox.
#
# tests/attacks: kernels.txt and host.txt hold a file a section, archives.sh makes folders and archives. All of a kind are graded as one
# class by a copy of the kit with an empty cache. No report may hold an escape character, a line of /etc/passwd or of another's
# file; every submission gets its report; an honest one among them earns all; and nothing stays behind.

. tests/lib.sh
root=$PWD
lockstep=$root/$BUILD/lockstep
kit=$scratch/kit
mkdir -p "$kit/build" && cp -R common labs solutions "$kit/" && cp "$lockstep" "$lockstep-class" "$kit/build/" || exit 1
cc -o "$scratch/json" tests/json.c -ljansson || exit 1
[ "$(id -u)" = 0 ] && user='setpriv --reuid=65534 --regid=65534 --clear-groups' || user=
. tests/attacks/archives.sh

# prepare CLASS SOURCE FILE: write the quick sections of SOURCE into CLASS, the slow ones into CLASS-once, and into CLASS.rows and
# CLASS-once.rows a row each: name, most points, pattern.
prepare() {
    mkdir -p "$1" "$1-once"
    echo 4711 >"$1.number"
    awk -v class="$1" -v kit="$kit" -v file="$3" -v rows="$1.all" -f tests/attacks/expand.awk "$2" || exit 1
    awk -v slow="$1.once-names" '$1 == "slow" { n = split($2, part, "/"); print part[n - 2] >slow; next } { print }' "$1.all" >"$1.each"
    while read -r name; do mv "$1/$name" "$1-once/"; done <"$1.once-names"
    awk -v slow="$1.once-names" 'BEGIN { while ((getline name <slow) > 0) late[name] = 1 } !($1 in late)' "$1.each" >"$1.rows"
    awk -v slow="$1.once-names" 'BEGIN { while ((getline name <slow) > 0) late[name] = 1 } $1 in late' "$1.each" >"$1-once.rows"
}

# complaints FILE MOST PATTERN: what is wrong with a report, which may give at most MOST points, and must match PATTERN.
complaints() {
    [ -s "$1" ] || { echo "no report" && return; }
    score=$("$scratch/json" score <"$1")
    awk -v s="$score" -v m="$2" 'BEGIN { exit !(s <= m) }' || echo "it earns $score, not at most $2"
    grep -qE -- "$3" "$1" || echo "nothing says $3"
}

# attack HOW CLASS LAB COMMAND...: grade a class, with a command before lockstep-class, and look at each row of CLASS.rows
attack() {
    how=$1 class=$2 lab=$3
    shift 3
    results=$scratch/results
    rm -rf "$results" "$kit/build/cache" && mkdir -m 777 "$results"
    "$@" "$kit/build/lockstep-class" class "$class" --out "$results" --lab "$lab" --device sim:h200 --limit 4 --jobs 2 >"$scratch/out" 2>"$scratch/err" </dev/null
    status=$?
    case $how in archives) expected=1 ;; *) expected=0 ;; esac # 1: some archives cannot be read as a whole
    if [ $status -eq $expected ]; then pass "attack, $how, lab $lab: the class is graded"; else fail "attack, $how, lab $lab: the class is graded" "exit code $status: $(cat "$scratch/err")"; fi
    said=$(grep -c 'limits alone hold compilers' "$scratch/err")
    case $how$said in limits1 | [!l]*0 | landlock0) pass "attack, $how, lab $lab: a weak sandbox is told" ;; *) fail "attack, $how, lab $lab: a weak sandbox is told" "$said lines" ;; esac
    while read -r name most pattern; do
        wrong=$(complaints "$results/$name.json" "$most" "$pattern")
        if [ -z "$wrong" ]; then pass "attack, $how: $name"; else fail "attack, $how: $name" "$wrong
$("$scratch/json" exercises.0.message left_out <"$results/$name.json" | cut -c1-600)"; fi
    done <"$class.rows"
    expect_none "attack, $how, lab $lab: no escape character" "$(grep -rlaE "$(printf '\033|\342\200\256')" "$results" --exclude-dir='.*' --exclude='*.zip')"
    expect_none "attack, $how, lab $lab: no line of a secret" "$(grep -rlE 'root:[x*]:|secret-of-a-classmate' "$results" --exclude-dir='.*')"
    expect_none "attack, $how, lab $lab: nothing was touched" "$(ls -d "$class/touched" "$class/link" 2>/dev/null)"
    expect_none "attack, $how, lab $lab: nothing is left in build/" "$(ls -d "$kit"/build/tmp.* 2>/dev/null)"
    expect_none "attack, $how, lab $lab: no process is left" "$(pgrep -f "$kit/build/tmp")"
}

kernels=$scratch/kernels hosts=$scratch/hosts archives=$scratch/archives
prepare "$kernels" tests/attacks/kernels.txt 01-naive/copy.cu
prepare "$hosts" tests/attacks/host.txt 03-tiled/matmul_cpu.c
cp -R "$kernels/honest" "$scratch/an-honest-one" && mkdir "$archives" && cp -R "$scratch/an-honest-one" "$archives/honest"
{ echo 'honest 10 .' && deliver_links "$archives" && deliver_names "$archives" && deliver_archives "$archives"; } >"$archives.rows" || exit 1
chmod -R a+rX "$scratch" 2>/dev/null

# In a folder that sandboxed compilers can read, no class is graded: students could read each other's files.
refused() { if [ "$2" = "2 1" ]; then pass "attack: $1"; else fail "attack: $1" "exit code and lines: $2"; fi; }
refused 'a class in /usr is refused' "$("$lockstep-class" class /usr/share --out "$scratch/never" 2>"$scratch/err"; echo $? "$(grep -c 'move it elsewhere' "$scratch/err")")"
refused 'results in /usr are refused' "$("$lockstep-class" class "$kernels" --out /usr/share 2>"$scratch/err"; echo $? "$(grep -c 'move it elsewhere' "$scratch/err")")"
refused 'a submission in /usr is refused' "$("$lockstep" grade --student /usr/share 2>"$scratch/err"; echo $? "$(grep -c 'move it elsewhere' "$scratch/err")")"

# Attacks that run until a limit ends them, and archives, which are read before a sandbox is set up, do not depend on the sandbox. They are
# tried once.
attack 'as it is' "$kernels" 01 env
attack 'as it is' "$hosts" 03 env
attack 'once' "$kernels-once" 01 env
attack 'once' "$hosts-once" 03 env
attack 'archives' "$archives" 01 env
for level in landlock limits; do
    attack "$level" "$kernels" 01 env LOCKSTEP_SANDBOX=$level
    attack "$level" "$hosts" 03 env LOCKSTEP_SANDBOX=$level
done
if [ "$user" ]; then
    chmod 777 "$kit/build"
    attack 'an ordinary user' "$kernels" 01 $user env HOME=/nonexistent
    attack 'an ordinary user' "$hosts" 03 $user env HOME=/nonexistent
fi
finish
