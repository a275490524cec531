/* test_suspect.c - given kernels that are at fault: what is found in them is shown when every
 * prediction is right, and not before; and it is found in the kit's own copy. Also predictions of
 * how many blocks fit on a multiprocessor. */
#include "cli/cli.h"
#include "exercise/compile.h"
#include "explain/explain.h"
#include "judge/grade.h"
#include "suite.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* The suspects of all labs. */
static struct {
    const struct lab *lab;
    const struct exercise *exercise;
} suspects[32];
static int count;

static void find_suspects(void)
{
    for (const struct lab *const *l = lab_table; *l; l++)
        for (const struct exercise *x = (*l)->exercises; x->name; x++)
            if (exercise_suspect(x)) suspects[count].lab = *l, suspects[count++].exercise = x;
}

static char *text_of(const char *directory, int i)
{
    char *file = workbench_file(directory, suspects[i].lab, suspects[i].exercise), *text = NULL;
    struct err e;
    ck_assert_msg(!file_read(file, SOURCE_MAX, &text, NULL, &e), "%s", e.text);
    free(file);
    return text;
}

/* A text in which each `from` is replaced. The caller frees it. */
static char *replaced(const char *text, const char *from, const char *to)
{
    struct buf out = {0};
    for (const char *at; (at = strstr(text, from)); text = at + strlen(from)) {
        buf_add(&out, text, (size_t)(at - text));
        buf_printf(&out, "%s", to);
    }
    buf_printf(&out, "%s", text);
    return out.data;
}

/* What a learner sees of a result, and what other programs read. */
struct seen {
    enum status status;
    double score;
    int told;          /* predictions whose right number the result has */
    int measured;      /* counters that the result has */
    struct buf answer; /* what is wrong with the kernel */
    struct buf text;   /* all that is printed, in full and in brief, and JSON */
};

static void look(void *context, const struct result *r)
{
    struct seen *s = context;
    struct screen plain = {2000, 0};
    s->status = r->status;
    s->score = r->score;
    for (int i = 0; i < r->prediction_count; i++) s->told += !isnan(r->predictions[i].counted);
    for (int i = 0; i < r->step_count; i++) {
        s->measured += r->steps[i].m.line_count + r->steps[i].m.access_count > 0;
        for (int m = 0; m < METRIC_COUNT; m++) s->measured += !isnan(r->steps[i].m.metrics.v[m]);
    }
    buf_printf(&s->answer, "%s", r->answer.data ? r->answer.data : "");
    lab_text(&plain, r, NULL, "", &s->text);
    const struct brief how = {99, TOLD_EDIT, {"", ""}, ""};
    lab_brief(&plain, &how, r, NULL, "", &s->text);
    json_t *o = json_result(r);
    char *json = json_dumps(o, 0);
    buf_printf(&s->text, "%s%s", json, r->message.data ? r->message.data : "");
    free(json);
    json_decref(o);
}

static void seen_free(struct seen *s) { buf_free(&s->answer), buf_free(&s->text); }

/* Grade a text as the file of a suspect's exercise. apart: in a process of its own. */
static struct seen hand_in(int i, const char *text, int apart)
{
    char root[] = "/tmp/test_suspect.XXXXXX";
    const uint64_t seed = 20261127;
    struct session s;
    struct seen seen = {0};
    struct err e = {0};
    ck_assert_ptr_nonnull(mkdtemp(root));
    char *lab = xasprintf("%s/%s", root, suspects[i].lab->name),
         *file = xasprintf("%s/%s.cu", lab, suspects[i].exercise->name),
         *command = xasprintf("rm -r '%s'", root);
    ck_assert_int_eq(mkdir(lab, 0777), 0);
    ck_assert_msg(!file_write(file, text, strlen(text), &e), "%s", e.text);
    ck_assert_msg(!session_open(&s, "sim:h200", NULL, root, &seed, &e), "%s", e.text);
    s.explains = &explainer;
    if (apart) session_apart(&s);
    ck_assert_msg(
        !grade_labs(&s, suspects[i].lab, suspects[i].exercise, look, &seen, &e), "%s", e.text);
    session_close(&s);
    ck_assert_int_eq(system(command), 0);
    free(command), free(file), free(lab);
    return seen;
}

