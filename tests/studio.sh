#!/bin/sh
# studio.sh - the server of the studio: whom it serves and whom it refuses, saves and conflicts, what it starts, and that it
# outlives malformed requests and 200 at once.

. tests/lib.sh
lockstep=$BUILD/lockstep
student=$scratch/my
cc -O1 -o "$scratch/client" tests/studio_client.c || exit 1
server=
trap 'kill $server 2>/dev/null; rm -rf "$scratch"' EXIT

# begin [OPTION...]: start the server; sets port, token, server.
begin() {
    : >"$scratch/address"
    "$lockstep" studio --student "$student" --browser no "$@" >"$scratch/address" 2>"$scratch/said" &
    server=$!
    for _ in $(seq 200); do [ -s "$scratch/address" ] && break; sleep 0.05; done
    port=$(sed -n 's|^http://127.0.0.1:\([0-9]*\)/?token=[0-9a-f]*$|\1|p' "$scratch/address")
    token=$(sed -n 's|^.*token=\([0-9a-f]*\)$|\1|p' "$scratch/address")
}
# ask METHOD PATH [HEADER...]: send a request as a browser does, and print the answer. The body of a POST is stdin. A HEADER replaces the one
# that a browser sends; NAME: without a value leaves that one out.
ask() {
    method=$1 path=$2
    shift 2
    if [ "$method" = POST ]; then cat >"$scratch/body"; else : >"$scratch/body"; fi
    {
        printf '%s %s HTTP/1.1\r\n' "$method" "$path"
        { printf '%s\n' "$@" "Host: 127.0.0.1:$port" "Cookie: lockstep-$port=$token"
            [ "$method" = GET ] || printf '%s\n' "Origin: http://127.0.0.1:$port" "Content-Length: $(wc -c <"$scratch/body")"; } |
            awk -F: 'NF && !seen[$1]++ && !/^[A-Za-z-]*:$/ { printf "%s\r\n", $0 }'
        printf 'Connection: close\r\n\r\n'
        cat "$scratch/body"
    } | "$scratch/client" "$port"
}
status() { sed -n '1s|^HTTP/1.1 \([0-9]*\) .*|\1|p'; }
# answers NAME STATUSES METHOD PATH [HEADER...]: the status of the answer is one of STATUSES.
answers() { name=$1 want=$2 && shift 2 && got=$(ask "$@" </dev/null | status) && if [ -n "$got" ] && expr " $want " : ".* $got " >"$scratch/null"; then pass "studio: $name"; else fail "studio: $name" "$got, not $want"; fi; }

begin
[ "$port" ] || { fail 'studio: starts' "$(cat "$scratch/said")" && finish; }
expect_some 'studio: the folder is made' "$(ls "$student")" '^05-padded$'
expect_some 'studio: one studio a folder' "$("$lockstep" studio --student "$student" --browser no 2>&1)" 'another studio serves this folder'
expect_none 'studio: the token is the learner'\''s alone' "$(find "$student/.studio/token" -perm /077)"

# ---- what the page asks for, in a terminal ----

is_json() { /usr/bin/python3 -c 'import json, sys
for text in sys.stdin.read().splitlines() if sys.argv[1] == "lines" else [sys.stdin.read()]: eval(sys.argv[2], {"o": json.loads(text)}) or print("not so:", text[:200])' "$@" 2>&1 | tail -n 1; }
expect_some 'studio: lockstep labs' "$("$lockstep" labs --student "$student")" '^01-naive +add +copy'
expect_none 'studio: lockstep labs --format json' "$("$lockstep" labs --student "$student" --format json |
    is_json whole 'o["passed"] == 0 and o["labs"][0]["exercises"][0]["file"] == "01-naive/add.cu" and len(o["ladders"]) == 3')"
