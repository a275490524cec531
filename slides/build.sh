#!/bin/sh
# build.sh LOCKSTEP OUT [DECK.md...] - make the decks into HTML: OUT/NN-idea.html, and OUT/index.html that lists them.
#
#     deck.md ── directives.awk ──> Markdown ── cmark-gfm ──> HTML ── page.awk ──> slides ──> one file with deck.css, deck.js
#
# A deck is Markdown; a line '---' starts a new slide. On lines of their own:
#     @include FILE NAME   the function NAME of FILE, or what lies between its lines '// [NAME]' and '// [/NAME]'
#     @figure ARGS         the picture that `lockstep figure ARGS` draws
#     @ladder PROBLEM      the table of the ladder PROBLEM as the deck's lab has it, or the last lab before that has one
# Works in the top level of the project. A page holds all it needs: it can be mailed, and read without a network.

set -eu
lockstep=$1 out=$2
shift 2
here=$(dirname "$0")
[ $# -gt 0 ] || set -- "$here"/[0-9][0-9]-*.md
mkdir -p "$out"
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

# page_head TITLE: the page up to its body. The styles and the script come with it.
page_head() {
    printf '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
    printf '<meta name="viewport" content="width=device-width, initial-scale=1">\n<title>%s</title>\n<style>\n' "$1"
    cat "$here/deck.css"
    printf '</style>\n</head>\n'
}
escape() { printf '%s' "$1" | sed 's/&/\&amp;/g; s/</\&lt;/g; s/>/\&gt;/g'; }

list=
for deck; do
    name=$(basename "$deck" .md)
    awk -v lockstep="$lockstep" -v deck="$deck" -f "$here/directives.awk" "$deck" >"$tmp/deck.md"
    cmark-gfm -e table --unsafe "$tmp/deck.md" >"$tmp/deck.html"
    title=$(escape "$(sed -n 's/^# //p' "$deck" | sed -n 1p)")
    {
        page_head "$title"
        printf '<body class="deck">\n<main>\n'
        awk -f "$here/page.awk" "$tmp/deck.html"
        printf '</main>\n<script>\n'
        cat "$here/deck.js"
        printf '</script>\n</body>\n</html>\n'
    } >"$tmp/page.html"
    mv "$tmp/page.html" "$out/$name.html"
    list="$list<li><a href=\"$name.html\"><span>${name%%-*}</span> $title</a></li>
"
done

{
    page_head 'Lockstep: the slides'
    printf '<body class="index">\n<main>\n<h1>Lockstep</h1>\n<p>A deck a lab. In a deck: arrow keys turn the slides, <kbd>o</kbd> shows all of them on one page, <kbd>?</kbd> lists the keys.</p>\n'
    printf '<ol>\n%s</ol>\n</main>\n</body>\n</html>\n' "$list"
} >"$tmp/index.html"
mv "$tmp/index.html" "$out/index.html"
printf '%s\n' "$out/index.html"
