/* ncu.c - lockstep ncu: an exercise as a whole program, and how NVIDIA's profiler counts it.
 *
 *     labs/05-padded/transpose.cu ──> a program: buffers, sizes, launches as LAUNCH says ──> --out
 *     budgets, predictions ──> counters ──> ncu's command; the kit's counts, and ncu's section
 *
 * In JSON: {"file", "program", "text": the commands and counts}; then the program is written only to
 * the file that --out names.
 *
 * The program fills the inputs with other numbers than the kit does. Counters do not depend on
 * them, except where an input holds indices. */
#include "cli/cli.h"
#include "model/model.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The section of ncu's report that shows a counter. */
static const char *section_of(enum metric m)
{
    static const struct {
        const char *begins, *section;
    } sections[] = {{"l1tex__", "MemoryWorkloadAnalysis_Tables"},
        {"lts__", "MemoryWorkloadAnalysis_Tables"}, {"dram__", "MemoryWorkloadAnalysis_Tables"},
        {"sm__warps_active", "Occupancy"}, {"smsp__thread_inst_executed_per", "WarpStateStats"},
        {"smsp__inst", "InstructionStats"}, {"sm__", "ComputeWorkloadAnalysis"},
        {"smsp__", "InstructionStats"}};
    for (size_t i = 0; i < sizeof sections / sizeof *sections; i++)
        if (!strncmp(model_metrics[m].ncu, sections[i].begins, strlen(sections[i].begins)))
            return sections[i].section;
    return "-";
}

/* The counters that the budgets and predictions of a step use, each once, without those that ncu
 * does not have. Returns how many there are. */
enum { COUNTERS = 16 };
static int counters_of(const struct exercise *x, int step, enum metric out[COUNTERS])
{
    char seen[METRIC_COUNT] = {0};
    int count = 0;
    for (const struct budget *b = x->steps[step].budgets; b && b->why; b++) seen[b->metric] = 1;
    for (const struct prediction *p = x->predictions; p && p->name; p++)
        if (p->step == step) seen[p->metric] = 1;
    for (int m = 0; m < METRIC_COUNT && count < COUNTERS; m++)
        if (seen[m] && strncmp(model_metrics[m].ncu, "lockstep__", 10))
            out[count++] = (enum metric)m;
    return count;
}

/* ---- the program ---- */

static void put_head(struct buf *out, const struct lab *lab, const struct exercise *x,
    const char *file, const char *student)
{
    buf_printf(out,
        "// %s %s as a program, for ncu and nsys. Written by make ncu LAB=%.2s EX=%s%s%s\n"
        "#include \"%s\"\n\n"
        "#include <stdio.h>\n\n"
        "static int bad;\n"
        "static void check(cudaError_t e)\n"
        "{\n"
        "    if (e != cudaSuccess) bad = 1, printf(\"%%s\\n\", cudaGetErrorString(e));\n"
        "}\n\n"
        "// An array on the device; numbers below `most`.\n"
        "template <typename T> T *numbers(size_t count, int most)\n"
        "{\n"
        "    T *host = new T[count], *device;\n"
        "    for (size_t i = 0; i < count; i++) host[i] = (T)(i * 7919 %% 1024 / 1024.0 * most);\n"
        "    check(cudaMalloc(&device, count * sizeof(T)));\n"
        "    check(cudaMemcpy(device, host, count * sizeof(T), cudaMemcpyHostToDevice));\n"
        "    delete[] host;\n"
        "    return device;\n"
        "}\n",
        lab->name, x->name, lab->name, x->name, student ? " STUDENT=" : "", student ? student : "",
        file);
}

