/* test_lab_counters.c - random kernels' counters: what has to be equal, the table, the command around an ncu that is none. */
#include "fronts.h"
#include "lab/commands.h"
#include "lab/counters.h"
#include "lab/spawn.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- comparing ---- */

static json_t *record(const char *launches, const char *more)
{
    static const char form[] = "{\"kernels\": 8, \"metrics\": [\"a\", \"b\", \"c\", \"d\", \"e\", \"f\", \"g\", \"h\", \"i\"], \"launches\": [%s]%s}";
    char *text = xasprintf(form, launches, more);
    json_t *r = json_loads(text, 0, NULL);
    free(text);
    ck_assert_ptr_nonnull(r);
    return r;
}

#define LAUNCH(seed, code, yields, simulated, measured)                                                                        \
    "{\"seed\": " #seed ", \"code\": \"" code "\", \"yields\": " #yields ", \"simulated\": [" simulated "], \"measured\": [" measured "]}"
#define NINE "1, 2, 3, 4, 5, 6, 7, 8, 9"
#define MADE(made) "\", \"made\": [" made "], \"\": \"" /* closes the string of the code, and opens another */
#define MIXED "\", \"mixed\": 1, \"mixed_sectors\": 3, \"\": \"" /* so does this */

static const struct {
    const char *launch, *says; /* NULL: nothing is wrong */
} cases[] = {
    {LAUNCH(1, "unoptimised", 0, NINE, NINE), NULL},
    {LAUNCH(1, "unoptimised", 0, NINE, "1, 2, 3, 5, 5, 6, 7, 8, 9"), "d is 4, and 5 on the GPU"},
    {LAUNCH(1, "unoptimised", 3, NINE, "1, 2, 3, 5, 5, 6, 7, 8, 9"), NULL},
    {LAUNCH(1, "unoptimised", 3, NINE, "1, 2, 3, 4, 5, 6, 7, 9, 9"), "h is 8, and 9 on the GPU"},
    {LAUNCH(1, "without YIELD", 0, NINE, "0, 2, 3, 4, 5, 6, 7, 8, 9"), "a is 1, and 0 on the GPU"},
    {LAUNCH(1, "without YIELD" MIXED, 0, NINE, "0, 2, 3, 4, 5, 6, 7, 8, 9"), NULL},
    {LAUNCH(1, "without YIELD" MIXED, 0, NINE, "1, 5, 3, 4, 5, 6, 7, 8, 9"), NULL},
    {LAUNCH(1, "without YIELD" MIXED, 0, NINE, "-1, 2, 3, 4, 5, 6, 7, 8, 9"), "a is 1, and -1 on the GPU"},
    {LAUNCH(1, "without YIELD" MIXED, 0, NINE, "2, 2, 3, 4, 5, 6, 7, 8, 9"), "a is 1, and 2 on the GPU"},
    {LAUNCH(1, "without YIELD" MIXED, 0, NINE, "1, 6, 3, 4, 5, 6, 7, 8, 9"), "b is 2, and 6 on the GPU"},
    {LAUNCH(1, "without YIELD" MIXED, 0, NINE, "1, 1, 3, 4, 5, 6, 7, 8, 9"), "b is 2, and 1 on the GPU"},
    {LAUNCH(1, "without YIELD" MIXED, 0, NINE, "1, 2, 2, 4, 5, 6, 7, 8, 9"), "c is 3, and 2 on the GPU"},
    {LAUNCH(1, "without YIELD" MADE("0, 2, 3, 4, 5, 6, 7, 8, 9"), 0, NINE, "0, 2, 3, 4, 5, 6, 7, 8, 9"), NULL},
    {LAUNCH(1, "without YIELD" MADE("0, 2, 3, 4, 5, 6, 7, 8, 9"), 0, NINE, "0, 1, 3, 4, 5, 6, 7, 8, 9"), "b is 2 with ptxas's regions, and 1 on the GPU"},
    {LAUNCH(1, "without YIELD" MADE("0, 2, 3, 4, 5, 6, 7, 8, 9"), 0, NINE, NINE), "a is 0 with ptxas's regions, and 1 on the GPU"},
    {LAUNCH(1, "without YIELD" MADE(NINE) MIXED, 0, "2, 2, 3, 4, 5, 6, 7, 8, 9", "0, 5, 3, 4, 5, 6, 7, 8, 9"), NULL},
    {LAUNCH(1, "optimised", 0, NINE, "0, 2, 3, 4, 5, 6, 7, 9, 9"), NULL},
    {LAUNCH(1, "optimised, without YIELD", 0, NINE, "0, 2, 3, 4, 5, 6, 7, 9, 9"), NULL},
    {LAUNCH(1, "unoptimised", 0, NINE, "null, 2, 3, 4, 5, 6, 7, 8, 9"), "a is 1"},
};

