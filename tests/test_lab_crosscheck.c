/* test_lab_crosscheck.c - reading ncu's table, and how far two numbers are apart. */
#include "hardware/crosscheck.h"
#include "exercise/exercise.h"
#include "suite.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define PASSES "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum"
#define CONFLICTS "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum"

static const char csv[] =
    "a line of the program\n"
    "==PROF== Connected to process 1\n"
    "\"ID\",\"Process ID\",\"Kernel Name\",\"other\",\"smsp__inst_executed.sum\",\"gpu__time_duration.sum\"\n"
    "\"\",\"\",\"\",\"\",\"inst\",\"ns\"\n"
    "\"0\",\"1\",\"matmul(const float *, float *, \"\"x\"\", int)\",\"7\",\"1,048,576\",\"2,300.5\"\n"
    "\"1\",\"1\",\"lockstep_sweep\",\"7\",\"5\",\"6\"\n"
    "\"2\",\"1\",\"copy\",\"7\",\"n/a\",\"100\"\n"
    "==PROF== Disconnected\n";

START_TEST(reads_what_ncu_wrote)
{
    static const char *const names[] = {
        "gpu__time_duration.sum", "not.there", "smsp__inst_executed.sum"};
    double *v = NULL;
    struct err e = {0};
    /* 2 kernels: the kit's own is left out */
    ck_assert_int_eq(crosscheck_parse(csv, names, 3, &v, &e), 2);
    ck_assert_double_eq(v[0], 2300.5);
    ck_assert(isnan(v[1]));
    ck_assert_double_eq(v[2], 1048576);
    ck_assert_double_eq(v[3], 100);
    ck_assert(isnan(v[5]));
    free(v);
}
END_TEST

/* As ncu 2025.3 prints a metric that has a value for each opcode. */
static const char opcodes[] =
    "\"ID\",\"Kernel "
    "Name\",\"sass__inst_executed_per_opcode\",\"sass__inst_executed_per_opcode_with_modifier_all\"\n"
    "\"\",\"\",\"inst\",\"inst\"\n"
    "\"0\",\"a\",\"5,393 (IMAD: 1,458; LDG: 268; LDGSTS: 7; STG: 144)\",\"5,393 (LDG.E: 9)\"\n"
    "\"1\",\"b\",\"268 (LDG: 268)\",\"n/a\"\n"
    "\"2\",\"c\",\"0\",\"n/a\"\n"
    "\"3\",\"d\",\"n/a\",\"n/a\"\n";

START_TEST(reads_an_opcode_s_part)
{
    static const char *const names[] = {"sass__inst_executed_per_opcode:LDG",
        "sass__inst_executed_per_opcode:STG", "sass__inst_executed_per_opcode:IMAD",
        "sass__inst_executed_per_opcode:DG"};
    static const double want[3][4] = {{268, 144, 1458, 0}, {268, 0, 0, 0}, {0, 0, 0, 0}};
    double *v = NULL;
    struct err e = {0};
    ck_assert_int_eq(crosscheck_parse(opcodes, names, 4, &v, &e), 4);
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 4; k++) ck_assert_double_eq(v[4 * i + k], want[i][k]);
    ck_assert(isnan(v[12]));
    free(v);
}
END_TEST

START_TEST(a_table_that_is_none_is_an_error)
{
    static const char *const names[] = {"gpu__time_duration.sum"}, *const others[] = {"not.there"};
    double *v = NULL;
    struct err e = {0};
    ck_assert_int_eq(crosscheck_parse("==ERROR== no permission\n", names, 1, &v, &e), -1);
    ck_assert_int_eq(crosscheck_parse("", names, 1, &v, &e), -1);
    ck_assert_int_eq(crosscheck_parse(csv, others, 1, &v, &e), -1);
    ck_assert_int_eq(e.kind, ERR_ENV);
}
END_TEST

static json_t *record(const char *simulated, const char *measured)
{
    char *text = xasprintf(
        "{\"metrics\": [\"gpu__time_duration.sum\", \"" PASSES "\", \"" CONFLICTS
        "\"], \"kernels\": [{\"lab\": \"05-padded\", \"kernel\": \"banks\", \"size\": \"n "
        "= 8\", \"bottleneck\": \"L2\", \"simulated\": %s, \"measured\": %s}]}",
        simulated, measured);
    json_t *r = json_loads(text, 0, NULL);
    free(text);
    ck_assert_ptr_nonnull(r);
    return r;
}

static double error_of(const json_t *r, int metric)
{
    return crosscheck_error(r, json_array_get(json_object_get(r, "kernels"), 0), metric);
}

