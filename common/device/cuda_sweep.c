/* cuda_sweep.c - the kit's own kernels on a GPU, written in PTX.
 *
 *     lockstep_empty   does nothing: its time is the cost of a launch
 *     lockstep_sweep   reads twice the size of the L2, which evicts the next launch's data
 *     lockstep_copy    copies: the kernel between the copies of a transfer
 *
 * The sweep reads and does not write: written lines would have to go to memory while the timed
 * kernel runs, and the kernel's time would include that. */
#include "device/cuda_driver.h"

#include <stdlib.h>
#include <string.h>

/* lockstep_sweep(from, quads): thread i reads the 16-byte words i, i + threads, i + 2 threads, ...
 * It stores the bitwise OR of what it read, but only if that is not 0. The memory is zeros, so the
 * store never happens; it is there so that the assembler cannot remove the loads.
 * lockstep_copy(to, from, quads): thread i copies the 16-byte word i. */
static const char own_ptx[] =
    ".version 6.0\n"
    ".target sm_60\n"
    ".address_size 64\n"
    ".visible .entry lockstep_empty()\n"
    "{\n"
    "    ret;\n"
    "}\n"
    ".visible .entry lockstep_sweep(.param .u64 from, .param .u64 quads)\n"
    "{\n"
    "    .reg .pred %p<2>;\n"
    "    .reg .b32 %r<8>;\n"
    "    .reg .b64 %d<5>;\n"
    "    ld.param.u64 %d0, [from];\n"
    "    cvta.to.global.u64 %d0, %d0;\n"
    "    ld.param.u64 %d1, [quads];\n"
    "    mov.u32 %r0, %ctaid.x;\n"
    "    mov.u32 %r1, %ntid.x;\n"
    "    mov.u32 %r2, %tid.x;\n"
    "    mad.lo.u32 %r0, %r0, %r1, %r2;\n"
    "    mov.u32 %r3, %nctaid.x;\n"
    "    mul.lo.u32 %r1, %r1, %r3;\n"
    "    cvt.u64.u32 %d2, %r0;\n"
    "    cvt.u64.u32 %d3, %r1;\n"
    "    mov.u32 %r2, 0;\n"
    "again:\n"
    "    setp.ge.u64 %p0, %d2, %d1;\n"
    "    @%p0 bra done;\n"
    "    shl.b64 %d4, %d2, 4;\n"
    "    add.u64 %d4, %d0, %d4;\n"
    "    ld.global.v4.u32 {%r3, %r4, %r5, %r6}, [%d4];\n"
    "    or.b32 %r3, %r3, %r4;\n"
    "    or.b32 %r5, %r5, %r6;\n"
    "    or.b32 %r3, %r3, %r5;\n"
    "    or.b32 %r2, %r2, %r3;\n"
    "    add.u64 %d2, %d2, %d3;\n"
    "    bra again;\n"
    "done:\n"
    "    setp.eq.u32 %p1, %r2, 0;\n"
    "    @%p1 bra end;\n"
    "    st.global.u32 [%d0], %r2;\n"
    "end:\n"
    "    ret;\n"
    "}\n"
    ".visible .entry lockstep_copy(.param .u64 to, .param .u64 from, .param .u64 quads)\n"
    "{\n"
    "    .reg .pred %p<1>;\n"
    "    .reg .b32 %r<7>;\n"
    "    .reg .b64 %d<5>;\n"
    "    ld.param.u64 %d0, [to];\n"
    "    cvta.to.global.u64 %d0, %d0;\n"
    "    ld.param.u64 %d1, [from];\n"
    "    cvta.to.global.u64 %d1, %d1;\n"
    "    ld.param.u64 %d2, [quads];\n"
    "    mov.u32 %r0, %ctaid.x;\n"
    "    mov.u32 %r1, %ntid.x;\n"
    "    mov.u32 %r2, %tid.x;\n"
    "    mad.lo.u32 %r0, %r0, %r1, %r2;\n"
    "    cvt.u64.u32 %d3, %r0;\n"
    "    setp.ge.u64 %p0, %d3, %d2;\n"
    "    @%p0 bra over;\n"
    "    shl.b64 %d3, %d3, 4;\n"
    "    add.u64 %d4, %d1, %d3;\n"
    "    ld.global.v4.u32 {%r3, %r4, %r5, %r6}, [%d4];\n"
    "    add.u64 %d4, %d0, %d3;\n"
    "    st.global.v4.u32 [%d4], {%r3, %r4, %r5, %r6};\n"
    "over:\n"
    "    ret;\n"
    "}\n";

