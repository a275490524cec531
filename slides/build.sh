#!/bin/sh
# build.sh LOCKSTEP OUT [DECK.md...] - make the decks into HTML: OUT/NN-idea.html, and OUT/index.html that lists them.
#
#     deck.md ── directives.awk ──> Markdown ── cmark-gfm ──> HTML ── page.awk ──> slides ──> one file with style.css, deck.css, reveal.js
#
# A deck is Markdown; a line '---' starts a new slide. On lines of their own:
#     @include FILE NAME   the function NAME of FILE, or what lies between its lines '// [NAME]' and '// [/NAME]'
#     @figure ARGS         the picture that `lockstep figure ARGS` draws; --lab NN --exercise NAME: of that lab's launch, run here
#     @ladder PROBLEM      the table of the ladder PROBLEM as the deck's lab has it, or the last lab before that has one
#     @live KIND N=V...    a live figure: global, shared, tile, stages or fragment, and what its sliders begin with (live.js)
#     @step                the rest of the slide, up to the next of these, is shown at the next press of a key
#     @notes N             the rest of the slide is for the speaker, who needs N minutes for the slide
# Works in the top level of the project. A page holds all it needs: it can be mailed, and read without a network.
#
# live.html has every kind of live figure. It and they need clang with WebAssembly, and lld: without these a line stands in their place.
# reveal.js, which shows one slide at a time, is npm's; common/setup.sh slides puts it beside OUT. Without it a deck is one long page.

