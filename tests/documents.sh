#!/bin/sh
# documents.sh - each kernel of the guides, articles and the lecture that the course follows, typed in (tests/documents, in our own words): its
# result by `lockstep run`, and the counters that its document states by `lockstep profile`.

. tests/lib.sh

here=tests/documents
# Macros that the listings use and do not define.
tile='-D TILE_DIM=32' width='-D TILE_WIDTH=16' block='-D BDIMX=32 -D BDIMY=16'

# Every kernel is right, in each shape of block and padding that the article tries.
for shape in "$block -D IPAD=1" "$block -D IPAD=2" '-D BDIMX=16 -D BDIMY=16 -D IPAD=2' '-D BDIMX=8 -D BDIMY=8 -D IPAD=2'; do
    # shellcheck disable=SC2086 # options
    told=$("$BUILD/lockstep" run $here/main.cu $tile $width $shape --quiet 2>&1)
    expect_none "documents: right with $shape" "$(printf '%s\n' "$told" | grep -v ' right$')"
    expect_some "documents: all were run with $shape" "$(printf '%s\n' "$told" | grep -c ' right$')" "^$(grep -c '^ *TRY(' $here/main.cu)\$"
done

# counts WHAT FILE KERNEL GRID BLOCK 'OPTIONS AND ARGUMENTS' COUNTER=VALUE...: profile one launch. COUNTER is the end of a name.
counts() {
    what=$1 file=$2 kernel=$3 grid=$4 shape=$5 rest=$6
    shift 6
    # shellcheck disable=SC2086 # words
    told=$("$BUILD/lockstep" profile "$here/$file" --kernel "$kernel" --grid "$grid" --block "$shape" --json $rest 2>&1)
    for want; do
        got=$(printf '%s\n' "$told" | sed -n "s/^        \".*${want%=*}\": \\([0-9.e-]*\\),*\$/\\1/p")
        if [ "$got" = "${want#*=}" ]; then pass "$what: $want"; else fail "$what: $want" "${got:-$(printf '%s\n' "$told" | head -n 3)}"; fi
    done
}
loads=global_op_ld.ratio stores=global_op_st.ratio
load_passes=shared_ld_wavefronts_per_request.ratio store_passes=shared_st_wavefronts_per_request.ratio

# The guide: reads a row apart, then along rows; w-way conflicts of the stores, w = 16 or 32, and none.
outer="$tile buf:f32:4096 buf:f32:16384 i32:128"
counts 'rows by rows' outer.cu rows_by_rows 4,4 32,32 "$outer" $loads=16.5
counts 'rows by tiles' outer.cu rows_by_tiles 4,4 32,32 "$outer" $loads=4 $store_passes=16.5
counts 'rows by padded tiles' outer.cu rows_by_padded_tiles 4,4 32,32 "$outer" $loads=4 $store_passes=1 bank_conflicts_pipe_lsu_mem_shared_op_st.sum=0
older="-D TILE_DIM=16 buf:f32:1024 buf:f32:4096 i32:64"
for device in gtx8800 gtx280; do
    counts "rows by tiles, $device" outer.cu rows_by_tiles 4,4 16,16 "$older --device sim:$device" bank_conflicts_pipe_lsu_mem_shared_op_st.sum=3840
    counts "rows by padded tiles, $device" outer.cu rows_by_padded_tiles 4,4 16,16 "$older --device sim:$device" bank_conflicts_pipe_lsu_mem_shared_op_st.sum=0
done

# The article on instruction mix: merged or not; a third of the instructions at most, and more of them when written out.
square="$width buf:f32:4096 buf:f32:4096 buf:f32:4096"
counts 'by rows' product.cu by_rows 4,4 16,16 "$square i32:64" $stores=16
counts 'by columns' product.cu by_columns 4,4 16,16 "$square i32:64" $stores=4 $loads=2
counts 'merged tiles' product.cu rolled 4,4 16,16 "$square i32:64 i32:64 i32:64" $loads=4 smsp__inst_executed_op_shared_ld.sum=16384
counts 'written out' product.cu written_out 4,4 16,16 "$square i32:64 i32:64 i32:64" $loads=4 smsp__inst_executed_op_shared_ld.sum=10240

