/* test_cuda.c - the whole way to a GPU and back, over the fake driver of fake_cuda.c: opening,
 * loading, launching, timing, and everything that can go wrong on it. The suite starts itself again
 * with the fake driver in the library path. */
#define _GNU_SOURCE
#include "device/cuda_driver.h"
#include "explain/explain.h"
#include "cli/cli.h"
#include "judge/judge.h"
#include "os/os.h"
#include "exercise/exercise.h"
#include "suite.h"

#include <elf.h>
#include <limits.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void pretend(const char *mode, const char *noise)
{
    setenv("FAKE_CUDA", mode, 1);
    setenv("FAKE_CUDA_NOISE", noise, 1);
}

/* ---- machines that can't ---- */

static const struct {
    const char *mode, *device, *says;
    enum err_kind kind;
} conditions[] = {
    {"old", "cuda", "too old", ERR_ENV},
    {"no-gpu", "cuda", "no such GPU", ERR_ENV},
    {"", "cuda:1", "no such GPU", ERR_ENV},
    {"prohibited", "cuda", "exclusive", ERR_ENV},
    {"busy", "cuda", "busy", ERR_ENV},
    {"", "cuda:x", "cuda:N", ERR_USAGE},
    {"", "cudas", "does not exist", ERR_USAGE},
};

START_TEST(a_condition_of_the_machine_is_one_line)
{
    struct session s;
    struct err e = {0};
    pretend(conditions[_i].mode, "0");
    ck_assert_int_eq(session_open(&s, conditions[_i].device, NULL, "solutions", NULL, &e), -1);
    ck_assert_int_eq(e.kind, conditions[_i].kind);
    ck_assert_msg(strstr(e.text, conditions[_i].says) && !strchr(e.text, '\n'), "%s: %s",
        conditions[_i].mode, e.text);
}
END_TEST

START_TEST(a_gpu_that_answers_is_the_default)
{
    struct session s;
    struct err e = {0};
    pretend("", "0");
    ck_assert_str_eq(device_default(), "cuda");
    ck_assert_msg(!session_open(&s, NULL, NULL, "solutions", NULL, &e), "%s", e.text);
    ck_assert_str_eq(s.workbench.name, "cuda");
    ck_assert_str_eq(s.workbench.title, "NVIDIA H200");
    ck_assert_str_eq(s.workbench.counter, "sim:h200");
    ck_assert_ptr_null(s.workbench.device); /* only child processes open the device */
    session_close(&s);
    pretend("no-gpu", "0");
    ck_assert_str_eq(device_default(), "sim:h200");
}
END_TEST

/* A fake nvcc that only prints its version. CUDA_HOME leads to it if the machine has no nvcc. */
static const struct {
    const char *mode, *says, *kind;
} nvccs[] = {
    {"", "Cuda compilation tools, release 13.0, V13.0.88", "nvcc"},
    {"no-gpu", "Cuda compilation tools, release 13.0, V13.0.88", "clang"},
    {"", "it does not run", "clang"},
    {"", "lockstep-nvcc: Cuda compilation tools, release 12.0, V12.0.0", "clang"},
};

START_TEST(nvcc_is_the_default_where_a_gpu_answers)
{
    struct front f;
    struct err e = {0};
    char home[] = "/tmp/lockstep-cuda.XXXXXX", *own = spawn_find("nvcc");
    int installed = own != NULL;
    free(own);
    if (installed && _i >= 2) SKIP("nvcc is installed, and runs");
    if (front_find(&f, "clang", NULL, NULL)) SKIP("clang is not installed");
    front_free(&f);
    ck_assert_ptr_nonnull(mkdtemp(home));
    char *bin = xasprintf("%s/bin", home), *file = xasprintf("%s/nvcc", bin);
    char *text = xasprintf("#!/bin/sh\necho '%s'\n", nvccs[_i].says);
    ck_assert(!mkdir(bin, 0700) && !file_write(file, text, strlen(text), &e) && !chmod(file, 0700));
    setenv("CUDA_HOME", home, 1);
    pretend(nvccs[_i].mode, "0");
    ck_assert_msg(!front_find(&f, NULL, NULL, &e), "%s", e.text);
    ck_assert_str_eq(f.kind, nvccs[_i].kind);
    front_free(&f);
    ck_assert_msg(!front_find(&f, "clang", NULL, &e), "%s", e.text);
    ck_assert_str_eq(f.kind, "clang");
    front_free(&f);
    unsetenv("CUDA_HOME");
    spawn_remove_directory(home);
    free(bin), free(file), free(text);
}
END_TEST