set -eu
lockstep=$1 out=$2
shift 2
here=$(dirname "$0")
[ $# -gt 0 ] || set -- "$here"/[0-9][0-9]-*.md
mkdir -p "$out"
engine=${ENGINE:-$(dirname "$lockstep")/slides-tools/node_modules/reveal.js/dist}
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

if [ -f "$engine/reveal.js" ]; then
    mode=reveal
else
    mode=plain
    printf 'lockstep: reveal.js is missing, so each deck is one long page; type: npm install --prefix %s --ignore-scripts %s\n' \
        "${engine%/node_modules/*}" "$(sed -n 's/^reveal=//p' common/setup.sh)" >&2
fi

# page_head TITLE: the page up to its body. The styles come with it.
page_head() {
    printf '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
    printf '<meta name="viewport" content="width=device-width, initial-scale=1">\n<title>%s</title>\n<style>\n' "$1"
    [ "$2" != reveal ] || cat "$engine/reset.css" "$engine/reveal.css"
    cat "$here/../common/view/style.css" "$here/deck.css"
    printf '</style>\n</head>\n'
}
escape() { printf '%s' "$1" | sed 's/&/\&amp;/g; s/</\&lt;/g; s/>/\&gt;/g'; }
# script FILE: it, as a part of the page. HTML reads "<!--" and "<script" in it as its own; both stand in strings alone.
script() {
    printf '<script>\n'
    sed 's/<!--/<\\!--/g; s/<script/<\\script/g' "$1"
    printf '\n</script>\n'
}
# common/model and live.c as WebAssembly, in OUT's file live.js with the script that draws. Fails where clang or its linker cannot.
build_live() {
    printf 'int strcmp(const char *, const char *);\nvoid *memset(void *, int, __SIZE_TYPE__);\nvoid *memcpy(void *, const void *, __SIZE_TYPE__);\n' >"$tmp/string.h"
    for clang in clang clang-14 clang-15 clang-16 clang-17 clang-18 clang-19; do
        command -v "$clang" >/dev/null && "$clang" --target=wasm32 -Oz -ffreestanding -nostdlib -fvisibility=hidden -std=gnu11 -Icommon -I"$tmp" \
            -Wl,--no-entry,--export-dynamic,--strip-all -o "$tmp/live.wasm" "$here/live.c" \
            common/model/banks.c common/model/banks_old.c common/model/coalesce.c common/model/coalesce_old.c common/model/occupancy.c \
            common/model/pipeline.c common/model/profiles.c common/model/profiles_old.c common/model/profiles_recent.c 2>"$tmp/log" && break
    done
    [ -f "$tmp/live.wasm" ] || return 1
    { printf 'const LIVE_WASM = "' && base64 -w 0 "$tmp/live.wasm" && printf '";\n' && cat "$here/live.js"; } >"$tmp/live.js"
}
deck_body() { # FILE of slides
    if [ "$mode" = reveal ]; then
        printf '<body class="deck">\n<div class="reveal"><div class="slides">\n'
        cat "$1"
        printf '</div></div>\n'
        script "$engine/reveal.js"
        script "$engine/plugin/notes.js"
    else
        printf '<body class="plain">\n<main>\n'
        cat "$1"
        printf '</main>\n'
    fi
    if grep -q '<div class="live"' "$1"; then script "$tmp/live.js"; fi
    [ "$mode" = plain ] || script "$here/deck.js"
    printf '</body>\n</html>\n'
}
# How long the speaker needs for all slides, in minutes.
minutes() { grep -o 'data-minutes="[0-9.]*"' "$1" | tr -dc '0-9.\n' | awk '{ sum += $1 } END { print sum + 0 }'; }

live=0
if build_live; then
    live=1
    rm -f "$out/live.html"
else
    printf 'lockstep: no live figures: clang with WebAssembly and its linker are missing; install the packages clang and lld\n' >&2
fi

list=
for deck; do
    name=$(basename "$deck" .md)
    awk -v lockstep="$lockstep" -v deck="$deck" -v can_live="$live" -f "$here/directives.awk" "$deck" >"$tmp/deck.md"
    cmark-gfm -e table --unsafe "$tmp/deck.md" >"$tmp/deck.html"
    awk -f "$here/page.awk" "$tmp/deck.html" >"$tmp/slides.html"
    title=$(escape "$(sed -n 's/^# //p' "$deck" | sed -n 1p)")
    {
        page_head "$title" "$mode"
        deck_body "$tmp/slides.html"
    } >"$tmp/page.html"
    mv "$tmp/page.html" "$out/$name.html"
    row="<tr><td>${name%%-*}</td><td><a href=\"$name.html\">$title</a></td><td>$(grep -c '^<section ' "$tmp/slides.html")</td><td>$(minutes "$tmp/slides.html") min</td>"
    [ "$mode" = plain ] || row="$row<td><a href=\"$name.html?read\">read</a></td><td><a href=\"$name.html?print-pdf\">print</a></td>"
    list="$list$row</tr>
"
done

{
    page_head 'Lockstep: the slides' plain
    printf '<body class="index">\n<main>\n<h1>Lockstep</h1>\n'
    if [ "$mode" = reveal ]; then
        printf '<p>A deck a lab. <kbd>→</kbd> next step, <kbd>o</kbd> all slides, <kbd>s</kbd> speaker view with notes and a clock, '
        printf '<kbd>f</kbd> full screen, <kbd>?</kbd> all keys. On a touch screen: swipe.</p>\n'
    else
        printf '<p>A deck a lab, each one long page.</p>\n'
    fi
    printf '<table>\n<tr><th scope="col">lab</th><th scope="col">deck</th><th scope="col">slides</th><th scope="col">to give</th>'
    [ "$mode" = plain ] || printf '<th scope="col">alone</th><th scope="col">on paper</th>'
    printf '</tr>\n%s</table>\n' "$list"
    [ "$live" = 0 ] || printf '<p><a href="live.html">Live figures</a>: what a warp costs in sectors, in banks and in a tile, what stages hide, who holds what, with sliders.</p>\n'
    printf '</main>\n</body>\n</html>\n'
} >"$tmp/index.html"
if [ "$live" = 1 ]; then
    {
        page_head 'Lockstep: live figures' plain
        printf '<body class="index">\n<main>\n<h1>Live figures</h1>\n<p>One warp, or one block, counted by the model of the kit. Move a slider, guess, then press Count.</p>\n'
        printf '<h2>Global memory: sectors</h2>\n<div class="live" data-figure="global stride=5"></div>\n'
        printf '<h2>Shared memory: banks, down a column</h2>\n<div class="live" data-figure="shared stride=6"></div>\n'
        printf '<h2>A transpose through a tile: block and padding</h2>\n<div class="live" data-figure="tile block=16x8 pad=1"></div>\n'
        printf '<h2>A block of several stages: copies, products, idle time</h2>\n<div class="live" data-figure="stages stages=1"></div>\n'
        printf '<h2>Tensor cores: which lane holds which element</h2>\n<div class="live" data-figure="fragment lane=0"></div>\n</main>\n'
        script "$tmp/live.js"
        printf '</body>\n</html>\n'
    } >"$tmp/live.html"
    mv "$tmp/live.html" "$out/live.html"
fi
mv "$tmp/index.html" "$out/index.html"
printf '%s\n' "$out/index.html"
