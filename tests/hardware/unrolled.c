/* unrolled.c - lockstep-hardware unrolled: the registers of 100 unrolled kernels, as the kit
 * estimates them and as ptxas counts them.
 *
 *     kernels/unrolled.cu --> PTX by nvcc or by clang --┬-- ptxas -v -arch=sm_90: "Used 40 registers"
 *       20 families x 5 factors                         └-- sim:h200: kernel_needs
 *
 * Some families are set aside: rules may be judged by the others alone. No GPU is needed. Without
 * ptxas the recorded counts take its place; they hold for the PTX of the compiler that the record
 * names.
 */
#define _GNU_SOURCE
#include "hardware/unrolled.h"
#include "hardware/hardware.h"
#include "os/os.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { FACTORS = 5, FAMILIES = 20, FAMILIES_ASIDE = 6, SEED = 19 };

/* The least registers that the driver gives a thread on compute capability 9.0. */
static const int LEAST_REGISTERS = 16;

static const struct {
    const char *name;
    int factors[FACTORS];
} families[FAMILIES] = {
#define POWERS \
    { \
        1, 2, 4, 8, 16 \
    }
    {"dot", POWERS},
    {"dot_apart", POWERS},
    {"reduce", POWERS},
    {"row_sum", POWERS},
    {"scan", POWERS},
    {"matvec", POWERS},
    {"product", POWERS},
    {"tiled", POWERS},
    {"column", POWERS},
    {"square", {1, 2, 3, 4, 8}},
    {"window", POWERS},
    {"five", POWERS},
    {"seven", POWERS},
    {"taps", POWERS},
    {"turn", POWERS},
    {"wide", POWERS},
    {"gather", POWERS},
    {"horner", POWERS},
    {"bodies", POWERS},
    {"streams", POWERS},
};

/* The list of families is shuffled (Fisher and Yates); the first FAMILIES_ASIDE are set aside. */
static int is_aside(int family)
{
    int drawn[FAMILIES];
    struct rng r;
    rng_seed(&r, SEED);
    for (int i = 0; i < FAMILIES; i++) drawn[i] = i;
    for (int i = 0; i < FAMILIES_ASIDE; i++) {
        int k = i + (int)rng_below(&r, (uint64_t)(FAMILIES - i)), at = drawn[k];
        drawn[k] = drawn[i], drawn[i] = at;
        if (at == family) return 1;
    }
    return 0;
}

static char *kernel_of(int family, int factor)
{
    return xasprintf("%s_%d", families[family].name, families[family].factors[factor]);
}

/* ---- both counts ---- */

/* Fill in "estimate" of every kernel. rows: of the record. */
static int estimate(struct module *m, json_t *rows, struct err *e)
{
    size_t i;
    json_t *row;
    json_array_foreach(rows, i, row)
    {
        struct kernel_needs n;
        struct kernel *k = module_kernel(m, record_text(row, "kernel"));
        if (!k || kernel_needs(k, &n))
            return err_set(e, ERR_ENV, "unrolled.cu: no kernel %s", record_text(row, "kernel"));
        json_object_set_new(row, "estimate", json_integer(n.registers));
    }
    return 0;
}

/* The registers of one kernel, from what ptxas said: "Compiling entry function '_Z5dot_1PKfS0_Pfii'
 * ... Used 14 registers". In a symbol, the name's length precedes the name. -1: ptxas said nothing
 * of the kernel. */
static int count_in(const char *said, const char *kernel)
{
    char *symbol = xasprintf("entry function '_Z%zu%sP", strlen(kernel), kernel);
    const char *at = strstr(said, symbol), *used = at ? strstr(at, "Used ") : NULL;
    free(symbol);
    return used ? atoi(used + strlen("Used ")) : -1;
}

/* Fill in "ptxas" of every kernel. */
static int assemble(const char *ptxas, const char *ptx, json_t *rows, struct err *e)
{
    char folder[] = "/tmp/lockstep-unrolled-XXXXXX";
    if (!mkdtemp(folder)) return err_set(e, ERR_ENV, "no folder in /tmp can be made");
    char *file = xasprintf("%s/unrolled.ptx", folder);
    const char *argv[] = {ptxas, "-v", "-arch=sm_90", "-o", "/dev/null", file, NULL};
    struct spawn s = {.argv = argv, .directory = folder, .seconds = 300, .file_bytes = 64 << 20};
    struct buf said = {0};
    int status = 0, bad = file_write(file, ptx, strlen(ptx), e) || spawn_run(&s, &said, &status, e);
    if (!bad && status)
        bad = err_set(e, ERR_ENV, "%s: %s", ptxas, said.len ? said.data : "it failed");
    size_t i;
    json_t *row;
    json_array_foreach(rows, i, row)
    {
        int count = bad ? 0 : count_in(said.data, record_text(row, "kernel"));
        if (count < 0)
            bad = err_set(e, ERR_ENV, "%s: not a word of %s", ptxas, record_text(row, "kernel"));
        json_object_set_new(row, "ptxas", json_integer(count));
    }
    spawn_remove_directory(folder);
    buf_free(&said);
    free(file);
    return bad ? -1 : 0;
}

/* ---- tables ---- */

/* A register count of one kernel: "estimate" or "ptxas", at least LEAST_REGISTERS. */
static double count_of(const json_t *record, int family, int factor, const char *who)
{
    size_t i = (size_t)(family * FACTORS + factor);
    const json_t *row = json_array_get(json_object_get(record, "kernels"), i);
    return fmax(record_number(row, who), LEAST_REGISTERS);
}

