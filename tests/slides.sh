#!/bin/sh
# slides.sh - every deck can be built; its pages are whole, hold what their directives ask for, and point nowhere outside.

. tests/lib.sh

# A deck of one directive, tried in a copy of the folders that it may read.
directive() { # LINE, DECK's name
    printf '# Title\n\n%s\n' "$1" >"$scratch/$2"
    awk -v lockstep="$BUILD/lockstep" -v deck="slides/$2" -f slides/directives.awk "$scratch/$2" 2>&1 && echo 'status 0'
}
expect_some 'include: a function' "$(directive '@include solutions/04-shared/matmul.cu matmul' 04-x.md)" '^__global__ void matmul\('
expect_some 'include: a region' "$(directive '@include solutions/05-padded/banks.cu STRIDE' 05-x.md)" '^template <int STRIDE>'
expect_none 'include: the marks of the region stay out' "$(directive '@include solutions/05-padded/banks.cu STRIDE' 05-x.md | grep -F '// [')"
expect_some 'include: a file that is not there' "$(directive '@include solutions/04-shared/none.cu matmul' 04-x.md)" '^slides/04-x\.md:3: no file solutions/04-shared/none\.cu$'
expect_some 'include: a name that is not there' "$(directive '@include solutions/04-shared/matmul.cu none' 04-x.md)" '^slides/04-x\.md:3: no function none in solutions'
expect_some 'figure: drawn by the kit' "$(directive '@figure global --stride 2 --bytes 4' 04-x.md)" '<svg'
expect_some 'figure: what the kit refuses is an error' "$(directive '@figure nothing' 04-x.md)" '^slides/04-x\.md:3: lockstep figure nothing failed'
expect_some 'ladder: the table of the lab' "$(directive '@ladder transpose' 05-x.md)" '^\|.*\|$'
expect_some 'ladder: the table of the last lab before that has one' "$(directive '@ladder aat' 06-x.md)" '^\|.*\|$'
expect_some 'ladder: a problem that has none' "$(directive '@ladder nothing' 06-x.md)" '^slides/06-x\.md:3: no README of lab 06 or before'
expect_some 'measured: a table of the recorded data' "$(directive '@measured matmul-2048' 06-x.md)" '^\| naive \| 01-naive \| [0-9.]+ \|'
expect_some 'measured: what was not measured' "$(directive '@measured matmul-3' 06-x.md)" '^slides/06-x\.md:3: lockstep-hardware measured matmul-3 failed'
expect_some 'figure: of time' "$(directive '@figure tail --blocks 200' 03-x.md)" 'blocks are [0-9]+ waves?, the last'
expect_some 'live: a place for it' "$(directive '@live shared stride=3' 05-x.md)" '^<div class="live" data-figure="shared stride=3"></div>$'
expect_some 'step and notes' "$(directive '@step' 05-x.md)$(directive '@notes 2.5' 05-x.md)" '^<!-- notes 2.5 -->$'
expect_some 'notes: without minutes' "$(directive '@notes soon' 05-x.md)" '^slides/05-x\.md:3: not a directive'
expect_none 'include: what a test expects stays out' "$(directive '@include slides/code/threads.cu twice' 01-x.md | grep -F '//!')"
expect_some 'a word that is no directive' "$(directive '@inculde x y' 06-x.md)" '^slides/06-x\.md:3: not a directive'

# Pictures of time and room are of a lab's own launch: shape, work and waits are not written by hand. A slide may ask what fewer warps or
# more registers would change.
own_numbers() {
    grep -nE '^@figure (hide|barrier|fills|tail)' "$@" |
        grep -vE '@figure [a-z]+ --lab [0-9]+ --exercise [a-z0-9_]+( --(kernel|size|device|warps|registers) [a-z0-9_,:]+)*$'
}
expect_none 'no figure of time has numbers of its own' "$(own_numbers slides/*.md)"
printf '@figure hide --lab 06 --exercise transpose --warps 4%s\n' '' ' --unroll 2' >"$scratch/numbers.md"
expect_some 'planted: a figure with numbers of its own' "$(own_numbers "$scratch/numbers.md" | cut -d: -f1 | xargs)" '^2$'
# What is drawn is what a profile of the same launch reports.
while read -r lab exercise kernel; do
    drawn=$("$BUILD/lockstep" figure fills --lab "$lab" --exercise "$exercise" ${kernel:+--kernel "$kernel"} | sed -n 's/.*: \([0-9]* blocks*\) of [0-9]* threads, .*, limited by \([a-z ]*\)<.*/\1 a multiprocessor, limited by \2/p' | sed -n 1p)
    ran=$(COLUMNS=160 "$BUILD/lockstep" profile --lab "$lab" --exercise "$exercise" ${kernel:+--kernel "$kernel"} --student solutions --device sim:h200 2>&1)
    expect_some "$lab $exercise: its launch as it is drawn" "$(printf '%s\n' "$ran" | grep 'a multiprocessor, limited by')" "${drawn:-nothing drawn}"