static int predictions(int i)
{
    int n = 0;
    while (suspects[i].exercise->predictions[n].name) n++;
    return n;
}

/* The learner reads line numbers in the skeleton; the kit finds them in the solution. */
START_TEST(the_given_kernel_is_in_the_same_lines)
{
    const struct step *s = exercise_suspect(suspects[_i].exercise);
    char *skeleton = text_of("labs", _i), *solution = text_of("solutions", _i);
    const char *own = strstr(skeleton, "__global__"), *kit = strstr(solution, "__global__");
    ck_assert_msg(own && kit && !strcmp(own, kit), "%s %s: the kernels differ",
        suspects[_i].lab->name, suspects[_i].exercise->name);
    ck_assert_msg(!suspect_shift(skeleton, solution, s->kernel), "%s %s: %d lines further down",
        suspects[_i].lab->name, suspects[_i].exercise->name,
        suspect_shift(skeleton, solution, s->kernel));
    free(skeleton), free(solution);
}
END_TEST

START_TEST(nothing_is_told_before_all_is_right)
{
    char *skeleton = text_of("labs", _i), *solution = text_of("solutions", _i);
    char *guessed = replaced(skeleton, "UNKNOWN", "77");
    const char *name = suspects[_i].exercise->predictions[0].name;
    char *right = xasprintf("PREDICT(%s, ", name), *wrong = xasprintf("PREDICT(%s, 9", name),
         *nearly = replaced(solution, right, wrong);
    /* under the sanitizers not apart: their own memory exceeds the limit of such a process */
    int own_process = !getenv("LOCKSTEP_SANITIZED");
    struct seen all = hand_in(_i, solution, 0), apart = hand_in(_i, solution, own_process),
                none = hand_in(_i, skeleton, 0), bad = hand_in(_i, guessed, 0),
                one = hand_in(_i, nearly, 0);
    ck_assert_int_eq(all.status, STATUS_PASSED);
    ck_assert_int_eq(all.told, predictions(_i));
    ck_assert_ptr_nonnull(strstr(all.text.data, all.answer.data));
    ck_assert_msg(all.answer.len > 20, "%s", all.answer.data);
    ck_assert_str_eq(apart.answer.data, all.answer.data);
    const struct seen *others[] = {&none, &bad, &one};
    for (int k = 0; k < 3; k++) {
        ck_assert_int_eq(others[k]->measured, 0);
        ck_assert_str_eq(others[k]->answer.data, "");
        ck_assert_msg(!strstr(others[k]->text.data, all.answer.data) &&
                          strstr(others[k]->text.data, "at fault; how is told once") &&
                          !strstr(others[k]->text.data, "counted"),
            "%s", others[k]->text.data);
    }
    ck_assert_int_eq(none.status, STATUS_NOT_ATTEMPTED);
    ck_assert_int_eq(none.told + bad.told, 0);
    ck_assert_double_eq(bad.score, 0);
    ck_assert_int_eq(one.told, predictions(_i) - 1);
    ck_assert_double_eq(one.score, all.score - 1);
    seen_free(&all), seen_free(&apart), seen_free(&none), seen_free(&bad), seen_free(&one);
    free(nearly), free(wrong), free(right), free(guessed), free(solution), free(skeleton);
}
END_TEST

/* An edit of the given kernel earns nothing and costs nothing. The first suspect is a transpose
 * whose test lets one row too many in. */
START_TEST(an_edit_changes_nothing)
{
    char *skeleton = text_of("labs", 0), *solution = text_of("solutions", 0);
    char *mended = replaced(skeleton, "row > rows", "row >= rows"),
         *both = replaced(solution, "row > rows", "row >= rows");
    ck_assert_str_ne(mended, skeleton);
    struct seen alone = hand_in(0, mended, 0), right = hand_in(0, both, 0);
    ck_assert_double_eq(alone.score, 0);
    ck_assert_int_eq(right.status, STATUS_PASSED);
    seen_free(&alone), seen_free(&right);
    free(both), free(mended), free(solution), free(skeleton);
}
END_TEST