expect_some 'studio: lockstep hint' "$("$lockstep" hint 01 add --student "$student")" '^Hint 1 of [0-9]+\.$'
expect_some 'studio: lockstep hint, one more' "$("$lockstep" hint 01 add --student "$student")" '^Hint 2 of [0-9]+\.$'
expect_some 'studio: hints are recorded' "$(cat "$student/.progress")" '^01-naive add not_attempted.* hints=2'
expect_some 'studio: lockstep slide' "$("$lockstep" slide 02 matmul)" '^# The product again$'
expect_none 'studio: lockstep slide has no comments of the deck' "$("$lockstep" slide 01 add | grep -F -e '<!--')"
expect_none 'studio: lockstep slide --format json' "$("$lockstep" slide 02 matmul --format json | is_json whole '"sectors" in o["text"]')"
expect_none 'studio: then each figure' "$("$lockstep" slide 05 transpose --format json --figures | sed 1d | is_json lines 'o["figure"] is None or o["figure"].startswith("<svg")')"
expect_some 'studio: as many as the text has' "$("$lockstep" slide 05 banks --format json --figures | grep -c '^{"figure":') $("$lockstep" slide 05 banks | grep -c '^    \[a figure\]$')" '^([1-9][0-9]*) \1$'
expect_some 'studio: lockstep slide has the code of a slide' "$("$lockstep" slide 02 matmul)" '^    __global__ void smooth\('
expect_none 'studio: lockstep ncu --format json' "$("$lockstep" ncu 05 transpose --student solutions --format json |
    is_json whole 'o["file"] == "05-padded-transpose.cu" and "int main()" in o["program"] and "ncu --clock-control none" in o["text"] and "is written" not in o["text"]')"
expect_none 'studio: lockstep devices --format json' "$("$lockstep" devices --format json | is_json whole 'any(d["device"] == "sim:h200" for d in o)')"
expect_none 'studio: lockstep lab --format json' "$("$lockstep" lab 01 copy --student solutions --device sim:tiny --format json |
    is_json lines 'o["status"] == "passed" and o["kernels"][0]["budgets"][0]["met"] and "10 of 10 points" in o["text"]')"
expect_none 'studio: lockstep compare --format json' "$("$lockstep" compare 01 copy --student solutions --devices sim:tiny,sim:t4 --format json |
    is_json whole '[d["device"] for d in o[0]["devices"]] == ["sim:tiny", "sim:t4"] and o[0]["devices"][1]["time_ms"] > 0')"
expect_none 'studio: lockstep step --json' "$("$lockstep" step --lab 01 --exercise copy --student solutions --device sim:tiny --json |
    is_json whole 'len(o["stops"]) > 2 and len(o["stops"][0]["lanes"]) == 32')"
expect_none 'studio: lockstep profile --json --pictures' "$("$lockstep" profile --lab 01 --exercise copy --student solutions --device sim:tiny --json --pictures |
    is_json whole 'abs(sum(l["share"] for l in o["kernels"][0]["lines"]) - 1) < 1e-6 and o["kernels"][0]["pictures"][0]["svg"].startswith("<svg")')"
expect_some 'studio: lockstep profile --html -' "$("$lockstep" profile --lab 01 --exercise copy --student solutions --device sim:tiny --html - | head -n 1)" '^<!DOCTYPE html>$'

cp solutions/02-coalesced/soa.cu "$student/02-coalesced/soa.cu" && "$lockstep" lab 02 soa --student "$student" --device sim:tiny >"$scratch/null"
expect_none 'studio: lockstep labs knows where the learner was last' "$("$lockstep" labs --student "$student" --format json | is_json whole 'o["at"] == ["02-coalesced", "soa"]')"

# ---- who is served ----

answers 'the printed address' 200 GET "/?token=$token" Cookie:
answers 'the printed address from a page elsewhere' 200 GET "/?token=$token" Cookie: 'Sec-Fetch-Site: cross-site'
answers 'the cookie' 200 GET / 'Sec-Fetch-Site: none'
answers 'localhost' 200 GET / "Host: localhost:$port"
answers 'a forwarded port' 200 GET / 'Host: localhost:9999'
answers 'no token' 403 GET / Cookie:
answers 'no token, a file' 403 GET '/file?file=01-naive/add.cu' Cookie:
answers 'no token, a part of the page' 403 GET /main.js Cookie:
answers 'a wrong token' 403 GET '/?token=00000000000000000000000000000000' Cookie:
answers 'a wrong cookie' 403 GET / "Cookie: lockstep-$port=00000000000000000000000000000000"
answers 'a token for another page' 403 GET "/main.js?token=$token" Cookie:
answers 'a rebound name' 421 GET / 'Host: evil.example'
answers 'a rebound name with a port' 421 GET / "Host: evil.example:$port"
answers 'no host' '421 400' GET / Host: # 400 by libmicrohttpd from 1.0 on
answers 'a script from elsewhere' 403 GET /main.js 'Sec-Fetch-Site: cross-site'
answers 'a page of another port' 403 GET /about 'Sec-Fetch-Site: same-site'
answers 'another origin' 403 POST '/run?job=labs' 'Origin: http://evil.example'
answers 'another port as origin' 403 POST '/run?job=labs' 'Origin: http://127.0.0.1:1'
answers 'a null origin' 403 POST '/run?job=labs' 'Origin: null'
answers 'no origin' 403 POST '/run?job=labs' Origin:
answers 'another method' 405 PUT '/save?file=01-naive/add.cu'
answers 'a method to ask what is allowed' 405 OPTIONS '/run?job=labs'

