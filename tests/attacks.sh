#!/bin/sh
# attacks.sh - submissions that try to break the grading, to see what they should not, or to earn what they should not:
# what each earns and the sentence that it gets, as root and as an ordinary user, and under each kind of sandbox.
#
# A row: the folder of tests/attacks, or what `prepare` makes; the exercise; the most points; a pattern of the report.
# No report may hold an escape character or a line of /etc/passwd; nothing may stay behind in build/; and the exercise
# after the attacked one is graded.

. tests/lib.sh
root=$PWD
lockstep=$root/$BUILD/lockstep
[ "$(id -u)" = 0 ] && user='setpriv --reuid=65534 --regid=65534 --clear-groups' || user=

rows="
link_file                01-naive copy       0 symbolic.link
link_folder              01-naive copy       0 symbolic.link
link_secret              01-naive copy       0 symbolic.link
hard_link                01-naive copy       0 hard.link
pipe                     01-naive copy       0 not.a.regular.file
giant_file               01-naive copy       0 at.most
include_classmate        01-naive copy       0 lockstep.h.and.nothing.else
include_secret           01-naive copy       0 lockstep.h.and.nothing.else
include_endless          01-naive copy       0 lockstep.h.and.nothing.else
probe_secret             01-naive copy       0 there.is.no.kernel\|nothing.else
assemble_secret          03-tiled matmul_cpu 0 passwd\|matches.no
assembler_bomb           03-tiled matmul_cpu 0 memory
constructor_126          03-tiled matmul_cpu 0 ended.its.process
constructor_127          03-tiled matmul_cpu 0 ended.its.process
local_giant              01-naive copy       0 2048.MiB.of.memory,.the.limit
local_touched            01-naive copy       0 copy.fails\|the.limit
endless_when_counted     01-naive copy       0 4.seconds.of.processor.time,.the.limit
escapes_in_a_line        01-naive copy       0 writes.out.1000000
escapes_in_an_assertion  01-naive copy       0 assert
crash_compiler           01-naive copy       0 Stack.dump
template_bomb            01-naive copy       0 was.stopped
honest                   01-naive copy       10 10.of.10
"

# What cannot be kept in a repository.
prepare() {
    cp -R tests/attacks "$scratch/class"
    cd "$scratch/class" || exit 1
    mkdir -p link_file/01-naive link_folder link_secret/01-naive hard_link/01-naive pipe/01-naive giant_file/01-naive
    ln -s "$root/solutions/01-naive/copy.cu" link_file/01-naive/copy.cu
    ln -s "$root/solutions/01-naive" link_folder/01-naive
    ln -s /etc/passwd link_secret/01-naive/copy.cu
    cp honest/01-naive/copy.cu bob.cu && ln bob.cu hard_link/01-naive/copy.cu
    mkfifo pipe/01-naive/copy.cu
    awk 'BEGIN { for (i = 0; i < 300000; i++) printf "/" }' >giant_file/01-naive/copy.cu
    chmod -R a+rX "$scratch"
    cd "$root" || exit 1
}

# Private folders that hold a file of these attacks; other tests have theirs beside them.
left_behind() { grep -ls "$scratch" "$BUILD"/tmp.*/kernel.cu "$BUILD"/tmp.*/learner.c; }
# attack HOW, then a command that goes before lockstep: every row
attack() {
    how=$1
    shift
    while read -r name lab exercise most pattern; do
        [ "$name" ] || continue
        # What takes until a limit ends it is no matter of the sandbox, and tried once.
        case "$how $name" in 'as it is '*) ;; *local_touched | *endless_when_counted | *template_bomb | *local_giant) continue ;; esac
        # shellcheck disable=SC2086 # words
        "$@" "$lockstep" grade --student "$scratch/class/$name" --lab "$lab" --device sim:h200 --limit 4 >"$scratch/report" 2>&1 </dev/null
        status=$?
        wrong=$(
            [ "$status" -eq 0 ] || echo "exit code $status"
            score=$(awk -v lab="$lab" -v ex="$exercise" '$1 == lab && $2 == ex { print $3 }' "$scratch/report")
            [ "$score" ] && awk -v s="$score" -v m="$most" 'BEGIN { exit !(s <= m) }' || echo "it earns $score, not at most $most"
            grep -q "$pattern" "$scratch/report" || echo "nothing says $pattern"
            grep -n "$(printf '\033')" "$scratch/report" && echo 'an escape character'
            grep -n 'root:' "$scratch/report" && echo 'a line of /etc/passwd'
            grep -q '^all ' "$scratch/report" || echo 'no total'
        )
        if [ -z "$wrong" ]; then pass "attack, $how: $name"; else fail "attack, $how: $name" "$wrong
$(cat "$scratch/report")"; fi
    done <<EOF
$rows
EOF
}

prepare
attack 'as it is' env
for level in landlock limits; do LOCKSTEP_SANDBOX=$level attack "$level" env; done
[ "$user" ] && attack 'an ordinary user' $user env HOME=/nonexistent
expect_none 'attack: nothing is left in build/' "$(left_behind)"
finish
