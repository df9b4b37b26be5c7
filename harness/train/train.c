#include "harness/train/train.h"

#include "harness/base/clock.h"
#include "harness/base/err.h"
#include "harness/base/file.h"
#include "harness/train/run.h"
#include "harness/train/step.h"
#include "harness/train/weights.h"

#include <math.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int train_stride(int steps)
{
    return (steps + CURVE - 1) / CURVE;
}

int64_t run_stride(const struct run *r)
{
    return train_stride(r->c.steps);
}

int run_is_trial(const struct run *r)
{
    return strcmp(r->c.trial, "none") != 0;
}

/* ---- progress: in units of the forward pass of one example ---- */

enum { BACKWARD = 3, DECODE = 8 }; /* units per example trained or decoded */

static double work_train(const struct run *r, double steps)
{
    return BACKWARD * steps * r->rows;
}

static double work_all(const struct run *r)
{
    double test = run_is_trial(r) ? 0 : r->data.split[SPLIT_TEST].n;

    return work_train(r, r->c.steps) +
           (double)r->c.evals * r->data.split[SPLIT_VALID].n + test +
           (r->data.kind == TASK_TRANSDUCE ? DECODE * test : 0);
}

static void report_progress(struct run *r, const char *phase, long done,
                            long of,
                            double loss, double work)
{
    struct progress p = {.phase = phase, .done = done, .of = of, .loss = loss,
                         .fraction = work / work_all(r), .saved = r->saved,
                         .gap = r->gap};

    r->last_report = clock_seconds();
    r->env->tell(r->env->arg, &p);
}

/* Returns 1 if progress has not been reported for 0.5 s. */
static int silent(const struct run *r)
{
    return clock_seconds() - r->last_report > 0.5;
}

/* ---- the loop ---- */

static double work_so_far(const struct run *r, double steps)
{
    return work_train(r, steps) +
           (double)r->history->evals * r->data.split[SPLIT_VALID].n;
}

static void report_evaluation(void *arg, long done)
{
    struct run *r = arg;
    const struct stage *s = &r->stage;

    run_look(r);
    if (silent(r))
        report_progress(r, s->phase, done, s->of, NAN,
                        s->before + s->each * (double)done);
}

/* Drops every other point of the validation curve, but keeps the last one. */
static void thin_out(struct history *h)
{
    int64_t n = 0;

    for (int64_t i = h->evals % 2 ? 0 : 1; i < h->evals; i += 2, n++) {
        h->at[n] = h->at[i];
        h->ce[n] = h->ce[i];
    }
    h->evals = n;
}

void history_add(struct history *h, int64_t steps, double ce)
{
    if (h->evals == EVALS)
        thin_out(h);
    h->at[h->evals] = steps;
    h->ce[h->evals++] = ce;
}