static void put_step(
    struct buf *out, const struct bound_kernel *b, const struct launch_shape *shape)
{
    static const char *const types[] = {[ELEMENT_F32] = "float",
        [ELEMENT_F64] = "double",
        [ELEMENT_I32] = "int",
        [ELEMENT_F16] = "__half"};
    const struct problem *p = b->problem;
    const int *dims = b->step->dims;
    const char *kernel = b->step->kernel;
    size_t count[BUFFERS];
    p->counts(dims, count);
    buf_printf(out, "\nstatic void run_%s()\n{\n    int ", kernel);
    for (int i = 0; i < problem_dims(p); i++)
        buf_printf(out, "%s%s = %d", i ? ", " : "", p->dim_names[i], dims[i]);
    buf_printf(out, ";\n");
    for (int i = 0; i < problem_buffers(p); i++)
        buf_printf(out, "    %s *%s = numbers<%s>(%zu, %d);\n", types[p->buffers[i].element],
            p->buffers[i].name, types[p->buffers[i].element], count[i],
            p->buffers[i].element == ELEMENT_I32 ? dims[1] : 1);
    if (b->coef)
        buf_printf(out,
            "    float numbers_of_coef[%d] = {1, 0.5f, 0.25f, 0.125f, 1, 0.5f, 0.25f, 0.125f};\n"
            "    check(cudaMemcpyToSymbol(coef, numbers_of_coef, sizeof numbers_of_coef));\n",
            COEFS);
    if (shape->dynamic_shared)
        buf_printf(out,
            "    check(cudaFuncSetAttribute(%s, cudaFuncAttributeMaxDynamicSharedMemorySize, %zu));\n",
            kernel, shape->dynamic_shared);
    buf_printf(out, "    %s<<<dim3(%u, %u), dim3(%u, %u), %zu>>>(", kernel, shape->grid[0],
        shape->grid[1], shape->block[0], shape->block[1], shape->dynamic_shared);
    for (int i = 0; i < problem_buffers(p); i++) buf_printf(out, "%s, ", p->buffers[i].name);
    for (int i = 0; i < problem_dims(p); i++)
        buf_printf(out, "%s%s", i ? ", " : "", p->dim_names[i]);
    buf_printf(out, ");\n    check(cudaGetLastError());\n");
    for (int i = 0; i < problem_buffers(p); i++)
        buf_printf(out, "    check(cudaFree(%s));\n", p->buffers[i].name);
    buf_printf(out, "}\n");
}

/* The absolute form of a path, which is freed. The caller frees the result. */
static char *absolute(char *path)
{
    char *whole = realpath(path, NULL);
    if (!whole) return path;
    free(path);
    return whole;
}

static int put_program(struct buf *out, const struct build *b, const struct lab *lab,
    const char *student, struct err *e)
{
    const struct exercise *x = b->exercise;
    struct buf calls = {0};
    int bad = 0;
    /* absolute, so that the program may lie anywhere */
    char *file = absolute(xstrdup(b->compiled.file));
    put_head(out, lab, x, file, student);
    free(file);
    for (int i = 0; i < exercise_steps(x) && !bad; i++) {
        struct launch_shape shape;
        for (int k = 0; k < BUFFERS && !bad; k++)
            if (b->bound[i].map[k].map)
                bad = err_set(e, ERR_USAGE,
                    "%s %s: its kernel takes tensor maps, which a program has to encode by the driver's "
                    "cuTensorMapEncodeTiled; ncu is for the other exercises",
                    lab->name, x->name);
        bad = bad || run_shape(&b->bound[i], x->steps[i].dims, &shape, e);
        if (bad) break;
        put_step(out, &b->bound[i], &shape);
        buf_printf(&calls, "    run_%s();\n", x->steps[i].kernel);
    }
    buf_printf(out, "\nint main()\n{\n%s    check(cudaDeviceSynchronize());\n    return bad;\n}\n",
        calls.data ? calls.data : "");
    buf_free(&calls);
    return bad;
}

/* ---- the command, and what the kit counts ---- */

static int put_counts(struct buf *out, struct build *b, struct err *e)
{
    const struct exercise *x = b->exercise;
    for (int i = 0; i < exercise_steps(x); i++) {
        struct instance in;
        struct measurement m = {0};
        enum metric counters[COUNTERS];
        int count = counters_of(x, i, counters);
        instance_make(&in, problem_find(x->steps[i].problem), x->steps[i].dims, 1);
        int bad = count ? build_count(b, i, &in, &m, e) : 0;
        for (int k = 0; k < count && !bad; k++) {
            struct buf value = {0};
            print_value(&value, m.metrics.v[counters[k]]);
            if (!k) buf_printf(out, "%s\n", x->steps[i].kernel);
            buf_printf(out, "%12s  %s\n%14s%s\n", value.data, model_metrics[counters[k]].ncu, "",
                section_of(counters[k]));
            buf_free(&value);
        }
        measurement_free(&m);
        instance_free(&in);
        if (bad) return -1;
    }
    return 0;
}

