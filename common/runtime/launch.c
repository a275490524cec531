/* launch.c - from <<<...>>> to device_launch.
 *
 *     push, pop: grid, block, shared, stream --> cudaLaunchKernel(stub, ...) --> limits --> device_launch
 *                                                                                   │
 *     the first launch of each shape is counted and timed; later ones only run  <-- launch_record
 *
 * What a kernel prints is written to stdout after its launch. A fault is reported on stderr, and
 * all later calls return its error. */
#include "runtime/graph.h"
#include "runtime/nested.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- <<<...>>> ---- */

struct configuration {
    dim3 grid, block;
    size_t shared;
    cudaStream_t stream;
};
enum { NESTED = 16 };
static __thread struct configuration pushed[NESTED];
static __thread int depth;

API unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared, void *stream)
{
    if (depth == NESTED) return 1;
    pushed[depth++] = (struct configuration){grid, block, shared, stream};
    return 0;
}

API cudaError_t __cudaPopCallConfiguration(dim3 *grid, dim3 *block, size_t *shared, void *stream)
{
    if (!depth) return cudaErrorMissingConfiguration;
    const struct configuration *c = &pushed[--depth];
    *grid = c->grid, *block = c->block, *shared = c->shared;
    *(cudaStream_t *)stream = c->stream;
    return cudaSuccess;
}

/* ---- limits on launches ---- */

/* The line of a file that launches the kernel; 0: there is none, or there are several. */
static int launching_line(const char *file, const char *kernel)
{
    char *text = NULL;
    struct err e = {0};
    int line = 1, found = 0, count = 0;
    size_t n = strlen(kernel);
    if (!*file || file_read(file, 4 << 20, &text, NULL, &e)) return 0;
    for (const char *p = text; *p; p++) {
        line += *p == '\n';
        if (strncmp(p, kernel, n) || (p > text && (isalnum((unsigned char)p[-1]) || p[-1] == '_')))
            continue;
        const char *q = p + n;
        if (*q == '<' && strncmp(q, "<<<", 3)) q += strcspn(q, ">;\n") + 1;
        q += strspn(q, " \t\n");
        if (!strncmp(q, "<<<", 3)) count++, found = line;
    }
    free(text);
    return count == 1 ? found : 0;
}

/* Print why a launch is refused, and where the launch is. Returns the error. */
static cudaError_t __attribute__((format(printf, 3, 4)))
refuse(const struct function *f, cudaError_t error, const char *fmt, ...)
{
    char why[200], place[300] = "", plain[200];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(why, sizeof why, fmt, ap);
    va_end(ap);
    snprintf(plain, sizeof plain, "%.*s", (int)strcspn(f->name, "<("), f->name);
    const char *colon = strrchr(plain, ':'), *file = registry_source(f);
    int line = launching_line(file, colon ? colon + 1 : plain);
    if (line) snprintf(place, sizeof place, "%s:%d", file, line);
    runtime_refuse(line ? place : NULL, "kernel %s is not launched: %s (%s)", f->name, why,
        cudaGetErrorString(error));
    return error;
}