/* Find a kernel of own_ptx by name. The first call loads the module. */
static cu_result function(struct cuda_state *s, const char *name, cu_handle *out)
{
    cu_result r = s->own ? 0 : cu.cuModuleLoadDataEx(&s->own, own_ptx, 0, NULL, NULL);
    return r ? r : cu.cuModuleGetFunction(out, s->own, name);
}

/* Allocate memory of twice the size of the L2, filled with zeros. If that size is not known, 64 MiB
 * is assumed. */
static cu_result take_scratch(struct cuda_state *s)
{
    int l2 = 0;
    cu.cuDeviceGetAttribute(&l2, ATTR_L2_BYTES, s->device);
    s->scratch_bytes = 2 * (size_t)(l2 > 0 ? l2 : 64 << 20);
    cu_result r = cu.cuMemAlloc_v2(&s->scratch, s->scratch_bytes);
    return r ? r : cu.cuMemsetD8_v2(s->scratch, 0, s->scratch_bytes);
}

/* Read a buffer twice as large as the L2, so that the next kernel finds none of its data there. The
 * first call allocates the buffer. Later work on the same stream waits for the kernel that reads
 * it; the CPU does not. */
int cuda_sweep(struct device *d, struct err *e)
{
    enum { THREADS = 512, BLOCKS_A_MULTIPROCESSOR = 4 };
    struct cuda_state *s = d->state;
    cu_handle sweep = NULL;
    int sms = 1;
    cu_result r = s->scratch ? 0 : take_scratch(s);
    if (r) return cuda_env_error(d->name, r, "memory to clear the L2 with", e);
    cu.cuDeviceGetAttribute(&sms, ATTR_SMS, s->device);
    unsigned long long quads = s->scratch_bytes / 16;
    void *args[] = {&s->scratch, &quads};
    if (!(r = function(s, "lockstep_sweep", &sweep)))
        r = cu.cuLaunchKernel(sweep, BLOCKS_A_MULTIPROCESSOR * (unsigned)sms, 1, 1, THREADS, 1, 1,
            0, NULL, args, NULL);
    return r ? cuda_env_error(d->name, r, "clearing the L2", e) : 0;
}

/* Launches one thread for each 16 bytes. */
cu_result cuda_copy_kernel(struct device *d, cu_ptr to, cu_ptr from, size_t bytes, cu_handle stream)
{
    enum { THREADS = 256 };
    cu_handle copy = NULL;
    unsigned long long quads = bytes / 16;
    void *args[] = {&to, &from, &quads};
    cu_result r = function(d->state, "lockstep_copy", &copy);
    return r ? r
             : cu.cuLaunchKernel(copy, (unsigned)((quads + THREADS - 1) / THREADS), 1, 1, THREADS,
                   1, 1, 0, stream, args, NULL);
}

/* Sets launch_ms to the median of several empty launches, each after a sweep, just as launches of
 * learners are timed. */
int cuda_measure_launch(struct device *d, struct err *e)
{
    enum { TIMES = 9 };
    static const double SECONDS = 10;
    struct cuda_state *s = d->state;
    cu_handle empty = NULL;
    double ms[TIMES];
    float took = 0;
    if (s->launch_ms > 0) return 0;
    cu_result r = function(s, "lockstep_empty", &empty);
    /* Run -1 is a warm-up; its time is overwritten. */
    for (int i = -1; !r && i < TIMES; i++) {
        if (cuda_sweep(d, e)) return -1;
        if (!(r = cu.cuEventRecord(s->start, NULL)) &&
            !(r = cu.cuLaunchKernel(empty, 1, 1, 1, 1, 1, 1, 0, NULL, NULL, NULL)) &&
            !(r = cu.cuEventRecord(s->stop, NULL)) && !(r = cuda_wait(s->stop, SECONDS)))
            r = cu.cuEventElapsedTime(&took, s->start, s->stop);
        ms[i < 0 ? 0 : i] = took;
    }
    if (r) return cuda_env_error(d->name, r, "timing an empty launch", e);
    qsort(ms, TIMES, sizeof *ms, compare_doubles);
    s->launch_ms = ms[TIMES / 2];
    return 0;
}
