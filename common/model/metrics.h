/* metrics.h - all numbers that the kit counts, one row each. model.h makes an enum of the rows,
 * metrics.c a table.
 *
 * METRIC(id, ncu name, nvprof name or "-", unit, exact?, meaning)
 *
 * exact = 1: as the hardware counts it. exact = 2: exact for the PTX; the hardware counts the
 * machine code, which has other instructions. exact = 0: an estimate, by the models of the caches.
 * A name that starts with lockstep__ has no counterpart in ncu. Sums come first, then ratios that
 * model_metrics_derive computes from the sums. */
#ifndef METRIC
#error "define METRIC before including model/metrics.h"
#endif
/* instructions */
METRIC(INST, "smsp__inst_executed.sum", "inst_executed", "inst", 2,
    "instructions executed, once a warp")
METRIC(THREAD_INST, "smsp__thread_inst_executed.sum", "thread_inst_executed", "inst", 2,
    "instructions executed, once an active thread")
METRIC(FFMA, "smsp__sass_thread_inst_executed_op_ffma_pred_on.sum", "flop_count_sp_fma", "inst", 1,
    "float multiply-adds, once a thread")
METRIC(FADD, "smsp__sass_thread_inst_executed_op_fadd_pred_on.sum", "flop_count_sp_add", "inst", 1,
    "float additions, once a thread")
METRIC(FMUL, "smsp__sass_thread_inst_executed_op_fmul_pred_on.sum", "flop_count_sp_mul", "inst", 1,
    "float multiplications, once a thread")
METRIC(DFMA, "smsp__sass_thread_inst_executed_op_dfma_pred_on.sum", "flop_count_dp_fma", "inst", 1,
    "double multiply-adds, once a thread")
METRIC(DADD, "smsp__sass_thread_inst_executed_op_dadd_pred_on.sum", "flop_count_dp_add", "inst", 1,
    "double additions, once a thread")
METRIC(DMUL, "smsp__sass_thread_inst_executed_op_dmul_pred_on.sum", "flop_count_dp_mul", "inst", 1,
    "double multiplications, once a thread")
METRIC(HFMA, "smsp__sass_thread_inst_executed_op_hfma_pred_on.sum", "flop_count_hp_fma", "inst", 2,
    "multiply-adds on half or bfloat16, or on a pair of them, once a thread")
METRIC(HADD, "smsp__sass_thread_inst_executed_op_hadd_pred_on.sum", "flop_count_hp_add", "inst", 2,
    "additions on half or bfloat16, or on a pair of them, once a thread")
METRIC(HMUL, "smsp__sass_thread_inst_executed_op_hmul_pred_on.sum", "flop_count_hp_mul", "inst", 2,
    "multiplications on half or bfloat16, or on a pair of them, once a thread")
METRIC(HALF_FLOP, "lockstep__half_flop.sum", "flop_count_hp", "flop", 2,
    "operations on half and bfloat16: a multiply-add is 2, and a pair has twice as many")
METRIC(HMMA, "sm__inst_executed_pipe_tensor_op_hmma.sum", "-", "inst", 1,
    "products of matrices of half, bfloat16 or TF32 by tensor cores, once a warp")
METRIC(GMMA, "sm__inst_executed_pipe_tensor_op_gmma.sum", "-", "inst", 1,
    "products of matrices by a warpgroup (wgmma), once a warp; also among those of half, bfloat16 or TF32")
METRIC(IMMA, "sm__inst_executed_pipe_tensor_op_imma.sum", "-", "inst", 1,
    "products of matrices of 8-bit integers by tensor cores, once a warp")
METRIC(DMMA, "sm__inst_executed_pipe_tensor_op_dmma.sum", "-", "inst", 1,
    "products of matrices of doubles by tensor cores, once a warp")
METRIC(TENSOR_FLOP, "lockstep__tensor_flop.sum", "-", "flop", 1,
    "operations of tensor cores on floats of any format: a multiply-add is 2")
METRIC(MIX_FP32, "smsp__sass_thread_inst_executed_op_fp32_pred_on.sum", "inst_fp_32", "inst", 1,
    "instructions on floats, once a thread")