cudaError_t launch_check(const struct function *f, const struct launch_shape *s, int together)
{
    const struct model_profile *p = runtime.profile;
    struct kernel_needs n = {0};
    for (int i = 0; i < 3; i++) {
        if (!s->block[i] || s->block[i] > p->max_block_dim[i])
            return refuse(f, cudaErrorInvalidConfiguration, "%u threads in %c; a block has 1 to %u",
                s->block[i], "xyz"[i], p -> max_block_dim[i]);
        if (!s->grid[i] || s->grid[i] > p->max_grid_dim[i])
            return refuse(f, cudaErrorInvalidConfiguration, "%u blocks in %c; a grid has 1 to %u",
                s->grid[i], "xyz"[i], p -> max_grid_dim[i]);
    }
    uint64_t threads = (uint64_t)s->block[0] * s->block[1] * s->block[2];
    if (threads > (uint64_t)p->max_block_threads)
        return refuse(f, cudaErrorInvalidConfiguration, "%llu threads; a block has at most %d",
            (unsigned long long)threads, p->max_block_threads);
    if (kernel_needs(f->kernel, &n)) return cudaSuccess;
    size_t most = 48 << 10;
    if (f->dynamic_shared > 0 && n.shared + (size_t)f->dynamic_shared > most)
        most = n.shared + (size_t)f->dynamic_shared;
    if (n.shared + s->dynamic_shared > most)
        return refuse(f, cudaErrorInvalidValue,
            "%zu bytes of shared memory; a block has at most %zu, unless cudaFuncSetAttribute allows more",
            n.shared + s->dynamic_shared, most);
    if (n.max_threads && threads > (uint64_t)n.max_threads)
        return refuse(f, cudaErrorLaunchFailure,
            "%llu threads; its __launch_bounds__ allow at most %d", (unsigned long long)threads,
            n.max_threads);
    int fits = model_occupancy(p, (int)threads, n.registers, n.shared + s->dynamic_shared).blocks;
    uint64_t blocks = (uint64_t)s->grid[0] * s->grid[1] * s->grid[2];
    if (together && blocks > (uint64_t)fits * (uint64_t)p->sms)
        return refuse(f, cudaErrorCooperativeLaunchTooLarge,
            "%llu blocks; %llu fit on the GPU at once, and a cooperative launch needs all",
            (unsigned long long)blocks, (unsigned long long)fits * (unsigned long long)p->sms);
    if (fits && n.grid_sync && !together && blocks > 1) {
        runtime_say("%s: grid.sync() needs a launch by cudaLaunchCooperativeKernel", f->name);
        runtime_stick(cudaErrorLaunchFailure);
        return cudaErrorLaunchFailure;
    }
    return fits ? cudaSuccess
                : refuse(f, cudaErrorLaunchOutOfResources,
                      "%llu threads with %d registers each; a multiprocessor has %d",
                      (unsigned long long)threads, n.registers, p->registers);
}

/* ARGS: most arguments of a launch if addresses of managed variables are among them */
enum { ARGS = 64 };

/* The CUDA error code for a fault. */
static cudaError_t fault_of(enum finding_kind kind)
{
    switch (kind) {
    case FOUND_MISALIGNED: return cudaErrorMisalignedAddress;
    case FOUND_ENDLESS: return cudaErrorLaunchTimeout;
    case FOUND_ASSERTION: return cudaErrorAssert;
    case FOUND_OUTSIDE:
    case FOUND_READ_ONLY: return cudaErrorIllegalAddress;
    default: return cudaErrorLaunchFailure;
    }
}

static int same_shape(const struct launch_shape *a, const struct launch_shape *b)
{
    return !memcmp(a->grid, b->grid, sizeof a->grid) &&
           !memcmp(a->block, b->block, sizeof a->block) && a->dynamic_shared == b->dynamic_shared;
}

static struct launch_record *record_of(struct function *f, const struct launch_shape *s)
{
    struct launch_record *r = f->records;
    while (r && !same_shape(&r->shape, s)) r = r->next;
    if (!r) {
        r = xcalloc(1, sizeof *r);
        *r = (struct launch_record){.shape = *s, .next = f->records};
        f->records = r;
    }
    return r;
}

/* The state of the message during a launch that takes longer than WAIT seconds, if stderr is a
 * terminal. */
struct waiting {
    const char *name;
    double began, told;
};

static void tell(void *context, double share)
{
    static const double WAIT = 2;
    struct waiting *w = context;
    double now = clock_seconds(), passed = now - w->began;
    if (passed < WAIT || now - w->told < 0.5 || share <= 0) return;
    fprintf(stderr, "\rlockstep: %s: %.0f%%, %.0f s left\033[K", w->name, 100 * share,
        passed / share - passed);
    w->told = now;
}

/* For a launch whose counters are not reported: the number of multiprocessors whose blocks are
 * counted; 0: all. */
static int count_sms(const struct launch_shape *s)
{
    enum { COUNTED = 8, SMALL = 1 << 15 };
    uint64_t threads = (uint64_t)s->block[0] * s->block[1] * s->block[2];
    if (runtime.reports || runtime.count_all) return 0;
    return threads * s->grid[0] * s->grid[1] * s->grid[2] > SMALL ? COUNTED : 0;
}

static int launch(struct function *f, const struct launch_shape *s, void **args, int counted,
    struct measurement *m, struct err *e)
{
    struct device_settings *settings = device_settings(runtime.device);
    struct waiting w = {.name = f->name, .began = clock_seconds()};
    settings->uncounted = !counted;
    settings->count_sms = profile_wants(f) ? 0 : count_sms(s);
    settings->progress = isatty(2) ? tell : NULL;
    settings->context = &w;
    int bad = device_launch(runtime.device, f->kernel, s, (const void *const *)args, m, e);
    if (w.told > 0) fputs("\r\033[K", stderr);
    return bad;
}

