/* run.c - run one kernel on one problem on one device.
 *
 *     run_bind:   name ──> kernel; its parameters; its LAUNCH shape          once per step
 *     run_kernel: instance ──> device buffers ──> launch ──> output, checked once per input */
#include "exercise/exercise.h"
#include "exercise/host.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- binding: name, parameters, launch shape ---- */

/* Check the kernel's parameters: first the buffers, as pointers of 8 bytes; then the dims, as
 * integers of 4 bytes. PTX declares pointers as integers, so a type matches if it may represent
 * the expected one. */
static int bind_parameters(const struct bound_kernel *b, const char *file, struct err *e)
{
    const struct param *params;
    int count = kernel_params(b->kernel, &params), buffers = problem_buffers(b->problem),
        want = buffers + problem_dims(b->problem);
    int ok = count == want;
    for (int i = 0; ok && i < want; i++) {
        enum param_type t = params[i].type;
        if (i < buffers)
            ok = params[i].bytes == 8 && (t == PARAM_POINTER || t == PARAM_U64 || t == PARAM_I64);
        else
            ok = params[i].bytes == 4 && (t == PARAM_I32 || t == PARAM_U32);
    }
    if (ok) return 0;
    return err_set(e, ERR_LEARNER,
        "%s:%d: kernel %s has other parameters than the exercise's; write: __global__ void %s(%s)",
        file, kernel_line(b->kernel), b->step->kernel, b->step->kernel, b->problem->signature);
}

/* Find the kernel in the module. If it is missing, the message lists those that the file has. */
static int bind_kernel(struct bound_kernel *b, struct module *m, const char *file, struct err *e)
{
    struct buf there = {0};
    b->kernel = module_kernel(m, b->step->kernel);
    if (b->kernel) return bind_parameters(b, file, e);
    module_kernels(m, &there);
    err_set(e, ERR_LEARNER,
        "%s: there is no kernel %s (the file has %s); write: __global__ void %s(%s)", file,
        b->step->kernel, there.len ? there.data : "no kernel", b->step->kernel,
        b->problem->signature);
    buf_free(&there);
    return -1;
}

/* The macro LAUNCH in lockstep.h defines a variable lockstep_launch_KERNEL of five ints: block x
 * and y, covers x and y, bytes of dynamic shared memory. */
enum { SHAPE_WORDS = 5 };

/* Read the launch shape from the initial value of lockstep_launch_KERNEL, and check it against the
 * device's limits. A device without a profile may have 1024 threads in a block, and its shared
 * memory is not checked. */
static int bind_shape(struct bound_kernel *b, struct module *m, const char *file, struct err *e)
{
    int w[SHAPE_WORDS] = {0};
    const struct model_profile *p = device_profile(b->device);
    const char *name = b->step->kernel;
    char *variable = xasprintf("lockstep_launch_%s", name);
    long bytes = module_initial(m, variable, w, sizeof w);
    long threads = (long)w[0] * w[1], most = p ? p->max_block_threads : 1024;
    free(variable);
    if (bytes < 0)
        return err_set(e, ERR_LEARNER,
            "%s: kernel %s has no launch shape; write, for example: LAUNCH(%s, BLOCK(32, 8), COVERS(32, 8))",
            file, name, name);
    if (bytes != sizeof w)
        return err_set(e, ERR_LEARNER,
            "%s: the launch shape of %s holds %ld numbers; write, for example: LAUNCH(%s, BLOCK(32, 8), "
            "COVERS(32, 8))",
            file, name, bytes / (long)sizeof *w, name);
    /* a GPU of a later generation accepts that many threads */
    if (w[0] > 0 && w[1] > 0 && p && threads > most && threads <= 1024)
        return err_set(e, ERR_LEARNER,
            "%s: %s is launched with BLOCK(%d, %d); on %s a block has 1 to %ld threads; write "
            "LOCKSTEP_TILE for the width of a tile: it is %d there",
            file, name, w[0], w[1], p->title, most, model_tile(p));
    if (w[0] < 1 || w[1] < 1 || threads > most)
        return err_set(e, ERR_LEARNER,
            "%s: %s is launched with BLOCK(%d, %d); a block has 1 to %ld threads", file, name, w[0],
            w[1], most);
    if (w[2] < 1 || w[3] < 1)
        return err_set(e, ERR_LEARNER,
            "%s: %s is launched with COVERS(%d, %d); a block covers at least one output in each direction",
            file, name, w[2], w[3]);
    if (w[4] < 0 || (p && w[4] > p->shared_block_bytes))
        return err_set(e, ERR_LEARNER,
            "%s: %s asks for %d bytes of dynamic shared memory; a block has at most %d", file, name,
            w[4], p ? p->shared_block_bytes : 0);
    b->block[0] = (unsigned)w[0], b->block[1] = (unsigned)w[1];
    b->covers[0] = (unsigned)w[2], b->covers[1] = (unsigned)w[3];
    b->shared = (size_t)w[4];
    return 0;
}

