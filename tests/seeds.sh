#!/bin/sh
# seeds.sh - the tolerance of products tells right from wrong whatever the seed of a grading: many seeds by arithmetic on the CPU, a few
# by grading. `lockstep-hardware seeds --count 100000` takes half an hour of two processors.

. tests/lib.sh

told=$("$BUILD/lockstep-hardware" seeds --count 50 2>&1)
expect_some 'seeds: right products stay within their slack, wrong ones exceed it' "$told" '^50 seeds, .*: 0 ways on the wrong side'
expect_some 'seeds: products in order are tried' "$told" '^right  aat  *fused multiply-adds in order'
expect_some 'seeds: sums in half precision are tried' "$told" '^wrong  aat  *sums in half precision'
expect_some 'seeds: what computes no product' "$("$BUILD/lockstep-hardware" seeds --exercise copy 2>&1)" '^lockstep-hardware: copy: no exercise of this name computes a product'

# Copies, since `lab` keeps the learner's progress beside the exercises.
cp -r solutions tests/wrong/half "$scratch"
# Under the first of these seeds the diagonal of an A A^T, added in order, is 13 units of its sum off.
for seed in 4903523303551411190 1; do
    for lab in 01 04 05 07; do
        told=$("$BUILD/lockstep" lab $lab aat --student "$scratch/solutions" --device sim:h200 --seed $seed 2>&1)
        expect_some "seeds: aat of lab $lab is right, seed $seed" "$told" '^  aat: correct'
    done
    told=$("$BUILD/lockstep" lab 01 matmul --student "$scratch/half" --device sim:h200 --seed $seed 2>&1)
    expect_some "seeds: a product in half precision is wrong, seed $seed" "$told" '^  matmul fails'
done
finish
