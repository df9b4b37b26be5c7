/* Measures the metrics and writes the cell file (docs/file-format.md), for
 * train.c. */
#include "harness/base/err.h"
#include "harness/base/str.h"
#include "harness/engine/cuda/driver.h"
#include "harness/stats/stats.h"
#include "harness/train/provenance.h"
#include "harness/train/run.h"
#include "harness/train/weights.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int put_root(struct run *r, struct cell_writer *w)
{
    const struct config *c = &r->c;
    char title[256];

    snprintf(title, sizeof title, "%s on %s, %s scale, seed %llu", c->variant,
             r->task->title, c->scale, (unsigned long long)c->seed);
    PASS(cell_put_text(w, "", "title", title));
    return cell_put_text(w, "", "status", "done");
}

double run_last_gain(const double *loss, size_t n, double *error)
{
    size_t k = n / 10;
    const double *last = loss + n - k, *before = last - k;

    *error = hypot(stats_sd(before, k), stats_sd(last, k)) / sqrt((double)k);
    return stats_mean(before, k) - stats_mean(last, k);
}

static int put_last_gain(struct cell_writer *w, const double *loss, size_t n)
{
    double error, x = run_last_gain(loss, n, &error);

    if (!isnan(x))
        PASS(cell_put_real(w, "curves/train", "settled", x));
    if (!isnan(error))
        PASS(cell_put_real(w, "curves/train", "settled_error", error));
    return OK;
}

static int put_curves(struct run *r, struct cell_writer *w)
{
    struct history *h = r->history;
    int64_t stride = run_stride(r), step[CURVE];
    double rate[CURVE];
    size_t n = 0;

    for (int64_t s = stride; n < CURVE && s <= r->c.steps; s += stride, n++) {
        step[n] = s;
        rate[n] = trainer_rate(&r->trainer, (uint64_t)s - 1);
    }
    PASS(cell_put_ints(w, "curves/train/step", "1", step, n));
    PASS(cell_put_array(w, "curves/train/loss", "nats/token", h->loss, n));
    PASS(cell_put_array(w, "curves/train/lr", "1", rate, n));
    PASS(put_last_gain(w, h->loss, n));
    PASS(cell_put_ints(w, "curves/valid/step", "1", h->at, (size_t)h->evals));
    return cell_put_array(w, "curves/valid/ce", "nats/token", h->ce,
                          (size_t)h->evals);
}

/* Returns the loss on each test example, in nats, of the input-blind baseline:
 * the unigram model of the training targets. */
static double *unigram_nll(struct run *r)
{
    const struct dataset *d = &r->data;
    const struct examples *test = &d->split[SPLIT_TEST];
    double *nll = arena_zero(r->memory, (size_t)test->n * sizeof *nll);
    double *logp = arena_take(r->memory, (size_t)d->vocab * sizeof *logp);

    dataset_unigram(d, logp);
    for (int i = 0; i < test->n; i++) {
        const struct example e = examples_row(test, i, r->memory);

        for (int j = e.prompt; j < e.ntarget; j++)
            nll[i] -= logp[e.target[j]];
    }
    return nll;
}

static int put_ints(struct cell_writer *w, struct arena *a, const char *path,
                    const char *units, const int *x, int n)
{
    int64_t *wide = arena_take(a, (size_t)n * sizeof *wide);

    for (int i = 0; i < n; i++)
        wide[i] = x[i];
    return cell_put_ints(w, path, units, wide, (size_t)n);
}

static int put_sources(struct run *r, struct cell_writer *w)
{
    const struct examples *test = &r->data.split[SPLIT_TEST];
    const char **text = arena_take(r->memory, (size_t)test->n * sizeof *text);

    for (int i = 0; i < test->n; i++) {
        const struct example e = examples_row(test, i, r->memory);

        text[i] = dataset_text(&r->data, e.source, e.nsource, r->memory);
    }
    return cell_put_strings(w, "examples/test/source", text, (size_t)test->n);
}

static const char *subtask_of(const struct run *r, const struct example *e)
{
    return r->data.subtasks ? r->data.subtasks[e->subtask] : NULL;
}

/* Writes the subtask of each example of a task mixture, and the example's
 * group. */