START_TEST(what_has_to_be_equal)
{
    json_t *r = record(cases[_i].launch, "");
    struct buf why = {0};
    int wrong = counters_wrong(r, json_array_get(json_object_get(r, "launches"), 0), &why);
    ck_assert_int_eq(wrong, cases[_i].says != NULL);
    ck_assert_msg(!wrong || strstr(why.data, cases[_i].says), "%s", why.data);
    buf_free(&why);
    json_decref(r);
}
END_TEST

START_TEST(the_table_has_a_row_a_kind)
{
    json_t *r = record(LAUNCH(1, "unoptimised", 0, NINE, NINE) ", " LAUNCH(2, "unoptimised", 7, NINE, "2, 2, 3, 5, 5, 6, 7, 8, 9") ", "
                       LAUNCH(3, "unoptimised", 1, NINE, NINE) ", " LAUNCH(2, "without YIELD", 0, NINE, NINE) ", "
                       LAUNCH(4, "without YIELD" MADE(NINE), 0, "0, 2, 3, 4, 5, 6, 7, 8, 9", NINE) ", "
                       LAUNCH(2, "optimised, without YIELD", 0, NINE, NINE), "");
    struct buf out = {0};
    counters_table(r, &out);
    ck_assert_msg(strstr(out.data, "| unoptimised, no `YIELD` executed | 1 | 1 | 1 | 1 | 1 | 1 | 1 | 1 | 1 | 1 | 1 | 1 | 0 |\n") &&
                  strstr(out.data, "| unoptimised, some `YIELD` executed | 2 | 1 | 1 | 1 | 2 | 2 | 1 | 2 | 2 | 2 | 2 | 2 | 50%: 1 for 2, seed 2 |\n") &&
                  strstr(out.data, "unoptimised, each `YIELD` made a `NOP` | 2 | 1 | 2 | 1 | 2 |") && !strstr(out.data, "volatile") &&
                  strstr(out.data, "| the same, each `YIELD` made a `NOP` | 1 | 1 |"), "%s", out.data);
    buf_free(&out);
    json_decref(r);
}
END_TEST

START_TEST(regions_elsewhere_are_told)
{
    static const char elsewhere[] = ", \"elsewhere\": [{\"seed\": 4, \"regions\": [[1, 2]]}, {\"seed\": 5, \"regions\": [[0, 2]]}]";
    static const struct {
        const char *launches, *more, *says;
    } some[] = {
        {LAUNCH(4, "without YIELD" MADE(NINE), 0, "0, 2, 3, 4, 5, 6, 7, 8, 9", NINE), elsewhere,
         "\nIn 2 of the 8 kernels ptxas has some lanes meet elsewhere than told. Only with its regions are all counters equal "
         "that have to be of seed 4 (without YIELD).\n"},
        {LAUNCH(4, "without YIELD" MADE(NINE), 0, NINE, NINE), elsewhere,
         "\nIn 2 of the 8 kernels ptxas has some lanes meet elsewhere than told. All counters that have to be equal are so "
         "as told and with its regions.\n"},
        {LAUNCH(4, "without YIELD", 0, NINE, NINE), "", ""},
    };
    for (size_t i = 0; i < sizeof some / sizeof *some; i++) {
        json_t *r = record(some[i].launches, some[i].more);
        struct buf out = {0};
        buf_printf(&out, "%s", "");
        counters_elsewhere(r, &out);
        ck_assert_str_eq(out.data, some[i].says);
        buf_free(&out);
        json_decref(r);
    }
}
END_TEST

/* ---- the command ---- */

/* Instead of ncu: a row for each of --seeds, of which the first executes YIELD as long as it may. The buffers of seed 4 are volatile. */
static const char ncu[] =
    "#!/bin/sh\n"
    "while [ $# -gt 0 ]; do\n"
    "    case $1 in --log-file) log=$2;; --metrics) metrics=$2;; --launch) launch=$2;; --seeds) seeds=$2;; esac\n"
    "    shift\n"
    "done\n"
    "yields='YIELD: 2; '\n"
    "case $launch in unoptimised|optimised) ;; *) yields=;; esac\n"
    "{\n"
    "    echo \"\\\"ID\\\",\\\"Kernel Name\\\",\\\"$metrics\\\"\" | sed 's/,\\([^\"]\\)/\",\"\\1/g'\n"
    "    echo '\"\"'\n"
    "    for seed in $(echo \"$seeds\" | tr , ' '); do\n"
    "        printf '\"1\",\"random_%s\"' $seed\n"
    "        for metric in $(echo \"$metrics\" | tr , ' '); do\n"
    "            case $metric in sass*) printf ',\"5 (%sLDG: 1,003; LD: 4)\"' \"$yields\";; *) printf ',\"1,001\"';; esac\n"
    "        done\n"
    "        echo\n"
    "        yields=\n"
    "    done\n"
    "} > \"$log\"\n";

