#!/bin/sh
# published.sh - the tables of the documents, as a reader asks for them.

. tests/lib.sh

show() { "$BUILD/lockstep-hardware" published "$@" >"$scratch/out" 2>&1; }
rows() { awk "/^$1 *[0-9]/ { print \$NF }" "$scratch/out"; } # the ratios of a rung

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
finish
