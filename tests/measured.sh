#!/bin/sh
# measured.sh - the tables of tests/hardware/README.md are the recorded data, and the simulator still counts what hardware counted.

. tests/lib.sh

if out=$("$BUILD/lockstep-hardware" measured --check 2>&1); then
    pass 'the tables of measurements are the recorded data'
else
    fail 'the tables of measurements are the recorded data' "$out"
fi

# The README's line on the accuracy of times is that of the courses' kernels that are set aside.
accuracy=$("$BUILD/lockstep-hardware" measured courses | awk -F' *[|] *' '$3 == "set aside" {
        mean[$2 ~ /^nvcc/] = $5; off = $7; gsub(/[^0-9]/, "", off); if (off + 0 > worst) worst = off + 0
    }
    END { print mean[1] " in the mean as nvcc compiles them, by " mean[0] " as clang does, and by " worst "% at worst" }')
expect_some "README: times are off by $accuracy" "$(tr '\n' ' ' <README.md)" "off by $accuracy"

expect_some 'measured: a ladder at one size' "$("$BUILD/lockstep-hardware" measured transpose-4096 2>&1)" '^\| padded by 1 \| 05-padded \| '
expect_some 'measured: the probes' "$("$BUILD/lockstep-hardware" measured probes 2>&1)" '^\| .latency_l2. \| clocks \| 280 \| '
expect_some 'measured: times of the other kernels' "$("$BUILD/lockstep-hardware" measured others-times 2>&1)" '^\| `gather` rows = 512, cols = 2048 \| [0-9.]+ \| 8\.06 \|'
expect_some 'ladder: only what there is not' "$("$BUILD/lockstep-hardware" ladder --only nothing 2>&1)" '^lockstep-hardware: --only nothing: there are matmul, transpose, aat and shape'
expect_some 'measured: what there is not' "$("$BUILD/lockstep-hardware" measured nothing 2>&1)" '^lockstep-hardware: nothing: nothing of that name and size was measured'