/* Find the constant coef. Only the problem polynomial has coefficients. */
static int bind_coefficients(
    struct bound_kernel *b, struct module *m, const char *file, struct err *e)
{
    size_t bytes = 0;
    if (strcmp(b->problem->name, "polynomial")) return 0;
    b->coef = module_variable(m, "coef", &bytes);
    if (b->coef && bytes == COEFS * sizeof(float)) return 0;
    return err_set(e, ERR_LEARNER,
        "%s: the kit fills in the coefficients, but the file has no coef of 8 floats; write, for example: "
        "__constant__ float coef[8];",
        file);
}

/* Read the tensor maps that the file declares. TENSOR_MAP in lockstep_tma.h defines the map itself,
 * and a variable lockstep_map_BUFFER of three ints: columns and rows of a box, and the swizzle. A
 * fourth int 1 means that floats are rounded to TF32. */
static int bind_maps(struct bound_kernel *b, struct module *m, const char *file, struct err *e)
{
    for (int i = 0; i < problem_buffers(b->problem); i++) {
        const char *name = b->problem->buffers[i].name;
        char *shape = xasprintf("lockstep_map_%s", name), *variable = xasprintf("%s_map", name);
        int w[4] = {0};
        size_t bytes = 0;
        long said = module_initial(m, shape, w, sizeof w);
        dev_ptr map = said < 0 ? 0 : module_variable(m, variable, &bytes);
        free(shape);
        free(variable);
        if (said < 0) continue;
        if ((said != 3 * sizeof *w && said != sizeof w) || !map ||
            bytes != MODEL_TENSOR_MAP_BYTES || !b->problem->two_dimensional || w[0] < 1 || w[1] < 1)
            return err_set(e, ERR_LEARNER,
                "%s: the tensor map of %s is not one of a matrix; write, for example: TENSOR_MAP(%s, BOX(32, "
                "32), SWIZZLE_128)",
                file, name, name);
        b->map[i] = (struct bound_map){map, {(unsigned)w[0], (unsigned)w[1]}, w[2], w[3]};
    }
    return 0;
}

int run_bind(struct bound_kernel *b, struct device *d, struct module *m, const struct step *step,
    const char *file, struct err *e)
{
    *b = (struct bound_kernel){.device = d, .step = step, .problem = problem_find(step->problem)};
    if (!b->problem)
        BUG("step %s names the problem %s, which there is not", step->kernel, step->problem);
    if (bind_kernel(b, m, file, e) || bind_shape(b, m, file, e) ||
        bind_coefficients(b, m, file, e) || bind_maps(b, m, file, e))
        return -1;
    return 0;
}

/* The number is the initial value of the variable lockstep_predict_NAME, which the macro PREDICT in
 * lockstep.h defines. */
int run_prediction(struct module *m, const char *name)
{
    int value = -1;
    char *variable = xasprintf("lockstep_predict_%s", name);
    if (module_initial(m, variable, &value, sizeof value) != sizeof value) value = -1;
    free(variable);
    return value;
}

/* ---- poison: exercise.h says why these values ---- */

static const uint16_t POISON_F16 = 0x7d5e;
static const uint32_t POISON_F32 = 0x7fa15ea5u;
const uint32_t POISON_BAND = 0x7fa0ba4du;
static const uint64_t POISON_F64 = 0x7ff15ea57fa15ea5u;

/* The poison for elements of 2, 4 or 8 bytes. */
static const void *poison(size_t element)
{
    return element == 8   ? (const void *)&POISON_F64
           : element == 2 ? (const void *)&POISON_F16
                          : (const void *)&POISON_F32;
}

enum { PIECE = 1 << 14 }; /* bytes that stay in the L1 cache */