METRIC(MIX_FP64, "smsp__sass_thread_inst_executed_op_fp64_pred_on.sum", "inst_fp_64", "inst", 1,
    "instructions on doubles, once a thread")
METRIC(MIX_FP16, "smsp__sass_thread_inst_executed_op_fp16_pred_on.sum", "inst_fp_16", "inst", 2,
    "instructions on half and bfloat16, once a thread")
METRIC(MIX_INTEGER, "smsp__sass_thread_inst_executed_op_integer_pred_on.sum", "inst_integer",
    "inst", 2, "instructions on integers, once a thread")
METRIC(MIX_SPECIAL, "lockstep__thread_inst_executed_special.sum", "-", "inst", 2,
    "special functions, once a thread")
METRIC(MIX_MEMORY, "smsp__sass_thread_inst_executed_op_memory_pred_on.sum", "inst_compute_ld_st",
    "inst", 2, "loads, stores and atomics, once a thread")
METRIC(MIX_CONTROL, "smsp__sass_thread_inst_executed_op_control_pred_on.sum", "inst_control",
    "inst", 2, "branches, barriers, ends, once a thread")
METRIC(MIX_MISC, "smsp__sass_thread_inst_executed_op_misc_pred_on.sum", "inst_misc", "inst", 2,
    "moves and the like, once a thread")
METRIC(BRANCH, "smsp__sass_branch_targets.sum", "cf_executed", "inst", 2,
    "branches executed, once a warp")
METRIC(BRANCH_DIVERGENT, "smsp__sass_branch_targets_threads_divergent.sum", "divergent_branch",
    "inst", 1, "branches on which the threads of a warp disagreed")
METRIC(BARRIER, "lockstep__barrier_inst.sum", "-", "inst", 1, "barriers executed, once a warp")
METRIC(MBARRIER, "lockstep__mbarrier_inst.sum", "-", "inst", 1,
    "operations on barriers in shared memory (mbarrier), once a warp")
METRIC(SHUFFLE_THREADS, "lockstep__shuffle_threads.sum", "-", "inst", 1,
    "exchanges between the threads of a warp by shuffles, once a thread")
METRIC(SHUFFLE_INST, "lockstep__shuffle_inst.sum", "-", "inst", 1, "those shuffles, once a warp")
METRIC(IMUL, "lockstep__integer_multiplications.sum", "-", "inst", 1,
    "multiplications and multiply-adds of integers, once a thread")
/* global memory, and the other spaces that are accessed through the L1 */
METRIC(GLD_REQUESTS, "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum", "gld_requests", "request",
    1, "global load instructions, once a warp")
METRIC(GLD_SECTORS, "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", "gld_transactions", "sector",
    1, "32-byte sectors that global loads touched; on GPUs before 5.0 their transactions")
METRIC(GLD_BYTES, "smsp__sass_data_bytes_mem_global_op_ld.sum", "gld_requested_bytes", "byte", 1,
    "bytes that warps asked global loads for; one that several lanes want counts once")
METRIC(GLD_MOVED, "lockstep__global_ld_moved_bytes.sum", "-", "byte", 1,
    "bytes of the sectors or transactions of global loads")
METRIC(GLD_THREADS, "lockstep__global_ld_threads.sum", "-", "inst", 1,
    "loads of global memory or by a generic address, once a thread")
METRIC(GST_REQUESTS, "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum", "gst_requests", "request",
    1, "global store instructions, once a warp")
METRIC(GST_SECTORS, "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum", "gst_transactions", "sector",
    1, "32-byte sectors that global stores touched; on GPUs before 5.0 their transactions")
METRIC(GST_BYTES, "smsp__sass_data_bytes_mem_global_op_st.sum", "gst_requested_bytes", "byte", 1,
    "bytes that warps stored to global memory; one that several lanes write counts once")
METRIC(GST_MOVED, "lockstep__global_st_moved_bytes.sum", "-", "byte", 1,
    "bytes of the sectors or transactions of global stores")
METRIC(GST_THREADS, "lockstep__global_st_threads.sum", "-", "inst", 1,
    "stores to global memory or by a generic address, once a thread")
METRIC(GLD_READONLY, "lockstep__global_ld_readonly.sum", "tex_requests", "request", 1,
    "global loads through the read-only path (ld.global.nc), once a warp")
