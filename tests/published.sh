#!/bin/sh
# published.sh - the tables of the documents, as a reader asks for them.

. tests/lib.sh

show() { "$BUILD/lockstep-hardware" published "$@" >"$scratch/out" 2>&1; }
rows() { awk "/^$1 *[0-9]/ { print \$NF }" "$scratch/out"; } # the ratios of the rows with this name

show 000
expect_some '000: its table for a GTX 280, with our figures and the ratio' "$(cat "$scratch/out")" '^shared, conflicts +24\.9 +[0-9.]+ +(0\.[789]|1\.[0-2])'
expect_some '000: four tables, in the order of the document' "$(grep -c '^The order is the document' "$scratch/out")" '^4$'
show 成
expect_some 'no such document: the documents there are' "$(cat "$scratch/out")" 'there is no document 成; there are: 000 \(.*004 \('
show '实践指南'
expect_some 'a document by a word of its title' "$(cat "$scratch/out")" '^padded +39\.2 '
show 003
expect_some '003: which clock took each time' "$(cat "$scratch/out")" '^copy row \(CPU timer\) +1\.44 '
expect_some '003: conflicts of 16 passes, as printed there' "$(cat "$scratch/out")" '^shared \(CPU timer\).* 16\.0 / 16\.0 '
expect_some '003: what padding brings, and why not here' "$(tr '\n' ' ' <"$scratch/out")" 'padded by 1 over shared +1\.20x +1\.00x +in the model'

show 'tiles, RTX 3080'
expect_some 'a card by words of a title' "$(cat "$scratch/out")" '^tiles of 16 +76\.8 +[0-9.]+ +(0\.[789]|1\.[0-2])'
expect_some 'what is far off is counted and named' "$(tr '\n' ' ' <"$scratch/out" | tr -s ' ')" \
    '3 of 4 figures are within 30% of the published ones, all of 0 tables; 1 of 1 tables are in order\. Further off: 0\.[56][0-9] Widths of tiles, RTX 3080: tiles of 4 '

# labs/README.md leads from the documents to exercises, kernels and slides that exist.
index=labs/README.md
grep -o 'make [a-z]* LAB=[0-9]* EX=[a-z_]*' $index | sort -u | while read -r make target lab exercise; do
    set -- labs/"${lab#LAB=}"-*/"${exercise#EX=}".c*
    [ -f "$1" ] || echo "$make $target $lab $exercise"
done >"$scratch/missing"
expect_none 'index: exercises of its commands' "$(cat "$scratch/missing")"
sed -n 's/^| .*| \([^|]*\) |$/\1/p' $index | grep -o '[0-9][0-9] \("[^"]*"[, ]*\)*' | sed 's/ "/\n"/g' |
    awk '/^[0-9]/ { deck = $1; next } { gsub(/^"|"[, ]*$/, ""); print deck, $0 }' | sort -u | while read -r deck title; do
    grep -qxF "# $title" slides/"$deck"-*.md || echo "$deck: $title"
done >"$scratch/missing"
expect_none 'index: slides by their titles' "$(cat "$scratch/missing")"
grep -o 'published/[a-z]*\.cu `[a-z_0-9]*`' $index | tr -d '`' | sort -u | while read -r file kernel; do
    # guide.cu makes NAME_16 and NAME_32 of NAME
    grep -qw "${kernel%_[136][26]}" "solutions/$file" || grep -qw "$kernel" "solutions/$file" || echo "$file $kernel"
done >"$scratch/missing"
expect_none 'index: kernels of the documents' "$(cat "$scratch/missing")"
docs=$(sed -n 's/.*{"doc": "\([0-9]*\)", "title".*/\1/p' solutions/published/published.json)
for doc in ${docs:-none}; do
    grep -q "^## $doc" $index || echo "$doc"
done >"$scratch/missing"
expect_none 'index: each document' "$(cat "$scratch/missing")"
finish
