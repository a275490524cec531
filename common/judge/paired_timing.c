/* paired_timing.c - time student and reference alternately, in pairs of runs on inputs that are new
 * to both. */
#include "judge/grade.h"

/* A round is four runs in the order R, S, S, R (reference, student): two pairs. There are at most
 * ROUNDS rounds; the timing ends once PAIRS_LEAST pairs show whether the time earns all points. */
enum { ROUNDS = 5, PAIRS = 2 * ROUNDS, PAIRS_LEAST = 6 };

/* One timed run of the student or of the reference. If the student's output is wrong, the exercise
 * has failed, as after a wrong small shape. */
static int time_once(struct grading *g, int step, int student, struct instance *in,
    const struct expected *want, double *ms, struct err *e)
{
    struct measurement m = {0}, *kept = &g->result->steps[step].m;
    struct run_outcome t = {0};
    struct build *b = student ? &g->student : &g->reference;
    const struct step *s = &g->exercise->steps[step];
    grade_announce(s, in->dims);
    int bad = build_run(b, step, in, RUN_TIMED, &m, e);
    if (bad && e->kind == ERR_LEARNER) {
        grade_failed_run(b, &t, e);
        bad = 0;
    } else if (!bad) {
        t.wrong = grade_compare(g->session, b, step, in, want, &t);
    }
    *ms = m.ms;
    /* besides the times, only what the student's last run measured is reported */
    if (student && !t.wrong && !bad) {
        kept->launch_ms = m.launch_ms;
        kept->host_ms = m.host_ms;
        kept->in_ms = m.in_ms;
        kept->out_ms = m.out_ms;
    }
    measurement_free(&m);
    if (!bad && t.wrong && student)
        grade_report_wrong(g, s, in->dims, in->dims, &t);
    else if (!bad && t.wrong) {
        guesses_unmark(&t.why);
        bad =
            err_set(e, ERR_ENV, "the reference of %s is wrong: %s", g->exercise->name, t.why.data);
    }
    run_outcome_free(&t);
    return bad;
}

/* Time student and reference on a new input. ms[0]: the reference's time; ms[1]: the student's.
 * Which of them runs first alternates from pair to pair, so that a drift of the clock rate cancels
 * out. */
static int time_pair(struct grading *g, int step, int pair, double ms[2], struct err *e)
{
    struct instance in;
    struct expected want;
    const struct step_result *s = &g->result->steps[step];
    int bad = 0;
    instance_make(&in, s->problem, s->step->dims,
        session_seed(g->session, s->problem->name, s->step->dims, 1 + pair));
    expected_make(&want, &in);
    for (int turn = 0; turn < 2 && !bad && !g->found.wrong; turn++) {
        int student = (turn ^ pair) % 2 != 0;
        bad = time_once(g, step, student, &in, &want, &ms[student], e);
    }
    expected_free(&want);
    instance_free(&in);
    return bad;
}

/* Set s->timing: TIMING_IMPOSSIBLE if the student's time is below what the GPU needs,
 * TIMING_TOO_SHORT if it is mostly launch overhead. */
static void judge(struct step_result *s, const struct model_profile *p)
{
    s->least_ms = timing_least_ms(p, s->problem, s->step->dims);
    if (s->m.ms < s->least_ms)
        s->timing = TIMING_IMPOSSIBLE;
    else if (s->m.launch_ms > 0 && timing_too_short(s->m.ms, s->m.launch_ms))
        s->timing = TIMING_TOO_SHORT;
}

/* Do the pairs show whether the ratio is within session.speed, the ratio that earns all points? */
static int decided(const struct grading *g, double times[2][PAIRS], int pairs)
{
    if (pairs < PAIRS_LEAST || pairs % 2) return 0;
    struct timing_ratio r = timing_compare(times[1], times[0], pairs);
    return r.high <= g->session->speed || r.low > g->session->speed;
}

/* Time pairs until they show whether the time earns all points. from: the number of the first pair,
 * from which the seed of its input is derived. */
static int time_pairs(struct grading *g, int step, int from, struct err *e)
{
    struct step_result *s = &g->result->steps[step];
    double times[2][PAIRS];
    int kernels = g->exercise->kind == EXERCISE_CUDA, pairs = 0;
    /* On a GPU, pair -1 only warms up; its times are dropped. */
    for (int pair = kernels ? -1 : 0; pair < PAIRS && !decided(g, times, pairs); pair++) {
        double ms[2];
        if (time_pair(g, step, from + (pair < 0 ? PAIRS : pair), ms, e)) return -1;
        if (g->found.wrong) return 0;
        for (int i = 0; i < 2 && pair >= 0; i++) times[i][pair] = ms[i];
        pairs = pair + 1;
    }
    s->ratio = timing_compare(times[1], times[0], pairs);
    s->m.ms = timing_median(times[1], pairs);
    s->reference_ms = timing_median(times[0], pairs);
    if (kernels) judge(s, device_profile(g->student.device));
    return 0;
}

/* A process of host C can be slow for as long as it lives, if its pages collide in a cache or
 * its core is shared. So a time that would cost points is measured again by new processes. */
int grade_in_turn(struct grading *g, int step, struct err *e)
{
    if (time_pairs(g, step, 0, e)) return -1;
    if (g->exercise->kind != EXERCISE_HOST || g->found.wrong ||
        g->result->steps[step].ratio.low <= g->session->speed)
        return 0;
    return build_restart(&g->student, e) || build_restart(&g->reference, e) ||
           time_pairs(g, step, PAIRS, e);
}