/* ---- grading ---- */

struct seen {
    struct result copy[8]; /* in the order of grading; memory that they own is freed */
    char *message[8];
    int count;
};

static void see(void *context, const struct result *r)
{
    struct seen *s = context;
    s->copy[s->count] = *r;
    s->message[s->count++] = xstrdup(r->message.data ? r->message.data : "");
}

static void forget(struct seen *s)
{
    for (int i = 0; i < s->count; i++) free(s->message[i]);
}

static int grade(
    const char *student, const char *lab, const char *exercise, struct seen *seen, struct err *e)
{
    struct session s;
    uint64_t seed = 7;
    *seen = (struct seen){.count = 0};
    if (session_open(&s, "cuda", NULL, student, &seed, e)) return -1;
    s.explains = &explainer;
    const struct lab *l = options_lab(lab, e);
    int bad = grade_labs(&s, l, exercise ? options_exercise(l, exercise, e) : NULL, see, seen, e);
    session_close(&s);
    return bad;
}

static const struct {
    const char *lab, *exercise;
} solved[] = {{"01", "copy"}, {"02", "soa"}, {"02", "paths"}, {"04", "transpose"}};
enum { PATHS = 2 }; /* the row of the exercise whose speed earns nothing: it is timed once */

START_TEST(solutions_earn_everything_through_noise)
{
    struct seen seen;
    struct err e = {0};
    pretend("", "15");
    ck_assert_msg(
        !grade("solutions", solved[_i].lab, solved[_i].exercise, &seen, &e), "%s", e.text);
    const struct result *r = &seen.copy[0];
    ck_assert_msg(r->status == STATUS_PASSED && r->score == r->max_score, "%s: %g of %d: %s",
        solved[_i].exercise, r->score, r->max_score, seen.message[0]);
    ck_assert_int_eq(r->time_is, TIME_MEASURED);
    for (int i = 0; i < r->step_count; i++) {
        const struct step_result *s = &r->steps[i];
        ck_assert_double_gt(s->m.ms, 0);
        ck_assert_double_gt(s->m.host_ms, s->m.ms);
        ck_assert_double_gt(s->m.in_ms, 0);
        /* the simulator counts, beside the GPU */
        ck_assert_double_gt(s->m.metrics.v[METRIC_INST], 0);
        ck_assert_ptr_eq(s->step, &r->exercise->steps[i]);
        if (s->step->speed_points) {
            ck_assert_double_lt(s->ratio.low, s->ratio.high);
            ck_assert_double_ge(s->ratio.high, s->ratio.median);
            ck_assert_double_lt(s->ratio.low, 1.1);
            ck_assert_int_eq(s->timing, TIMING_JUDGED);
        }
    }
    forget(&seen);
}
END_TEST

START_TEST(a_slow_kernel_loses_what_is_certain)
{
    struct seen seen;
    struct err e = {0};
    pretend("", "15");
    ck_assert_msg(!grade("tests/wrong/slow", "01", "copy", &seen, &e), "%s", e.text);
    const struct step_result *s = &seen.copy[0].steps[0];
    ck_assert_int_eq(
        seen.copy[0].status, s->ratio.low > score_slow(s->step) ? STATUS_FAILED : STATUS_PASSED);
    ck_assert_double_gt(s->ratio.low, 1.2);
    int lost = 0;
    for (int i = 0; i < seen.copy[0].ledger_count; i++) {
        const struct ledger_entry *x = &seen.copy[0].ledger[i];
        lost |= x->what == LEDGER_SPEED && x->points < x->of;
    }
    ck_assert(lost);
    ck_assert_msg(strstr(seen.message[0], "ms, at least "), "%s", seen.message[0]);
    forget(&seen);
}
END_TEST