static int put_subtasks(struct run *r, struct cell_writer *w)
{
    const struct examples *test = &r->data.split[SPLIT_TEST];
    size_t n = (size_t)test->n;
    const char **name = arena_take(r->memory, n * sizeof *name);
    int *group = arena_take(r->memory, n * sizeof *group);

    for (int i = 0; i < test->n; i++) {
        const struct example e = examples_row(test, i, NULL);

        name[i] = subtask_of(r, &e);
        group[i] = e.group;
    }
    PASS(cell_put_strings(w, "examples/test/subtask", name, n));
    return put_ints(w, r->memory, "examples/test/group", "1", group, test->n);
}

static int put_texts(struct run *r, struct cell_writer *w)
{
    const struct examples *test = &r->data.split[SPLIT_TEST];
    const char **ref = arena_take(r->memory, (size_t)test->n * sizeof *ref);

    for (int i = 0; i < test->n; i++)
        ref[i] = examples_row(test, i, NULL).text;
    PASS(cell_put_strings(w, "examples/test/hypothesis", r->test.text,
                          (size_t)test->n));
    PASS(cell_put_strings(w, "examples/test/reference", ref, (size_t)test->n));
    if (r->test.nbest > 1) {
        const struct cell_shape all = {2, {(size_t)test->n,
                                           (size_t)r->test.nbest}};

        PASS(cell_put_string_grid(w, "examples/test/nbest", r->test.best,
                                  &all));
        PASS(cell_put_grid(w, "examples/test/nbest_score", "nats",
                           r->test.score, &all));
    }
    return OK;
}

static int put_examples(struct run *r, struct cell_writer *w)
{
    const struct examples *test = &r->data.split[SPLIT_TEST];
    struct scores *s = &r->test;
    int *label = arena_take(r->memory, (size_t)s->n * sizeof *label);
    int *words = arena_take(r->memory, (size_t)s->n * sizeof *words);

    for (int i = 0; i < s->n; i++) {
        const struct example e = examples_row(test, i, NULL);

        label[i] = e.label;
        words[i] = e.words;
    }
    PASS(cell_put_array(w, "examples/test/nll", "nats", s->nll, (size_t)s->n));
    PASS(put_ints(w, r->memory, "examples/test/tokens", "1", s->tokens, s->n));
    PASS(put_ints(w, r->memory, "examples/test/hits", "1", s->hits, s->n));
    if (test->own_nll)
        PASS(cell_put_array(w, "examples/test/own_nll", "nats", test->own_nll,
                            (size_t)s->n));
    if (r->data.kind != TASK_LANGUAGE)
        PASS(put_sources(r, w));
    if (r->data.subtasks)
        PASS(put_subtasks(r, w));
    if (r->data.kind == TASK_CLASSIFY) {
        PASS(put_ints(w, r->memory, "examples/test/label", "1", label, s->n));
        PASS(put_ints(w, r->memory, "examples/test/guess", "1", s->guess,
                      s->n));
        return OK;
    }
    PASS(put_ints(w, r->memory, "examples/test/words", "1", words, s->n));
    PASS(cell_put_array(w, "examples/test/unigram_nll", "nats", unigram_nll(r),
                        (size_t)s->n));
    if (s->text)
        PASS(put_texts(r, w));
    return OK;
}

/* Returns the answers and losses of the model on the test examples. */
static const struct answer *answers_of_model(struct run *r)
{
    const struct scores *s = &r->test;
    struct answer *answers = arena_take(r->memory,
                                        (size_t)s->n * sizeof *answers);

    for (int i = 0; i < s->n; i++) {
        const struct example e =
            examples_row(&r->data.split[SPLIT_TEST], i, NULL);

        answers[i] = (struct answer){
            .hyp = s->text ? s->text[i] : NULL, .ref = e.text,
            .got = s->guess ? s->guess[i] : 0, .want = e.label,
            .nll = s->nll[i], .tokens = s->tokens[i], .hits = s->hits[i],
            .words = e.words, .subtask = subtask_of(r, &e), .group = e.group};
    }
    return answers;
}

/* Returns the answers of a model-free baseline.  These answers have no
 * probabilities. */
