/* table.h - mistakes that learners make, each with what it must be told: directory, lab, exercise, the
 * mistake in words, sentences that the answer has, sentences that it must not have. The answer is that of
 * lockstep lab; its white space counts as one space. */

/* ---- shared memory, barriers ---- */

{"ragged_tile", "04-shared", "aat", "the tile is not filled with zeros past the edge of a",
 {"(it was right for m = 96, w = 32)", "aat.cu:20: block",
  "reads turned[0][11], which no thread of the block ever fills",
  "of turned it fills rows 0 to 31, columns 0 to 10"}, {"__syncthreads() missing"}},
{"forgotten_loop", "04-shared", "transpose", "the tile is filled without the loop over j",
 {"transpose.cu:17: block (0,0) thread (8,0) reads tile[8][0], which no thread of the block ever fills",
  "of tile it fills rows 0 to 7, columns 0 to 31",
  "17 | out[(col + y + j) * rows + row + x] = tile[x][y + j];"},
 {"__syncthreads() missing"}},
{"wrong_edges", "04-shared", "transpose", "the store tests the edges of in, not those of out",
 {"transpose.cu:18: block", "reads tile[0][",
  "which no thread of the block has filled at the barrier before"},
 {"__syncthreads() missing"}},
{"no_first_barrier", "04-shared", "matmul", "the first barrier of the tile loop is missing",
 {"matmul.cu:16: block (0,0) thread (0,0) reads b_tile[8][0], which no thread has written yet",
  "is a __syncthreads() missing before this line?"}, {"ever fills"}},
{"no_second_barrier", "04-shared", "matmul", "the second barrier of the tile loop is missing",
 {"writes b_tile[1][0], which thread (0,0) read in line 17", "a race",
  "a __syncthreads() belongs after line 17, before the loop comes round to line 14"},
  {"between these lines"}},
{"past_the_tile", "04-shared", "transpose", "j <= TILE: one pass too many",
 {"transpose.cu:14: block (0,0) thread (0,0) writes tile[32][0]; tile has 32 x 32 elements"}, {"byte"}},
{"no_shared", "04-shared", "transpose", "__shared__ is forgotten",
 {"reads tile[1][0], which it has not written: every thread has an array of its own",
  "is __shared__ missing in line 9?"}, {"byte 0"}},

/* ---- what the compiler knows ---- */

{"sum_without_value", "01-naive", "matmul", "float sum; without a value",
 {"matmul.cu:13:9: warning: variable 'sum' is uninitialized when used here",
  "initialize the variable 'sum'"}, {0}},
{"endless_sum", "01-naive", "matmul", "a loop without i++, which stores nothing",
 {"matmul.cu:12: block (0,0) thread (0,0) has not ended after", "is this a loop without an end?",
  "used in loop condition not modified in loop body"}, {"it is zero"}},
{"prints", "01-naive", "copy", "no mistake: printf in an exercise",
 {"printed for rows = 64, cols = 64: | row 1, column 2 of 64 x 64", "10 of 10 points"}, {"undeclared"}},

/* ---- wrong results ---- */

{"a_times_a", "01-naive", "aat", "A A for A A^T",
 {"it is the sum of a[row * w + i] * a[i * w + col], which is A A",
  "the product is the sum of a[row * w + i] * a[col * w + i]"}, {"no partial sum"}},
{"b_by_rows", "01-naive", "matmul", "the rows of b for its columns",
 {"it is the sum of a[row * k + i] * b[col * k + i], which is A times the transpose of B"},
  {"no partial sum"}},
{"x_and_y_swapped", "01-naive", "matmul", "x over columns where the grid has it over rows",
 {"(it was right for m = 64, k = 64, n = 64)", "nothing was written there",
  "written are rows 0 to 63 and columns 0 to 63, of 96 x 64: are x and y of the grid swapped?"}, {0}},
{"one_block_only", "01-naive", "transpose", "threadIdx alone, without blockIdx",
 {"nothing was written there", "written are rows 0 to 31 and columns 0 to 15, of 64 x 64",
  "is that one block, and blockIdx missing in an index?"}, {0}},
{"last_tile_only", "04-shared", "matmul", "sum = 0 within the tile loop",
 {"it is the sum of the last 32 of 64 products: is the sum set to 0 within a loop"}, {"no partial sum"}},
{"one_tile_short", "04-shared", "matmul", "k / TILE tiles, rounded down",
 {"(it was right for m = 96, k = 32, n = 64)", "it is the sum of the first 64 of"}, {0}},
{"wrong_tile", "04-shared", "transpose", "the block's row and column are not swapped for the store",
 {"each tile of 32 x 32 is transposed, but stands where it stood in in"}, {"transposed element"}},
{"row_not_checked", "01-naive", "transpose", "the row is not tested",
 {"transpose.cu:10: block (0,3) thread (0,3) reads in[4437]; in has 4437 elements"}, {0}},

/* ---- right, but slow ---- */

{"adds_in_memory", "01-naive", "matmul", "the sum is kept in c, in global memory",
 {"ended early: a budget is missed by far", "the result was right on the small shapes",
  "MISSED gst_requests", "store each output once", "-2 matmul: misses the budget of gst_requests",
  "misses a budget, and with it the technique, so at most half of its 10 points"}, {0}},
{"conflicts", "05-padded", "transpose", "the first tile is not padded",
 {"6.5 of 10 points",
  "-0.7 transpose_pad_1: 1.81 times the reference's time; up to 1.2 times is full marks",
  "costs most: line 24", "31 of them conflicts. Pad the rows by one word",
  "limited by: L1 and shared memory One unit of each multiprocessor serves shared memory"}, {0}},
{"uncoalesced", "02-coalesced", "matmul", "x over rows, in the lab that wants it over columns",
 {"written are rows 0 to 63 and columns 0 to 63, of 96 x 64: are x and y of the grid swapped?"}, {0}},