START_TEST(what_is_too_short_costs_nothing)
{
    struct seen seen;
    struct err e = {0};
    pretend("short", "0");
    ck_assert_msg(!grade("solutions", "01", "copy", &seen, &e), "%s", e.text);
    /* 2048 x 2048 floats in 3 us */
    ck_assert_int_eq(seen.copy[0].steps[0].timing, TIMING_IMPOSSIBLE);
    forget(&seen);
    ck_assert_msg(!grade("solutions", "01", "aat", &seen, &e), "%s", e.text);
    ck_assert_int_eq(seen.copy[0].steps[0].timing, TIMING_TOO_SHORT);
    ck_assert_msg(seen.copy[0].status == STATUS_PASSED, "%s", seen.message[0]);
    forget(&seen);
}
END_TEST

START_TEST(the_impossible_is_no_score)
{
    struct seen seen;
    struct err e = {0};
    pretend("impossible", "0");
    ck_assert_msg(!grade("solutions", "01", "copy", &seen, &e), "%s", e.text);
    ck_assert_int_eq(seen.copy[0].steps[0].timing, TIMING_IMPOSSIBLE);
    ck_assert_double_eq(
        seen.copy[0].score, seen.copy[0].max_score - seen.copy[0].steps[0].step->speed_points);
    ck_assert_msg(strstr(seen.message[0], "defect"), "%s", seen.message[0]);
    forget(&seen);
}
END_TEST

/* ---- kernels that go wrong ---- */

static void put(const char *root, const char *name, const char *text)
{
    struct err e;
    char *path = xasprintf("%s/01-naive/%s.cu", root, name);
    ck_assert_msg(!file_write(path, text, strlen(text), &e), "%s", e.text);
    free(path);
}

#define KERNEL(name, params, body) \
    "#include \"lockstep.h\"\nLAUNCH(" name ", BLOCK(32, 8), COVERS(32, 8))\n" \
    "__global__ void " name "(" params ")\n{\n" \
    "    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;\n" body \
    "\n}\n"

/* A fault, an endless loop, a write outside the output, and then an exercise that is right. The
 * endless kernel, which keeps the GPU until the limit, is launched once. */
START_TEST(a_kernel_takes_only_its_own_exercise_along)
{
    char root[] = "/tmp/test_cuda.XXXXXX", *text = NULL;
    struct seen seen;
    struct err e = {0};
    ck_assert_ptr_nonnull(mkdtemp(root));
    char *lab = xasprintf("%s/01-naive", root), *clean = xasprintf("rm -r '%s'", root);
    ck_assert_int_eq(mkdir(lab, 0777), 0);
    put(root, "copy",
        KERNEL("copy", "const float *in, float *out, int rows, int cols",
            "out[x + y * 100000000L] = 1;"));
    put(root, "matmul",
        KERNEL("matmul", "const float *a, const float *b, float *c, int m, int k, int n",
            "for (volatile int i = 0; i < 1;)\n        c[0] = x + y;"));
    put(root, "transpose",
        KERNEL("transpose", "const float *in, float *out, int rows, int cols",
            "if (x < cols && y < rows) out[x * rows + y] = in[y * cols + x]; out[-1 - x] = 0;"));
    ck_assert_int_eq(file_read("solutions/01-naive/aat.cu", 1 << 20, &text, NULL, &e), 0);
    put(root, "aat", text);
    free(text);
    pretend("", "0");
    char *endless = xasprintf("%s/endless", root);
    setenv("FAKE_CUDA_ENDLESS", endless, 1);
    ck_assert_msg(!grade(root, "01", NULL, &seen, &e), "%s", e.text);
    ck_assert_int_eq(file_read(endless, 100, &text, NULL, &e), 0);
    ck_assert_str_eq(text, "x");
    free(text);
    free(endless);
    /* a result for each exercise of lab 01; there are files of four, from copy to aat */
    ck_assert_int_eq(seen.count, 7);
    static const char *const says[] = {"memory that is not its own", "does not end",
        "wrote outside out, 4 bytes before its start: to out[-1]; out has 4096 elements", ""};
    static const char *const where[] = {"copy.cu:6", "matmul.cu:", "transpose.cu:6", ""};
    for (int i = 0; i < 4; i++) {
        ck_assert_int_eq(seen.copy[i + 1].status, i == 3 ? STATUS_PASSED : STATUS_FAILED);
        ck_assert_double_eq(seen.copy[i + 1].score, i == 3 ? seen.copy[i + 1].max_score : 0);
        const char *message = seen.message[i + 1];
        ck_assert_msg(strstr(message, says[i]), "expected %s: %s", says[i], message);
        ck_assert_msg(strstr(message, where[i]), "expected %s: %s", where[i], message);
    }
    forget(&seen);
    ck_assert_int_eq(system(clean), 0);
    free(clean);
    free(lab);
}
END_TEST

