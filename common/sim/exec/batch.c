/* batch.c - how a batch of warps runs a kernel: code blocks, branches, reconvergence, barriers,
 * faults.
 *
 * If the lanes of a warp disagree on a branch, they diverge. They reconverge at r, the branch's
 * immediate post-dominator:
 *
 *     stack before     | ...                        the join: all lanes, at r
 *     stack after      | ... | join | not taken     run the taken path until it reaches r, then pop
 *
 * If the lanes of the join would also reconverge at r on the stack level below, no join is pushed:
 * popping it would lead straight to that level. So a loop that lanes leave one by one needs one
 * entry, not one for each iteration.
 *
 * Three rules change this order, each in its own file:
 *
 *     merge.c               lanes that can reconverge before r (7.0 and later)
 *     convergence_wait.c    lanes that wait at a barrier or .sync for lanes of another path
 *     yield.c               lanes that poll memory let the lanes run that will write it
 *
 * Source: PTX ISA, bra and bar; CUDA C++ Programming Guide, SIMT Architecture. */
#include "sim/check/async.h"
#include "sim/check/shadow.h"
#include "sim/cluster.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NOWHERE = -1 }; /* used in place of the index of a code block: the end of the kernel */

/* The handler of operations that have no effect in the simulator, and of those whose result is
 * unused. */
void sim_nothing(struct batch *v, const struct uop *u)
{
    (void)v;
    (void)u;
}

/* ---- faults ---- */

/* Computes threadIdx of a lane of the batch. */
static void thread_of(const struct batch *v, int lane, unsigned t[3])
{
    const unsigned *n = v->worker->launch->shape.block;
    unsigned i = (unsigned)(v->index * BATCH_LANES + lane);
    t[0] = i % n[0];
    t[1] = i / n[0] % n[1];
    t[2] = i / n[0] / n[1];
}

/* Writes "(x,y)", or "(x,y,z)" if z is not 0. */
static void print3(char *out, size_t size, const unsigned n[3])
{
    if (n[2])
        snprintf(out, size, "(%u,%u,%u)", n[0], n[1], n[2]);
    else
        snprintf(out, size, "(%u,%u)", n[0], n[1]);
}

void sim_thread_name(const struct batch *v, int lane, char *out, size_t size)
{
    unsigned t[3];
    thread_of(v, lane, t);
    print3(out, size, t);
}

/* sim_fault (below) describes the error in the worker and leaves by longjmp, to run_seat in launch.c.
 * So a function that can fault must hold no lock, nor memory that it would have to free. */
struct finding sim_element(
    enum finding_kind kind, const char *name, long long index, long long extent)
{
    struct finding f = {.kind = kind, .index = index, .extent = extent};
    snprintf(f.name, sizeof f.name, "%s", name);
    return f;
}

void sim_describe(struct batch *v, const struct uop *u, int lane, struct finding found,
    const char *fmt, va_list ap)
{
    struct worker *w = v->worker;
    const struct ptx_step *s = &v->worker->kernel->program->steps[u->step];
    char what[1024], who[128] = "", block[48], thread[48];
    vsnprintf(what, sizeof what, fmt, ap);
    print3(block, sizeof block, w->ctaid);
    if (lane >= 0) {
        sim_thread_name(v, lane, thread, sizeof thread);
        snprintf(who, sizeof who, "block %s thread %s ", block, thread);
    } else {
        snprintf(who, sizeof who, "block %s ", block);
    }
    char *guess = strchr(what, 1);
    if (guess) memmove(guess, guess + 1, strlen(guess));
    err_set(&w->err, ERR_LEARNER, "%s:%d: %s%s", w->kernel->main_file, s->loc.line, who, what);
    if (guess) w->err.guess = (int)(strlen(w->err.text) - strlen(guess));
    found.line = s->loc.line;
    found.thread_known = lane >= 0;
    memcpy(found.block, w->ctaid, sizeof found.block);
    if (lane >= 0) thread_of(v, lane, found.thread);
    w->err.found = found;
}

void sim_throw(struct batch *v, const struct uop *u, int lane)
{
    if (v->worker->watch) watch_fault(v, u, lane);
    longjmp(v->worker->fault, 1);
}

void sim_fault(
    struct batch *v, const struct uop *u, int lane, struct finding found, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    sim_describe(v, u, lane, found, fmt, ap);
    va_end(ap);
    sim_throw(v, u, lane);
}

