#!/bin/sh
# profile_browser.sh - lockstep profile --html: the page says what the terminal says, and it is looked at in Debian's chromium, driven by
# npm's playwright-core: from 1280 to 320 pixels nothing is wider than the window, all is reached by keyboard, nothing is said by colour alone.

. tests/lib.sh
lockstep=$BUILD/lockstep
pages=$scratch/pages
mkdir "$pages"
# page NAME ARGUMENT...: the page of a profile in $pages/NAME.html, what the terminal shows in $scratch/NAME.
page() {
    name=$1
    shift
    COLUMNS=160 "$lockstep" profile "$@" --html "$pages/$name.html" >"$scratch/$name" 2>&1 || fail "profile page: $name" "$(tail -n 1 "$scratch/$name")"
}
page change --lab 05 --exercise transpose --student solutions --before solutions/04-shared/transpose.cu
page empty --lab 05 --exercise transpose --device sim:tiny
page many --lab 02 --exercise stride --student solutions --device sim:gtx280
page file tests/profile/prints.cu --kernel quiet --grid 2 --block 64
page rungs --lab 03 --exercise matmul --student solutions --before 01 --device sim:tiny

# ---- the page and the terminal ----

# The text of a page, one word per line.
plain() { sed '/<h[234]>/!s/<summary>.*//; s/<[^>]*>/ /g; s/&lt;/</g; s/&gt;/>/g; s/&quot;/"/g; s/&amp;/\&/g' "$1" | tr -s ' \n' '  '; }
plain "$pages/change.html" >"$scratch/plain"
# missing FILE: the sentences on stdin that the text of the page lacks.
missing() { while IFS= read -r line; do grep -qF -- "$(printf '%s' "$line" | sed 's/^ *//; s/ *$//')" "$scratch/plain" || printf '%s\n' "$line"; done; }
reasons=$(sed -n '/^modelled time .*(/p; s/^  - //p' "$scratch/change")
expect_some 'profile page: a reason' "$reasons" '^L1 and shared memory 0\.0[0-9]* -> 0\.00[0-9]* ms \(-[0-9]*%\): bank conflicts 4063k -> 0, shared wavefronts'
expect_none 'profile page: the reasons of the terminal' "$(printf '%s\n' "$reasons" | missing)"
changes=$(sed -n '/^line by line/,/^$/s/^ \{15\}\([a-z]\)/\1/p' "$scratch/change")
expect_some 'profile page: a change' "$changes" '^bank conflicts 4063k -> 0, shared wavefronts 4194k -> 131\.1k$'
expect_none 'profile page: the changes of the terminal' "$(printf '%s\n' "$changes" | missing)"
numbers=$(sed -n 's/^.*ms on NVIDIA.*$//; /^  [=+] /s/^.*\(0\.[0-9]*\) .*$/\1 ms/p; s/^  .*#.* \(0\.[0-9]* ms\) *\([0-9]*%\).*/\1 \2/p' "$scratch/change")
expect_some 'profile page: a part of the time' "$numbers" '^0\.0[0-9]* ms [0-9]+%$'
expect_none 'profile page: the times of the terminal' "$(printf '%s\n' "$numbers" | missing)"
expect_some 'profile page: says that a body is missing' "$(plain "$pages/empty.html")" 'The kernel stores nothing, so it has no result'
for kernel in $(sed -n 's/^.*: kernel \([a-z_0-9]*\)<<<.*$/\1/p' "$scratch/many"); do
    expect_some "profile page: has $kernel" "$(cat "$pages/many.html")" "<summary><h2>$kernel</h2> "
done
for page in "$pages"/*.html; do
    expect_none "profile page: $(basename "$page"): asks nobody" "$(grep -nE '(src|href)="[^#]|https?:|<script|url\(' "$page" | grep -v 'xmlns="http://www.w3.org/2000/svg"' | cut -c 1-200)"
    expect_none "profile page: $(basename "$page"): no id twice" "$(grep -oE 'id="[^"]*"' "$page" | sort | uniq -d)"
done

# ---- in a browser ----

tools=$BUILD/browser
browser=$(command -v chromium || command -v chromium-browser)
for needed in node "${browser:-chromium}"; do
    command -v "$needed" >/dev/null || { skip profile_browser "there is no $needed; sh common/setup.sh browser installs it" && finish; }
done
[ -d "$tools/node_modules/playwright-core" ] || { skip profile_browser 'playwright-core is not there; sh common/setup.sh browser installs it' && finish; }
node tests/browser.mjs "$tools/node_modules/playwright-core" "$browser" "$pages" change.html empty.html many.html file.html rungs.html 2>&1 || failed=1
node tests/profile.mjs "$tools/node_modules/playwright-core" "$browser" "$pages/change.html" 2>&1 || failed=1
finish