/* A write past the end of an array, where nothing faults: the array and the place are named. */
START_TEST(a_leak_is_told_with_its_place)
{
    char root[] = "/tmp/test_cuda.XXXXXX";
    struct seen seen;
    struct err e = {0};
    ck_assert_ptr_nonnull(mkdtemp(root));
    char *lab = xasprintf("%s/01-naive", root), *clean = xasprintf("rm -r '%s'", root);
    ck_assert_int_eq(mkdir(lab, 0777), 0);
    put(root, "copy",
        KERNEL("copy", "const float *in, float *out, int rows, int cols",
            "if (x < cols && y < rows) out[y * cols + x] = in[y * cols + x]; "
            "if (x + y == 0) out[rows * cols + 2] = 0;"));
    pretend("", "0");
    ck_assert_msg(!grade(root, "01", "copy", &seen, &e), "%s", e.text);
    ck_assert_double_eq(seen.copy[0].score, 0);
    ck_assert_msg(
        strstr(seen.message[0],
            "wrote outside out, 12 bytes past its end: to out[4098]; out has 4096 elements"),
        "%s", seen.message[0]);
    ck_assert_msg(strstr(seen.message[0], "copy.cu:6: block (0,0) thread (0,0) writes out[4098]"),
        "%s", seen.message[0]);
    forget(&seen);
    ck_assert_int_eq(system(clean), 0);
    free(clean);
    free(lab);
}
END_TEST

/* The submission reads past the end of its input, which harms nothing on a GPU. */
START_TEST(luck_is_not_right)
{
    struct seen seen;
    struct err e = {0};
    pretend("", "0");
    ck_assert_msg(!grade("tests/wrong/bounds", "01", "copy", &seen, &e), "%s", e.text);
    ck_assert_double_eq(seen.copy[0].score, 0);
    ck_assert_msg(
        strstr(seen.message[0], "only by chance: ") && strstr(seen.message[0], "copy.cu:11"), "%s",
        seen.message[0]);
    forget(&seen);
}
END_TEST

START_TEST(a_driver_that_crashes_stops_nobody_else)
{
    static const char *const modes[] = {"crash-load", "crash-launch"};
    struct seen seen;
    struct err e = {0};
    if (getenv("LOCKSTEP_SANITIZED")) SKIP("the sanitizer takes the signal");
    pretend(modes[_i], "0");
    ck_assert_msg(!grade("solutions", "05", NULL, &seen, &e), "%s", e.text);
    ck_assert_int_eq(seen.count, 5); /* the last two are given kernels */
    for (int i = 0; i < 3; i++) {
        ck_assert_int_eq(seen.copy[i].status, STATUS_FAILED);
        ck_assert_msg(strstr(seen.message[i], "took its process along: Segmentation fault"), "%s",
            seen.message[i]);
    }
    forget(&seen);
}
END_TEST

START_TEST(too_little_memory_ends_the_run)
{
    struct seen seen;
    struct err e = {0};
    pretend("memory", "0");
    ck_assert_int_eq(grade("solutions", "01", "copy", &seen, &e), -1);
    ck_assert_int_eq(e.kind, ERR_ENV);
    ck_assert_msg(
        strstr(e.text, "too little free GPU memory (in needs 1 MiB, 1 of 142336 MiB are free)"),
        "%s", e.text);
    forget(&seen);
}
END_TEST