/* ---- masks ---- */

/* Make the lanes of mask active and update all fields that depend on it. v->full selects between
 * the two forms of every handler; the option `masked` forces the slower form. */
void batch_set_active(struct batch *v, const uint32_t mask[BATCH_WARPS])
{
    uint32_t missing = 0;
    v->active_warps = v->active_lanes = 0;
    for (int w = 0; w < BATCH_WARPS; w++) {
        v->active[w] = mask[w];
        missing |= v->exist[w] & ~mask[w];
        v->active_warps += mask[w] != 0;
        v->active_lanes += __builtin_popcount(mask[w]);
    }
    v->full = !missing && !v->worker->launch->masked;
    if (v->full) return;
    for (int w = 0; w < v->warps; w++)
        for (int l = 0; l < 32; l++) v->lane_mask[w * 32 + l] = mask[w] >> l & 1;
}

/* Run the masked form of u, for the lanes in mask only. It uses the active lanes, so these are
 * replaced by mask during the call. */
static void batch_under(struct batch *v, const uint32_t mask[BATCH_WARPS], const struct uop *u)
{
    uint32_t before[BATCH_WARPS];
    memcpy(before, v->active, sizeof before);
    batch_set_active(v, mask);
    u->masked(v, u);
    batch_set_active(v, before);
}

/* The guard is a predicate; if u->guard is -1, there is none, so all active lanes execute. */
int batch_guarded(const struct batch *v, const struct uop *u, uint32_t mask[BATCH_WARPS])
{
    uint32_t any = 0, flip = u->guard_negated ? ~0u : 0;
    for (int w = 0; w < BATCH_WARPS; w++) {
        mask[w] = u->guard < 0 ? v->active[w] : v->active[w] & (v->pred[u->guard][w] ^ flip);
        any |= mask[w];
    }
    return any != 0;
}

/* Run an instruction that has a guard, for the lanes whose guard is true: none, all active lanes,
 * or some. */
static void run_guarded(struct batch *v, const struct uop *u)
{
    uint32_t mask[BATCH_WARPS];
    if (!batch_guarded(v, u, mask)) return;
    if (!memcmp(mask, v->active, sizeof mask)) {
        (v->full ? u->run : u->masked)(v, u);
        return;
    }
    batch_under(v, mask, u);
}

/* ---- control flow ---- */

/* The branch at the end of code block b, which reconverges at r. Four cases:
 *
 *   - no lane takes it, or all do: there is nothing to push
 *   - the target is r: lanes that take it wait in the join; the others run on
 *   - the next block is r: the others wait in the join; the lanes that take it run
 *   - neither is r: the lanes that do not take it are pushed above the join; the others run first */
static void branch(struct batch *v, const struct code_block *b, const struct uop *u)
{
    uint32_t taken[BATCH_WARPS], not_taken[BATCH_WARPS], any = 0;
    if (!batch_guarded(v, u, taken)) {
        v->pc = b->next;
        return;
    }
    int divergent = 0;
    for (int w = 0; w < BATCH_WARPS; w++) {
        not_taken[w] = v->active[w] & ~taken[w];
        any |= not_taken[w];
        divergent += taken[w] && not_taken[w];
    }
    if (!any) {
        v->pc = b->target;
        return;
    }
    v->worker->steps[u->step].divergent += (uint64_t)divergent;
    int r = b->ipdom; /* -1 if the paths meet only at the end of the kernel */
    if (r != v->reconverge) batch_push(v, u->step, r, v->reconverge, -1, v->active);
    const uint32_t *go = taken;
    v->pc = b->target;
    if (b->target == r && r != NOWHERE) {
        go = not_taken;
        v->pc = b->next;
    } else if (b->next != r || r == NOWHERE) {
        batch_later(v, u->step, b->next, r, not_taken);
    }
    v->reconverge = r;
    batch_set_active(v, go);
}

/* Execute exit or ret at the end of code block b, perhaps with a guard. Lanes that exit are removed
 * from stack entries only when these are popped. */
static void leave(struct batch *v, const struct code_block *b, const struct uop *u)
{
    uint32_t gone[BATCH_WARPS], rest[BATCH_WARPS], any = 0;
    batch_guarded(v, u, gone);
    for (int w = 0; w < BATCH_WARPS; w++) {
        v->exited[w] |= gone[w];
        any |= rest[w] = v->active[w] & ~gone[w];
    }
    if (!any) {
        batch_next(v);
        return;
    }
    batch_set_active(v, rest);
    v->pc = b->next;
}