/* Returns ERR_DIVERGED.  `fmt` describes `x`, which is not finite. */
static int diverged(double x, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

static int diverged(double x, const char *fmt, ...)
{
    char what[160];
    va_list ap;

    va_start(ap, fmt);
    vsnprintf(what, sizeof what, fmt, ap);
    va_end(ap);
    return err_set(ERR_DIVERGED, "diverged: %s is %s; lower schedule.scale or "
                   "raise schedule.warmup", what,
                   isnan(x) ? "not a number" : "infinite");
}

static int validate(struct run *r, uint64_t steps)
{
    struct history *h = r->history;
    OWNED(arena_free) struct arena *a = arena_new();
    struct follower f = {r->env->stop, report_evaluation, r};
    struct lap lap = clock_lap();
    struct scores s;
    double ce;

    r->stage = (struct stage){"valid", r->data.split[SPLIT_VALID].n,
                              work_so_far(r, r->done), 1};
    PASS(evaluate(&s, &r->trainer, &r->data, SPLIT_VALID, a, &f));
    ce = scores_cross_entropy(&s);
    if (!isfinite(ce))
        return diverged(ce, "the validation loss after step %llu of %d",
                        (unsigned long long)steps, r->c.steps);
    history_add(h, (int64_t)steps, ce);
    clock_lap_end(&lap);
    h->eval_seconds += lap.stopped ? 0 : lap.wall;
    return OK;
}

/* Returns 1 if validation is due after `steps` steps and has not been done yet.
 * Validation is due `evals` times in a run, at even intervals, the last time at
 * the end. */
static int due(const struct run *r, uint64_t steps)
{
    const struct history *h = r->history;
    uint64_t all = (uint64_t)r->c.steps, n = (uint64_t)r->c.evals;

    return steps > 0 && steps * n / all != (steps - 1) * n / all &&
           !(h->evals && h->at[h->evals - 1] == (int64_t)steps);
}

/* Returns the kind of a step for the timing (stats/step_timing.h): the padded
 * lengths of source and target, in multiples of 8.  Longer lengths share the
 * last kind. */
static int kind_of(const struct batch *b)
{
    enum { SIDE = 64 };
    int n = (b->n + 7) / 8, m = (b->m + 7) / 8;

    _Static_assert(SIDE * SIDE == TIMING_KINDS, "sides of a kind");
    return (n < SIDE ? n : SIDE - 1) * SIDE + (m < SIDE ? m : SIDE - 1);
}

/* Every CLOCKED-th step is profiled per kernel.  Speeds are computed from all
 * other steps. */
enum { CLOCKED = 32 };

static int clocked(uint64_t step) { return step % CLOCKED == CLOCKED - 1; }

static void count_kernels(struct run *r, double seconds)
{
    struct history *h = r->history;
    double spent[KERNEL_CLASSES];

    timed_read(spent);
    for (int i = 0; i < KERNEL_CLASSES; i++)
        h->kernel[i] += spent[i];
    h->clocked_seconds += seconds * r->trainer.threads;
    h->clocked++;
}

/* Adds the time of a step, unless the process was stopped during the step. */
static void count_time(struct run *r, struct lap *lap, const struct batch *b,
                       uint64_t step)
{
    struct history *h = r->history;

    clock_lap_end(lap);
    if (lap->stopped) {
        h->stopped++;
        return;
    }
    if (clocked(step))
        count_kernels(r, lap->wall);
    else
        timing_add(&h->pace, lap->wall, kind_of(b));
    h->seconds += lap->wall;
    h->cpu_seconds += lap->cpu;
}

/* Performs a step, which is profiled per kernel if clocked(step).  Returns its
 * loss. */
static double take_step(struct run *r, const struct batch *b, uint64_t step)
{
    const struct backend *plain = r->trainer.be;

    if (!clocked(step))
        return trainer_step(&r->trainer, b, step);
    trainer_use(&r->trainer, timed_open(plain));
    double loss = trainer_step(&r->trainer, b, step);
    trainer_use(&r->trainer, plain);
    return loss;
}

static int take_and_count(struct run *r, uint64_t step, struct arena *a,
                          double *loss)
{
    struct history *h = r->history;
    struct lap lap = clock_lap();
    int64_t stride = run_stride(r);
    struct batching by = step_batching(&r->c);
    struct batch b;

    arena_reset(a);
    batch_step(&b, &r->data, &by, r->c.seed, step, a);
    *loss = take_step(r, &b, step);
    count_time(r, &lap, &b, step);
    h->tokens += b.targets;
    if (!isfinite(*loss))
        return diverged(*loss, "the loss of step %llu",
                        (unsigned long long)step + 1);
    h->loss[(int64_t)step / stride] += *loss / (double)stride;
    return OK;
}

/* Performs a step.  If a measurement is due, also measures the change of the
 * logits.  The time of the step does not include this measurement. */
static int one_step(struct run *r, uint64_t step, struct arena *a, double *loss)
{
    OWNED(logits_free) struct logits before = {0}, after = {0};
    int watched = changes_due(step + 1, (uint64_t)r->c.steps);

    if (watched)
        logits_read(&before, &r->trainer, &r->data);
    PASS(take_and_count(r, step, a, loss));
    if (!watched)
        return OK;
    logits_read(&after, &r->trainer, &r->data);
    changes_add(r->changes, step + 1, &before, &after);
    return OK;
}

/* Writes a checkpoint if one is due.  If the run is to stop, writes one in any
 * case and returns ERR_STOPPED.  If one rank has to save or stop, all ranks
 * do. */
static int save_if_due(struct run *r, uint64_t step, double *saved)
{
    double now = clock_seconds();
    int stop = *r->env->stop;
    int due = stop || now - *saved > r->c.checkpoint_seconds;

    run_look(r);
    ranks_wish(r->env->ranks, &stop, &due);
    if (due) {
        PASS(run_save(r, step));
        *saved = now;
    }
    if (stop) {
        report_progress(r, "train", (long)step, r->c.steps, NAN,
                        work_so_far(r, (double)step));
        return err_set(ERR_STOPPED, "stopped after step %llu of %d",
                       (unsigned long long)step, r->c.steps);
    }
    return OK;
}

static int check_weights(const struct run *r)
{
    double x;
    const struct param *p = trainer_fault(&r->trainer, &x);

    return p ? diverged(x, "a weight of %s after step %d of %d", p->name,
                        r->c.steps, r->c.steps)
             : OK;
}

static int check_changes(const struct run *r)
{
    double x;
    long long step = changes_fault(r->changes, &x);

    return step ? diverged(x, "the change of the logits in step %lld of %d",
                           step, r->c.steps)
                : OK;
}

static int train(struct run *r)
{
    OWNED(arena_free) struct arena *a = arena_new();
    double saved = clock_seconds(), loss = NAN;
    uint64_t step, steps = (uint64_t)r->c.steps;
    struct weights_of parent = {r->env->from, r->c.pretrained, r->c.variant};

    if (r->env->from)
        PASS(weights_digest(r->start_sha256, &parent));
    PASS(run_load(r, &step));
    report_progress(r, "train", (long)step, r->c.steps, NAN,
                    work_so_far(r, (double)step));
    if (step == 0 && r->env->from)
        PASS(weights_read(&r->trainer.params, &r->data, &parent));
    if (step == 0) {
        watch_run(r->first, &r->trainer, &r->data);
        r->history->load = load_begin();
    }
    phases_enter(&r->history->phases, PHASE_TRAIN);
    for (;; step++) {
        r->done = (double)step;
        if (due(r, step)) {
            phases_enter(&r->history->phases, PHASE_VALID);
            int rc = validate(r, step);

            phases_enter(&r->history->phases, PHASE_TRAIN);
            if (rc < 0 && rc != ERR_STOPPED)
                return rc;
        }
        PASS(save_if_due(r, step, &saved));
        if (step == steps)
            break;
        PASS(one_step(r, step, a, &loss));
        run_look(r);
        if (silent(r) || step == 0)
            report_progress(r, "train", (long)step + 1, r->c.steps, loss,
                            work_so_far(r, (double)step + 1));
    }
    load_end(&r->history->load);
    PASS(check_weights(r));
    PASS(check_changes(r));
    if (r->saved != (long)steps)
        PASS(run_save(r, steps)); /* so that a kill during the test loses no
                                     training step */
    return OK;
}

/* ---- training by another program ---- */

/* The maximum relative difference between the cross-entropy of the other
 * program and that of the engine.  The other program computes it in float32,
 * with sums in another order. */
static const double AGREE = 1e-3;

static int check_valid(const struct run *r)
{
    const struct history *h = r->history;
    double here = h->ce[h->evals - 1], there = r->env->outside->valid;

    return fabs(there - here) <= AGREE * fabs(here)
               ? OK
               : err_set(ERR_DATA, "%s: the cross-entropy on the validation "
                         "set after step %d is %.6g by the trainer's curve, "
                         "but %.6g by the engine with these weights (%.1e "
                         "apart, at most %.0e)", r->env->outside->path,
                         r->c.steps, there, here, fabs(there / here - 1),
                         AGREE);
}

static int take_outside(struct run *r)
{
    const struct train_outside *o = r->env->outside;
    size_t points = (size_t)(r->c.steps / run_stride(r));

    PASS(weights_take(&r->trainer.params, o->start, o->path));
    watch_run(r->first, &r->trainer, &r->data);
    PASS(weights_take(&r->trainer.params, o->end, o->path));
    memcpy(r->history->loss, o->loss, points * sizeof *o->loss);
    snprintf(r->start_sha256, sizeof r->start_sha256, "%s", o->start_sha256);
    r->history->load = load_begin();
    load_end(&r->history->load);
    r->done = r->c.steps;
    PASS(check_weights(r));
    PASS(validate(r, (uint64_t)r->c.steps));
    return check_valid(r);
}

/* Prepares for training.  If another program has trained the cell, the engine
 * does all other work on the processor, in fp32. */
static int begin_outside(struct run *r)
{
    struct config *c = &r->c;

    if (c->trainer == TRAINER_EXTERNAL && !r->env->outside)
        return err_set(ERR_USAGE, "another program trained this cell; "
                       "`synthbench adopt` stores it");
    if (!r->env->outside)
        return file_mkdirs(r->env->folder);
    c->device = DEVICE_CPU;
    c->precision = PRECISION_FP32;
    return OK;
}

static int check_test(const struct run *r)
{
    const struct scores *s = &r->test;

    for (int i = 0; i < s->n; i++)
        if (!isfinite(s->nll[i]))
            return diverged(s->nll[i], "the loss of test example %d of %d",
                            i + 1, s->n);
    return OK;
}

static int test(struct run *r)
{
    struct follower f = {r->env->stop, report_evaluation, r};
    struct phases *phases = &r->history->phases;
    struct lap lap = clock_lap();
    long n = r->data.split[SPLIT_TEST].n;

    phases_enter(phases, PHASE_TEST);
    report_progress(r, "test", 0, n, NAN, work_train(r, r->c.steps));
    r->stage = (struct stage){"test", n, work_so_far(r, r->c.steps), 1};
    PASS(evaluate(&r->test, &r->trainer, &r->data, SPLIT_TEST, r->memory, &f));
    PASS(check_test(r));
    r->stage = (struct stage){"decode", n, work_all(r) - DECODE * (double)n,
                              DECODE};
    phases_enter(phases, PHASE_DECODE);
    if (r->data.kind == TASK_TRANSDUCE)
        PASS(evaluate_decode(&r->test, &r->trainer, &r->data, SPLIT_TEST,
                             r->memory, &f));
    phases_enter(phases, PHASE_TEST);
    watch_run(r->last, &r->trainer, &r->data);
    clock_lap_end(&lap);
    r->history->eval_seconds += lap.stopped ? 0 : lap.wall;
    return OK;
}

struct task_opts train_data(const struct config *c, const char *cache,
                            const char *files)
{
    return (struct task_opts){.official = !strcmp(c->scale, "full"),
                              .synthetic = c->synthetic,
                              .skip_nul = c->skip_nul, .N = c->model.N,
                              .length = c->length, .vocab = c->vocab,
                              .train = c->train, .valid = c->valid,
                              .test = c->test, .test_first = c->test_first,
                              .cache = cache, .files = files};
}

int train_same_data(const struct config *a, const struct config *b)
{
    struct task_opts x = train_data(a, NULL, NULL);
    struct task_opts y = train_data(b, NULL, NULL);

    /* The members before `cache` are of one type, so there is no padding. */
    return !strcmp(a->task, b->task) &&
           !memcmp(&x, &y, offsetof(struct task_opts, cache));
}

static void report_data(void *arg, const char *phase, long done, long long of)
{
    struct run *r = arg;

    if (silent(r))
        report_progress(r, phase, done, (long)of, NAN, 0);
}

static int open_data(struct run *r)
{
    struct config *c = &r->c;
    struct task_opts o = train_data(c, r->env->cache, r->env->files);
    struct batching by = step_batching(c);

    o.threads = c->threads;
    o.tell = report_data;
    o.tell_arg = r;
    int rc = task_open(&r->data, r->task, &o);

    if (rc < 0)
        return rc;
    r->rows = batch_rows_expected(&r->data, &by);
    for (int s = 0; s < SPLITS; s++)
        if (s == SPLIT_TRAIN ? !r->rows : !r->data.split[s].n)
            return err_set(ERR_DATA, "%s: %d %s examples of length %d are too "
                           "few for batch %d", r->task->name,
                           r->data.split[s].n, split_name[s], c->length,
                           c->batch);
    PASS(run_same_data(r));
    r->data.start = c->start;
    c->model.vocab = r->data.vocab;
    c->model.classes = r->data.classes;
    return OK;
}

static int keep_weights(struct run *r)
{
    struct weights_of self = {r->env->store, r->env->id, r->c.variant};
    char hex[HASH_HEX];

    trainer_digest(&r->trainer, hex);
    return weights_write(&r->trainer.params, &r->data, &self, r->env->config,
                         hex);
}

int train_cell(const struct config *c, const struct mix *mix,
               const struct task *task, const struct train_env *env)
{
    struct run r = {.c = *c, .mix = mix, .task = task, .env = env,
                    .memory = arena_new()};
    int rc;

    r.history = arena_zero(r.memory, sizeof *r.history);
    r.first = arena_zero(r.memory, sizeof *r.first);
    r.last = arena_zero(r.memory, sizeof *r.last);
    r.changes = arena_zero(r.memory, sizeof *r.changes);
    clock_watch_stops();
    REQUIRE(c->evals <= EVALS, "%d evaluations of %d", c->evals, EVALS);
    struct phases *phases = &r.history->phases;
    phases_begin(phases);
    phases_enter(phases, PHASE_DATA);
    GOTO_IF_ERR(zero1_check(c, ranks_n(env->ranks)));
    GOTO_IF_ERR(open_data(&r));
    phases_enter(phases, PHASE_START);
    report_progress(&r, "data", 0, 1, NAN, 0);
    GOTO_IF_ERR(begin_outside(&r));
    GOTO_IF_ERR(trainer_open(&r.trainer, &r.c, mix, NULL));
    trainer_join(&r.trainer, env->ranks);
    GOTO_IF_ERR(env->outside ? take_outside(&r) : train(&r));
    if (!run_is_trial(&r))
        GOTO_IF_ERR(test(&r));
    if (ranks_me(env->ranks) > 0)
        goto out; /* rank 0 has the same results and stores them */
    if (!run_is_trial(&r)) {
        phases_enter(phases, PHASE_SCORE);
        GOTO_IF_ERR(record_measure(&r));
    }
    phases_enter(phases, PHASE_WRITE);
    report_progress(&r, "store", 0, 1, NAN, work_all(&r));
    GOTO_IF_ERR(run_may_commit(&r));
    if (task->pretrains && !run_is_trial(&r))
        GOTO_IF_ERR(keep_weights(&r));
    GOTO_IF_ERR(record_write(&r));
out:
    trainer_close(&r.trainer);
    dataset_close(&r.data);
    arena_free(r.memory);
    return rc;
}