START_TEST(a_skeleton_is_not_attempted)
{
    struct seen seen;
    struct err e = {0};
    pretend("", "0");
    ck_assert_msg(!grade("labs", "01", "copy", &seen, &e), "%s", e.text);
    ck_assert_int_eq(seen.copy[0].status, STATUS_NOT_ATTEMPTED);
    ck_assert_double_eq(seen.copy[0].score, 0);
    forget(&seen);
}
END_TEST

/* Runs in a child: who has opened a GPU must not fork any more, and Check's process forks. */
static int measure_reference(void *context, struct buf *reply, struct err *e)
{
    struct session *s = context;
    struct measurement m;
    const struct lab *lab = options_lab("01", e);
    const struct exercise *x = options_exercise(lab, "copy", e);
    if (reference_measure(s, lab, x, 0, (const int[DIMS]){512, 512}, &m, e)) return -1;
    buf_printf(reply, "%d %g", m.time_is, m.ms);
    return 0;
}

START_TEST(a_reference_is_timed_alone)
{
    struct session s;
    struct err e = {0};
    struct buf reply = {0};
    double ms = 0;
    int kind = 0;
    pretend("", "10");
    ck_assert_msg(!session_open(&s, "cuda", NULL, "solutions", NULL, &e), "%s", e.text);
    ck_assert_msg(!measure_reference(&s, &reply, &e), "%s", e.text);
    ck_assert_int_eq(sscanf(reply.data, "%d %lg", &kind, &ms), 2);
    ck_assert_int_eq(kind, TIME_MEASURED);
    ck_assert_double_gt(ms, 0);
    buf_free(&reply);
    session_close(&s);
}
END_TEST

/* ---- transfers ---- */

/* How many kernels the fake driver has begun. */
static int launches(void)
{
    char *text = NULL;
    struct err e;
    int n = 0;
    if (file_read(getenv("FAKE_CUDA_RUNS"), 1 << 24, &text, NULL, &e)) return 0;
    for (const char *at = text; (at = strstr(at, "begins")); at++) n++;
    free(text);
    return n;
}

/* For each plan: whether it took time, and how many kernels ran a piece; 10 runs, one to warm up. */
static int transfer_there(void *context, struct buf *reply, struct err *e)
{
    static const struct model_transfer plans[] = {{1 << 20, 1, 1, 1, 1, 16, 4},
        {1 << 20, 0, 1, 1, 1, 3, 2}, {1 << 20, 1, 0, 0, 1, 1, 1}, {1000016, 1, 1, 1, 1, 7, 3}};
    struct device *d;
    (void)context;
    if (device_open("cuda", &d, e)) return -1;
    for (size_t i = 0; i < sizeof plans / sizeof *plans; i++) {
        enum time_kind is;
        double ms = 0;
        int before = launches();
        if (device_transfer(d, &plans[i], &ms, &is, e)) return -1;
        buf_printf(reply, "%d %g, ", is == TIME_MEASURED && ms > 0,
            (double)(launches() - before) / plans[i].pieces);
    }
    device_close(d);
    return 0;
}

/* ---- launches ---- */

/* Each block writes its grid, the cluster's blocks and the block's threads. */
#define SHAPE_PTX \
    ".version 7.8\n.target sm_90\n.address_size 64\n.visible .entry shape(.param .u64 out)\n" \
    "{ .reg .b32 %r<2>; .reg .b64 %d<2>; ld.param.u64 %d1, [out];\n" WORD("nctaid.x", "0") \
        WORD("nctaid.y", "4") WORD("nctaid.z", "8") WORD("cluster_nctaid.x", "12") \
            WORD("cluster_nctaid.y", "16") WORD("cluster_nctaid.z", "20") WORD("ntid.x", "24") \
                WORD("ntid.y", "28") WORD("ntid.z", "32") "ret; }\n"
#define WORD(of, at) "mov.u32 %r1, %" of "; st.global.u32 [%d1+" at "], %r1;\n"

/* Launch a kernel with clusters, with too many threads, and with an address that is not its own;
 * after each of the last two, whether the device is lost. */
