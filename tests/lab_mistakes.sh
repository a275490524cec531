#!/bin/sh
# lab_mistakes.sh - wrong answers where learners write them: each file of tests/lab-mistakes takes the place of the one in labs/ of a copy
# of the project, and the answer of `lockstep lab` is read as expect.txt says, with the edit that corrects the file and without. SEED=N: with another seed than 7. NAME=name: that one alone.

. tests/lib.sh
# Of a compiler in bubblewrap only the wall-clock time is known, which other tests make longer.
export LOCKSTEP_SANDBOX=landlock
kit=$scratch/kit
copy_project "$kit"
mkdir -p "$kit/build" && cp "$BUILD/lockstep" "$kit/build/" || exit 1
cases=$PWD/tests/lab-mistakes all=0 strict=0 lenient=0 told=0 short=

# holds TEXT PATTERNS: all of them, with && between; - is none.
holds() {
    [ "$2" = - ] && return 0
    printf '%s\n' "$2" | sed 's/ && /\n/g' | while read -r pattern; do
        printf '%s\n' "$1" | grep -qiE -- "$pattern" || exit 1
    done
}
# states TEXT PATTERNS: any of them.
states() {
    [ "$2" = - ] && return 1
    printf '%s\n' "$2" | sed 's/ && /\n/g' >"$scratch/patterns"
    printf '%s\n' "$1" | grep -qiE -f "$scratch/patterns"
}
# lines: those that an answer names, as FILE:12, line 12, lines 12 and 14, or 12 | text; a blank before and behind each.
lines() {
    { grep -oE '\.cuh?:[0-9]+|^ *[0-9]+ \| ' "$1"; tr '\n' ' ' <"$1" | sed 's/  */ /g' |
        grep -oE '\blines? [0-9]+(( |, |,? and |,? or | to )+[0-9]+)*'; } | grep -oE '[0-9]+' | tr '\n' ' ' | sed 's/^/ /'
}
# names_lines ANSWER GROUPS: one of each group, such as 22,23&25.
names_lines() {
    [ "$2" = any ] && return 0
    named=$(lines "$1")
    for group in $(printf '%s' "$2" | tr -d ' ' | tr '&' ' '); do
        found=
        for line in $(printf '%s' "$group" | tr ',' ' '); do
            case "$named" in *" $line "*) found=1 ;; esac
        done
        [ "$found" ] || return 1
    done
}

# answer N: the answer to the file, with N further steps of why it is wrong.
answer() {
    (cd "$kit" && COLUMNS=80 build/lockstep lab "$lab" "${exercise#* }" --seed "${SEED:-7}" --why "$1" </dev/null) >"$scratch/answer" 2>&1
    text=$(tr '\n' ' ' <"$scratch/answer" | sed 's/  */ /g')
}
# whole: does the answer say the cause, more of it, and the line?
whole() { holds "$text" "$(trim "$cause")" && holds "$text" "$(trim "$more")" && names_lines "$scratch/answer" "$(trim "$where")"; }

while IFS='|' read -r name exercise cause more where never; do
    case "$name" in '#'* | '') continue ;; esac
    name=$(echo "$name" | tr -d ' ') exercise=${exercise# } exercise=${exercise% }
    [ "${NAME:-$name}" = "$name" ] || continue
    lab=${exercise% *} own=$(echo "$cases/$name"/*/*)
    folder=labs/$(basename "$(dirname "$own")") file=$(basename "$own")
    cp -R "$kit/$folder" "$scratch/before"
    rm -f "$kit/$folder/${exercise#* }.cu" && cp "$own" "$kit/$folder/$file"
    answer 2
    trim() { printf '%s' "$1" | sed 's/^ *//; s/ *$//; s/¦/|/g'; }
    all=$((all + 1))
    if states "$text" "$(trim "$never")"; then
        fail "lab mistakes: $name" "says what is false: $(cat "$scratch/answer")"
    elif holds "$text" "$(trim "$cause")"; then
        lenient=$((lenient + 1))
        if whole; then
            strict=$((strict + 1))
            answer 1
            whole && told=$((told + 1))
        else
            short="$short $name"
        fi
    else
        short="$short $name"
    fi
    rm -rf "${kit:?}/$folder" && mv "$scratch/before" "$kit/$folder"
done <"$cases/expect.txt"

# At least 36 of 43 answers must have cause and line, 40 the cause; 32 before the edit is shown.
if [ $((strict * 43)) -ge $((all * 36)) ] && [ $((lenient * 43)) -ge $((all * 40)) ]; then pass "lab mistakes: $strict of $all with their line"
else fail 'lab mistakes' "$strict of $all with cause and line, $lenient with the cause; short:$short"; fi
if [ $((told * 43)) -ge $((all * 32)) ]; then pass "lab mistakes: $told of $all before the edit is shown"
else fail 'lab mistakes: before the edit is shown' "$told of $all"; fi
finish