/* Run it with what it prints in *out, which the caller frees. */
static int run_counters(char **argv, int argc, char **out, struct err *e)
{
    char name[] = "/tmp/lockstep.XXXXXX";
    int file = mkstemp(name), before = dup(STDOUT_FILENO);
    ck_assert_int_ge(file, 0);
    fflush(stdout);
    dup2(file, STDOUT_FILENO);
    int bad = command_counters(argc, argv, e);
    fflush(stdout);
    dup2(before, STDOUT_FILENO);
    close(before);
    close(file);
    struct err ignored;
    ck_assert(!file_read(name, 1 << 24, out, NULL, &ignored));
    unlink(name);
    return bad;
}

#define ROW(seed, code, yields)                                                                    \
    "{\"seed\": " #seed ", \"code\": \"" code "\", \"yields\": " #yields ", \"measured\": [1001, 1001, 1001, 1001, 2002, 2002, 1007, "

START_TEST(what_ncu_says_is_recorded)
{
    static const char *const says[] = {"random_4, unoptimised: l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum is ", ", and 1001 on the GPU",
                                       "random_3, unoptimised: lockstep__global_ld_threads.sum is ", ", and 1007 on the GPU"};
    static const char *const has[] = {ROW(3, "unoptimised", 2), ROW(4, "unoptimised", 0), ROW(3, "without YIELD", 0), ROW(4, "optimised", 2),
                                      ROW(4, "optimised, without YIELD", 0)};
    struct err e = {0};
    char *out, *text, *directory = kit_temporary(&kit, &e);
    char *program = xasprintf("%s/ncu", directory), *file = xasprintf("%s/record", directory);
    char *argv[] = {"--seed", "3", "--count", "2", "--device", "cuda", "--ncu", program, "--out", file};
    ck_assert(!file_write(program, ncu, sizeof ncu - 1, &e) && !chmod(program, 0700));
    ck_assert(run_counters(argv, 10, &out, &e));
    ck_assert_msg(strstr(e.text, "3 launches with counters that have to be equal"), "%s: %s", e.text, out);
    for (size_t i = 0; i < sizeof says / sizeof *says; i++)
        ck_assert_msg(strstr(out, says[i]), "%s", out);
    ck_assert_msg(!file_read(file, 1 << 16, &text, NULL, &e), "%s", e.text);
    for (size_t i = 0; i < sizeof has / sizeof *has; i++)
        ck_assert_msg(strstr(text, has[i]), "%s", text);
    ck_assert_msg(!strstr(text, "4, \"code\": \"without") && !strstr(text, "3, \"code\": \"optimised"), "%s", text);
    ck_assert_msg(strstr(text, "\"simulated\": ["), "%s", text);
    spawn_remove_directory(directory);
    free(directory);
    free(program);
    free(file);
    free(text);
    free(out);
}
END_TEST

static const struct {
    char *words[8];
    const char *says; /* NULL: it goes well */
} launches[] = {
    {{"--launch", "unoptimised", "--seeds", "3", "--seed", "3", "--count", "2"}, NULL},
    {{"--launch", "without YIELD", "--seeds", "4", "--seed", "3", "--count", "2"}, NULL},
    {{"--launch", "unoptimised", "--seeds", "5", "--seed", "3", "--count", "2"}, "--seeds: '5' does not begin with one of the seeds"},
    {{"--launch", "unoptimised", "--seeds", "3,x", "--seed", "3", "--count", "2"}, "--seeds: 'x'"},
    {{"--launch", "nothing", "--seeds", "3", "--seed", "3", "--count", "2"}, "--launch nothing: there are unoptimised, without YIELD"},
};

/* What ncu is put around, on a simulated device. */
START_TEST(it_only_launches)
{
    struct err e = {0};
    char *out, *directory = kit_temporary(&kit, &e), *argv[12] = {"--device", "sim:h200", "--from", directory};
    char *emit[] = {"--seed", "3", "--count", "2", "--device", "sim:h200", "--emit", directory};
    ck_assert_msg(!command_differential(8, emit, &e), "%s", e.text);
    memcpy(argv + 4, launches[_i].words, sizeof launches[_i].words);
    int bad = run_counters(argv, 12, &out, &e);
    ck_assert_int_eq(bad != 0, launches[_i].says != NULL);
    ck_assert_msg(!bad || strstr(e.text, launches[_i].says), "%s", e.text);
    ck_assert_str_eq(out, "");
    spawn_remove_directory(directory);
    free(directory);
    free(out);
}
END_TEST