/* Execute a barrier at the end of code block b. Every thread of the block must reach this
 * instruction, or a copy of it. If lanes of this batch are still missing, those that have arrived
 * wait on the stack and the next path runs. A guard that keeps active lanes from the barrier is a
 * fault. */
static void barrier(struct batch *v, const struct code_block *b, const struct uop *u)
{
    uint32_t here[BATCH_WARPS], off[BATCH_WARPS], absent = 0;
    if (!batch_guarded(v, u, here)) {
        v->pc = b->next;
        return;
    }
    for (int w = 0; w < BATCH_WARPS; w++) {
        off[w] = v->active[w] & ~here[w];
        absent |= v->exist[w] & ~here[w] & ~(barrier_lets_go(v) ? v->exited[w] : 0);
    }
    if (sim_first_lane(off) >= 0)
        barrier_missed(v, u->step, sim_first_lane(here), sim_first_lane(off));
    if (absent) {
        batch_push(v, u->step, b->next, v->reconverge, u->step, here);
        batch_next(v);
        return;
    }
    if (v->worker->launch->notes && sim_first_lane(v->exited) >= 0)
        barrier_left(v, u->step, sim_first_lane(here), v, sim_first_lane(v->exited));
    v->barrier_step = u->step;
    v->state = BATCH_WAITS;
    v->pc = b->next;
}

/* Of the lanes named by the membermasks of this .sync instruction: do all that have not exited
 * execute the instruction now? */
static int all_named_here(struct batch *v, const struct uop *u, const uint32_t here[BATCH_WARPS])
{
    uint32_t missing = 0;
    for (int w = 0; w < v->warps; w++) {
        int one;
        uint32_t named = here[w] ? lanes_named(v, u, w, here[w], &one) : 0;
        missing |= named & v->exist[w] & ~v->exited[w] & ~here[w];
    }
    return !missing;
}

/* Execute a .sync instruction at the end of code block b. If named lanes are missing, the others
 * wait (convergence_wait.c). */
static void together(struct batch *v, const struct code_block *b, const struct uop *u)
{
    uint32_t here[BATCH_WARPS];
    int any = batch_guarded(v, u, here);
    if (any && !all_named_here(v, u, here)) {
        batch_park(v, u, b->next, here);
        return;
    }
    if (any) run_guarded(v, u);
    for (int w = 0; any && w < v->warps; w++)
        if (here[w]) words_sync(v, w);
    v->pc = b->next;
}

/* Reports that the batch does not end. why: the cause to report if no mbarrier is known to be
 * incomplete; it is reported as a guess unless `known` is set. */
static void __attribute__((noreturn))
endless(struct batch *v, const struct code_block *b, int known, const char *why)
{
    char stuck[800]; /* describes mbarriers that the block is stuck at */
    int waits = async_stuck(v, stuck, sizeof stuck);
    sim_fault(v, &v->worker->kernel->uops[b->last >= 0 ? b->last : b->first],
        sim_first_lane(v->active),
        FAULT(.kind = FOUND_ENDLESS, .hints = waits || known ? HINT_WAITS : 0),
        "has not ended after %llu instructions%s%s", (unsigned long long)v->executed,
        waits || known ? ": " : "\1: ", waits ? stuck : why);
}

/* Called when the batch exceeds its instruction budget. Reports a fault, unless the deadline of the
 * launch allows it to continue. Before 7.0, a polling lane may keep the lane that it waits for from
 * running; the message says so. */
static void out_of_budget(struct batch *v, const struct code_block *b)
{
    double deadline = v->worker->launch->deadline;
    v->allowed += v->worker->launch->budget;
    if (deadline > 0 && clock_seconds() < deadline) return;
    named_stuck(v, &v->worker->kernel->uops[b->first]);
    const char *why = "is this a loop without an end?";
    if (v->worker->kernel->polls && !batch_independent(v))
        why =
            "is this a loop without an end, or does it wait for another lane of its warp? Before compute "
            "capability 7.0 that one never gets on.";
    endless(v, b, 0, why);
}

