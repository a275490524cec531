#!/bin/sh
# slides_live.sh - live figures count what the C program counts: the script and the WebAssembly of a built page, run by node, beside
# tests/live_expected.c, over every GPU and a grid of settings. Without node or clang's WebAssembly it is skipped, and says so.

. tests/lib.sh
command -v node >/dev/null || { skip slides_live 'there is no node; sh common/setup.sh browser installs it' && finish; }
sh slides/build.sh "$BUILD/lockstep" "$scratch/out" slides/05-padded.md >"$scratch/log" 2>&1 || { fail 'slides_live: a deck can be built' "$(cat "$scratch/log")" && finish; }
[ -f "$scratch/out/live.html" ] || { skip slides_live 'clang has no WebAssembly, or lld is missing; CI=true sh common/setup.sh slides' && finish; }

gcc -std=gnu11 -O2 -Icommon tests/live_expected.c "$BUILD/liblockstep.a" -lm -o "$scratch/expected" || { fail 'slides_live: what is expected' 'it does not compile' && finish; }
"$scratch/expected" >"$scratch/expected.txt"
for page in live 05-padded; do
    node tests/slides_live.mjs "$scratch/out/$page.html" >"$scratch/got.txt" 2>&1
    if cmp -s "$scratch/expected.txt" "$scratch/got.txt"; then
        pass "slides_live: $page.html: $(wc -l <"$scratch/got.txt") settings"
    else
        fail "slides_live: $page.html" "$(diff "$scratch/expected.txt" "$scratch/got.txt" | head -n 5)"
    fi
done
[ "$(wc -l <"$scratch/expected.txt")" -gt 10000 ] || fail 'slides_live: a grid' 'it has few settings'

# Without a linker for WebAssembly, and without reveal.js, decks are built and say so.
mkdir "$scratch/bin"
for tool in sh cat sed awk grep tr basename dirname mktemp mkdir rm mv ls cmark-gfm; do ln -s "$(command -v "$tool")" "$scratch/bin/$tool"; done
said=$(PATH=$scratch/bin ENGINE=$scratch/none sh slides/build.sh "$BUILD/lockstep" "$scratch/plain" slides/05-padded.md 2>&1)
expect_some 'slides: without clang: said' "$said" '^lockstep: no live figures'
expect_some 'slides: without reveal.js: said' "$said" '^lockstep: reveal.js is missing, .* type: npm install --prefix .* reveal.js@[0-9.]+$'
expect_some 'slides: without both: a page' "$(cat "$scratch/plain/05-padded.html")" '<section id="s2">'
expect_none 'slides: without both: no script' "$(grep -n '<script' "$scratch/plain"/*.html)"
expect_some 'slides: without both: notes can be read' "$(cat "$scratch/plain/05-padded.html")" '<aside class="notes"'
finish