headers=$(ask GET /)
for header in 'Content-Security-Policy: default-src .none.; script-src .self.; style-src .self. .nonce-[0-9a-f]{32}.; ' 'X-Content-Type-Options: nosniff' \
    'Set-Cookie: lockstep-[0-9]*=[0-9a-f]{32}; Path=/; HttpOnly; SameSite=Strict' 'Referrer-Policy: no-referrer' 'Cache-Control: no-store'; do
    expect_some "studio: header ${header%%:*}" "$headers" "^$header"
done

# ---- what is served ----

for path in '..%2f..%2fetc/passwd' '../my/x.cu' '/etc/passwd' '.studio/token' '01-naive/../01-naive/add.cu' '01-naive/.x.cu' '01-naive/add.cu/' \
    '01-naive//add.cu' 'a/b/c.cu' '01-naive/add.h' '%2e%2e/add.cu' '01-naive/add.cu%00.txt.sh' '-x/a.cu' "$(printf '%0200d' 0)/a.cu"; do
    got=$(ask GET "/file?file=$path" | status)
    case "$path" in *%00*) want=200 ;; *) want=400 ;; esac # text ends at its first NUL
    if [ -n "$got" ] && expr " $want " : ".* $got " >"$scratch/null"; then pass "studio: file $path"; else fail "studio: file $path" "$got"; fi
done
answers 'a part that is not there' 404 GET /nothing.js
answers 'a part by another way' 404 GET /../guard.c
answers 'a part of the kit' 404 GET /%2e%2e/%2e%2e/README.md
answers 'a file that is not there' 404 GET '/file?file=01-naive/nothing.cu'
ln -s /etc/passwd "$student/01-naive/linked.cu" && answers 'a link' 404 GET '/file?file=01-naive/linked.cu'
ln -s /etc "$student/linked" && answers 'a linked folder' 404 GET '/file?file=linked/x.cu'
ln "$student/01-naive/add.cu" "$scratch/hard" && answers 'a file with two names' 404 GET '/file?file=01-naive/add.cu' && rm "$scratch/hard"
mkfifo "$student/01-naive/pipe.cu" && answers 'a pipe' 404 GET '/file?file=01-naive/pipe.cu' && rm "$student/01-naive/pipe.cu"

# ---- saves ----

version() { ask GET "/file?file=$1" | sed -n 's/.*"version":"\([0-9a-f]*\)".*/\1/p'; }
save() { printf '%s' "$3" | ask POST "/save?file=$1&base=$2"; }
was=$(version 01-naive/copy.cu)
now=$(save 01-naive/copy.cu "$was" '// one' | sed -n 's/.*"version":"\([0-9a-f]*\)".*/\1/p')
expect_some 'studio: a save' "$(cat "$student/01-naive/copy.cu") $now" '^// one [0-9a-f]{16}$'
expect_some 'studio: the version before is kept' "$(cat "$student"/.studio/history/01-naive.copy.cu.*.orig)" 'copy'
printf '// by an editor beside' >"$student/01-naive/copy.cu"
expect_some 'studio: a conflict shows the other text' "$(save 01-naive/copy.cu "$now" '// two')" '"text":"// by an editor beside"'
expect_some 'studio: a conflict changes nothing' "$(cat "$student/01-naive/copy.cu")" '^// by an editor beside$'
expect_none 'studio: a conflict leaves nothing behind' "$(find "$student/01-naive" -name '.*'; find "$student/.studio" -name saving)"
rm "$student/01-naive/copy.cu"
answers 'a save over a file that is gone' 404 POST "/save?file=01-naive/copy.cu&base=$now"
expect_some 'studio: a new file' "$(save play/mine.cu '' '// mine' | status; cat "$student/play/mine.cu")" '^// mine$'
expect_some 'studio: a new file is not over another' "$(save play/mine.cu '' '// other' | status)" '^409$'
expect_some 'studio: a folder that is not there' "$(save elsewhere/mine.cu '' '// mine' | status)" '^404$'
expect_some 'studio: a folder that is not there, in a sentence' "$(save elsewhere/mine.cu '' '// mine' | tail -n 1)" \
    '^elsewhere/mine\.cu: its folder cannot be opened: No such file or directory$'
