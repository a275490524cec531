/* table.h - what each wrong submission loses, and why: directory, lab, exercise, status, points lost, parts
 * of the message. */

/* a race: the result is wrong */
{"race", "04-shared", "matmul", STATUS_FAILED, ALL, {"matmul"}},
{"race", "04-shared", "transpose", STATUS_FAILED, ALL, {"transpose"}},
/* lanes of a warp, which may run apart; a read of what other warps still add to: right in most runs */
{"race", "04-shared", "tile_a", STATUS_FAILED, ALL, {"of its warp wrote in line", "with no __syncwarp() between the two"}},
{"race", "06-unrolled", "dot", STATUS_FAILED, ALL, {"reads whole, which thread", "updated in line"}},
{"race", "01-naive", "matmul", STATUS_FAILED, ALL,
 {"matmul.cu:17: block (0,0) thread (0,8) reads c[0], which thread (0,0) wrote"}},
/* a barrier that some threads never reach: right on whole blocks, and on a GPU always */
{"early", "04-shared", "transpose", STATUS_FAILED, ALL,
 {"(it was right for rows = 96, cols = 32", "transpose.cu:15",
  "never reaches, since it returned before it"}},
/* out of bounds: right on whole blocks, then the line and the buffer */
{"bounds", "01-naive", "matmul", STATUS_FAILED, ALL,
 {"matmul.cu:1", "(it was right for m = 96, k = 32, n = 64", "block"}},
{"bounds", "01-naive", "copy", STATUS_FAILED, ALL, {"copy.cu:11", "in"}},
/* right, but not coalesced: the budgets; what its speed costs comes on top, here and below */
{"uncoalesced", "02-coalesced", "matmul", STATUS_FAILED, 4,
 {"gld_transactions_per_request", "matmul.cu:14 costs most"}},
{"uncoalesced", "01-naive", "copy", STATUS_FAILED, 4,
 {"gld_transactions_per_request", "gst_transactions_per_request", "copy.cu:11"}},
/* right, but in a part of what is asked: some lanes, some blocks, half a tile, one output */
{"part", "01-naive", "copy", STATUS_FAILED, 0, {"missed: copy: gst_requests is 262144, the budget is at most 131072"}},
{"part", "02-coalesced", "paths", STATUS_FAILED, 4, {"readonly_sectors", "the budget is at least 917504"}},
{"part", "01-naive", "add", STATUS_FAILED, 0, {"missed: add: lockstep__warp_inst_mean_of_longest.pct is 54.1"}},
{"part", "07-registers", "transpose", STATUS_FAILED, 0, {"missed: transpose: shared_store is 131072"}},
{"part", "10-hopper", "transpose_tma", STATUS_FAILED, 0, {"missed: transpose_tma: lockstep__bulk_ld_copies.sum is 131072"}},
{"part", "08-pipelined", "swizzle", STATUS_FAILED, 0, {"missed: swizzle: lockstep__barrier_inst.sum is 32768"}},
{"twice", "01-naive", "aat", STATUS_FAILED, 0, {"missed: aat: flop_count_sp_fma is 67108864"}},
{"one_output", "03-tiled", "matmul", STATUS_FAILED, 0, {"missed: matmul: launch__thread_count is 262144"}},
{"one_output", "03-tiled", "matmul_coalesced", STATUS_FAILED, 0, {"missed: matmul: launch__thread_count is 262144"}},
/* right, but conflicts are left in */
{"conflicts", "05-padded", "transpose", STATUS_FAILED, 1,
 {"shared_ld_bank_conflict", "transpose.cu:24"}},
{"conflicts", "05-padded", "aat", STATUS_FAILED, 2, {"shared_st_bank_conflict", "aat.cu:15"}},
/* right, by a technique that the budget is not about */
{"atomics", "01-naive", "copy", STATUS_FAILED, 4,
 {"gst_transactions_per_request is 8", "with atomics", "copy.cu:10 costs most"}},
{"diluted", "02-coalesced", "matmul", STATUS_FAILED, 4, {"over the reference's requests", "matmul.cu:18"}},
{"no_tile", "05-padded", "transpose", STATUS_FAILED, 3, {"few values are loaded from shared memory, so there is no tile"}},
{"one_padding", "05-padded", "transpose", STATUS_FAILED, 0, {"missed: transpose_pad_2", "is 4224, the budget is at least 4352"}},
{"chain", "06-unrolled", "dot", STATUS_FAILED, 0, {"missed: by_shuffles", "each of five shuffles serves the whole warp"}},
/* what the count of lines in C cannot see is refused */
{"frame", "03-tiled", "matmul_cpu", STATUS_ERROR, ALL, {"the frame size of 2097168 bytes is larger than 65536"}},
{"trivial", "05-padded", "banks", STATUS_PASSED, 4, {"stride_4_passes is 1, the reference counted 4, your kernel 1"}},
/* right, and the technique in a smaller degree: it misses this budget, and loses nothing else for it */
{"tile_16", "04-shared", "matmul", STATUS_FAILED, 2, {"gld_requests is 524288, the budget is at most 262144"}},
{"wide_warps", "02-coalesced", "diverge", STATUS_FAILED, 1, {"divergent_branch is 491520"}},
{"all_steps", "02-coalesced", "diverge", STATUS_FAILED, 2, {"warp_execution_efficiency is 12"}},
/* wrong on odd shapes only */
{"odd", "04-shared", "transpose", STATUS_FAILED, ALL,
 {"(it was right for rows = 96, cols = 32", "nothing was written there"}},
{"odd", "02-coalesced", "matmul", STATUS_FAILED, ALL,
 {"(it was right for m = 96, k = 32, n = 64", "the sum of the first"}},