/* Report that a launch failed. Returns its error, which sticks if the kernel has run. */
static cudaError_t failed(const struct function *f, const struct err *e)
{
    struct kernel_needs n;
    runtime_say("%s", e->text);
    /* the launch was refused: the kernel has not run */
    if (kernel_needs(f->kernel, &n)) return cudaErrorInvalidDeviceFunction;
    cudaError_t error = fault_of(e->found.kind);
    runtime_stick(error);
    report_finding(e);
    return error;
}

/* Add a launch to the report, to the modelled clock and to the timeline. Returns when it ends.
 * m: what was measured of it; NULL: nothing. */
static double account(const struct function *f, struct launch_record *r, cudaStream_t stream,
    const struct measurement *m)
{
    const struct launch_shape *s = &r->shape;
    struct buf counters = {0};
    if (m) trace_counters(&counters, f, m);
    r->calls++;
    r->total_ms += r->ms;
    double overhead = runtime.profile->launch_us * 1e-3,
           begin = clock_work(stream, r->ms + overhead, 0);
    trace_add(f->name, "kernel", clock_row(stream), begin + overhead, r->ms,
        "\"grid\":\"%u,%u,%u\",\"block\":\"%u,%u,%u\",\"shared\":%zu%s", s->grid[0], s->grid[1],
        s->grid[2], s->block[0], s->block[1], s->block[2], s->dynamic_shared,
        counters.data ? counters.data : "");
    buf_free(&counters);
    return begin + (r->ms + overhead);
}

cudaError_t launch_again(const struct kernel_work *k)
{
    struct measurement m = {0};
    struct err e = {0};
    cudaError_t error;
    struct function *f = registry_function(k->stub, &error);
    if (!f) return error;
    error = launch(f, &k->shape, k->args, 0, &m, &e) ? failed(f, &e) : cudaSuccess;
    measurement_free(&m);
    return error;
}

cudaError_t launch_run(
    struct function *f, const struct launch_shape *s, void **args, cudaStream_t stream)
{
    struct launch_record *r = record_of(f, s);
    struct measurement m = {0};
    struct err e = {0};
    int profiled = profile_wants(f), counted = !r->calls || runtime.count_all || profiled;
    void *translated[ARGS];
    uint64_t room[ARGS];
    registry_managed(0);
    if (registry_managed_args(f, args, translated, room, ARGS)) args = translated;
    int bad = launch(f, s, args, counted, &m, &e);
    if (bad) runtime_print(-1);
    if (!bad) registry_managed(1);
    if (bad) {
        measurement_free(&m);
        return failed(f, &e);
    }
    if (profiled) profile_take(f, s, &m, registry_source(f));
    dump_after(f, s, args);
    if (counted) r->ms = m.ms;
    runtime_print(account(f, r, stream, &m));
    measurement_free(&m);
    return nested_run(f, stream);
}

/* Launch a kernel. together: a cooperative launch, whose blocks must all be resident at once.
 * cluster: blocks of a cluster in x, y, z; zeros: none. */
static cudaError_t start(const void *kernel, dim3 grid, dim3 block, void **args, size_t shared,
    cudaStream_t stream, int together, const unsigned cluster[3])
{
    cudaError_t error;
    ENTER_AS("cudaLaunchKernel");
    struct function *f = registry_function(kernel, &error);
    if (!f) return runtime_leave(error);
    const struct work w = {.kind = cudaGraphNodeTypeKernel,
        .kernel = {.stub = kernel,
            .shape = {.grid = {grid.x, grid.y, grid.z},
                .block = {block.x, block.y, block.z},
                .dynamic_shared = shared,
                .cluster = {cluster[0], cluster[1], cluster[2]},
                .seconds = runtime.limit},
            .together = together,
            .args = args}};
    error = launch_check(f, &w.kernel.shape, together);
    if (error || capture_takes(stream, 0, &w, &error)) return runtime_leave(error);
    struct launch_record *r = record_of(f, &w.kernel.shape);
    if (later_launch(f, r, &w)) {
        account(f, r, stream, NULL);
        return runtime_leave(cudaSuccess);
    }
    unsigned long found = runtime.findings;
    error = later_run();
    if (!error) error = launch_run(f, &w.kernel.shape, args, stream);
    if (!error && runtime.findings == found) later_know(f, r, &w.kernel);
    return runtime_leave(error);
}

static const unsigned NO_CLUSTER[3];

API cudaError_t cudaLaunchKernel(
    const void *kernel, dim3 grid, dim3 block, void **args, size_t shared, cudaStream_t stream)
{
    return start(kernel, grid, block, args, shared, stream, 0, NO_CLUSTER);
}