static int launch_there(void *context, struct buf *reply, struct err *e)
{
    struct device *d;
    struct module *m;
    dev_ptr out = 0, wrong = 4096;
    unsigned got[9];
    (void)context;
    if (device_open("cuda", &d, e) || device_load(d, SHAPE_PTX, "shape", "shape.cu", &m, e) ||
        device_alloc(d, sizeof got, "out", 4, &out, e))
        return -1;
    struct kernel *k = module_kernel(m, "shape");
    const struct launch_shape clusters = {{4, 6, 3}, {32, 2, 4}, .cluster = {2, 3, 1}},
                              many = {{1, 1, 1}, {1024, 1, 1}}, one = {{1, 1, 1}, {1, 1, 1}};
    const void *args[] = {&out}, *bad[] = {&wrong};
    if (device_launch(d, k, &clusters, args, NULL, e) ||
        device_copy_out(d, got, out, sizeof got, e))
        return -1;
    for (int i = 0; i < 9; i++) buf_printf(reply, "%u ", got[i]);
    buf_printf(reply, "\n%d %s\n", device_launch(d, k, &many, args, NULL, e), e->text);
    buf_printf(reply, "%d\n", device_launch(d, k, &one, args, NULL, e));
    buf_printf(reply, "%d %.57s\n", device_launch(d, k, &one, bad, NULL, e), e->text);
    buf_printf(reply, "%d %s\n", device_launch(d, k, &one, args, NULL, e), e->text);
    return 0;
}

/* A launch that never started harms no later one; one that failed takes the device along. */
START_TEST(a_launch_has_its_shape_and_its_errors)
{
    struct buf reply = {0};
    struct err e = {0};
    pretend("registers", "0");
    ck_assert_msg(!isolate_run(launch_there, NULL, 60, &reply, &e), "%s", e.text);
    ck_assert_str_eq(reply.data,
        "4 6 3 2 3 1 32 2 4 \n"
        "-1 kernel shape failed on the GPU: a block needs more registers or shared memory than there "
        "are\n"
        "0\n"
        "-1 kernel shape failed on the GPU: it reads or writes memory\n"
        "-1 device 'cuda': a kernel that failed took it along; another process can open it again\n");
    buf_free(&reply);
}
END_TEST

enum { MANY_KERNELS = 70 };

/* Each kernel of a large module is found, and finding it twice gives the same one. */
static int many_kernels_there(void *context, struct buf *reply, struct err *e)
{
    struct device *d;
    struct module *m;
    struct buf ptx = {0};
    struct kernel *kernels[MANY_KERNELS];
    int found = 0, same = 0;
    (void)context;
    buf_printf(&ptx, ".version 7.5\n.target sm_70\n.address_size 64\n");
    for (int i = 0; i < MANY_KERNELS; i++) buf_printf(&ptx, ".visible .entry k%d() { ret; }\n", i);
    if (device_open("cuda", &d, e) || device_load(d, ptx.data, "many", "many.cu", &m, e)) return -1;
    for (int i = 0; i < 2 * MANY_KERNELS; i++) {
        char name[16];
        snprintf(name, sizeof name, "k%d", i % MANY_KERNELS);
        struct kernel *k = module_kernel(m, name);
        found += k != NULL;
        same += i >= MANY_KERNELS && k == kernels[i % MANY_KERNELS];
        kernels[i % MANY_KERNELS] = k;
    }
    buf_printf(reply, "%d %d", found, same);
    device_close(d);
    buf_free(&ptx);
    return 0;
}

START_TEST(a_module_may_have_many_kernels)
{
    struct buf reply = {0};
    struct err e = {0};
    pretend("", "0");
    ck_assert_msg(!isolate_run(many_kernels_there, NULL, 60, &reply, &e), "%s", e.text);
    ck_assert_str_eq(reply.data, "140 70");
    buf_free(&reply);
}
END_TEST

