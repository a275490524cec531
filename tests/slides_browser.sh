#!/bin/sh
# slides_browser.sh - the decks in Debian's chromium, driven by npm's playwright-core: each slide at 1280 x 720 is whole and can be read from
# the last row, in light and in dark; keys, touch, speaker view and paper. Without a browser or reveal.js it is skipped, and says so.

. tests/lib.sh
tools=$BUILD/browser engine=$BUILD/slides-tools/node_modules/reveal.js
browser=$(command -v chromium || command -v chromium-browser)
for needed in node "${browser:-chromium}"; do
    command -v "$needed" >/dev/null || { skip slides_browser "there is no $needed; sh common/setup.sh browser installs it" && finish; }
done
[ -d "$tools/node_modules/playwright-core" ] || { skip slides_browser 'playwright-core is not there; sh common/setup.sh browser installs it' && finish; }
[ -d "$engine" ] || { skip slides_browser 'reveal.js is not there; CI=true sh common/setup.sh slides installs it' && finish; }
look() { node tests/slides_browser.mjs "$tools/node_modules/playwright-core" "$browser" "$@" 2>&1; }

sh slides/build.sh "$BUILD/lockstep" "$scratch/out" >"$scratch/log" 2>&1 || { fail 'the decks can be built' "$(cat "$scratch/log")" && finish; }
set --
for deck in slides/[0-9][0-9]-*.md; do set -- "$@" "$(basename "$deck" .md).html"; done
look "$scratch/out" "$@" || failed=1

# The page of live figures: pictures, counts after a press of Count, and the same by keyboard.
if [ -f "$scratch/out/live.html" ]; then look "$scratch/out" --live live.html || failed=1; else skip live 'clang has no WebAssembly, or lld is missing'; fi

# Each rule finds a fault that is planted in a deck.
{
    printf '# A\n\nfirst\n\n@step\n\nsecond\n\n@notes 1\n\nsay\n\n---\n\n# B\n\n<p style="font-size:17px">small</p>\n\n<p style="color:#777;background:#888">pale</p>\n\n'
    printf '<p style="white-space:nowrap">%s</p>\n\n<p style="margin-top:600px">low</p>\n\n' "$(head -c 300 /dev/zero | tr '\0' w)"
    printf '<svg viewBox="0 0 100 20" width="1000"><text x="90" y="10" font-size="5">outside of it</text></svg>\n\n'
    printf '%s ' word word word word word word word word word word word word word word word word word word word word word word word word \
        word word word word word word word word word word word word word word word word word word word word word word word word word word \
        word word word word word word word word word word word word word word word word word word word word word word word word word word
} >"$scratch/09-bad.md"
sh slides/build.sh "$BUILD/lockstep" "$scratch/bad" "$scratch/09-bad.md" >/dev/null 2>&1
look "$scratch/bad" 09-bad.html >"$scratch/found"
for rule in 'nothing below 18 px' 'nothing cut off' 'contrast, light' 'one idea a slide' 'notes for each slide'; do
    expect_some "slides_browser: planted: $rule" "$(cat "$scratch/found")" "^not ok slides_browser: 09-bad.html: $rule"
done
finish