START_TEST(errors)
{
    json_t *r = record("[900, 1000, 0]", "[1000, 1000, 50]");
    ck_assert_double_eq_tol(error_of(r, 0), 0.1, 1e-12);
    ck_assert_double_eq(error_of(r, 1), 0);
    /* conflicts are compared relative to wavefronts: 50 of 1000, not 50 of 50 */
    ck_assert_double_eq_tol(error_of(r, 2), 0.05, 1e-12);
    json_decref(r);
    r = record("[null, 3, 0]", "[1000, 0, 0]");
    ck_assert(isnan(error_of(r, 0)));
    ck_assert_double_eq(error_of(r, 1), 1); /* an error of 1: 3 against 0 */
    ck_assert_double_eq(error_of(r, 2), 0);
    json_decref(r);
}
END_TEST

START_TEST(tables_have_the_worst_first)
{
    json_t *r = record("[900, 2000, 0]", "[1000, 1000, 50]");
    struct buf out = {0};
    crosscheck_table(r, &out);
    const char *first = strstr(out.data, PASSES), *second = strstr(out.data, "gpu__time"),
               *third = strstr(out.data, CONFLICTS);
    ck_assert(first && first < second && second < third);
    ck_assert_ptr_nonnull(
        strstr(out.data, "| 1 | 0 | 0 | 0 | 100% | 05 `banks` n = 8 | 2000 | 1000 |"));
    buf_free(&out);
    crosscheck_times(r, &out);
    ck_assert_ptr_nonnull(strstr(out.data, "| 05 `banks` n = 8 | 0.900 | 1.00 | -10% | L2 |"));
    buf_free(&out);
    json_decref(r);
}
END_TEST

START_TEST(what_the_l2_was_read_and_written)
{
    json_t *r = json_loads(
        "{\"metrics\": [\"lts__t_sectors_op_write.sum\", \"x\", "
        "\"lts__t_sectors_op_read.sum\"], \"kernels\": [{\"kernel\": \"b\", \"size\": \"n "
        "= 8\", \"simulated\": [90, 1, 110], \"measured\": [100, 1, 80]},{\"kernel\": "
        "\"a\", \"size\": \"n = 9\", \"simulated\": [3, 1, 4], \"measured\": [3, 1, 4]}]}",
        0, NULL);
    struct buf out = {0};
    crosscheck_l2(r, &out);
    ck_assert_ptr_nonnull(strstr(out.data,
        "\n| `b` n = 8 | 110 | 80 | +37.5% | 90 | 100 | -10.0% |\n| `a` n = 9 | 4 | 4 | +0.0% | 3 | 3 | "
        "+0.0% |\n"));
    buf_free(&out);
    json_decref(r);
}
END_TEST

START_TEST(records_survive_being_written)
{
    char file[] = "/tmp/lockstep-record.XXXXXX";
    struct err e = {0};
    json_t *r = record_new("lockstep nothing", "clang 1.2"), *again = NULL;
    int fd = mkstemp(file), dims[DIMS];
    ck_assert_int_ge(fd, 0);
    json_object_set_new(r, "rows",
        json_pack(
            "[{s:f, s:[i, i], s:n}, {s:s}]", "ms", 1.5, "dims", 3, 4, "none", "rung", "naive"));
    json_object_set_new(r, "empty", json_array());
    ck_assert_int_eq(record_write(file, r, &e), 0);
    ck_assert_int_eq(record_read(file, &again, &e), 0);
    ck_assert_int_eq(json_equal(r, again), 1);
    const json_t *row = json_array_get(json_object_get(again, "rows"), 0);
    ck_assert_double_eq(record_number(row, "ms"), 1.5);
    ck_assert(isnan(record_number(row, "none")) && isnan(record_number(row, "absent")));
    ck_assert_str_eq(record_text(row, "rung"), "");
    ck_assert_int_eq(record_dims(row, dims), 2);
    ck_assert_int_eq(dims[0], 3);
    ck_assert_int_eq(dims[2], 0);
    json_decref(r);
    json_decref(again);
    remove(file);
    ck_assert_int_eq(record_read(file, &again, &e), -1);
    ck_assert_int_eq(file_write(file, "{\n\"a\": ", 7, &e), 0);
    ck_assert_int_eq(record_read(file, &again, &e), -1);
    ck_assert_ptr_nonnull(strstr(e.text, file));
    remove(file);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("crosscheck");
    TCase *t = tcase_create("all");
    tcase_add_test(t, reads_what_ncu_wrote);
    tcase_add_test(t, reads_an_opcode_s_part);
    tcase_add_test(t, a_table_that_is_none_is_an_error);
    tcase_add_test(t, errors);
    tcase_add_test(t, tables_have_the_worst_first);
    tcase_add_test(t, what_the_l2_was_read_and_written);
    tcase_add_test(t, records_survive_being_written);
    suite_add_tcase(s, t);
    return suite_run(s);
}