METRIC(GLD_READONLY_SECTORS, "lockstep__global_ld_readonly_sectors.sum", "-", "sector", 1,
    "32-byte sectors that those touched")
METRIC(GLD_SCATTERED_REQUESTS, "lockstep__global_ld_scattered_requests.sum", "-", "request", 2,
    "global loads by instructions that touch more than 1.5 times the bytes that their threads load")
METRIC(GLD_SCATTERED_SECTORS, "lockstep__global_ld_scattered_sectors.sum", "-", "sector", 2,
    "32-byte sectors that those touched")
METRIC(TEX_REQUESTS, "l1tex__t_requests_pipe_tex_mem_texture.sum", "-", "request", 1,
    "requests of a texture's elements: one for each 8 lanes of a fetch, or 4 of 16 bytes")
METRIC(TEX_SECTORS, "l1tex__t_sectors_pipe_tex_mem_texture.sum", "-", "sector", 1,
    "32-byte sectors that those touched, each anew")
METRIC(GATOM_REQUESTS, "l1tex__t_requests_pipe_lsu_mem_global_op_atom.sum", "global_atom_requests",
    "request", 1, "global atomics and reductions, once a warp")
METRIC(GATOM_SECTORS, "l1tex__t_sectors_pipe_lsu_mem_global_op_atom.sum", "atomic_transactions",
    "sector", 1,
    "sectors that global atomics touched, anew for each of the lanes that name one address")
METRIC(GATOM_THREADS, "lockstep__global_atom_threads.sum", "-", "inst", 1,
    "atomics on global memory or by a generic address, once a thread")
METRIC(MIXED_REQUESTS, "lockstep__global_local_mixed_requests.sum", "-", "request", 1,
    "generic accesses of a warp, of at most 4 bytes a lane, whose lanes went to global and to local memory "
    "at once")
METRIC(MIXED_SECTORS, "lockstep__global_local_mixed_sectors.sum", "-", "sector", 1,
    "sectors of local memory that those touched")
METRIC(CONST_REQUESTS, "lockstep__constant_ld_requests.sum", "constant_load_requests", "request", 1,
    "constant-memory loads, once a warp")
METRIC(CONST_WORDS, "lockstep__constant_ld_addresses.sum", "-", "address", 1,
    "different addresses in constant loads: each costs a pass")
METRIC(LOCAL_LD, "smsp__inst_executed_op_local_ld.sum", "local_load", "inst", 1,
    "local-memory loads, once a warp")
METRIC(LOCAL_ST, "smsp__inst_executed_op_local_st.sum", "local_store", "inst", 1,
    "local-memory stores, once a warp")
/* shared memory: a pass is a wavefront */
METRIC(SLD_INST, "smsp__inst_executed_op_shared_ld.sum", "shared_load", "inst", 1,
    "shared-memory loads, once a warp")
METRIC(SLD_WAVEFRONTS, "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum",
    "shared_load_transactions", "wavefront", 1, "passes through shared memory for loads")
METRIC(SLD_CONFLICTS, "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum",
    "shared_ld_bank_conflict", "wavefront", 1,
    "passes beyond those that the width of the load needs")
METRIC(SLD_BYTES, "smsp__sass_data_bytes_mem_shared_op_ld.sum", "-", "byte", 1,
    "bytes that threads asked shared loads for")
METRIC(SLD_IDLE, "lockstep__shared_ld_idle_threads.sum", "-", "inst", 1,
    "threads of a warp that took no part in its shared loads")
METRIC(SST_INST, "smsp__inst_executed_op_shared_st.sum", "shared_store", "inst", 1,
    "shared-memory stores, once a warp")
METRIC(SST_WAVEFRONTS, "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum",
    "shared_store_transactions", "wavefront", 1, "passes through shared memory for stores")
METRIC(SST_CONFLICTS, "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum",
    "shared_st_bank_conflict", "wavefront", 1,
    "passes beyond those that the width of the store needs")
METRIC(SST_BYTES, "smsp__sass_data_bytes_mem_shared_op_st.sum", "-", "byte", 1,
    "bytes that threads stored to shared memory")
