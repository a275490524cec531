/* test_published.c - published tables beside modelled figures: what a table must have, errors,
 * ratios, limits, order. */
#include "hardware/answers.h"
#include "hardware/published.h"
#include "suite.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define HEAD \
    "{\"table\": \"T\", \"document\": \"D\", \"gpu\": \"G\", \"device\": \"sim:tiny\", " \
    "\"problem\": \"aat\", \"dims\": [64, 16], "
#define RUNG(name, more) "{\"rung\": \"" name "\", \"file\": \"f.cu\", \"kernel\": \"k\"" more "}"

static json_t *table(const char *text)
{
    json_error_t why;
    json_t *t = json_loads(text, 0, &why);
    ck_assert_msg(t != NULL, "%s: %s", text, why.text);
    return t;
}

START_TEST(says_what_a_table_lacks)
{
    static const struct {
        const char *text, *why;
    } cases[] = {
        {HEAD "\"unit\": \"GB/s\", \"rungs\": [" RUNG("a", ", \"figure\": 1") "]}", NULL},
        {"{\"document\": \"D\"}",
            "p.json: table \"\" needs a table (its title), a document and a gpu"},
        {"{\"table\": \"T\", \"document\": \"D\", \"gpu\": \"G\", \"problem\": \"aat\", \"dims\": [64]}",
            "no problem \"aat\" of 1 dims"},
        {"{\"table\": \"T\", \"document\": \"D\", \"gpu\": \"G\", \"problem\": \"sort\", \"dims\": [64]}",
            "no problem \"sort\""},
        {HEAD "\"unit\": \"MB/s\", \"rungs\": [" RUNG("a", "") "]}",
            "unit \"MB/s\" is neither ms nor GB/s nor a counter"},
        {HEAD "\"unit\": \"ms\", \"rungs\": []}", "has 0 rungs"},
        {HEAD "\"unit\": \"ms\", \"counters\": [\"warps\"], \"rungs\": [" RUNG("a", "") "]}",
            "counter 1 is none"},
        {HEAD "\"unit\": \"ms\", \"rungs\": [{\"rung\": \"a\", \"file\": \"f.cu\"}]}",
            "rung \"a\" needs a rung, a file and a kernel"},
        {HEAD "\"unit\": \"ms\", \"rungs\": [" RUNG("a", ", \"figure\": \"1\"") "]}",
            "its figure is not a number above 0"},
        {HEAD "\"unit\": \"ms\", \"rungs\": [" RUNG("a", ", \"problem\": \"sort\"") "]}",
            "there is no problem \"sort\""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct err e = {0};
        json_t *t = table(cases[i].text);
        ck_assert_int_eq(published_valid("p.json", t, &e), cases[i].why ? -1 : 0);
        ck_assert_msg(!cases[i].why || strstr(e.text, cases[i].why), "case %zu: %s", i, e.text);
        json_decref(t);
    }
}
END_TEST

/* An output of 64 x 64 floats counts as read and written: 32768 bytes in a microsecond. */
START_TEST(bandwidth_counts_the_output_twice)
{
    const int aat[DIMS] = {64, 16}, matmul[DIMS] = {64, 16, 64};
    ck_assert_double_eq_tol(published_rate(problem_find("aat"), aat, 1e-3), 32.768, 1e-9);
    ck_assert_double_eq_tol(published_rate(problem_find("matmul"), matmul, 1e-3), 32.768, 1e-9);
}
END_TEST

/* Print a table of three rungs with these modelled figures. out gets the table, misses what is off;
 * the caller frees both. */
static void print(const char *unit, const char *more, double a, double b, double c, struct buf *out,
    struct buf *misses)
{
    char *text =
        xasprintf(HEAD "\"unit\": \"%s\", %s \"rungs\": [" RUNG("one", ", \"figure\": 10") "," RUNG(
                      "two", ", \"figure\": 20") "," RUNG("three",
                      ", \"figure\": 20.5, \"gst_transactions_per_request\": 4") "]}",
            unit, more);
    struct published p = {.table = table(text), .here = {a, b, c}};
    for (int i = 0; i < 3; i++) model_metrics_clear(&p.metrics[i]);
    p.metrics[2].v[METRIC_GST_SECTORS_PER_REQUEST] = 8;
    *out = *misses = (struct buf){0};
    published_print(&p, PUBLISHED_MARKDOWN, out, misses);
    json_decref((json_t *)p.table);
    free(text);
}

static void expect(const char *unit, const char *more, double a, double b, double c,
    const char *printed, const char *missed)
{
    struct buf out, misses;
    print(unit, more, a, b, c, &out, &misses);
    ck_assert_msg(strstr(out.data, printed) != NULL, "\"%s\" is not in:\n%s", printed, out.data);
    if (missed)
        ck_assert_msg(misses.len && strstr(misses.data, missed), "\"%s\" is not in: %s", missed,
            misses.len ? misses.data : "nothing");
    else
        ck_assert_msg(!misses.len, "%s", misses.data);
    buf_free(&out);
    buf_free(&misses);
}

/* In each of two tables, one of three figures is off by more than 30%, whatever the reason. */
START_TEST(tables_are_counted)
{
    struct published_tally t = {0};
    struct published p = {
        .table = table(HEAD "\"unit\": \"ms\", \"reason\": \"no clock\", \"rungs\": [" RUNG(
            "one", ", \"figure\": 10") "," RUNG("two", ", \"figure\": 20") "," RUNG("three",
            ", \"figure\": 40") "," RUNG("four", "") "]}"),
        .here = {12, 27, 39, 5}};
    published_count(&p, &t);
    p.here[1] = 11;
    p.here[0] = 12.9;
    published_count(&p, &t);
    ck_assert_int_eq(t.tables, 2);
    ck_assert_int_eq(t.in_order, 1);
    ck_assert_int_eq(t.figures, 6);
    ck_assert_int_eq(t.near, 4);
    ck_assert_str_eq(t.far.data, "   1.35  T: two\n   0.55  T: two\n");
    buf_free(&t.far);
    json_decref((json_t *)p.table);
}
END_TEST

#define LIMITS "\"limits\": {\"ratio\": 0.25},"

START_TEST(figures_and_ratios)
{
    expect("GB/s", LIMITS, 12, 19, 19.5, "| two | 20.0 | 19.0 | 0.95 |", NULL);
    expect("ms", "", 12, 19, 19.5, "| two | 20.0 | 19.0 | 0.95 |", NULL);
    expect("GB/s", LIMITS, 13.1, 21, 21, "| one | 10.0 | 13.1 | 1.31 |",
        "T: one: its figure is 1.31 times the published one, and no reason is given");
    expect("GB/s", LIMITS, 12.9, 19, 19, "1.29", "T: two: its ratio is 26% off, more than 25%");
    expect(
        "GB/s", "\"reason\": \"It has no clock\",", 1, 18, 18, "\none: It has no clock.\n", NULL);
}
END_TEST

/* Speed-ups are ratios of times. If the published times do not give the published speed-up, the row
 * says so. */
START_TEST(speedups)
{
    expect("ms", "\"speedups\": [{\"of\": \"one\", \"over\": \"two\", \"figure\": 2}],", 10, 25,
        20.5, "| two | 20.0 | 25.0 | 1.25 |\n| three", NULL);
    expect("ms", "\"speedups\": [{\"of\": \"one\", \"over\": \"two\", \"figure\": 2}],", 10, 25,
        20.5, "| one over two | 2.00x | 2.50x |", NULL);
    expect("ms", "\"speedups\": [{\"of\": \"one\", \"over\": \"two\", \"figure\": 3}],", 10, 25,
        20.5, "one over two: the published times give 2.\n", NULL);
}
END_TEST

START_TEST(order_is_held_where_the_document_has_one)
{
    expect("GB/s", "", 10, 20, 19, "The order is the document's.",
        NULL); /* rungs two and three are published as equal */
    expect("GB/s", "", 10, 9, 19, "The order differs.", "T: one and two are the other way round");
    expect("ms", "\"reason\": \"no clock\",", 20, 20.01, 21, "but equal here: one and two", NULL);
    expect("ms", "", 10, 20, 21, "The order is the document's.", NULL);
    expect("ms", "", 21, 20, 22, "The order differs.", "T: one and two are the other way round");
    expect("GB/s", "\"order\": \"It has no clock.\", \"reason\": \"no clock\",", 10, 9, 19,
        "The order differs. It has no clock.\n", NULL);
}
END_TEST

START_TEST(counters_are_held_exactly)
{
    expect("GB/s", "\"counters\": [\"gst_transactions_per_request\"],", 10, 20, 20,
        "| 4.00 / 8.00 |", "T: three: gst_transactions_per_request is 8, published as 4");
}
END_TEST

/* A figure is rewritten with its number of decimals; of equal numbers, the order says which is
 * meant. On sim:tiny, add's 4096 blocks of 8 warps make 32768 requests of each kind. */
START_TEST(figures_of_answers_are_made_anew)
{
    static const struct {
        const char *text, *made, *why;
    } cases[] = {
        {"1. 5 and 5 of 1.5 <!-- figures: 5 = gst_requests 01/add; 5 = gld_requests 01/add; 1.5 = 3 / 2 * 4 -->.",
            "1. 32768 and 65536 of 6.0 <!-- figures: 32768 = gst_requests 01/add; 65536 = gld_requests 01/add; "
            "6.0 = 3 / 2 * 4 -->.",
            NULL},
        {"15.25 and 5.2 5 <!-- figures: 5 = 7 -->", "15.25 and 5.2 7 <!-- figures: 7 = 7 -->",
            NULL},
        {"4.00 <!-- figures: 4.00 = gld_transactions_per_request 01/add{a[i] + b[i]->a[2 * i % n] + b[i]} -->",
            "6.00 <!-- figures: 6.00 = gld_transactions_per_request 01/add{a[i] + b[i]->a[2 * i % n] + b[i]} -->",
            NULL},
        {"5 and 5 of 5 <!-- figures: 5 = (1 + 2) * 3 - 4 / 2; 5 = 12 - 2 - 3; 5 = 100 / (2 * 5) -->",
            "7 and 7 of 10 <!-- figures: 7 = (1 + 2) * 3 - 4 / 2; 7 = 12 - 2 - 3; 10 = 100 / (2 * 5) -->",
            NULL},
        {"700, 7 and 1.0e-7 <!-- figures: 700 ~ 683; 7 ~ 0 + 7.4; 1.0e-7 = 23 / 100000000 -->",
            "700, 7 and 2.3e-7 <!-- figures: 700 ~ 683; 7 ~ 0 + 7.4; 2.3e-7 = 23 / 100000000 -->",
            NULL},
        {"1 <!-- figures: kernels by x; 1 = profile dram_peak_gbps@sim:h200 / 1000 * 10 -->",
            "48 <!-- figures: kernels by x; 48 = profile dram_peak_gbps@sim:h200 / 1000 * 10 -->",
            NULL},
        {"1.00 1.0 <!-- figures: 1.00 = record transfers ms [row=2]; 1.0 = published [C = A B, GeForce GTX 280 | tile of A] -->",
            "1.22 14.3 <!-- figures: 1.22 = record transfers ms [row=2]; 14.3 = published [C = A B, GeForce GTX 280 | tile of A] -->",
            NULL},
        {"5 <!-- figures: 5 = (1 + 2 -->", NULL, "a parenthesis is not closed"},
        {"5 <!-- figures: 5 = profile sms@sim:none -->", NULL, "a profile is FIELD@sim:GPU"},
        {"5 <!-- figures: 5 = profile colour@sim:h200 -->", NULL, "no such field of a profile"},
        {"5 <!-- figures: 5 = record transfers ms [row=99] -->", NULL,
            "not one row has these values"},
        {"5 <!-- figures: 5 = published [C = A B, none | naive] -->", NULL,
            "published.json has no such figure"},
        {"5 <!-- figures: 6 = 7 -->", NULL,
            "the text above has no such number, in this order: 6 = 7"},
        {"5 <!-- figures: 5 = ms 01/sub -->", NULL, "sub"},
        {"5 <!-- figures: 5 = ms 01/add/sub -->", NULL, "there is no such kernel: sub"},
        {"5 <!-- figures: 5 = warps 01/add -->", NULL, "nothing is counted by this name: warps"},
        {"5 <!-- figures: 5 = ms 01/add{sub->add} -->", NULL,
            "the solution does not have this text: sub"},
        {"5 <!-- figures: 5 = 5 5 = 5 -->", NULL, "a semicolon stands between figures"},
        {"5 <!-- figures: 5 = 5", NULL, "the comment does not end"},
    };
    struct session s;
    struct err e = {0};
    uint64_t seed = 1;
    ck_assert_msg(!session_open(&s, "sim:tiny", NULL, NULL, &seed, &e), "%s", e.text);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct buf out = {0};
        int bad = answers_text(&s, "README.md", cases[i].text, &out, &e);
        if (cases[i].made)
            ck_assert_msg(!bad && !strcmp(out.data, cases[i].made), "%s", bad ? e.text : out.data);
        else
            ck_assert_msg(bad && strstr(e.text, cases[i].why), "%s", bad ? e.text : out.data);
        buf_free(&out);
    }
    session_close(&s);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("published");
    TCase *t = tcase_create("tables");
    tcase_add_test(t, says_what_a_table_lacks);
    tcase_add_test(t, tables_are_counted);
    tcase_add_test(t, bandwidth_counts_the_output_twice);
    tcase_add_test(t, figures_and_ratios);
    tcase_add_test(t, speedups);
    tcase_add_test(t, order_is_held_where_the_document_has_one);
    tcase_add_test(t, counters_are_held_exactly);
    tcase_add_test(t, figures_of_answers_are_made_anew);
    suite_add_tcase(s, t);
    int failed = suite_run(s);
    return failed ? 1 : 0;
}
