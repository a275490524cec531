/* figures.h - the figures of a profile that `lockstep devices NAME` prints, one row each: fields of
 * struct model_profile.
 *
 * FIGURE(field, what it is) */
#ifndef FIGURE
#error "define FIGURE before including model/figures.h"
#endif
FIGURE(sms, "multiprocessors")
FIGURE(clock_ghz, "clock in GHz")
/* lanes of a multiprocessor, per clock */
FIGURE(fp32_lanes, "floats in a clock, for each multiprocessor")
FIGURE(int_lanes, "integers")
FIGURE(fp64_lanes, "doubles")
FIGURE(fp16_lanes, "pairs of halves")
FIGURE(sfu_lanes, "special functions")
FIGURE(lsu_lanes, "loads and stores")
FIGURE(convert_lanes, "conversions of floats to integers; 0: as special functions")
FIGURE(tensor_rate, "multiply-adds of halves by tensor cores, with sums of floats")
FIGURE(half_sums, "how often as many with sums of halves; 0: as many")
/* what a multiprocessor holds */
FIGURE(max_threads, "threads of a multiprocessor")
FIGURE(max_blocks, "blocks of a multiprocessor")
FIGURE(registers, "registers of a multiprocessor")
FIGURE(shared_bytes, "bytes of shared memory of a multiprocessor")
FIGURE(shared_block_bytes, "bytes of shared memory of a block, at most")
/* the caches and the memory */
FIGURE(l1_bytes, "bytes of the L1, with shared memory if they are one")
FIGURE(l2_bytes, "bytes of the L2")
FIGURE(l2_sides, "parts of the L2 that reach the other through a link; 1: none")
FIGURE(l2_fetch, "bytes that a miss brings into the L2")
FIGURE(dram_gbps, "GB/s of memory that copies reach")
FIGURE(dram_peak_gbps, "GB/s of memory by the datasheet; 0: not known")
FIGURE(tags_per_clock, "lines that the L1 looks up in a clock")
FIGURE(pass_clocks, "clocks of a pass through the banks")
FIGURE(l2_bytes_per_clock, "bytes in a clock from the L2, for all multiprocessors")
FIGURE(l2_write_cost, "time of a written sector in the L2, over that of a read one")
FIGURE(l2_partial_cost, "the same of a sector that is written in part")
FIGURE(l2_line_cost, "least time of a line with such sectors, the same")
FIGURE(atomics_per_clock, "atomics in a clock, on different words")
FIGURE(atomic_clocks, "clocks of an atomic on the word of the one before; 0: not known")
FIGURE(atomic_float_clocks, "the same of a sum of floats; 0: not known")
/* the start of blocks, and latencies, in clocks */
FIGURE(dispatch_clocks, "clocks between the starts of two blocks")
FIGURE(latency_alu, "clocks until the result of an instruction can be used")
FIGURE(latency_shared, "the same of a load from shared memory")
FIGURE(latency_l1, "the same of a load from the L1")
FIGURE(latency_l2, "the same of a load from the L2")
FIGURE(latency_dram, "the same of a load from DRAM")
FIGURE(launch_us, "microseconds of an empty kernel")
#undef FIGURE