METRIC(SST_IDLE, "lockstep__shared_st_idle_threads.sum", "-", "inst", 1,
    "threads of a warp that took no part in its shared stores")
METRIC(SHARED_MOVED, "lockstep__shared_moved_bytes.sum", "-", "byte", 1,
    "bytes that the banks could have given in the passes taken")
METRIC(LDSM_INST, "smsp__inst_executed_op_ldsm.sum", "-", "inst", 1,
    "loads of matrices from shared memory (ldmatrix), once a warp; their passes count as those of loads")
METRIC(LDGSTS_INST, "sm__sass_inst_executed_op_ldgsts.sum", "-", "inst", 1,
    "asynchronous copies from global to shared memory, once a warp; also counted as global loads")
METRIC(LDGSTS_SECTORS, "sm__sass_l1tex_t_sectors_pipe_lsu_mem_global_op_ldgsts.sum", "-", "sector",
    1,
    "sectors that those read; of .cg once for each sector of shared memory that they fill a part of")
METRIC(LDGSTS_BYTES, "sm__sass_data_bytes_mem_shared_op_ldgsts.sum", "-", "byte", 1,
    "bytes of shared memory that those fill")
METRIC(LDGSTS_WAVEFRONTS, "sm__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ldgsts.sum", "-",
    "wavefront", 1, "passes through shared memory for those")
METRIC(LDGSTS_CONFLICTS, "sm__sass_l1tex_data_bank_conflicts_pipe_lsu_mem_shared_op_ldgsts.sum",
    "-", "wavefront", 1,
    "passes beyond those that the width of the copy needs; of .cg none are counted")
METRIC(LDGSTS_LED, "lockstep__ldgsts_led_inst.sum", "-", "inst", 1,
    "asynchronous copies that a warp waited for")
METRIC(LDGSTS_LEAD_INST, "lockstep__ldgsts_lead_inst.sum", "-", "inst", 2,
    "instructions of a warp between each of those copies and its wait, summed")
METRIC(LDGSTS_HIDDEN_INST, "lockstep__ldgsts_hidden_inst.sum", "-", "inst", 2,
    "multiply-adds of floats and products of matrices among those instructions, summed")
METRIC(BULK_LD_INST, "lockstep__bulk_ld_copies.sum", "-", "copy", 1,
    "copies by the copy engine from global to shared memory, once a thread that asks")
METRIC(BULK_LD_BYTES, "lockstep__bulk_ld_bytes.sum", "-", "byte", 1, "bytes that those read")
METRIC(BULK_LD_SECTORS, "lockstep__bulk_ld_sectors.sum", "-", "sector", 1,
    "32-byte sectors that those touched")
METRIC(BULK_ST_INST, "lockstep__bulk_st_copies.sum", "-", "copy", 1,
    "copies by the copy engine from shared to global memory, once a thread that asks")
METRIC(BULK_ST_BYTES, "lockstep__bulk_st_bytes.sum", "-", "byte", 1, "bytes that those write")
METRIC(BULK_ST_SECTORS, "lockstep__bulk_st_sectors.sum", "-", "sector", 1,
    "32-byte sectors that those touched")
METRIC(SATOM_INST, "smsp__inst_executed_op_shared_atom.sum", "shared_atom", "inst", 2,
    "shared-memory atomics, once a warp; for a float a GPU repeats one until no other came between")
/* beyond the first-level cache: estimates by the models of the L2 and DRAM */
METRIC(L2_READ_SECTORS, "lts__t_sectors_op_read.sum", "l2_read_transactions", "sector", 0,
    "sectors read from the second-level cache; where it has two sides, both count")
METRIC(L2_WRITE_SECTORS, "lts__t_sectors_op_write.sum", "l2_write_transactions", "sector", 0,
    "sectors written to the second-level cache; where it has two sides, both count")
METRIC(DRAM_READ_BYTES, "dram__bytes_read.sum", "dram_read_bytes", "byte", 0,
    "bytes read from device memory")
METRIC(DRAM_WRITE_BYTES, "dram__bytes_write.sum", "dram_write_bytes", "byte", 0,
    "bytes written to device memory; what the L2 still holds at the end is not among them")