/* If fewer bytes than an element are left at the end, they stay unchanged. */
void poison_fill(void *data, size_t bytes, size_t element)
{
    size_t done = bytes < element ? 0 : element, end = bytes - bytes % element;
    memcpy(data, poison(element), done);
    for (size_t n; done < end; done += n) {
        n = done < end - done ? done : end - done;
        n = n < PIECE ? n : PIECE;
        memcpy((char *)data + done, data, n);
    }
}

int poison_whole(const void *data, size_t bytes, size_t element)
{
    const char *all = data;
    size_t end = bytes - bytes % element;
    return !end ||
           (!memcmp(all, poison(element), element) && !memcmp(all, all + element, end - element));
}

int poison_kind(float v)
{
    uint32_t bits;
    /* the bits of a NaN's significand except the one that makes it quiet */
    const uint32_t payload = 0x3fffff;
    memcpy(&bits, &v, sizeof bits);
    bits &= payload;
    return bits == (POISON_F32 & payload) ? 'o' : bits == (POISON_BAND & payload) ? 'b' : 0;
}

/* ---- running ---- */

/* A buffer on the device. A simulated device works in the instance's own memory, checks each access
 * against the allocation, and lets inputs only be read. On a GPU the buffer is copied, with a guard
 * band of poison on each side:
 *
 *     [ band | data | band ] */
struct placed {
    dev_ptr base, data;
    size_t bytes;
    size_t band;  /* bytes; 0 on a simulated device */
    void *halves; /* the content of a buffer of halves; else NULL */
};
enum { BAND = 4096 };

/* How many seconds the host has waited for allocations and copies to the device, and for copies
 * back. */
struct waits {
    double in, out;
};

/* Fill the bands before and behind a buffer with poison. */
static int place_bands(const struct bound_kernel *b, int i, const struct placed *p, struct err *e)
{
    char band[BAND];
    poison_fill(band, sizeof band, element_bytes(b->problem->buffers[i].element));
    return device_copy_in(b->device, p->base, band, sizeof band, e) ||
           device_copy_in(b->device, p->data + p->bytes, band, sizeof band, e);
}

/* Allocate the buffer on a GPU and copy the content there, with its bands. */
static int place_copy(const struct bound_kernel *b, int i, const void *content, struct placed *p,
    struct waits *w, struct err *e)
{
    const struct problem_buffer *info = &b->problem->buffers[i];
    p->band = BAND;
    double start = clock_seconds();
    int bad = device_alloc(
        b->device, p->bytes + 2 * BAND, info->name, element_bytes(info->element), &p->base, e);
    p->data = p->base + BAND;
    if (!bad) bad = device_copy_in(b->device, p->data, content, p->bytes, e);
    w->in += clock_seconds() - start;
    return bad ? bad : place_bands(b, i, p, e);
}

/* Make buffer i accessible to the device. The output is filled with poison. */
static int place(const struct bound_kernel *b, const struct instance *in, int i, struct placed *p,
    struct waits *w, struct err *e)
{
    const struct problem_buffer *info = &b->problem->buffers[i];
    size_t element = element_bytes(info->element);
    int output = i == b->problem->output;
    *p = (struct placed){
        .bytes = instance_bytes(in, i), .halves = output ? NULL : instance_halves(in, i)};
    void *content = p->halves ? p->halves : in->data[i];
    if (output) poison_fill(content, p->bytes, element);
    if (!device_simulated(device_name(b->device))) return place_copy(b, i, content, p, w, e);
    if (device_lend(b->device, content, p->bytes, info->name, element, !output, &p->base, e))
        return -1;
    p->data = p->base;
    /* a read of the output is then reported as a read of memory that nothing has written */
    if (output) device_forget(b->device, p->base, p->bytes);
    return 0;
}

/* Check the band of poison on one side of a buffer. If it is damaged, report the damaged element
 * nearest to the data: its index shows how far the access missed. behind: the band is the one
 * behind the data. count: elements of the buffer. Returns whether the band is damaged. */
static int leaked(const struct bound_kernel *b, int i, const char *band, size_t bytes, int behind,
    size_t count, struct err *e)
{
    const struct problem_buffer *info = &b->problem->buffers[i];
    size_t element = element_bytes(info->element), n = bytes / element, k = 0;
    while (k < n && poison_whole(band + (behind ? k : n - 1 - k) * element, element, element)) k++;
    if (k == n) return 0;
    long index = behind ? (long)(count + k) : -1 - (long)k;
    return err_set(e, ERR_LEARNER,
        "%s wrote outside %s, %zu bytes %s: to %s[%ld]; %s has %zu element%s", b->step->kernel,
        info->name, (k + 1) * element, behind ? "past its end" : "before its start", info->name,
        index, info->name, count, plural_s((double)count));
}