/* Called after each round in which all batches have run. Reports a fault if for many rounds no
 * batch has done more than test mbarriers whose phase has not ended: then no phase ever will end.
 * In a cluster, other blocks may still arrive. */
static void see_idle(struct worker *w)
{
    enum { PATIENCE = 1000 };
    w->idle = w->moved || w->launch->cluster > 1 ? 0 : w->idle + 1;
    w->moved = 0;
    for (int i = 0; w->idle > PATIENCE; i++)
        if (w->batches[i].state == BATCH_RUNS)
            endless(&w->batches[i], &w->kernel->blocks[w->batches[i].pc], 1,
                "every warp that has not ended waits, and nobody arrives at an mbarrier any more");
}

/* Execute the steps of code block b, without its terminator, and report each one to the
 * observer. */
static void run_watched(struct batch *v, const struct code_block *b)
{
    const struct uop *u = &v->worker->kernel->uops[b->first], *end = u + b->count;
    for (struct watching x; u < end; u++) {
        watch_before(v, u, &x);
        run_guarded(v, u);
        watch_after(v, u, &x);
    }
}

/* Execute the steps of code block b, without its terminator. v->full cannot change within the
 * block, so it is tested once. */
static void run_steps(struct batch *v, const struct code_block *b)
{
    const struct uop *u = &v->worker->kernel->uops[b->first], *end = u + b->count;
    if (v->full) {
        for (; u < end; u++)
            if (u->guard < 0)
                u->run(v, u);
            else
                run_guarded(v, u);
    } else {
        for (; u < end; u++)
            if (u->guard < 0)
                u->masked(v, u);
            else
                run_guarded(v, u);
    }
}

/* Count an execution of the code block, and execute its uops but the terminator. Executions are
 * counted by code block, not by step, so one addition counts all of its instructions. */
static void batch_enter(struct batch *v, int block)
{
    struct worker *wk = v->worker;
    const struct code_block *b = &wk->kernel->blocks[block];
    wk->block_warps[block] += (uint64_t)v->active_warps;
    wk->block_lanes[block] += (uint64_t)v->active_lanes;
    v->executed += (uint64_t)b->counted;
    for (int w = 0; w < BATCH_WARPS; w++) {
        v->ran[w] += v->active[w] ? (uint32_t)b->counted : 0;
        v->multiplied[w] += v->active[w] ? (uint32_t)b->multiply_adds : 0;
    }
    if (v->executed > v->allowed) out_of_budget(v, b);
    if (atomic_load_explicit(&wk->launch->first_fault, memory_order_relaxed) < wk->block)
        /* a block with a lower number has failed, so the results of this one are not needed */
        longjmp(wk->fault, 2);
    (wk->watch ? run_watched : run_steps)(v, b);
}

/* Run until the batch waits at a barrier, is done, reaches the horizon (the end of the time slice),
 * or yields to other batches. Each iteration runs a code block:
 *
 *   1. its steps, then its terminator, which sets pc
 *   2. if other paths wait on the stack, see whether lanes can reconverge at pc already (merge.c)
 *   3. if pc is where the lanes reconverge, continue with the next path on the stack
 *   4. if the block ends an iteration of a polling loop, perhaps let other lanes run (yield.c) */
static void batch_run(struct batch *v)
{
    struct worker *wk = v->worker;
    const struct sim_kernel *k = wk->kernel;
    /* v->pc may already be the block where the active lanes reconverge, if the batch waited before
     * it */
    if (v->state == BATCH_RUNS && v->pc == v->reconverge) batch_next(v);
    while (v->state == BATCH_RUNS && v->clock < wk->horizon) {
        const struct code_block *b = &k->blocks[v->pc];
        batch_enter(v, v->pc);
        const struct uop *last = b->last >= 0 ? &k->uops[b->last] : NULL;
        struct watching x;
        const int watched = last && wk->watch;
        if (watched) watch_before(v, last, &x);
        switch (b->end) {
        case END_FALL: v->pc = b->next; break;
        case END_BRANCH: branch(v, b, last); break;
        case END_EXIT: leave(v, b, last); break;
        case END_BARRIER: barrier(v, b, last); break;
        case END_WARP: together(v, b, last); break;
        case END_TRAP: {
            uint32_t here[BATCH_WARPS];
            if (batch_guarded(v, last, here))
                sim_fault(v, last, sim_first_lane(here), FAULT(.kind = FOUND_TRAP),
                    "stops the kernel (trap)");
            v->pc = b->next;
            break;
        }
        }
        if (watched) watch_after(v, last, &x);
        int polls = b->polls && v->state == BATCH_RUNS && v->pc != NOWHERE &&
                    k->blocks[v->pc].order <= b->order;
        if (v->depth && v->state == BATCH_RUNS && v->pc != v->reconverge) batch_arrive(v, b);
        if (v->state == BATCH_RUNS && v->pc == v->reconverge && v->pc != NOWHERE) batch_next(v);
        if (polls && v->state == BATCH_RUNS && batch_yields(v)) return;
    }
}