# Modelled times of every kernel (rung) at every size: within 30% of the measured ones, in the mean within 15%, and of two neighbours on a ladder
# that are 5% apart the same one is faster. What is known to be further off is named: tiles of rows that evict each other from the L2,
# halves that wait for their loads, reads of many blocks that the L2 serves together, a transpose by the copy engine, which the model
# makes as fast as the rung before it, and the order of two products at 16384, of which four multiprocessors are simulated.
off=$(sed -n 's/.*"ladder": "\([^"]*\)".*"rung": "\([^"]*\)", "dims": \(\[[^]]*\]\).*"ms": \([^,]*\),.*"modelled_ms": \([^,}]*\).*/\1 \3|\2|\4|\5/p' \
    tests/hardware/records/h200-ladder.json | awk -F'|' '
    { error = $4 / $3 - 1; sum += error < 0 ? -error : error; rows++ }
    ($1 ~ /^matmul \[(8192|16384)/ && $2 == "tiled") || $2 == "half" || ($1 ~ /^matmul \[(4096|8192|16384)/ && $2 ~ /^(half|TF32) by wgmma$/) { ladder = "" ; next }
    error > 0.3 || error < -0.3 { print $1 " " $2 ": " $4 " ms modelled, " $3 " measured" }
    $1 ~ /^matmul \[16384/ && $2 == "double buffered" { ladder = "" }
    $1 == ladder && $1 !~ /^shape/ && $2 != "by the copy engine, swizzled" && ($3 > 1.05 * ms || ms > 1.05 * $3) && ($3 > ms) != ($4 > modelled) { print $1 " " $2 ": another order" }
    { ladder = $1; ms = $3; modelled = $4 }
    END { if (rows < 120) print "only " rows " rows are modelled"; if (sum > 0.15 * rows) print "in the mean off by " sum / rows }')
expect_none 'modelled times are near the measured ones, in the same order' "$off"

# The columns above are those of the record. Ladders that take seconds are modelled again and must equal the record; others take minutes.
for ladder in shape transpose; do
    "$BUILD/lockstep-hardware" ladder --device sim:h200 --ptx "$BUILD/ptx/clang" --only $ladder --largest 4096 --out "$scratch/ladder.json" >/dev/null 2>&1
    expect_none "$ladder: the modelled times are what is recorded" "$(diff "$scratch/ladder.json" tests/hardware/records/h200-ladder.json 2>&1)"
done

# The kernels are simulated again: counters that hardware has, too, must be equal for every kernel. As another compiler may generate other
# instructions, the PTX that hardware ran is simulated; if its compiler is installed here, it must still write the same PTX. A
# kernel that no GPU has measured yet is not in the record.
ptx=$BUILD/ptx/clang
front=$(cat "$ptx/front")
for record in crosscheck others; do
    expect_some "$record: the recorded PTX is by the front end of the record" "$(cat tests/hardware/records/h200-$record.json)" "^\"front_end\": \"$front\""
done
sh tests/hardware/ptx/record.sh clang "$BUILD" "$scratch/ptx"
mine=$(cat "$scratch/ptx/front")
if [ "$front" = "$mine" ]; then
    expect_none 'the recorded PTX is that of the kernels' "$(diff -r "$ptx" "$scratch/ptx" 2>&1 | grep -v "^Only in $scratch/ptx")"
else
    skip 'the recorded PTX is that of the kernels' "it is by $front, and here is $mine"
fi
table=$("$BUILD/lockstep-hardware" crosscheck --device sim:h200 --ptx "$ptx" 2>&1)
for name in l1tex__t_requests_pipe_lsu_mem_global_op_ld l1tex__t_sectors_pipe_lsu_mem_global_op_ld \
    l1tex__t_requests_pipe_lsu_mem_global_op_st l1tex__t_sectors_pipe_lsu_mem_global_op_st \
    smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_st smsp__sass_thread_inst_executed_op_ffma_pred_on; do
    expect_some "$name is the hardware's for every kernel" "$(printf '%s\n' "$table" | grep "^| .$name\.")" '\| 96 \| 96 \| 96 \| 96 \| 0 \|'
done
# Two kernels of lab 06 are counted differently. A GPU adds a float to shared memory by a loop that tries until no other warp came between:
# by_atomics. And ptxas guards the accesses of a short condition by a predicate, which makes them instructions where it is false, too: by_tree.
while read -r name kernels equal; do
    expect_some "$name is the hardware's for $equal kernels of $kernels" "$(printf '%s\n' "$table" | grep "^| .$name\.")" \
        "\\| $kernels \\| $equal \\| .* 06 .by_atomics. "
done <<'END'
smsp__inst_executed_op_shared_ld 88 86
smsp__inst_executed_op_shared_st 96 94
smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ld 93 92
END
expect_some "dram__bytes_read is within 15% of the hardware's for every kernel" "$(printf '%s\n' "$table" | grep '^| .dram__bytes_read\.')" \
    '\| ([0-9]+) \| [0-9]+ \| [0-9]+ \| \1 \|'
# The L2 serves some neighbouring requests at once that the model counts one by one: reads of matmul_split and aat, and writes of fragment.
# It also has the writes of registers that ptxas spills: 12 bytes of a thread of lab 08's matmul. A warp a block (one_warp) misses the L1 more
# often than modelled.
while read -r name near off; do
    expect_some "$name is within 15% of the hardware's for $near kernels of 96, the worst $off" \
        "$(printf '%s\n' "$table" | grep "^| .$name\.")" "\| 96 \| [0-9]+ \| [0-9]+ \| $near \| [0-9.]+% \| [0-9]+ .$off"
done <<'END'
lts__t_sectors_op_read 86 one_warp
lts__t_sectors_op_write 91 fragment
END
# Kernels to which no rule was fitted: these counters equal the hardware's for each, and all that is simulated equals the record.
table=$("$BUILD/lockstep-hardware" crosscheck --others --device sim:h200 --ptx "$ptx" --out "$scratch/others.json" 2>&1)
for name in l1tex__t_requests_pipe_lsu_mem_global_op_ld l1tex__t_sectors_pipe_lsu_mem_global_op_ld \
    l1tex__t_requests_pipe_lsu_mem_global_op_st l1tex__t_sectors_pipe_lsu_mem_global_op_st \
    smsp__sass_thread_inst_executed_op_ffma_pred_on; do
    expect_some "$name is the hardware's for every other kernel" "$(printf '%s\n' "$table" | grep "^| .$name\.")" \
        '\| ([0-9]+) \| \1 \| \1 \| \1 \| 0 \|'
done
expect_none 'the other kernels count what is recorded' "$(diff "$scratch/others.json" tests/hardware/records/h200-others.json 2>&1)"
# The kernels in the manner of courses: the modelled values of each record are those that the simulator computes now.
for set in courses-nvcc courses-clang tuning-nvcc tuning-clang; do
    front=${set#*-} code=$BUILD/ptx/$front kernels=20
    if [ ${set%-*} = tuning ]; then kernels=50; fi
    record=tests/hardware/records/h200-$set.json
    expect_some "$set: the recorded PTX is by the front end of the record" "$(cat $record)" "^\"front_end\": \"$(cat "$code/front")\""
    table=$("$BUILD/lockstep-hardware" crosscheck --${set%-*} --device sim:h200 --ptx "$code" --out "$scratch/courses.json" 2>&1)
    expect_some "$set: the open kernels are summed up" "$table" "^\| $(cat "$code/front") \| open \| $kernels \| "
    expect_none "$set: the modelled half is what is recorded" "$(diff "$scratch/courses.json" $record 2>&1)"
done
# Registers of unrolled kernels: the estimate is the recorded one, and near what ptxas counts.
for front in nvcc clang; do
    record=tests/hardware/records/ptxas-unrolled-$front.json
    if table=$("$BUILD/lockstep-hardware" unrolled --front $front --out "$scratch/unrolled.json" 2>&1); then
        expect_none "unrolled by $front: the estimates are what is recorded" "$(diff "$scratch/unrolled.json" $record 2>&1)"
        near=$(printf '%s\n' "$table" | sed -n 's/.*| \(open\|set aside\) | [0-9]* | \([0-9]*\) |.*/\2/p' | awk '{ sum += $1 } END { print sum }')
        expect_some "unrolled by $front: registers of 85 kernels in 100 are within 15% of ptxas'" "$near" '^(8[5-9]|9[0-9]|100)$'
    else
        skip "unrolled by $front" "$table"
    fi
done
expect_some 'courses: a half is set aside' "$("$BUILD/lockstep-hardware" measured courses 2>&1)" '^\| nvcc [0-9.]+ \| set aside \| 20 \| '
expect_some 'crosscheck: only courses have a half set aside' "$("$BUILD/lockstep-hardware" crosscheck --aside 2>&1)" \
    '^lockstep-hardware: --aside: only --courses has a half set aside'
finish
