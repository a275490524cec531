/* terms.c - the terms that reports use, each explained in a sentence or two, for `lockstep explain
 * TERM`.
 *
 *     limited by: starting blocks (dispatch)  --> terms_find("dispatch") --> what it is, and what to do
 *
 * Counters are not in this table: model/metrics.h explains them. */
#include "view/view.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static const struct term table[] = {
    {"issue", "instruction issue, scheduler",
        "Each scheduler of a multiprocessor starts an instruction a clock (before 3.0: every second or "
        "fourth). Here they never rest. Use fewer instructions: unroll, load wider, move index "
        "arithmetic "
        "out of loops."},
    {"float pipe", "fp32, fma pipe",
        "The units that multiply and add floats are busy all the time. For a matrix product that "
        "is the "
        "goal."},
    {"integer pipe", "int pipe, alu",
        "The units that compute indices, counters and comparisons are busy all the time. Unroll, "
        "and step "
        "pointers instead of multiplying."},
    {"double pipe", "fp64",
        "The units for doubles are busy all the time. Use float where its precision is enough."},
    {"special functions", "sfu, mufu",
        "The units for roots, divisions, sines and exponentials are busy all the time. Compute "
        "them less "
        "often."},
    {"tensor cores", "tensor, wmma",
        "The units that multiply small matrices, 16 x 8 x 16 for instance, are busy all "
        "the time. For a matrix "
        "product that is the goal."},
    {"L1 and shared memory", "l1, lsu, load/store unit",
        "One unit of each multiprocessor serves shared memory and the first-level cache, a "
        "wavefront at a "
        "time. Remove bank conflicts, touch fewer sectors a request, keep values in registers."},
    {"L2", "second-level cache, lts",
        "All multiprocessors share this cache. What crosses to it takes most of the time. "
        "Coalesce, write "
        "whole sectors, use data again in shared memory."},
    {"atomics", "atomic operations, atomic",
        "Atomic operations on one address are done one after the other. Add up within a warp or a "
        "block "
        "first."},
    {"DRAM", "device memory, bandwidth",
        "The memory chips move as many bytes a second as they can. Move only what is used, and "
        "keep what is "
        "used twice in shared memory. For a copy that is the goal."},
    {"dispatch", "starting blocks",
        "The GPU starts a block on each multiprocessor every few clocks. Here that takes longer than "
        "running them. Let each block do more."},
    {"latency", "waiting",
        "Warps wait for results of their own earlier instructions, mostly loads, and the other "
        "warps do not "
        "fill the gap. Keep more warps resident where there is room, or more independent loads in "
        "flight."},
    {"launch", "starting the kernel",
        "A kernel takes some 3 microseconds to start, whatever it does. This one does too little "
        "to be seen "
        "beside that. It is no fault of the kernel."},
    {"sector", "sectors, transaction",
        "32 bytes that lie together in memory, from a multiple of 32 on. Global memory moves whole "
        "sectors. "
        "32 lanes that want 32 neighbouring floats need 4; 32 lanes far apart need 32."},
    {"request", "requests", "One memory instruction of one warp: up to 32 lanes ask at once."},
    {"wavefront", "wavefronts, pass, passes",
        "One pass through the banks of shared memory. A load of 32 floats takes one, if no two "
        "lanes want "
        "different words of the same bank, and up to 32 if all do."},
    {"bank", "banks",
        "Shared memory has 32 banks. Word i lies in bank i % 32, and a bank gives one word a pass."},
    {"bank conflict", "conflict, conflicts",
        "Lanes of a warp want different words of one bank, so the access takes more than one "
        "wavefront. Pad "
        "the rows of the array by one word, or let neighbouring lanes take neighbouring words."},
    {"coalesced", "coalescing, coalesce",
        "Neighbouring lanes access neighbouring addresses, so that a request touches as few "
        "sectors as it "
        "can: 4 for 32 floats."},
    {"occupancy", "warps, resident",
        "Warps that a multiprocessor holds at once, of those that it has room for. Registers, "
        "shared memory "
        "and the shape of the block limit it. More warps hide more waiting."},
    {"warp", "lane, lanes",
        "32 threads that execute an instruction together. A lane is one of them."},
    {"block", "blocks, thread block",
        "Threads that run on one multiprocessor, share its shared memory and can wait for each "
        "other at "
        "__syncthreads()."},
    {"multiprocessor", "sm, sms", "The part of a GPU that runs blocks. An H200 has 132."},
    {"divergence", "divergent, diverge",
        "Lanes of one warp take different ways at a branch. The warp executes both, one after the "
        "other, "
        "each with some lanes off."},
    {"reconvergence", "reconverge",
        "The place where lanes that took different ways execute together again."},
    {"fragment", "fragments, mma_tf32",
        "The part of a matrix that the 32 lanes of a warp hold for a product by tensor cores: each "
        "a few "
        "elements, in an order that the instruction defines. common/cuda/lockstep_tensor.h draws it."},
    {"ldmatrix", "ldsm",
        "A load of fragments from shared memory. Each lane passes the address of 16 bytes, a row "
        "of a small "
        "matrix, and receives elements of other lanes' rows. 8 rows in different banks take one "
        "wavefront."},
    {"TF32", "3xTF32",
        "A float with 10 bits behind the point in place of 23: what tensor cores multiply. "
        "Rounding to it "
        "costs up to 2^-11 of a number. Three products of big and small parts give a float's "
        "accuracy back."},
    {"half", "fp16, __half, half precision",
        "A float of 16 bits: 5 of exponent, 10 behind the point, at most 65504. Rounding to it costs up to "
        "2^-11 of a number, as TF32 does. It moves half the bytes, and an H200's tensor cores multiply it "
        "twice as fast as TF32: 989 TFLOPS."},
    {"hmma", "mma pipe",
        "The machine instruction that mma.sync becomes: a product by the 32 lanes of one warp. The counter "
        "sm__inst_executed_pipe_tensor_op_hmma counts it once a warp."},
    {"gmma", "wgmma pipe",
        "The machine instruction that wgmma becomes: a product by the four warps of a warpgroup. Its "
        "counter adds one for each of the four."},
    {"multiply-add", "fma, ffma, fused multiply-add",
        "x * y + z in one instruction, rounded once. It counts as two operations. An H200's 132 "
        "multiprocessors do 128 a clock each: 67 TFLOPS at 1.98 GHz."},
    {"technique", "another technique",
        "What the lab's step asks for, as its budgets show. A kernel that misses a budget by far "
        "solves the "
        "problem in another way, and earns at most half of its points."},
    {"read-only", "__ldg, ldg, read-only path",
        "Loads of data that no thread of the launch writes may pass through the L1 as texture data "
        "do. const "
        "and __restrict__ tell the compiler; __ldg() asks for it."},
    {"constant memory", "constant, __constant__",
        "64 KiB that the host fills. A warp whose lanes read one word is served at once; different "
        "words are "
        "served one after the other."},
    {"register tile", "outputs a thread, blocking",
        "Several outputs that one thread keeps in registers. Each value that it loads from shared "
        "memory is "
        "then used several times."},
    {"vector load", "float4, 16 bytes an access",
        "One instruction that moves 8 or 16 bytes of each lane. The address must be a multiple of "
        "that size. "
        "Fewer instructions and requests move the same bytes."},
    {"Little's law", "bytes in flight, in flight",
        "Bytes on their way = bandwidth x latency. If fewer are asked for at the same time, the memory "
        "waits, however many warps there are."},
    {"padding", "pad, padded",
        "An unused word at the end of each row of a tile in shared memory: float tile[32][33]. The elements "
        "of a column then lie in 32 banks instead of one. It costs 128 bytes of such a tile."},
    {"unroll", "unrolled, unrolling, #pragma unroll",
        "The body of a loop written out several times, by hand or by #pragma unroll. Counters and branches "
        "are saved, indices become constants, and loads can start together. It takes more registers."},
    {"ROLLED", "nounroll",
        "A macro of lockstep.h before a loop: neither the compiler nor the GPU's assembler unrolls it. It "
        "keeps the registers of a rare path low, so that the fast path has them."},
    {"swizzle", "swizzled, xor",
        "A rearrangement of a tile's columns that depends on the row, often column ^ row. Rows and "
        "columns of the tile then lie in different banks, and no word is spent on padding."},
    {"asynchronous copy", "async copy, cp.async, __pipeline_memcpy_async",
        "A copy from global to shared memory that goes on while the thread computes, without a "
        "register on the way (from 8.0 on). It is there only after a wait for its group; other "
        "threads see it only after a "
        "barrier as well."},
    {"ldgsts", "",
        "The machine instruction that cp.async becomes: a load from global memory whose result goes to "
        "shared memory. Counters name it, and count its sectors among the global loads, too."},
    {"group", "commit group, commit, __pipeline_commit, __pipeline_wait_prior",
        "The asynchronous copies between two commits. Waiting with N leaves the N youngest groups "
        "on their "
        "way. A group may be empty."},
    {"wait_group", "cp.async.wait_group, tma_wait_read, tma_wait, wgmma_wait, copies_wait",
        "A wait of one thread until at most N of its youngest groups are on their way; 0 waits for all. "
        "cp.async, the copy engine's stores and wgmma have one each, and it is no barrier: other threads "
        "need __syncthreads(), or an mbarrier, after it."},
    {"slab", "slabs, k_tile",
        "What a block takes of A and B in one step along k: some columns of its rows of A, and the same "
        "rows of its columns of B. A stage holds one."},
    {"stage", "stages, double buffering, double buffered, ring, pipeline",
        "One of several buffers in turn: while the block computes from one, copies fill the next. More "
        "stages let more bytes be on their way, and take more shared memory."},
    {"split k", "split-k, k split",
        "The sum over k of one output is divided among several warps or blocks, whose parts are "
        "added at the "
        "end. It helps where there are too few outputs to fill the GPU."},
    {"mma", "mma.sync, tensor core instruction",
        "One instruction with which the 32 lanes of a warp multiply two small matrices and add "
        "them to a third. "
        "Each lane holds a few elements of each matrix, its fragment."},
    {"wgmma", "warpgroup, warpgroups",
        "A product by the four warps of a warpgroup together (9.0 alone). Its factors are read "
        "from shared "
        "memory, through descriptors; it runs on while the warps go on, until its group is waited "
        "for."},
    {"descriptor", "matrix descriptor",
        "A 64-bit number that tells wgmma where a matrix lies in shared memory, how far its rows "
        "are apart "
        "and how it is swizzled."},
    {"fence", "fences, fence_async, wgmma_begin, proxy",
        "An order between accesses, not a wait for other threads. wgmma needs one after registers were "
        "written; the copy engine and wgmma see what threads stored in shared memory only after a "
        "fence for "
        "them, and then a barrier."},
    {"copy engine", "tma, bulk copy, cp.async.bulk, tensor memory accelerator",
        "A unit of each multiprocessor (from 9.0 on) that copies a whole box of an array at the "
        "request of "
        "one thread. An mbarrier counts its bytes."},
    {"tensor map", "tensormap, box",
        "128 bytes that describe an array to the copy engine: address, extents, distance of rows, "
        "size of the "
        "box of one copy, swizzle. Parts of a box outside of the array are filled with 0."},
    {"mbarrier", "barrier_wait, barrier_init, arrival, arrivals, expected bytes",
        "A barrier that lies in shared memory. It completes when as many arrivals have come as it was "
        "initialized with, and all bytes that were announced to it; then its next phase begins."},
    {"phase", "phases, parity",
        "One use of an mbarrier. A wait names the parity of the phase, 0 or 1 in turn; with the "
        "wrong parity "
        "it returns at once, or never."},
    {"roles", "producer, consumer, warp specialization",
        "Warps of a block with different work: some start copies, others multiply. Two mbarriers "
        "for each "
        "stage, full and empty, let them wait for one another."},
    {"cluster", "clusters, distributed shared memory",
        "Blocks that run at the same time on neighbouring multiprocessors (from 9.0 on) and can "
        "access one "
        "another's shared memory."},
    {"multicast", "",
        "One copy of the copy engine that puts the same bytes into the shared memory of several blocks of a "
        "cluster. The L2 is read once for all of them. A cluster has up to 8 blocks, on an H200 up to 16 if "
        "the kernel asks for it."},
    {"setmaxnreg", "registers_down, registers_up",
        "An instruction by which a warpgroup gives registers back or takes more (9.0 alone), a multiple of "
        "8 from 24 to 256 a thread. Warps that copy need few, so those that multiply can have more."},
    {"barrier", "__syncthreads, syncthreads",
        "A line that no thread of a block passes before all of them have reached it. What was "
        "written to "
        "shared memory before it can be read after it."},
    {"race", "data race",
        "Two threads access one word, one of them writes, and nothing orders the two: the result "
        "depends on "
        "which comes first. A __syncthreads() between them orders them."},
    {"shared memory", "__shared__, tile",
        "Memory on the multiprocessor that the threads of a block share. It is many times faster than "
        "device memory, and holds what several threads use."},
    {"local memory", "spill",
        "Memory of one thread that did not fit into registers, or an array with an index that is "
        "only known "
        "at run time. It lies in device memory and costs as much."},
    {"register", "registers",
        "Where a thread keeps its variables. A multiprocessor has 65536 of them, so threads with many "
        "registers leave room for fewer warps."},
    {"launch bounds", "__launch_bounds__",
        "__launch_bounds__(256, 2) promises blocks of at most 256 threads, and asks that 2 of them fit on a "
        "multiprocessor. The compiler keeps to as many registers as that leaves: 65536 / 512 = 128 a "
        "thread. At most 255 are possible."},
    {"COVERS", "",
        "COVERS(x, y) in LAUNCH: a block computes x by y elements. The kit makes the grid of as many blocks "
        "as cover the matrix, and rounds up. BLOCK(x, y) has the threads of a block."},
    {"LAUNCH_SHARED", "dynamic shared memory, extern __shared__",
        "LAUNCH with bytes of dynamic shared memory for each block, which the kernel declares as extern "
        "__shared__. Without it a block has at most 48 KiB, with it up to 227 KiB on an H200."},
    {"prediction", "PREDICT, predictions, UNKNOWN",
        "A number that you write into PREDICT(name, value) before the run, worked out by hand. The kit "
        "compares it with the counter; a wrong one is shown beside the count. UNKNOWN stands for none yet."},
    {"budget", "budgets",
        "A limit on a counter that an exercise sets. It shows that the kernel uses the technique "
        "of the "
        "lab. A kernel that misses one earns at most half of its points."},
    {"reference", "reference solution",
        "The kit's own solution of the exercise, run on the same device. Up to 1.2 times its time "
        "costs no "
        "points; beyond that points fall with the ratio, and from 10 times on there are none."},
    {"rung", "previous rung, ladder",
        "The step before on the way from the naive kernel to the fast one, in an earlier exercise "
        "on the "
        "same problem."},
    {"limited by", "bottleneck, limit",
        "The part of the GPU that is busiest while the kernel runs, by the model: only less work for that "
        "part makes it faster. `latency` means that no part is busy, and warps wait."},
    {"roofline", "roof",
        "A drawing of the best speed that a GPU allows for an arithmetic intensity: bandwidth x intensity, "
        "up to the peak of the arithmetic. On an H200, 4.8 TB/s meet 67 TFLOPS of float at 14 operations a "
        "byte."},
    {"modelled", "modelled time",
        "The time comes from a model of the GPU, not from a clock. Counters are exact."},
    {"start", "start of a launch",
        "The launch itself, handing out the first blocks and the wait for the first data: nothing "
        "overlaps "
        "with it. Only a larger launch, or fewer launches, make it matter less."},
    {"delays", "delay",
        "What a modelled time has beyond its start and its longest part. Parts that are nearly as "
        "busy queue "
        "for one another, and latency shows where too few warps are there to hide it."},
    {"% of peak", "percent of peak, peak",
        "The share of the time that a part of the GPU would need if it alone were used. At 100% it "
        "never "
        "rests, and only less work for it makes the kernel faster."},
    {"effective", "effective bandwidth, gb/s",
        "The bytes that the problem needs, each counted once, over the time: what the kernel achieves, "
        "however much it really moved."},
    {"arithmetic intensity", "intensity",
        "Floating-point operations for each byte of device memory traffic. Low: DRAM is the limit. "
        "High: "
        "the arithmetic is."},
    {"poison", "poison value",
        "What the kit writes into an output before a launch. An element that still holds it was never "
        "written."},
    {"seed", "SEED",
        "The number from which a run draws its shapes and inputs. SEED=7 makes a run the same again."},
};

const struct term *terms_at(size_t i)
{
    return i < sizeof table / sizeof *table ? &table[i] : NULL;
}

/* Are the texts equal, ignoring case and blanks at the ends, and with '_' and '-' as blanks? n:
 * the length of a. */
static int same(const char *a, size_t n, const char *b)
{
    size_t i = 0;
    while (n && a[n - 1] == ' ') n--;
    while (n && *a == ' ') a++, n--;
    for (; i < n && b[i]; i++) {
        int x = b[i] == '-' ? ' ' : tolower((unsigned char)b[i]);
        int y = a[i] == '-' ? ' ' : tolower((unsigned char)a[i]);
        if (x != y) return 0;
    }
    return i == n && !b[i];
}

const struct term *terms_find(const char *word)
{
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        if (same(table[i].name, strlen(table[i].name), word)) return &table[i];
        for (const char *at = table[i].others; *at; at += strcspn(at, ","), at += *at == ',')
            if (same(at, strcspn(at, ","), word)) return &table[i];
    }
    return NULL;
}