/* reads what nobody wrote */
{"poison", "01-naive", "aat", STATUS_FAILED, ALL,
 {"aat fails for m = 64, w = 64",
  "aat.cu:15: block (0,0) thread (0,0) reads c[0], which nothing has written"}},
{"endless", "01-naive", "copy", STATUS_FAILED, ALL, {"copy fails for rows = 64, cols = 64"}},
{"syntax", "01-naive", "copy", STATUS_ERROR, ALL, {"copy.cu:8:", "expected ';'"}},
{"constants", "01-naive", "matmul", STATUS_FAILED, ALL, {"it is zero"}},
{"constants", "01-naive", "transpose", STATUS_FAILED, ALL, {"not a number"}},
{"half", "01-naive", "matmul", STATUS_FAILED, ALL, {"less precision"}},
{"short", "01-naive", "matmul", STATUS_FAILED, ALL, {"matmul fails for m = 4, k = ", "it was right for m = 128"}},
{"input", "01-naive", "copy", STATUS_FAILED, ALL, {"writes in[0]; in is an input, which may only be read"}},
{"slow", "01-naive", "copy", STATUS_FAILED, 0, {"times the reference's", "more than 3 times"}},
{"predictions", "02-coalesced", "stride", STATUS_PASSED, 2,
 {"offset_8 is 5, the reference counted 4: at n = 262144: sectors", "stride_32 is UNKNOWN: at n = 262144: "}},
{"host", "03-tiled", "matmul_cpu", STATUS_FAILED, ALL,
 {"matmul_cpu fails for m = 64, k = 64, n = 64", "it is zero"}},
/* a file that is not there */
{"race", "04-shared", "aat", STATUS_NOT_ATTEMPTED, ALL, {"there is no such file"}},
/* what cannot be launched */
{"bad_name", "01-naive", "copy", STATUS_ERROR, ALL,
 {"there is no kernel copy", "my_copy",
  "__global__ void copy(const float *in, float *out, int rows, int cols)"}},
{"bad_parameters", "01-naive", "copy", STATUS_ERROR, ALL, {"other parameters", "int rows, int cols)"}},
{"bad_launch_none", "01-naive", "copy", STATUS_ERROR, ALL,
 {"no launch shape", "LAUNCH(copy, BLOCK(32, 8), COVERS(32, 8))"}},
{"bad_launch_0", "01-naive", "copy", STATUS_ERROR, ALL, {"BLOCK(0, 16)", "1 to 1024 threads"}},
{"bad_launch_2000", "01-naive", "copy", STATUS_ERROR, ALL, {"BLOCK(100, 20)", "1 to 1024 threads"}},
{"bad_launch_covers", "01-naive", "copy", STATUS_ERROR, ALL, {"COVERS(32, -16)"}},
{"thief", "01-naive", "copy", STATUS_ERROR, ALL, {"not found", "and nothing else"}},