static const struct answer *answers_of_reference(struct run *r,
                                                 const struct reference *b)
{
    const struct examples *test = &r->data.split[SPLIT_TEST];
    size_t n = (size_t)test->n;
    struct answer *answers = arena_take(r->memory, n * sizeof *answers);
    const char **answer = arena_take(r->memory, n * sizeof *answer);

    b->answer(b, answer, &r->data, r->memory);
    for (int i = 0; i < test->n; i++) {
        const struct example e = examples_row(test, i, NULL);

        answers[i] = (struct answer){.hyp = answer[i], .ref = e.text,
                                    .subtask = subtask_of(r, &e),
                                    .group = e.group};
    }
    return answers;
}

static const struct metric *find(const struct run *r, const char *name)
{
    for (const struct metric *const *m = r->env->metric; *m; m++)
        if (!strcmp((*m)->name, name))
            return *m;
    REQUIRE(0, "task %s needs metric %s, which does not exist", r->task->name,
            name);
}

/* Returns ERR_DIVERGED if x is not finite.  A finite loss can be too large for
 * a metric: exp(710) exceeds a double. */
static int check_metric(const struct run *r, const char *name, double x)
{
    if (isfinite(x))
        return OK;
    return err_set(ERR_DIVERGED, "diverged: %s on the test set is %s, at %g "
                   "nats per token%s; lower schedule.scale or raise "
                   "schedule.warmup", name,
                   isnan(x) ? "not a number" : "infinite",
                   scores_cross_entropy(&r->test),
                   isinf(x) ? " (too large a loss for this metric)" : "");
}

int record_measure(struct run *r)
{
    const struct answer *answers = answers_of_model(r);
    const char *const *name = r->task->metrics;
    int n = 0;

    while (name[n])
        n++;
    r->metric = arena_take(r->memory, (size_t)n * sizeof *r->metric);
    for (int k = 0; k < n; k++) {
        const struct metric *m = find(r, name[k]);
        struct scored *x = &r->metric[k];

        m->measure(m, x, answers, (size_t)r->test.n);
        for (int i = 0; i < x->n; i++)
            PASS(check_metric(r, x->part[i].name, x->part[i].value));
        PASS(check_metric(r, name[k], x->value));
    }
    return OK;
}

/* Writes one number of a metric, with a name such as "GLUE on the test set:
 * rte_accuracy".  If `part` is NULL, the number is the metric itself. */
static int put_metric(struct cell_writer *w, const struct metric *m,
                      const char *part, double value)
{
    const char *name = part ? part : m->name;
    OWNED(free) char *path = str_format("metrics/%s", name);
    OWNED(free) char *is = str_format("%s on the test set%s%s", m->title,
                                      part ? ": " : "", part ? part : "");

    PASS(cell_put_metric(w, name, m->unit, m->better, m->signature, value));
    return cell_put_name(w, path, is);
}

static int put_metrics(struct run *r, struct cell_writer *w)
{
    for (int k = 0; r->task->metrics[k]; k++) {
        const struct metric *m = find(r, r->task->metrics[k]);
        const struct scored *x = &r->metric[k];

        for (int i = 0; i < x->n; i++)
            PASS(put_metric(w, m, x->part[i].name, x->part[i].value));
        PASS(put_metric(w, m, NULL, x->value));
    }
    if (!isnan(r->data.floor))
        PASS(cell_put_real(w, "provenance", "entropy_floor_nats",
                           r->data.floor));
    return OK;
}

/* Writes the metrics of a model-free baseline.  Metrics that need probabilities
 * are NAN, and are omitted. */
static int put_reference(struct run *r, struct cell_writer *w,
                         const struct reference *b)
{
    const struct answer *answers = answers_of_reference(r, b);
    char group[64];

    snprintf(group, sizeof group, "baseline/%s", b->name);
    PASS(cell_put_text(w, group, "description", b->what));
    for (const char *const *name = r->task->metrics; *name; name++) {
        const struct metric *m = find(r, *name);
        struct scored x;

        m->measure(m, &x, answers, (size_t)r->test.n);
        for (int i = 0; i < x.n; i++)
            PASS(cell_put_real(w, group, x.part[i].name, x.part[i].value));
        if (!isnan(x.value))
            PASS(cell_put_real(w, group, *name, x.value));
    }
    return OK;
}

/* Writes the model-free baselines of tasks whose answers are texts. */
static int put_references(struct run *r, struct cell_writer *w)
{
    const struct reference *b = r->task->references;

    for (; r->test.text && b && b->name; b++)
        PASS(put_reference(r, w, b));
    return OK;
}