/* Are both bands of buffer i still poison? -1: no, as *e says. */
static int check_bands(const struct bound_kernel *b, const struct instance *in, int i,
    const struct placed *p, struct err *e)
{
    char band[2][BAND];
    return device_copy_out(b->device, band[0], p->base, BAND, e) ||
           device_copy_out(b->device, band[1], p->data + p->bytes, BAND, e) ||
           leaked(b, i, band[0], BAND, 0, in->count[i], e) ||
           leaked(b, i, band[1], BAND, 1, in->count[i], e);
}

/* Copy an input back from a GPU and compare it with the host's copy: a kernel must not have changed
 * it. */
static int fetch_input(const struct bound_kernel *b, const struct instance *in, int i,
    const struct placed *p, struct waits *w, struct err *e)
{
    char *content = xcalloc(p->bytes, 1);
    double start = clock_seconds();
    int bad = device_copy_out(b->device, content, p->data, p->bytes, e);
    w->out += clock_seconds() - start;
    int same = bad || !memcmp(content, p->halves ? p->halves : in->data[i], p->bytes);
    free(content);
    if (bad || same) return bad;
    return err_set(e, ERR_LEARNER, "%s changed its input %s; inputs may only be read",
        b->step->kernel, b->problem->buffers[i].name);
}

/* Copy a buffer back from a GPU; the output goes to in->data. Bands and inputs must be unchanged. */
static int fetch(const struct bound_kernel *b, struct instance *in, int i, const struct placed *p,
    struct waits *w, struct err *e)
{
    if (!p->band) return 0;
    if (check_bands(b, in, i, p, e)) return -1;
    if (i != b->problem->output) return fetch_input(b, in, i, p, w, e);
    double start = clock_seconds();
    int bad = device_copy_out(b->device, in->data[i], p->data, p->bytes, e);
    w->out += clock_seconds() - start;
    return bad;
}

/* How many instructions a warp may execute, to find endless loops quickly at the small sizes
 * that are run first: proportional to the useful work of whole blocks, but not below a minimum. At
 * the step's own size and above, 0: the device's default limit. x, y: outputs; blocks: how many. */
static uint64_t budget(const struct bound_kernel *b, const int *dims, long x, long y, double blocks)
{
    const double least = 1 << 19, most = 1 << 24;
    double share = b->problem->useful(dims) / b->problem->useful(b->step->dims),
           whole = blocks * b->covers[0] * b->covers[1] / ((double)x * (double)y);
    return share >= 1 ? 0 : (uint64_t)fmax(least, fmin(share * whole, 1) * most);
}

/* The time limit of a launch on a GPU, in seconds. A simulated device has none, since the
 * machine may be slow or busy. */
static double seconds(const struct bound_kernel *b, const int *dims)
{
    const double least = 2, most = 20;
    if (device_simulated(device_name(b->device))) return 0;
    return fmax(least, most * b->problem->useful(dims) / b->problem->useful(b->step->dims));
}

/* The most blocks that each multiprocessor runs in a sample. */
enum { SAMPLE_MOST = 1024 };

/* The grid has ceil(extent / covers) blocks in x and in y. */
int run_shape(const struct bound_kernel *b, const int *dims, struct launch_shape *s, struct err *e)
{
    const struct model_profile *p = device_profile(b->device);
    long x, y;
    b->problem->extents(dims, &x, &y);
    if (b->step->x_owns_rows) {
        long t = x;
        x = y;
        y = t;
    }
    *s = (struct launch_shape){
        .grid = {(unsigned)((x + b->covers[0] - 1) / b->covers[0]),
            (unsigned)((y + b->covers[1] - 1) / b->covers[1]), 1},
        .block = {b->block[0], b->block[1], 1},
        .dynamic_shared = b->shared,
        .sample_sms = b->sample_sms,
        .first_sm = b->first_sm,
        .without = b->without,
        .exchange = b->exchange,
        .budget = b->budget,
        .seconds = b->budget ? 0 : seconds(b, dims),
    };
    if (!s->budget) s->budget = budget(b, dims, x, y, (double)s->grid[0] * (double)s->grid[1]);
    if (p && b->sample_sms) {
        /* the sample is all blocks of these multiprocessors, up to SAMPLE_MOST of each */
        s->sample = (s->grid[0] * s->grid[1] + (unsigned)p->sms - 1) / (unsigned)p->sms;
        if (b->most_blocks) s->apart = (s->sample + b->most_blocks - 1) / b->most_blocks;
        s->sample = s->sample < SAMPLE_MOST ? s->sample : SAMPLE_MOST;
    }
    if (p && (s->grid[0] > p->max_grid_dim[0] || s->grid[1] > p->max_grid_dim[1]))
        return err_set(e, ERR_LEARNER,
            "%s needs a grid of %u x %u blocks; %s takes at most %u x %u: let a block cover more",
            b->step->kernel, s->grid[0], s->grid[1], p->title, p->max_grid_dim[0],
            p->max_grid_dim[1]);
    return 0;
}