done <<END
03 matmul
04 matmul
04 transpose
05 transpose transpose_pad_1
06 shape block_8x8_pad_4
END
figure() { "$BUILD/lockstep" figure "$@" 2>&1; }
expect_some 'figure: warps and waits of a launch' "$(figure hide --lab 03 --exercise matmul)" 'a warp waits for [0-9]+ clocks, works for [0-9]+; the scheduler is busy'
expect_some 'figure: of another size' "$(figure tail --lab 03 --exercise matmul --size 1024,16,1024)" ' 16 blocks are 1 wave'
expect_some 'figure: options say otherwise' "$(figure fills --lab 06 --exercise matmul --registers 40)" '1 block of 1024 threads, .*limited by registers'
expect_some 'figure: a barrier of a launch' "$(figure barrier --lab 04 --exercise matmul)" "a scheduler.s 8 of 32 warps; at the barrier they wait for [0-9]+ clocks"
expect_some 'figure: C for the CPU' "$(figure hide --lab 03 --exercise matmul_cpu)" '^lockstep: 03-tiled matmul_cpu is C for the CPU: it has no launch$'
expect_some 'figure: no such kernel' "$(figure hide --lab 03 --exercise matmul --kernel none)" '^lockstep: matmul has no kernel none$'
# The points of a figure of a ladder are the rows of the ladder's table, whose numbers are of the code that clang 14 makes.
roof=$(figure roofline --lab 06)
sed -n '/<!-- ladder matmul -->/,/<!-- end ladder -->/p' labs/06-unrolled/README.md | awk -F ' *[|] *' '$3 ~ /^[0-9]/ { print $2 ": " $5 }' >"$scratch/rungs"
[ "$(wc -l <"$scratch/rungs")" -gt 3 ] || fail 'figure: a ladder' 'its table has few rows'
case $ran in *'by clang 14'*) ;; *) sed -i 's/: .*/: [0-9]*/' "$scratch/rungs" ;; esac
while read -r rung; do expect_some "figure: a rung, $rung" "$roof" ">$rung<"; done <"$scratch/rungs"
expect_some 'figure: a ladder of one exercise' "$(figure roofline --lab 06 --exercise matmul)" '^lockstep: figure roofline shows the solutions of all labs up to --lab; it takes no --exercise'
expect_some 'figure: a launch of no lab' "$(figure hide --exercise matmul)" '^lockstep: a figure of a launch needs --lab NN --exercise NAME$'

out=$(sh slides/build.sh "$BUILD/lockstep" "$scratch/out" 2>&1) || {
    fail 'the decks can be built' "$out"
    finish
}
pass 'the decks can be built'

# No slide shows what its lab asks for; skeletons and what comes with them may be shown.
expect_none 'no solution on a slide' "$(grep -n '^@include solutions/' slides/*.md)"
# No figure shows what its lab asks to predict.
expect_none 'no figure answers a prediction' "$(grep -nE '^@(figure|live) global.*(--|[ ])(stride[ =](2|8|32)|offset[ =](1|8))( |$)' slides/02-*.md
    grep -nE '^@(figure|live) shared.*(--|[ ])stride[ =](0|1|2|3|4|12|33|34)( --store)?$' slides/05-*.md)"
# Every slide has notes, with minutes; the list has their sum.
expect_none 'notes for each slide' "$(awk 'FNR == 1 { if (want) print last ": a slide without @notes"; want = 1 } { last = FILENAME ":" FNR }
    /^---$/ { if (want) print last ": a slide without @notes"; want = 1 } /^@notes [0-9]/ { want = 0 }' slides/[0-9]*.md)"
for deck in slides/[0-9][0-9]-*.md; do
    sum=$(awk '/^@notes / { sum += $2 } END { print sum }' "$deck")
    expect_some "$deck: $sum minutes" "$(grep "$(basename "$deck" .md).html" "$scratch/out/index.html")" "<td>$sum min</td>"
done

# Elements that are opened and not closed, or closed and not open, in the order of the page.
unbalanced() {
    sed -e '/<style>/,/<\/style>/d' -e '/<script>/,/<\/script>/d' "$1" | grep -oE '<(/?[a-zA-Z][a-zA-Z0-9]*)([^>]*)>' | awk '
        { closing = /^<\//; name = $1; gsub(/[<>\/]/, "", name) }
        /\/>$/ || name ~ /^(meta|br|hr|img|link|input)$/ { next }
        !closing { open[++depth] = name; next }
        depth && open[depth] == name { depth--; next }
        { print "</" name "> closes <" open[depth] ">"; exit }
        END { if (depth && !closing) print "<" open[depth] "> is not closed" }'
}
# What a page would fetch: links, pictures and styles of its own, not text in the engine's script.
outside() {
    sed '/^<script>$/,/^<\/script>$/d' "$1" | grep -nE '(src|href)="[^#"]|url\((["'"'"']?)[^d)"'"'"']|@import'
}
for deck in slides/[0-9][0-9]-*.md; do
    page=$scratch/out/$(basename "$deck" .md).html
    name=$(basename "$page")
    directives=$(grep -c '^@include' "$deck")
    slides=$(awk '/^```/ { fenced = !fenced } !fenced && /^---$/ { n++ } END { print n + 1 }' "$deck")
    expect_none "$name: every element is closed" "$(unbalanced "$page")"
    expect_none "$name: nothing from outside" "$(outside "$page")"
    expect_none "$name: no directive left" "$(grep -nE '^(<p>)?@(include|figure|ladder|measured|live|step|notes)' "$page")"
    if [ "$(grep -c '^<pre class="c">' "$page")" -ge "$directives" ] && [ "$(grep -c '^<section id=' "$page")" = "$slides" ] &&
        [ "$(grep -c '<figure>' "$page")" = "$(grep -c '^@figure' "$deck")" ]; then
        pass "$name: all slides, pieces of code and figures"
    else
        fail "$name: all slides, pieces of code and figures" "a count differs from $deck"
    fi
done
for deck in slides/[0-9][0-9]-*.md; do
    grep -q "href=\"$(basename "$deck" .md).html\"" "$scratch/out/index.html" || fail 'the list names every deck' "$deck is missing"
done
expect_some 'planted: an element that is not closed' "$(printf '<p><b>x</p>' >"$scratch/bad.html" && unbalanced "$scratch/bad.html")" 'closes <b>'
finish