static void put_commands(struct buf *out, const struct exercise *x, const char *program,
    int written, const char *to, const char *headers)
{
    char seen[METRIC_COUNT] = {0};
    enum metric counters[COUNTERS];
    const char *comma = "";
    buf_printf(out,
        "%s%s: %s as a program. Where there are a GPU and the CUDA Toolkit:\n\n"
        "    nvcc -O3 -lineinfo -arch=native -I%s -o %s %s\n",
        program, written ? " is written" : "", x->name, headers, to, program);
    for (int i = 0; i < exercise_steps(x); i++)
        for (int k = counters_of(x, i, counters); k-- > 0;) seen[counters[k]] = 1;
    for (int m = 0; m < METRIC_COUNT; m++) {
        if (!seen[m]) continue;
        buf_printf(out, "%s%s", *comma ? comma : "    ncu --clock-control none --metrics \\\n",
            model_metrics[m].ncu);
        comma = ",\\\n";
    }
    if (*comma) buf_printf(out, " %s\n", to);
    buf_printf(out,
        "    ncu --clock-control none --set full --import-source yes -o %s %s\n"
        "    nsys profile --stats=true -o %s %s\n\n",
        to, to, to, to);
    if (*comma)
        buf_printf(out,
            "The simulator counts, by kernel; below each counter is ncu's section that shows it:\n\n");
}

int command_ncu(int argc, char **argv, struct err *e)
{
    const char *student = NULL, *device = "sim:h200", *front = NULL, *file = NULL, *format = NULL,
               *words[2] = {0};
    const struct option_spec specs[] = {{"--student", &student}, {"--device", &device},
        {"--front", &front}, {"--out", &file}, {"--format", &format}, {0}};
    struct workbench w;
    struct build b;
    struct buf program = {0}, said = {0};
    int count = options_parse(argc, argv, specs, words, 2, e), json = options_format(format, e);
    if (count < 0 || json < 0) return -1;
    if (count < 2 || (!file && !json))
        return err_set(e, ERR_USAGE,
            "which exercise, and into which file? For example: lockstep ncu 05 transpose --out run.cu");
    const struct lab *lab = options_lab(words[0], e);
    const struct exercise *x = lab ? options_exercise(lab, words[1], e) : NULL;
    if (!x) return -1;
    if (x->kind == EXERCISE_HOST)
        return err_set(
            e, ERR_USAGE, "%s %s is C for the CPU: ncu has nothing to count", lab->name, x->name);
    const struct workbench_options o = {
        .device = device, .front = front, .directory = student ? student : "labs"};
    int bad = workbench_open(&w, &o, e);
    if (!bad) {
        char *name = file ? xstrdup(file) : xasprintf("%s-%s.cu", lab->name, x->name);
        char *to = xstrdup(name), *dot = strrchr(to, '.');
        if (dot && !strchr(dot, '/')) *dot = 0;
        bad = build_open(&b, &w, lab, x, e) || put_program(&program, &b, lab, student, e) ||
              (file && file_write(file, program.data, program.len, e));
        char *headers = kit_path(&w.kit, "common/cuda");
        /* the program is only printed, so its folder is unknown */
        if (!file) headers = absolute(headers);
        put_commands(&said, x, name, file != NULL, to, headers);
        bad = bad || put_counts(&said, &b, e);
        build_close(&b);
        if (!bad && json)
            json_print(json_pack("{s:s,s:o,s:o}", "file", name, "program", json_text(program.data),
                "text", json_text(said.data)));
        free(headers), free(to), free(name);
    }
    workbench_close(&w);
    if (!bad && !json) printf("%s", said.data);
    buf_free(&program), buf_free(&said);
    return bad ? -1 : 0;
}
