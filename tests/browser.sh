#!/bin/sh
# browser.sh - the pages of a class, of pairs in it and of slides without the slide engine, in Debian's chromium, driven by npm's
# playwright-core: nothing is wider than the window, all is reached by keyboard, nothing is said by colour alone, no request leaves the machine.
# Without a browser it is skipped, and says so. The decks are opened by slides_browser.sh, the stepper's page by step.sh.

. tests/lib.sh
tools=$BUILD/browser
browser=$(command -v chromium || command -v chromium-browser)
for needed in node "${browser:-chromium}"; do
    command -v "$needed" >/dev/null || { skip browser "there is no $needed; sh common/setup.sh browser installs it" && finish; }
done
[ -d "$tools/node_modules/playwright-core" ] || { skip browser 'playwright-core is not there; sh common/setup.sh browser installs it' && finish; }
look() { node tests/browser.mjs "$tools/node_modules/playwright-core" "$browser" "$@" 2>&1; }

submissions=$scratch/submissions
mkdir "$submissions"
mkdir "$submissions/ada" && cp -R solutions/05-padded solutions/01-naive "$submissions/ada/"
cp -R tests/wrong/conflicts "$submissions/=1+1, \"q\" <b>"
cp -R tests/wrong/uncoalesced "$submissions/a-very-long-name-without-a-place-to-break-it-abcdefghijklmnopqrstuvwxyz"
cp -R tests/wrong/syntax "$submissions/Zoë #50%?"
cp -R tests/wrong/predictions "$submissions/bob"
head -c 100 /dev/zero >"$submissions/broken.zip"
"$BUILD/lockstep-class" class "$submissions" --out "$scratch/results" --device sim:tiny --seed 7 >/dev/null 2>&1 </dev/null
(cd "$scratch/results" && ls pages/*.html) >"$scratch/pages"
if [ "$(wc -l <"$scratch/pages")" = 6 ]; then pass 'browser: a page a student'; else fail 'browser: a page a student' "$(cat "$scratch/pages")"; fi
set -- index.html
while read -r page; do set -- "$@" "$page"; done <"$scratch/pages"
for page in similar.html; do [ -f "$scratch/results/$page" ] && set -- "$@" "$page"; done
look "$scratch/results" "$@" || failed=1

# Who worked together: the list, and both sides of a pair of students whose names cannot be file names.
for program in generate disguise; do cc -O1 -o "$scratch/$program" "tests/class/$program.c" || exit 1; done
"$scratch/generate" tests/class labs "$scratch/class" 20 1
copy="$scratch/class/Zoë #50%? <b>" seed=0
for file in "$scratch/class/student-0007"/*/*; do
    seed=$((seed + 1)) name=${file#"$scratch/class/student-0007/"}
    mkdir -p "$copy/${name%/*}"
    "$scratch/disguise" "$seed" <"$file" >"$copy/$name"
done
"$BUILD/lockstep-class" similar "$scratch/class" --out "$scratch/pairs" >/dev/null 2>&1
pair=$(cd "$scratch/pairs" && ls similar/*.html)
if [ "$(printf '%s\n' "$pair" | wc -l)" = 1 ]; then pass 'browser: a page a pair'; else fail 'browser: a page a pair' "$pair"; fi
look "$scratch/pairs" similar.html "$pair" || failed=1

# The list of the decks, and a deck without the slide engine: one long page.
sh slides/build.sh "$BUILD/lockstep" "$scratch/slides" slides/01-naive.md >/dev/null 2>&1
ENGINE=$scratch/none sh slides/build.sh "$BUILD/lockstep" "$scratch/plain" slides/03-tiled.md >/dev/null 2>&1
look "$scratch/slides" index.html || failed=1
look "$scratch/plain" index.html 03-tiled.html || failed=1

# Each test finds a fault that is planted in a page.
cat >"$scratch/bad.html" <<'END'
<html><body><h1>a</h1><h3>b</h3><a href="nowhere.html">c</a><a href="#none" tabindex="2">d</a><p style="width:2000px">wide</p>
<p style="color:#999;background:#aaa">pale</p><table><tr><td class="heat"></td></tr></table><svg></svg><a href="#x" style="outline:none">e</a>
<script>console.log('x')</script><img alt="x" src="http://127.0.0.1:9/x.png"></body></html>
END
look "$scratch" bad.html >"$scratch/found"
for rule in structure links keyboard 'colours alone' 'fits 400' 'contrast, light' silent; do
    expect_some "browser: planted: $rule" "$(cat "$scratch/found")" "^not ok browser: bad.html: $rule"
done
finish