START_TEST(what_goes_to_the_gpu_comes_back)
{
    static const double PATIENCE = 1e6;
    struct buf reply = {0};
    struct err e = {0};
    pretend("", "0");
    char runs[] = "/tmp/test_cuda.XXXXXX";
    int fd = mkstemp(runs);
    ck_assert(fd >= 0 && !close(fd));
    setenv("FAKE_CUDA_RUNS", runs, 1);
    ck_assert_msg(!isolate_run(transfer_there, NULL, PATIENCE, &reply, &e), "%s", e.text);
    ck_assert_str_eq(reply.data, "1 10, 1 10, 1 0, 1 10, ");
    buf_free(&reply);
    unlink(runs);
    pretend("memory", "0");
    ck_assert_int_eq(isolate_run(transfer_there, NULL, PATIENCE, &reply, &e), -1);
    ck_assert_msg(strstr(e.text, "too little free GPU memory"), "%s", e.text);
}
END_TEST

/* ---- without a driver ---- */

START_TEST(no_driver_is_one_line)
{
    char *self = realpath("/proc/self/exe", NULL),
         *command = xasprintf("LD_LIBRARY_PATH= '%s' --without-driver", self), line[512] = "";
    FILE *p = popen(command, "r");
    ck_assert_ptr_nonnull(fgets(line, sizeof line, p));
    pclose(p);
    ck_assert_msg(
        strstr(line, "no NVIDIA driver on this machine") || strstr(line, "a driver of its own"),
        "%s", line);
    free(command);
    free(self);
}
END_TEST

static int without_driver(void)
{
    struct session s;
    struct err e = {0};
    if (device_cuda.present())
        puts("this machine has a driver of its own");
    else if (session_open(&s, "cuda", NULL, "solutions", NULL, &e))
        puts(e.text);
    return 0;
}

static void with_fake_driver(char **argv)
{
    char *self = realpath("/proc/self/exe", NULL), *slash = strrchr(self, '/');
    char *path = xasprintf("%.*s/fake", (int)(slash - self), self);
    setenv("LD_LIBRARY_PATH", path, 1);
    setenv("FAKE_CUDA", "", 1);
    execv(self, argv);
    perror(self);
    exit(1);
}

int main(int argc, char **argv)
{
    if (argc > 1 && !strcmp(argv[1], "--without-driver")) return without_driver();
    if (!getenv("FAKE_CUDA")) with_fake_driver(argv);
    Suite *suite = suite_create("cuda");
    TCase *c = tcase_create("cuda");
    tcase_set_timeout(c, 0);
    tcase_add_loop_test(c, a_condition_of_the_machine_is_one_line, 0,
        (int)(sizeof conditions / sizeof *conditions));
    tcase_add_test(c, no_driver_is_one_line);
    tcase_add_test(c, a_gpu_that_answers_is_the_default);
    tcase_add_loop_test(
        c, nvcc_is_the_default_where_a_gpu_answers, 0, (int)(sizeof nvccs / sizeof *nvccs));
    /* under the sanitizers one row alone, which runs the same code in a tenth of the time */
    if (getenv("LOCKSTEP_SANITIZED")) {
        tcase_add_loop_test(c, solutions_earn_everything_through_noise, PATHS, PATHS + 1);
    } else {
        tcase_add_loop_test(
            c, solutions_earn_everything_through_noise, 0, (int)(sizeof solved / sizeof *solved));
        tcase_add_test(c, a_slow_kernel_loses_what_is_certain);
        tcase_add_test(c, what_is_too_short_costs_nothing);
        tcase_add_test(c, the_impossible_is_no_score);
        tcase_add_test(c, a_kernel_takes_only_its_own_exercise_along);
    }
    tcase_add_test(c, a_leak_is_told_with_its_place);
    tcase_add_test(c, luck_is_not_right);
    tcase_add_loop_test(c, a_driver_that_crashes_stops_nobody_else, 0, 2);
    tcase_add_test(c, too_little_memory_ends_the_run);
    tcase_add_test(c, a_skeleton_is_not_attempted);
    tcase_add_test(c, a_reference_is_timed_alone);
    tcase_add_test(c, a_module_may_have_many_kernels);
    tcase_add_test(c, a_launch_has_its_shape_and_its_errors);
    tcase_add_test(c, what_goes_to_the_gpu_comes_back);
    suite_add_tcase(suite, c);
    return suite_run(suite);
}