/* ---- running a block of threads ---- */

/* Registers that may be read before they are written begin with all bits set: a NaN, or an index
 * far out of bounds, as unwritten memory does. Predicates of that kind begin as false. */
static void poison_registers(struct batch *v)
{
    const struct sim_kernel *k = v->worker->kernel;
    for (size_t i = 0; i < k->unset_count; i++) {
        struct reg *r = &v->regs[k->unset[i]];
        for (int x = 0; x < BATCH_WARPS; x++) r->base[x] = r->wide ? ~(uint64_t)0 : ~(uint32_t)0;
        reg_compact(r, 0, 0);
    }
    for (size_t i = 0; i < k->unset_pred_count; i++)
        memset(v->pred[k->unset_preds[i]], 0, sizeof *v->pred);
}

/* Start all threads of the batch at code block 0. Registers that are always written before they are
 * read keep values from the previous block of threads. */
static void start_batch(struct batch *v)
{
    poison_registers(v);
    memset(v->exited, 0, sizeof v->exited);
    memset(v->ran, 0, sizeof v->ran), memset(v->multiplied, 0, sizeof v->multiplied);
    v->state = BATCH_RUNS;
    v->depth = 0;
    v->pc = 0;
    v->reconverge = NOWHERE;
    v->executed = 0;
    v->allowed = v->worker->launch->budget;
    v->clock = v->worker->clock;
    v->polling_lanes = 0;
    v->turn = 0;
    batch_set_active(v, v->exist);
}

/* Called when no batch can run. A fault if some batches wait at a barrier while another is done or
 * waits at a different barrier, since they would wait for ever. */
static void check_barrier(struct worker *w)
{
    struct batch *waits = NULL;
    for (int i = 0; i < w->batch_count; i++)
        if (w->batches[i].state == BATCH_WAITS) waits = waits ? waits : &w->batches[i];
    for (int i = 0; waits && i < w->batch_count; i++) {
        struct batch *o = &w->batches[i];
        const struct uop at = {.step = waits->barrier_step};
        char name[48];
        sim_thread_name(o, 0, name, sizeof name);
        if (o->state == BATCH_DONE && barrier_lets_go(o)) {
            barrier_left(waits, waits->barrier_step, 0, o, 0);
            continue;
        }
        if (o->state == BATCH_DONE)
            sim_fault(waits, &at, 0, FAULT(.kind = FOUND_BARRIER),
                "waits at a barrier that thread %s never reaches, since it returned before it; every thread "
                "of a block must reach the same __syncthreads()",
                name);
        barrier_compare(waits, waits->barrier_step, 0, o, o->barrier_step, 0);
    }
}

/* Reset the block's memory and shadow memory, and start its batches. */
static void start_batches(struct worker *w)
{
    /* filled with ones: an unwritten float is then a NaN, an unwritten index far out of bounds */
    memset(w->shared, 0xff, w->shared_bytes);
    if (w->local_bytes)
        memset(w->local, 0xff, w->local_bytes * (size_t)w->launch->block_warps * 32);
    w->votes[0] = w->votes[1] = 0;
    w->moved = w->idle = 0;
    memset(w->named, 0, sizeof w->named);
    without_start_block(w);
    lead_start_block(w);
    check_start_block(w->check);
    shadow_start_block(w->shadow, w->sm);
    if (w->watch) watch_start(w);
    for (int i = 0; i < w->batch_count; i++) start_batch(&w->batches[i]);
}

/* A barrier is complete: the batches that wait at it continue, at the clock of the latest one.
 * Returns whether any batch continues; if none does, the block has ended. */
