#!/bin/sh
# devices.sh - the labs on every simulated GPU: each solution of 01 to 06 gets all points, with the limits and predictions of that
# generation; where the GPU lacks the lab's feature, a line says so, and from which GPU on it exists.
#
# On the GPUs that the labs are written for, from compute capability 5.0 on, no limit differs from that of the lab: test_lab_grade.c.

. tests/lib.sh
unset DEVICE SEED STUDENT
lockstep=$BUILD/lockstep

same() { if [ "$2" = "$3" ]; then pass "$1"; else fail "$1" "got $2, not $3"; fi; }
# One GPU of each generation that counts by rules of its own; DEVICES=all: each one.
devices=${DEVICES:-gtx8800 gtx280 m2090 k40}
[ "$devices" != all ] || devices=$("$lockstep" devices | sed -n 's/^sim:\([a-z0-9]*\)$/\1/p')
for device in $devices; do
    lost=
    for lab in 01 02 03 04 05 06; do
        "$lockstep" grade --student solutions --lab $lab --device "sim:$device" >"$scratch/out" 2>&1
        lost=$lost$(awk '$3 ~ /^[0-9.]+$/ && $4 == "of" && $3 != $5 { print $1 "/" $2 ": " $3 " of " $5 "; " } /not counted/ { print $1 "/" $2 ": not counted; " }' "$scratch/out")
    done
    expected=
    [ "$device" = gtx8800 ] && expected='02-coalesced/soa: not counted; '
    case $device in gtx8800 | gtx280 | m2090) expected=$expected'06-unrolled/dot: not counted; ' ;; esac
    same "$device: solutions of labs 01 to 06 get all points" "$lost" "$expected"
done

said() { tr '\n' ' ' <"$scratch/out" | tr -s ' '; }
"$lockstep" lab 04 matmul --student solutions --device sim:gtx280 --more >"$scratch/out" 2>&1
expect_some 'gtx280: the tile is 16 x 16, and so is the budget' "$(said)" 'gld_requests 524288 \(at most 524288\) from compute capability 5\.0 on: 262144\. GeForce GTX 280 .*a tile is 16 x 16'
"$lockstep" lab 05 banks --student solutions --device sim:gtx280 --more >"$scratch/out" 2>&1
expect_some 'gtx280: predictions name the rule that changed' "$(said)" 'stride_2_passes: 2, right from 5\.0 on; the reference counted 4'
same 'gtx280: once' "$(grep -c '16 banks serve half a' "$scratch/out")" 1
"$lockstep" lab 02 matmul --student solutions --device sim:gtx8800 --more >"$scratch/out" 2>&1
expect_some 'gtx8800: half a warp out of order' "$(said)" '\(at most 17\) from compute capability 5\.0 on: 2\.5\. GeForce 8800 GTX .*one for each thread if they do not'
# A learner's own tile size is not changed, and the GPU refuses so large a block.
mkdir -p "$scratch/own/04-shared"
sed 's/^#define TILE .*/#define TILE 32/' solutions/04-shared/aat.cu >"$scratch/own/04-shared/aat.cu"
"$lockstep" lab 04 aat --student "$scratch/own" --device sim:gtx280 >"$scratch/out" 2>&1
expect_some 'a block of 1024 threads: what to write' "$(said)" 'BLOCK\(32, 32\); on GeForce GTX 280 a block has 1 to 512 threads.*LOCKSTEP_TILE'
"$lockstep" grade --student solutions --lab 10 --device sim:rtx5090 >"$scratch/out" 2>&1
expect_some 'lab 10 on 12.0: the copy engine is there' "$(said)" 'copy_tma [0-9.]+ of 14.*transpose_tma'
expect_some 'lab 10 on 12.0: wgmma is not' "$(said)" 'matmul_wgmma not counted needs warpgroups .*GPUs have it with 9\.0 only'
"$lockstep" grade --student solutions --lab 10 --device sim:a100 >"$scratch/out" 2>&1
expect_some 'lab 10: from which GPU on' "$(said)" '^10-hopper: not counted: needs the copy engine.*GPUs have it from 9\.0 on.*all 0 of 0'
finish