static double error_of(const json_t *record, int family, int factor)
{
    return count_of(record, family, factor, "estimate") /
               count_of(record, family, factor, "ptxas") -
           1;
}

/* Is the estimate within 15% of ptxas' count? Without rounding errors: 17 is within 15% of 20. */
static int is_near(const json_t *record, int family, int factor)
{
    double ours = count_of(record, family, factor, "estimate"),
           theirs = count_of(record, family, factor, "ptxas");
    return 100 * fabs(ours - theirs) <= 15 * theirs;
}

void unrolled_heading(struct buf *out)
{
    buf_printf(out,
        "| by | families | kernels | registers within 15%% of ptxas | mean error | worst |\n"
        "|---|---|---|---|---|---|\n");
}

void unrolled_summary(const json_t *record, int aside, struct buf *out)
{
    int n = 0, near = 0;
    double sum = 0, worst = 0;
    for (int f = 0; f < FAMILIES; f++)
        for (int k = 0; k < FACTORS && is_aside(f) == aside; k++, n++) {
            double error = error_of(record, f, k);
            near += is_near(record, f, k);
            sum += fabs(error);
            worst = fabs(error) > fabs(worst) ? error : worst;
        }
    buf_printf(out, "| %s | %s | %d | %d | %.0f%% | %+.0f%% |\n", record_text(record, "front_end"),
        aside ? "set aside" : "open", n, near, 100 * sum / n, 100 * worst);
}

/* The families not set aside, or those set aside: the estimate and ptxas' count of each kernel. */
static void unrolled_table(const json_t *record, int aside, struct buf *out)
{
    buf_printf(out, "| family | estimate / ptxas, by factor |||||\n|---|---|---|---|---|---|\n");
    for (int f = 0; f < FAMILIES; f++) {
        if (is_aside(f) != aside) continue;
        buf_printf(out, "| `%s` |", families[f].name);
        for (int k = 0; k < FACTORS; k++)
            buf_printf(out, " %d: %.0f / %.0f%s |", families[f].factors[k],
                count_of(record, f, k, "estimate"), count_of(record, f, k, "ptxas"),
                is_near(record, f, k) ? "" : " (!)");
        buf_printf(out, "\n");
    }
}

/* ---- the command ---- */

static json_t *empty_rows(void)
{
    json_t *rows = json_array();
    for (int f = 0; f < FAMILIES; f++)
        for (int k = 0; k < FACTORS; k++) {
            char *name = kernel_of(f, k);
            json_array_append_new(rows, json_pack("{s:s}", "kernel", name));
            free(name);
        }
    return rows;
}

char *unrolled_record(const struct kit *k, const char *kind)
{
    return kit_path(k, "tests/hardware/records/ptxas-unrolled-%s.json", kind);
}

/* Make the record. ptxas NULL: take the recorded counts, if their PTX was by the same compiler. */
static int make_record(
    const struct workbench *w, const char *ptxas, const char *ptx, json_t **record, struct err *e)
{
    if (ptxas) {
        *record =
            json_pack("{s:s, s:s, s:o}", "command", "lockstep-hardware unrolled --ptxas PROGRAM",
                "front_end", w->front.name, "kernels", empty_rows());
        return assemble(ptxas, ptx, json_object_get(*record, "kernels"), e);
    }
    char *file = unrolled_record(&w->kit, w->front.kind);
    int bad = record_read(file, record, e);
    if (!bad && strcmp(record_text(*record, "front_end"), w->front.name))
        bad = err_set(e, ERR_ENV, "%s: by %s; here is %s: name an assembler by --ptxas", file,
            record_text(*record, "front_end"), w->front.name);
    free(file);
    return bad;
}

static void print(const json_t *record, int aside)
{
    struct buf out = {0};
    unrolled_table(record, aside, &out);
    unrolled_heading(&out);
    unrolled_summary(record, 0, &out);
    unrolled_summary(record, 1, &out);
    fputs(out.data, stdout);
    buf_free(&out);
}

int command_unrolled(int argc, char **argv, struct err *e)
{
    struct workbench_options o = {.device = "sim:h200"};
    const char *ptxas = NULL, *out = NULL, *aside = NULL;
    const struct option_spec specs[] = {
        {"--front", &o.front}, {"--ptxas", &ptxas}, {"--out", &out}, {"--aside", &aside, 1}, {0}};
    struct workbench w;
    struct compiled c = {0};
    struct module *m = NULL;
    json_t *record = NULL;
    if (options_parse(argc, argv, specs, NULL, 0, e) < 0 || workbench_open(&w, &o, e)) return -1;
    char *file = kit_path(&w.kit, "tests/hardware/kernels/unrolled.cu");
    compile_kernel(&w.kit, &w.front, file, &c);
    int bad = c.status == COMPILE_OK
                  ? workbench_device(&w, e)
                  : err_set(e, ERR_ENV, "%s", c.output.len ? c.output.data : c.err.text);
    bad = bad || make_record(&w, ptxas, c.ptx, &record, e) ||
          device_load(w.device, c.ptx, file, file, &m, e) ||
          estimate(m, json_object_get(record, "kernels"), e);
    if (!bad) print(record, aside != NULL);
    bad = bad || (out && record_write(out, record, e));
    if (m) device_unload(w.device, m);
    json_decref(record);
    compiled_free(&c);
    free(file);
    workbench_close(&w);
    return bad ? -1 : 0;
}