/* The launch calls that nvcc generates since CUDA 13. Such code first asks for a handle, which here
 * is the kernel's stub. No header declares these calls. */
#pragma GCC diagnostic ignored "-Wmissing-prototypes"
API cudaError_t __cudaGetKernel(void **kernel, const void *stub)
{
    *kernel = (void *)(uintptr_t)stub;
    return cudaSuccess;
}
API cudaError_t __cudaLaunchKernel(
    const void *kernel, dim3 grid, dim3 block, void **args, size_t shared, cudaStream_t stream)
{
    return start(kernel, grid, block, args, shared, stream, 0, NO_CLUSTER);
}

API cudaError_t cudaLaunchCooperativeKernel(
    const void *kernel, dim3 grid, dim3 block, void **args, size_t shared, cudaStream_t stream)
{
    return start(kernel, grid, block, args, shared, stream, 1, NO_CLUSTER);
}

/* Read the attributes of a launch that have an effect. */
static void attributes_of(const cudaLaunchConfig_t *c, unsigned cluster[3], int *together)
{
    memset(cluster, 0, sizeof NO_CLUSTER);
    *together = 0;
    for (unsigned i = 0; i < c->numAttrs; i++) {
        const cudaLaunchAttributeValue *v = &c->attrs[i].val;
        if (c->attrs[i].id == cudaLaunchAttributeCooperative) *together = v->cooperative;
        if (c->attrs[i].id == cudaLaunchAttributeClusterDimension)
            memcpy(cluster, &v->clusterDim, sizeof NO_CLUSTER);
    }
}

API cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *c, const void *kernel, void **args)
{
    unsigned cluster[3];
    int together;
    attributes_of(c, cluster, &together);
    return start(
        kernel, c->gridDim, c->blockDim, args, c->dynamicSmemBytes, c->stream, together, cluster);
}

/* The driver's calls take a kernel of the program, too. */
API cudaError_t cudaGetFuncBySymbol(cudaFunction_t *function, const void *kernel)
{
    cudaError_t error;
    ENTER();
    struct function *f = registry_function(kernel, &error);
    *function = f ? (cudaFunction_t)(uintptr_t)kernel : NULL;
    return runtime_leave(f ? cudaSuccess : error);
}

/* ---- kernels' attributes ---- */

API cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes *a, const void *kernel)
{
    cudaError_t error;
    struct kernel_needs n = {0};
    ENTER();
    struct function *f = registry_function(kernel, &error);
    if (!f) return runtime_leave(error);
    const struct model_profile *p = runtime.profile;
    int cc = p->cc_major * 10 + p->cc_minor;
    if (kernel_needs(f->kernel, &n)) n.registers = 0;
    int threads = p->max_block_threads;
    while (threads > WARP_SIZE && !model_occupancy(p, threads, n.registers, n.shared).blocks)
        threads -= WARP_SIZE;
    *a = (struct cudaFuncAttributes){.sharedSizeBytes = n.shared,
        .localSizeBytes = n.local,
        .maxThreadsPerBlock = n.max_threads && n.max_threads < threads ? n.max_threads : threads,
        .numRegs = n.registers,
        .ptxVersion = registry_target(f),
        .binaryVersion = cc,
        .maxDynamicSharedSizeBytes =
            f->dynamic_shared ? f->dynamic_shared : (48 << 10) - (int)n.shared};
    return runtime_leave(cudaSuccess);
}

API cudaError_t cudaFuncSetAttribute(
    const void *kernel, enum cudaFuncAttribute attribute, int value)
{
    cudaError_t error;
    struct kernel_needs n = {0};
    ENTER();
    struct function *f = registry_function(kernel, &error);
    if (!f || attribute != cudaFuncAttributeMaxDynamicSharedMemorySize)
        return runtime_leave(f ? 0 : error);
    kernel_needs(f->kernel, &n);
    if (value < 0 || n.shared + (size_t)value > (size_t)runtime.profile->shared_block_bytes)
        return runtime_leave(cudaErrorInvalidValue);
    f->dynamic_shared = value;
    return runtime_leave(cudaSuccess);
}

CALL(cudaFuncSetCacheConfig, (const void *kernel, enum cudaFuncCache config), cudaSuccess)

CALL(cudaFuncSetSharedMemConfig, (const void *kernel, enum cudaSharedMemConfig config), cudaSuccess)

API cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(
    int *blocks, const void *kernel, int threads, size_t shared)
{
    cudaError_t error;
    struct kernel_needs n = {0};
    ENTER();
    struct function *f = registry_function(kernel, &error);
    if (!f) return runtime_leave(error);
    kernel_needs(f->kernel, &n);
    *blocks = model_occupancy(runtime.profile, threads, n.registers, n.shared + shared).blocks;
    return runtime_leave(cudaSuccess);
}

/* The clusters of so many blocks that fit on the GPU at once: a cluster's blocks lie in one GPC. */
static cudaError_t clusters_of(
    int *clusters, const void *kernel, const cudaLaunchConfig_t *c, unsigned size)
{
    int blocks;
    cudaError_t error = cudaOccupancyMaxActiveBlocksPerMultiprocessor(
        &blocks, kernel, (int)(c->blockDim.x * c->blockDim.y * c->blockDim.z), c->dynamicSmemBytes);
    if (error) return error;
    const struct model_profile *p = runtime.profile;
    int gpcs = p->gpcs ? p->gpcs : 1;
    *clusters = model_has(p, FEATURE_CLUSTERS) ? gpcs * (p->sms / gpcs * blocks / (int)size) : 0;
    return cudaSuccess;
}

API cudaError_t cudaOccupancyMaxActiveClusters(
    int *clusters, const void *kernel, const cudaLaunchConfig_t *c)
{
    unsigned d[3];
    int together;
    attributes_of(c, d, &together);
    unsigned size = d[0] * d[1] * d[2];
    if (!size) size = 1;
    if (c->gridDim.x * c->gridDim.y * c->gridDim.z % size) return cudaErrorInvalidValue;
    return clusters_of(clusters, kernel, c, size);
}

API cudaError_t cudaOccupancyMaxPotentialClusterSize(
    int *blocks, const void *kernel, const cudaLaunchConfig_t *c)
{
    int clusters = 0;
    cudaError_t error = cudaSuccess;
    *blocks = 8; /* the most that every GPU with clusters has */
    while (
        !(error = clusters_of(&clusters, kernel, c, (unsigned)*blocks)) && !clusters && *blocks > 1)
        *blocks /= 2;
    return error;
}

static cudaError_t name_of(const char **name, const void *kernel)
{
    cudaError_t error;
    const struct function *f = registry_function(kernel, &error);
    *name = f ? f->symbol : NULL;
    return f ? cudaSuccess : error;
}

API cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(
    size_t *bytes, const void *kernel, int blocks, int threads)
{
    cudaError_t error;
    struct kernel_needs n = {0};
    const struct model_profile *p = runtime.profile;
    ENTER();
    struct function *f = registry_function(kernel, &error);
    if (!f) return runtime_leave(error);
    kernel_needs(f->kernel, &n);
    if (blocks < 1 || model_occupancy(p, threads, n.registers, n.shared).blocks < blocks)
        return runtime_leave(cudaErrorInvalidValue);
    size_t of_block = (size_t)p->shared_bytes / (size_t)blocks - (size_t)p->shared_reserved;
    if (of_block > (size_t)p->shared_block_bytes) of_block = (size_t)p->shared_block_bytes;
    *bytes = of_block - n.shared;
    return runtime_leave(cudaSuccess);
}

CALL(cudaFuncGetName, (const char **name, const void *kernel), name_of(name, kernel))

API cudaError_t lockstepOccupancyBest(int *grid, int *block, const void *kernel, size_t shared,
    size_t (*shared_of)(const void *context, int threads), const void *context, int most)
{
    cudaError_t error;
    struct kernel_needs n = {0};
    ENTER_AS("cudaOccupancyMaxPotentialBlockSize");
    struct function *f = registry_function(kernel, &error);
    if (!f) return runtime_leave(error);
    kernel_needs(f->kernel, &n);
    int best = 0;
    if (most <= 0 || most > runtime.profile->max_block_threads)
        most = runtime.profile->max_block_threads;
    if (n.max_threads && most > n.max_threads) most = n.max_threads;
    for (int threads = most; threads > 0;
         threads -= threads % WARP_SIZE ? threads % WARP_SIZE : WARP_SIZE) {
        size_t own = n.shared + (shared_of ? shared_of(context, threads) : shared);
        int blocks = model_occupancy(runtime.profile, threads, n.registers, own).blocks;
        if (blocks * threads > best)
            best = blocks * threads, *block = threads, *grid = blocks * runtime.profile->sms;
    }
    return runtime_leave(best ? cudaSuccess : cudaErrorLaunchOutOfResources);
}