/* Lines that the learner writes above the kernel move it, and the right number with it. */
START_TEST(lines_are_those_of_the_learners_file)
{
    char *solution = text_of("solutions", 0), line[64], moved_line[64];
    const char *at = strstr(solution, "PREDICT(fault_line, ");
    ck_assert_ptr_nonnull(at);
    int number = atoi(at + strlen("PREDICT(fault_line, "));
    char *longer = replaced(solution, "#include", "// notes\n// more of them\n#include");
    snprintf(line, sizeof line, "PREDICT(fault_line, %d)", number);
    snprintf(moved_line, sizeof moved_line, "PREDICT(fault_line, %d)", number + 2);
    char *moved = replaced(longer, line, moved_line);
    struct seen old = hand_in(0, longer, 0), new = hand_in(0, moved, 0);
    ck_assert_double_eq(old.score, new.score - 1);
    ck_assert_int_eq(new.status, STATUS_PASSED);
    snprintf(line, sizeof line, "line %d: ", number);
    ck_assert_msg(!strncmp(new.answer.data, line, strlen(line)) &&
                      strstr(new.answer.data, "in your file 2 further down"),
        "%s", new.answer.data);
    seen_free(&old), seen_free(&new);
    free(moved), free(longer), free(solution);
}
END_TEST

/* How many blocks of a kernel fit is shown once every prediction of it has a number. */
START_TEST(blocks_are_told_after_a_guess)
{
    struct err e;
    suspects[count].lab = options_lab("07", &e);
    suspects[count].exercise = options_exercise(suspects[count].lab, "occupancy", &e);
    char *solution = text_of("solutions", count);
    char *open = replaced(solution, "PREDICT(full_blocks, 8)", "PREDICT(full_blocks, UNKNOWN)"),
         *wrong = replaced(solution, "PREDICT(full_blocks, 8)", "PREDICT(full_blocks, 9)");
    struct seen right = hand_in(count, solution, 0), none = hand_in(count, open, 0),
                bad = hand_in(count, wrong, 0);
    ck_assert_double_eq(right.score - none.score, 1);
    ck_assert_double_eq(right.score - bad.score, 1);
    ck_assert_ptr_null(strstr(none.text.data, "8 blocks a multiprocessor"));
    ck_assert_ptr_nonnull(strstr(right.text.data, "8 blocks a multiprocessor"));
    ck_assert_msg(strstr(bad.text.data, "full_blocks is 9, the reference counted 8: ") != NULL,
        "%s", bad.text.data);
    seen_free(&right), seen_free(&none), seen_free(&bad);
    free(wrong), free(open), free(solution);
}
END_TEST

START_TEST(a_kernel_is_found_by_its_declaration)
{
    const char *kit = "// turn\n__global__ void turn(int n)\n";
    ck_assert_int_eq(suspect_shift(kit, kit, "turn"), 0);
    ck_assert_int_eq(suspect_shift("\n\n// turn\n__global__ void turn(int n)", kit, "turn"), 2);
    ck_assert_int_eq(suspect_shift("__global__ void turn(int n)", kit, "turn"), -1);
    /* another kernel whose name begins the same; no such declaration; no text */
    ck_assert_int_eq(
        suspect_shift("__global__ void turn_2(int n)\n\n__global__ void turn(int n)", kit, "turn"),
        1);
    ck_assert_int_eq(suspect_shift("void turn(int n)", kit, "turn"), 0);
    ck_assert_int_eq(suspect_shift(NULL, kit, "turn"), 0);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("suspect");
    TCase *c = tcase_create("suspect");
    tcase_set_timeout(c, 0);
    find_suspects();
    if (!count) return 1;
    tcase_add_test(c, a_kernel_is_found_by_its_declaration);
    tcase_add_loop_test(c, the_given_kernel_is_in_the_same_lines, 0, count);
    tcase_add_loop_test(c, nothing_is_told_before_all_is_right, 0, count);
    tcase_add_test(c, an_edit_changes_nothing);
    tcase_add_test(c, blocks_are_told_after_a_guess);
    tcase_add_test(c, lines_are_those_of_the_learners_file);
    suite_add_tcase(suite, c);
    return suite_run(suite);
}