# The article on the transpose: 32, then 4 transactions per store; 16-way conflicts, 2-way conflicts, none.
turn="$block buf:f32:8192 buf:f32:8192 i32:128 i32:64"
counts 'row to row' transpose.cu row_to_row 4,4 32,16 "$turn -D IPAD=0" $loads=4 $stores=4
counts 'row to column' transpose.cu row_to_column 4,4 32,16 "$turn -D IPAD=0" $loads=4 $stores=32
counts 'one tile' transpose.cu one_tile 4,4 32,16 "$turn -D IPAD=0" $stores=4 $load_passes=16 $store_passes=1
counts 'padded by 1' transpose.cu one_padded_tile 4,4 32,16 "$turn -D IPAD=1" $stores=4 $load_passes=2 $store_passes=1
counts 'padded by 2' transpose.cu one_padded_tile 4,4 32,16 "$turn -D IPAD=2" $stores=4 $load_passes=1 $store_passes=1
counts 'two tiles' transpose.cu two_tiles 2,4 32,16 "$turn -D IPAD=2" $stores=4 $load_passes=1 $store_passes=1

# The lecture: what coalesces.
counts 'points of three doubles' access.cu scale_points 8 128 'buf:f64:3072 i32:1024' $loads=24 $stores=24
counts 'flat doubles' access.cu scale_flat 24 128 'buf:f64:3072 i32:1024' $loads=8 $stores=8
counts 'structures of 12 bytes' access.cu length_loose 8 128 'buf:f32:3072 buf:f32:1024 i32:1024' $loads=12
counts 'through shared memory' access.cu length_shared 8 128 'buf:f32:3072 buf:f32:1024 i32:1024' $loads=4 global_op_ld.pct=100
counts 'constant memory' access.cu weighted 8 128 'buf:f32:1024 buf:f32:1024 i32:1024' constant_ld_addresses.sum=128
# The same table at random through the texture unit and by loads: 8 lanes per request, so that fewer lanes meet in a sector.
told=$("$BUILD/lockstep" run solutions/published/texture.cu --quiet --profile by_texture 2>&1)
expect_some 'a texture is right' "$told" '^right$'
expect_some 'a texture: requests' "$told" '^  requests of textures  *4096 requests$'
expect_some 'a texture: sectors' "$told" '^    they touch  *32.5k sectors$'
expect_some 'a texture: its description is no load' "$told" '^    a load touches  *4 sectors$'
# One condition at a time is broken, on 1.0: one transaction per half-warp, or one per thread. From 5.0 on only sectors are counted.
for broken in keeps_all=4:2 size_12=12:32 with_gaps=8:32 out_of_order=4:32 misaligned=5:32; do
    kernel=${broken%=*} sectors=${broken#*=}
    counts "$kernel" access.cu "$kernel" 1 32 'buf:f32:99 buf:f32:32' $loads="${sectors%:*}"
    counts "$kernel, 1.0" access.cu "$kernel" 1 32 'buf:f32:99 buf:f32:32 --device sim:gtx8800' t_sectors_pipe_lsu_mem_global_op_ld.sum="${sectors#*:}"
done

# The lecture: banks. Doubles over the generations: banks of 8 bytes on 3.x.
for pattern in broadcast_0=1 broadcast_12=1 broadcast_block=1 multicast=1 own_word=1 every_second=2 every_twelfth=4 every_twelfth_padded=1 own_point=1; do
    counts "${pattern%=*}" banks.cu "${pattern%=*}" 1 32 buf:f32:32 $load_passes="${pattern#*=}"
done
for row in h200=2:4:2 m2090=2:4:2 k40=1:2:2 gtx280=8:16:8; do
    passes=${row#*=} device=${row%=*}
    counts "own double, $device" banks.cu own_double 1 32 "buf:f64:32 --device sim:$device" $load_passes="${passes%%:*}"
    counts "every second double, $device" banks.cu every_second_double 1 32 "buf:f64:32 --device sim:$device" $load_passes="$(echo "$passes" | cut -d: -f2)"
    counts "every second double, padded, $device" banks.cu every_second_double_padded 1 32 "buf:f64:32 --device sim:$device" $load_passes="${passes##*:}"
done

# An error names a macro that is not defined.
told=$("$BUILD/lockstep" profile $here/transpose.cu --kernel one_tile --grid 1 --block 32,16 2>&1)
expect_some 'documents: a macro that is missing' "$told" "undeclared identifier 'BDIM[XY]'"
finish