/* All kernels in one code, and in no other. */
START_TEST(one_code_is_measured_alone)
{
    static const char *const has[] = {"--count 2 --front clang --only 'without YIELD' --device cuda", "3, \"code\": \"without YIELD", "4, \"code\": \"without YIELD"};
    struct err e = {0};
    char *out, *text, *directory = kit_temporary(&kit, &e), *program = xasprintf("%s/ncu", directory), *file = xasprintf("%s/record", directory);
    char *argv[] = {"--seed", "3", "--count", "2", "--device", "cuda", "--ncu", program, "--out", file, "--front", "clang", "--only", "without YIELD"};
    char *nothing[] = {"--only", "nothing"}, *nowhere[] = {"--device", "sim:h200", "--record", "nowhere"};
    ck_assert(!file_write(program, ncu, sizeof ncu - 1, &e) && !chmod(program, 0700));
    ck_assert(run_counters(argv, 14, &out, &e));
    ck_assert_msg(!file_read(file, 1 << 16, &text, NULL, &e), "%s", e.text);
    for (size_t i = 0; i < sizeof has / sizeof *has; i++)
        ck_assert_msg(strstr(text, has[i]), "%s", text);
    ck_assert_msg(!strstr(text, "\"unoptimised\"") && !strstr(text, "\"optimised\""), "%s", text);
    ck_assert(command_counters(2, nothing, &e) && strstr(e.text, "--only nothing: there are unoptimised, without YIELD"));
    ck_assert(command_counters(4, nowhere, &e) && strstr(e.text, "h200-nowhere.json"));
    spawn_remove_directory(directory);
    free(directory);
    free(program);
    free(file);
    free(text);
    free(out);
}
END_TEST

/* Instead of ptxas: one that refuses, one that makes nothing of use. */
static const struct {
    const char *program, *says;
} assemblers[] = {
    {"#!/bin/sh\necho no such architecture\nexit 3\n", "ptxas ended with status 3: no such architecture"},
    {"#!/bin/sh\nfor last; do :; done\ngrep -c '^.loc 1' $4 > $last\n", "the machine code is no cubin"},
    {NULL, "/nowhere/ptxas is not found: install the CUDA toolkit, or name its assembler with --ptxas"},
};

START_TEST(regions_need_an_assembler)
{
    struct err e = {0};
    char *directory = kit_temporary(&kit, &e), *program = assemblers[_i].program ? xasprintf("%s/ptxas", directory) : xstrdup("/nowhere/ptxas");
    char *argv[] = {"--seed", "3", "--count", "2", "--ptxas", program};
    if (assemblers[_i].program)
        ck_assert(!file_write(program, assemblers[_i].program, strlen(assemblers[_i].program), &e) && !chmod(program, 0700));
    ck_assert(command_regions(6, argv, &e));
    ck_assert_msg(strstr(e.text, assemblers[_i].says), "%s", e.text);
    spawn_remove_directory(directory);
    free(directory);
    free(program);
}
END_TEST

START_TEST(only_the_recorded_gpu_is_simulated_again)
{
    char *argv[] = {"--device", "sim:tiny"};
    struct err e = {0};
    ck_assert(command_counters(2, argv, &e));
    ck_assert_msg(strstr(e.text, "--device sim:tiny: a GPU is measured"), "%s", e.text);
}
END_TEST

int main(void)
{
    fronts_open();
    Suite *suite = suite_create("counters");
    TCase *c = tcase_create("counters");
    tcase_set_timeout(c, 60);
    tcase_add_loop_test(c, what_has_to_be_equal, 0, sizeof cases / sizeof *cases);
    tcase_add_test(c, the_table_has_a_row_a_kind);
    tcase_add_test(c, regions_elsewhere_are_told);
    tcase_add_test(c, what_ncu_says_is_recorded);
    tcase_add_loop_test(c, it_only_launches, 0, sizeof launches / sizeof *launches);
    tcase_add_test(c, one_code_is_measured_alone);
    tcase_add_loop_test(c, regions_need_an_assembler, 0, sizeof assemblers / sizeof *assemblers);
    tcase_add_test(c, only_the_recorded_gpu_is_simulated_again);
    suite_add_tcase(suite, c);
    SRunner *r = srunner_create(suite);
    srunner_run_all(r, CK_NORMAL);
    int failed = srunner_ntests_failed(r);
    srunner_free(r);
    fronts_close();
    return failed != 0;
}