static int release(struct worker *w)
{
    int any = 0;
    for (int i = 0; i < w->batch_count; i++) {
        struct batch *v = &w->batches[i];
        if (v->state != BATCH_WAITS) continue;
        v->state = BATCH_RUNS;
        v->clock = w->clock;
        any = 1;
    }
    w->turn = !w->turn;
    w->votes[w->turn] = 0;
    return any;
}

enum progress {
    AT_HORIZON,
    AT_GRID,
    ENDED,
    RACED /* RACED: warps of the block have raced */
};

/* Does the batch wait at a grid-wide or cluster-wide barrier? check_barrier has verified that all
 * batches wait at the same barrier. */
static int waits_for_grid(const struct worker *w, const struct batch *v)
{
    int which = w->kernel->program->steps[v->barrier_step].detail;
    return v->state == BATCH_WAITS &&
           (which == BAR_GRID || (which == BAR_CLUSTER && w->launch->cluster > 1));
}

/* Run all batches of the block, from barrier to barrier, until the block ends or a batch reaches
 * the horizon (the end of the time slice). A batch that yields to other batches counts as one that
 * has reached the horizon. At each barrier, warps are checked for races. */
static enum progress run_batches(struct worker *w)
{
    do {
        int held = 0;
        for (int i = 0; i < w->batch_count; i++) {
            struct batch *v = &w->batches[i];
            enum batch_state before = v->state;
            v->asked = 0;
            batch_run(v);
            held |= v->state == BATCH_RUNS;
            w->moved |= v->state == BATCH_RUNS ? !v->asked : before == BATCH_RUNS;
            w->clock = v->clock > w->clock ? v->clock : w->clock;
        }
        if (held) {
            see_idle(w);
            return AT_HORIZON;
        }
        check_barrier(w);
        if (!check_barrier_passed(w->check) && !w->check->looking) {
            if (!w->launch->notes) return RACED;
            atomic_store(&w->launch->kernel->suspect, 1);
        }
        words_barrier(w);
        shadow_barrier(w->shadow);
        if (waits_for_grid(w, &w->batches[0])) return AT_GRID;
    } while (release(w));
    return ENDED;
}

/* Start the block with this number in this block slot. */
void start_block(struct worker *w, uint64_t block)
{
    w->block = block;
    w->at_grid = 0;
    w->watch = w->launch->watch && w->launch->watch->block == block ? w->launch->watch : NULL;
    cluster_place(w->launch, block, w->ctaid);
    words_start(w);
    start_batches(w);
}

/* Run the block once more from its start. The block's memory traffic is no longer counted. */
void run_again(struct worker *w)
{
    trace_forget(w->trace);
    w->horizon = UINT64_MAX;
    start_batches(w);
    for (enum progress p = AT_HORIZON; p == AT_HORIZON || p == AT_GRID; p = run_batches(w))
        if (p == AT_GRID) release(w);
}

/* Warps of the block raced, but the fast check does not know where. So the block is run again and
 * every access is recorded: then the second access of the race is a fault. If the race does not
 * happen again, it is reported without a place. */
static void __attribute__((noreturn)) find_race(struct worker *w)
{
    const struct uop start = {.step = 0};
    words_stop(w);
    check_remember(w->check, 1);
    run_again(w);
    words_throw(w);
    sim_fault(&w->batches[0], &start, -1, FAULT(.kind = FOUND_RACE),
        "has warps that touch one word of shared memory, one of them writing, with no barrier between them: "
        "a race");
}

void pass_grid(struct worker *w, uint64_t clock)
{
    w->at_grid = 0;
    w->clock = clock;
    release(w);
}

/* Returns 1 if the block is not done, because a batch has reached the horizon (the end of the time
 * slice), or all batches wait for other blocks; else 0. */
int go_on(struct worker *w)
{
    switch (run_batches(w)) {
    /* publish what was written so far, since other blocks that are resident may read it */
    case AT_HORIZON: return w->launch->turns ? shadow_end_block(w->shadow), 1 : 1;
    case RACED: find_race(w);
    case AT_GRID: w->at_grid = 1; break;
    case ENDED:
        bulk_end_block(w);
        schedule_end_block(w);
        if (w->launch->notes) unwritten_end(w);
        if (w->launch->across) shadow_compare(w);
        words_throw(w);
        words_end(w);
        break;
    }
    shadow_end_block(w->shadow);
    return w->at_grid;
}