/* Writes the load of the system and the number of cells trained at the same
 * time.  Values that the system does not report are omitted. */
static int put_load(struct run *r, struct cell_writer *w)
{
    const struct load *l = &r->history->load;
    const char *at = "timing";

    if (!isnan(l->begin))
        PASS(cell_put_real(w, at, "load_begin", l->begin));
    if (!isnan(l->end))
        PASS(cell_put_real(w, at, "load_end", l->end));
    PASS(cell_put_int(w, at, "processors", l->processors));
    return cell_put_int(w, at, "jobs", r->env->jobs);
}

/* Writes the times of steps, without steps during which the process was
 * stopped.  Speeds are those of the median step. */
static int put_speed(struct run *r, struct cell_writer *w)
{
    const struct history *h = r->history;
    const char *at = "timing";
    struct spread s = timing_spread(&h->pace);

    PASS(cell_put_real(w, at, "train_seconds", h->seconds));
    PASS(cell_put_real(w, at, "train_cpu_seconds", h->cpu_seconds));
    PASS(cell_put_real(w, at, "eval_seconds", h->eval_seconds));
    PASS(cell_put_int(w, at, "steps_timed", s.n));
    PASS(cell_put_int(w, at, "steps_stopped", h->stopped));
    PASS(put_load(r, w));
    PASS(cell_put_int(w, at, "too_noisy", timing_noisy(&s, &h->load)));
    if (!isnan(s.width))
        PASS(cell_put_real(w, at, "step_spread", s.width));
    if (s.n == 0)
        return OK;
    PASS(cell_put_real(w, at, "step_seconds_min", s.least));
    PASS(cell_put_real(w, at, "step_seconds_p10", s.p10));
    PASS(cell_put_real(w, at, "step_seconds_median", s.median));
    PASS(cell_put_real(w, at, "step_seconds_p90", s.p90));
    PASS(cell_put_real(w, at, "steps_per_s", 1 / s.median));
    return cell_put_real(w, at, "tokens_per_s", (double)h->tokens / r->c.steps /
                         s.median);
}

/* Writes the processor time by phase and, for profiled steps, by kernel. */
static int put_profile(struct run *r, struct cell_writer *w)
{
    struct history *h = r->history;
    const char *at = "timing/kernel_seconds";
    double other = h->clocked_seconds;

    phases_count(&h->phases);
    for (int i = 0; i < PHASES; i++)
        PASS(cell_put_real(w, "timing/cpu_seconds", phase_name[i],
                           h->phases.cpu[i]));
    if (!h->clocked)
        return OK;
    for (int i = 0; i < KERNEL_CLASSES; i++) {
        PASS(cell_put_real(w, at, kernel_class_name[i], h->kernel[i]));
        other -= h->kernel[i];
    }
    PASS(cell_put_real(w, at, "other", other));
    return cell_put_int(w, "timing", "steps_clocked", h->clocked);
}

/* Estimates the cost of a step.  If batches are limited by tokens, they differ,
 * and the operations are the mean over the buckets. */
static void cost_of(struct cost *out, const struct run *r)
{
    struct lengths l;
    struct expected step;

    if (r->c.batch_by != BATCH_TOKENS) {
        train_cost(&r->c, r->mix, r->task, NULL, out);
        return;
    }
    lengths_measure(&l, &r->data, r->c.length, r->memory);
    train_cost(&r->c, r->mix, r->task, &l, out);
    train_expect(&step, &r->c, r->mix, &l);
    out->flops_per_step = step.flops;
}

static int put_timing(struct run *r, struct cell_writer *w)
{
    const struct history *h = r->history;
    const char *at = "timing";
    struct cost cost;

    cost_of(&cost, r);
    PASS(put_speed(r, w));
    PASS(put_profile(r, w));
    PASS(cell_put_real(w, at, "flops_per_step", cost.flops_per_step));
    PASS(cell_put_real(w, at, "estimated_bytes", cost.bytes));
    PASS(cell_put_real(w, at, "peak_rss_bytes", provenance_peak_rss()));
    if (r->c.device != DEVICE_CPU)
        PASS(cell_put_real(w, at, "gpu_peak_bytes", cuda_peak()));
    PASS(cell_put_int(w, at, "params", (long long)cost.params));
    return cell_put_int(w, at, "tokens", h->tokens);
}