/* ratios: printed as "-" if the divisor is 0 */
METRIC(GLD_SECTORS_PER_REQUEST,
    "l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_ld.ratio",
    "gld_transactions_per_request", "sector/request", 1,
    "sectors a global load touches; 4 is the least for 32 different floats")
METRIC(GST_SECTORS_PER_REQUEST,
    "l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_st.ratio",
    "gst_transactions_per_request", "sector/request", 1,
    "sectors a global store touches; 4 is the least for 32 floats")
METRIC(GLD_EFFICIENCY, "smsp__sass_average_data_bytes_per_sector_mem_global_op_ld.pct",
    "gld_efficiency", "%", 1, "bytes wanted over bytes moved by global loads")
METRIC(GST_EFFICIENCY, "smsp__sass_average_data_bytes_per_sector_mem_global_op_st.pct",
    "gst_efficiency", "%", 1, "bytes wanted over bytes moved by global stores")
METRIC(SLD_PER_REQUEST, "lockstep__shared_ld_wavefronts_per_request.ratio",
    "shared_load_transactions_per_request", "wavefront/inst", 1, "passes a shared load takes")
METRIC(SST_PER_REQUEST, "lockstep__shared_st_wavefronts_per_request.ratio",
    "shared_store_transactions_per_request", "wavefront/inst", 1, "passes a shared store takes")
METRIC(SHARED_EFFICIENCY, "lockstep__shared_efficiency.pct", "shared_efficiency", "%", 1,
    "bytes wanted of shared memory over bytes that the passes taken could have given")
METRIC(LDGSTS_LEAD, "lockstep__ldgsts_lead.ratio", "-", "inst", 2,
    "instructions that a warp executes between an asynchronous copy and its wait for it")
METRIC(LDGSTS_HIDDEN, "lockstep__ldgsts_hidden.ratio", "-", "inst", 2,
    "multiply-adds of floats, and mma, that a warp executes between an asynchronous copy and its wait")
METRIC(BULK_LD_AHEAD, "lockstep__bulk_ld_ahead.ratio", "-", "copy", 2,
    "phases of copies by the copy engine that are on their way when a warp waits for one of them")
METRIC(WARP_BALANCE, "lockstep__warp_inst_mean_of_longest.pct", "-", "%", 2,
    "instructions of a block's warps in the mean, as a share of those of its longest warp")
METRIC(WARP_EFFICIENCY, "smsp__thread_inst_executed_per_inst_executed.ratio",
    "warp_execution_efficiency", "thread/inst", 2, "active threads an instruction, of 32")
METRIC(BRANCH_EFFICIENCY, "smsp__sass_average_branch_targets_threads_uniform.pct",
    "branch_efficiency", "%", 2, "branches on which all threads of the warp agreed")
METRIC(FFMA_SHARE, "lockstep__ffma_share.pct", "-", "%", 2,
    "multiply-adds as a share of all instructions")
METRIC(INTENSITY, "lockstep__flop_per_dram_byte.ratio", "-", "flop/byte", 0,
    "floating-point operations a byte of device memory traffic, a multiply-add as two")
METRIC(DRAM_PARTITION_RATIO, "lockstep__dram_partition_ratio.ratio", "-", "ratio", 0,
    "what the busiest partition of DRAM has, of the blocks that run together, over its even share; 1.x alone")
METRIC(SHARED_BLOCK, "lockstep__shared_block_bytes.max", "-", "byte", 1,
    "shared memory of a block, static and dynamic")
METRIC(BLOCKS, "launch__grid_size", "-", "block", 1, "blocks of the grid")
METRIC(THREADS, "launch__thread_count", "-", "thread", 1, "threads of all blocks")
METRIC(OCCUPANCY, "sm__warps_active.avg.pct_of_peak_sustained_active", "achieved_occupancy", "%", 0,
    "resident warps as a share of what a multiprocessor holds, at most: what a block allows and the grid has "
    "blocks for")
/* counted for C code on the CPU, never for a kernel launch */
METRIC(HOST_LINES, "lockstep__host_cache_lines.sum", "-", "line", 1,
    "lines of 64 bytes that C code on the CPU brings into a cache of 256 KiB")
#undef METRIC
