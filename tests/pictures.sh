#!/bin/sh
# pictures.sh - the pictures of README.md are what `make figures` would draw now, each for light and for dark paper, and a page's reader
# gets the one that fits.

. tests/lib.sh

# The command that draws a picture; a theme is an option.
draw() { # NAME OPTION
    case "$1" in
    padding) "$BUILD/lockstep" figure padding ${2:+"$2"} ;;
    ladder) "$BUILD/lockstep-hardware" measured chart ${2:+"$2"} ;;
    esac
}
for name in padding ladder; do
    for theme in light dark; do
        option=
        [ $theme = light ] || option=--dark
        file=slides/figures/$name-$theme.svg
        draw $name $option >"$scratch/now.svg" 2>&1
        if cmp -s "$scratch/now.svg" "$file"; then pass "$file"; else fail "$file" 'is not what the kit draws now; type: make figures'; fi
        if command -v xmllint >/dev/null; then
            expect_none "$file is XML" "$(xmllint --noout "$file" 2>&1)"
        else
            skip "$file is XML" 'there is no xmllint; apt-get install libxml2-utils'
        fi
    done
    # Dark differs by colours alone, and leaves no colour for light paper behind.
    shape() { sed -E 's/"(#[0-9a-f]{6})"/""/g' "$1"; }
    shape "slides/figures/$name-light.svg" >"$scratch/light" && shape "slides/figures/$name-dark.svg" >"$scratch/dark"
    expect_none "$name: dark is the same picture" "$(diff "$scratch/light" "$scratch/dark")"
    expect_none "$name: dark has no light paper or ink" "$(grep -oE '#(ffffff|333333|e8f1fa|eeeeee|dddddd)' "slides/figures/$name-dark.svg" | sort -u)"
    expect_some "$name: README shows it in the dark" "$(cat README.md)" "<source media=\"\(prefers-color-scheme: dark\)\" srcset=\"slides/figures/$name-dark.svg\">"
    expect_some "$name: and in the light, with words for who cannot see it" "$(cat README.md)" "<img src=\"slides/figures/$name-light.svg\" .*alt=\"[^\"]{20,}\""
done

# What the pictures say is what the kit counts and what was measured.
says() { sed -nE 's/.*<text[^>]*>([^<]*)<.*/\1/p' "slides/figures/$1-light.svg"; }
expect_some 'padding: before' "$(says padding)" '32 wavefronts, 31 conflicts$'
expect_some 'padding: after' "$(says padding)" '1 wavefront, 0 conflicts$'
expect_none 'ladder: each time is that of the record' "$("$BUILD/lockstep-hardware" measured matmul-2048 | sed -nE 's/^\| \*?([^|*]*)\*? \| [a-z0-9-]* \| ([0-9.]+) \|.*/\1 \2 ms/p' |
    while read -r row; do says ladder | paste -sd '|' | grep -qF "${row% * ms}|" && says ladder | grep -qxF "$(echo "$row" | grep -oE '[0-9.]+ ms$')" || echo "$row"; done)"
expect_some 'figure padding: other rows' "$("$BUILD/lockstep" figure padding --row 16 --pad 2 2>&1)" '2 words of padding a row: the same column of tile\[32\]\[16 \+ 2\]'
expect_some 'figure padding: a wrong number' "$("$BUILD/lockstep" figure padding --pad 0 2>&1)" '^lockstep: --pad takes a whole number from 1 to 1024, not .0.$'
expect_some 'figure padding: a wrong option' "$("$BUILD/lockstep" figure padding --stride 2 2>&1)" '^lockstep: figure padding has no option .--stride.: --row, --pad$'
expect_some 'any figure can be dark' "$("$BUILD/lockstep" figure tail --blocks 200 --dark)" 'class="paper" fill="#0d1117"'
finish