static int put_choice(const struct train_choice *c, struct cell_writer *w)
{
    PASS(cell_put_text(w, "tuning", "chosen", c->chosen));
    PASS(cell_put_strings(w, "tuning/trial", c->trial, c->n));
    return cell_put_array(w, "tuning/ce", "nats/token", c->ce, c->n);
}

/* Writes the results on the test set; a trial has none. */
static int put_test(struct run *r, struct cell_writer *w)
{
    PASS(put_examples(r, w));
    PASS(put_metrics(r, w));
    return put_references(r, w);
}

static int put_weights(struct run *r, struct cell_writer *w)
{
    char hex[HASH_HEX];

    trainer_digest(&r->trainer, hex);
    PASS(cell_put_text(w, "weights", "sha256", hex));
    if (r->task->pretrains && !run_is_trial(r)) {
        OWNED(free) char *path = weights_path(r->env->store, r->env->id);

        PASS(hash_file(path, hex));
        PASS(cell_put_text(w, "weights", "file_sha256", hex));
    }
    if (*r->start_sha256)
        PASS(cell_put_text(w, "provenance", "pretrained_sha256",
                           r->start_sha256));
    return OK;
}

/* Writes the traffic and times of the ranks, if several trained the cell, for
 * the steps since the cell was last resumed. */
static int put_ranks(const struct run *r, struct cell_writer *w)
{
    const struct zero1 *s = &r->trainer.share;
    const char *at = "provenance";
    double steps = fmax(s->steps, 1);

    if (s->n == 1)
        return OK;
    PASS(cell_put_int(w, at, "ranks", s->n));
    PASS(cell_put_real(w, at, "ranks_bytes_a_step", s->sent / steps));
    PASS(cell_put_real(w, at, "ranks_bytes_of_a_ring", s->ring / steps));
    PASS(cell_put_real(w, at, "ranks_bytes_beside", s->overlapped / steps));
    PASS(cell_put_real(w, at, "ranks_seconds_a_step", s->seconds / steps));
    return cell_put_real(w, at, "ranks_share_of_time",
                         s->time > 0 ? s->seconds / s->time : 0);
}

/* Writes what another program reports about its training. */
static int put_outside(const struct train_outside *o, struct cell_writer *w)
{
    const char *const (*t)[2] = o ? o->attributes : NULL;

    for (; t && (*t)[0]; t++)
        PASS(cell_put_text(w, "provenance", (*t)[0], (*t)[1]));
    return OK;
}

/* Writes the parts of the file in the order in which cell_results hashes
 * them. */
int record_write(struct run *r)
{
    OWNED(cell_abandon) struct cell_writer *w = NULL;
    const struct task_opts o = train_data(&r->c, NULL, NULL);

    PASS(cell_begin(&w, r->env->store, r->env->id));
    PASS(put_root(r, w));
    PASS(cell_put_config(w, r->env->config, r->env->settings,
                         task_version(r->task, &o), NUMERICS_VERSION));
    PASS(provenance_put(w, &r->data, r->c.threads));
    PASS(provenance_put_device(w, r->c.device, r->c.precision));
    PASS(put_curves(r, w));
    if (r->env->choice)
        PASS(put_choice(r->env->choice, w));
    if (!run_is_trial(r))
        PASS(put_test(r, w));
    PASS(watch_put(w, "start", r->first));
    if (!run_is_trial(r))
        PASS(watch_put(w, "end", r->last));
    PASS(changes_put(w, r->changes));
    if (!run_is_trial(r))
        PASS(sentence_put(w, &r->data, &r->first->sentence,
                          &r->last->sentence));
    PASS(put_timing(r, w));
    PASS(put_weights(r, w));
    /* The following attributes are not results.  They come last, so that
     * neither the order nor the digest of the results depends on how the cores
     * were granted or how many ranks ran. */
    PASS(provenance_put_cores(w, r->env->placement));
    PASS(put_ranks(r, w));
    PASS(put_outside(r->env->outside, w));
    PASS(run_may_commit(r));
    struct cell_writer *whole = w;
    w = NULL; /* cell_commit frees it */
    return cell_commit(whole);
}