[ -e "$student/elsewhere" ] && fail 'studio: makes no other folder' 'elsewhere/ is there'
expect_some 'studio: a save through a link' "$(save 01-naive/linked.cu "$now" x | status)" '^(404|409|500)$'
expect_some 'studio: the linked file' "$(head -n 1 /etc/passwd)" '^root:'
expect_some 'studio: a text that is too long' "$(head -c 1100000 /dev/zero | tr '\0' a | ask POST '/save?file=play/long.cu&base=' | status)" '^413$'
expect_some 'studio: a text that lies about its length' "$(printf 'POST /save?file=play/lie.cu&base= HTTP/1.1\r\nHost: 127.0.0.1\r\nOrigin: http://127.0.0.1\r\nCookie: lockstep-%s=%s\r\nTransfer-Encoding: chunked\r\n\r\n5\r\naaaaa\r\n0\r\n\r\n' "$port" "$token" | "$scratch/client" "$port" | status)" '^411$'
expect_some 'studio: bytes that are no text' "$(printf '\377\376' | ask POST '/save?file=play/bytes.cu&base=' | status)" '^400$'

# ---- what is started ----

answers 'a job' 202 POST '/run?job=labs'
answers 'no such job' 400 POST '/run?job=rm'
answers 'an option as a device' 400 POST '/run?job=lab&file=01-naive/add.cu&device=--help'
answers 'a value with a blank' 400 POST '/run?job=lab&file=01-naive/add.cu&device=a%20b'
answers 'a value that is too long' 400 POST "/run?job=lab&file=01-naive/add.cu&device=$(printf '%0200d' 0)"
answers 'an exercise that is none' 400 POST '/run?job=lab&file=play/mine.cu'
answers 'a file without its line // launch:' 400 POST '/run?job=play&file=play/mine.cu'
save play/evil.cu '' '// launch: --kernel k --svg /tmp/written --grid 1 --block 1' >"$scratch/null"
expect_some 'studio: a launch may write no file' "$(ask POST '/run?job=play&file=play/evil.cu' </dev/null)" 'may not stand in a line // launch:'
# A file of one's own begins from one of these; each is served, named in the page, and can be profiled.
for start in common/studio/starts/*.cu; do
    name=$(basename "$start" .cu)
    expect_some "studio: start $name is named" "$(grep '^const starts' common/studio/page/play.js)" "[ {]$name: '"
    expect_some "studio: start $name is served" "$(ask GET "/$name.cu")" '^// launch: --kernel '
    # shellcheck disable=SC2046 # words
    expect_some "studio: start $name is profiled" "$("$lockstep" profile "$start" --device sim:h200 $(sed -n 's|^// launch:||p' "$start") 2>&1)" "kernel $name<<<"
done
# An answer comes as events, its first part before the whole.
sed 's/i < n/i <= n/' solutions/01-naive/add.cu >"$student/01-naive/add.cu"
printf 'GET /events HTTP/1.1\r\nHost: 127.0.0.1:%s\r\nCookie: lockstep-%s=%s\r\n\r\n' "$port" "$port" "$token" >"$scratch/request"
"$scratch/client" "$port" <"$scratch/request" >"$scratch/events" &
listener=$!
sleep 0.3
ask POST '/run?job=lab&file=01-naive/add.cu&device=sim:tiny' </dev/null >"$scratch/null"
wait "$listener"
expect_some 'studio: what is wrong comes first' "$(grep -n '^data: ' "$scratch/events" | sed -n 1p)" '"out":\{"exercise":"add","kernel":"add","wrong":"'
expect_some 'studio: then the answer, with its cause' "$(grep '^data: ' "$scratch/events" | grep '"status"')" '"cause":\{"told":.*look at this condition'
expect_some 'studio: then the end' "$(grep '^data: ' "$scratch/events")" '^data: \{"job":"lab","file":"01-naive/add.cu","ended":1\}'
expect_some 'studio: the server lives' "$(ask GET /about | tail -n 1)" '"plays":\["play/(mine|evil)\.cu","play/(mine|evil)\.cu"\]\}$'

# ---- malformed requests, and many ----

served=$("$scratch/client" "$port" fuzz 7 "${FUZZ_REQUESTS:-3000}" "lockstep-$port=$token")
expect_some 'studio: malformed requests are refused' "$served" '^4[0-9][0-9]: '
expect_none 'studio: no malformed request breaks the server' "$(printf '%s\n' "$served" | grep -E '^500|no connection')"
sleep 5 # the rate of requests is bounded
printf 'GET /about HTTP/1.1\r\nHost: 127.0.0.1\r\nCookie: lockstep-%s=%s\r\n\r\n' "$port" "$token" >"$scratch/request"
expect_some 'studio: 200 requests at once' "$("$scratch/client" "$port" many 200 <"$scratch/request")" '^200: 200$'
expect_none 'studio: its memory in kB, above 30 MB' "$(awk '/^VmRSS/ && $2 > 30000' "/proc/$server/status")"

# ---- the end ----

kill -9 "$server"
wait "$server" 2>/dev/null
old=$token
begin --port "$port" --host lab.example,other.example
if [ "$token" = "$old" ]; then pass 'studio: a page goes on after a restart'; else fail 'studio: a page goes on after a restart' 'the token is another'; fi
answers 'a name that --host allows' 200 GET / 'Host: lab.example'
answers 'its origin, behind a proxy' 202 POST '/run?job=labs' 'Origin: https://lab.example'
answers 'another origin, behind a proxy' 403 POST '/run?job=labs' 'Origin: https://lab.example.evil'

# ---- killed while it saves ----

# killed NUMBER: a client saves texts 1, 2, ... until the server is killed. Prints what was lost: the file must be whole, be the last text
# that was answered or the one after it, and all before that, up to 40, must be in the history once the server is started again.
killed() {
    "$scratch/client" "$port" saves "play/killed_$1.cu" '' "lockstep-$port=$token" >"$scratch/saved" &
    client=$!
    sleep "0.$(printf '%03d' $(($(od -An -N2 -tu2 /dev/urandom) % 150)))"
    kill -9 "$server"
    wait "$server" "$client" 2>/dev/null
    begin --port "$port"
    at=0 answered=$(cat "$scratch/saved")
    [ ! -e "$student/play/killed_$1.cu" ] || at=$("$scratch/client" 0 whole "$student/play/killed_$1.cu")
    [ "$at" -ge "$answered" ] && [ "$at" -le $((answered + 1)) ] && [ "$answered" -ge 0 ] || echo "$1: the file is text $at, and $answered was answered"
    "$scratch/client" 0 whole "$student"/.studio/history/play.killed_"$1".* "$student"/.studio/history/studio.saving.* >"$scratch/kept"
    for text in $(seq $((at > 40 ? at - 39 : 1)) $((at - 1))); do grep -qx "$text" "$scratch/kept" || echo "$1: text $text of $at is lost"; done
    [ "$token" = "$old" ] || echo "$1: the token is another"
    rm -f "$student"/.studio/history/studio.saving.*
}
for round in $(seq 20); do killed "$round"; done >"$scratch/lost" 2>&1
expect_none 'studio: killed at 20 moments, nothing is lost' "$(cat "$scratch/lost")"
expect_some 'studio: after that its token is whole' "$(ask GET / | status) $(wc -c <"$student/.studio/token")" '^200 32$'
expect_none 'studio: and nothing half-written lies about' "$(find "$student" -name saving)"
kill -TERM "$server"
wait "$server"
expect_some 'studio: ends well' "$?" '^0$'
expect_some 'studio: not in solutions' "$("$lockstep" studio --student solutions --browser no 2>&1)" 'solutions or tests'
finish