/* For a buffer whose rows are no multiple of 16 bytes, zeros are written instead of a map. */
int run_maps(
    const struct bound_kernel *b, const int *dims, const dev_ptr data[BUFFERS], struct err *e)
{
    for (int i = 0; i < problem_buffers(b->problem); i++) {
        const struct bound_map *m = &b->map[i];
        unsigned char bytes[MODEL_TENSOR_MAP_BYTES] = {0};
        size_t rows, columns, element = element_bytes(b->problem->buffers[i].element);
        if (!m->map) continue;
        problem_matrix(b->problem, dims, i, &rows, &columns);
        struct model_tensor_map map = {.data = data[i],
            .size = {columns, rows},
            .stride = {element, columns * element},
            .box = {m->box[0], m->box[1]},
            .rank = 2,
            .element = (int)element,
            .swizzle = m->swizzle,
            .tf32 = m->tf32};
        struct err why;
        if (columns * element % 16 == 0 && device_tensor_map(b->device, &map, bytes, &why))
            return err_set(e, why.kind, "%s: TENSOR_MAP(%s, ...): %s", b->step->kernel,
                b->problem->buffers[i].name, why.text);
        if (device_copy_in(b->device, m->map, bytes, sizeof bytes, e)) return -1;
    }
    return 0;
}

/* On a GPU, the whole function holds the device (device_hold), so runs of other processes do not
 * add to its times. The order is: launch shape, buffers, arguments (buffers, then dims),
 * coefficients, caches, launch, copies back. After an error the remaining ones are skipped, but all
 * buffers are freed. */
int run_kernel(
    const struct bound_kernel *b, struct instance *in, struct measurement *m, struct err *e)
{
    struct placed placed[BUFFERS] = {{0}};
    struct launch_shape shape;
    const void *args[BUFFERS + DIMS];
    dev_ptr data[BUFFERS] = {0};
    int buffers = problem_buffers(b->problem), dims = problem_dims(b->problem);
    struct waits waits = {0};
    if (device_hold(b->device, e)) return -1;
    int bad = run_shape(b, in->dims, &shape, e);
    for (int i = 0; !bad && i < buffers; i++) bad = place(b, in, i, &placed[i], &waits, e);
    for (int i = 0; i < buffers; i++) data[i] = placed[i].data, args[i] = &data[i];
    for (int i = 0; i < dims; i++) args[buffers + i] = &in->dims[i];
    if (!bad && b->coef) bad = device_copy_in(b->device, b->coef, in->coef, sizeof in->coef, e);
    if (!bad) bad = run_maps(b, in->dims, data, e);
    if (!bad && m) bad = device_flush(b->device, e);
    if (!bad) bad = device_launch(b->device, b->kernel, &shape, args, m, e);
    for (int i = 0; !bad && i < buffers; i++) bad = fetch(b, in, i, &placed[i], &waits, e);
    if (!bad && m && m->time_is == TIME_MEASURED) {
        m->host_ms += 1e3 * (waits.in + waits.out);
        m->in_ms = 1e3 * waits.in;
        m->out_ms = 1e3 * waits.out;
    }
    for (int i = 0; i < buffers; i++)
        if (placed[i].base && device_free(b->device, placed[i].base, bad ? NULL : e)) bad = -1;
    for (int i = 0; i < buffers; i++) free(placed[i].halves);
    device_release(b->device);
    return bad ? -1 : 0;
}
