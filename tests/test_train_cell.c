/* A whole cell on data of this test's own: what is stored of it is found again
 * by steps made one by one; when it goes on from a checkpoint, and when it
 * must end. */
#include "harness/base/err.h"
#include "harness/base/file.h"
#include "harness/base/str.h"
#include "harness/driver/registry.h"
#include "harness/nn/checkpoint.h"
#include "harness/store/cell.h"
#include "harness/store/store.h"
#include "harness/train/provenance.h"
#include "harness/train/run.h"
#include "tests/named.h"
#include "tests/scratch.h"
#include "tests/toy.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const of_text[] = {"ce", "token_accuracy", "ppl", NULL};
static const char *const of_labels[] = {"accuracy", "ce", NULL};

static void near(const char *what, double got, double want)
{
    if (!(fabs(got - want) <= 1e-12 * (1 + fabs(want))))
        fail_msg("%s: %.17g, not %.17g", what, got, want);
}

/* ---- data ---- */

/* Running text whose rows have prompts of 0, 1 or 2 ids. */
static int open_text(struct dataset *out, const struct task_opts *o)
{
    (void)o;
    toy_open(TASK_LANGUAGE);
    for (int s = 0; s < SPLITS; s++)
        for (int i = 0; i < toy.split[s].n; i++)
            toy.split[s].row[i].prompt = (i + s) % 3;
    dataset_seal(&toy);
    *out = toy;
    return OK;
}

static int rare; /* the split whose labels are all 0; others have 1 and 2 */

static int open_labels(struct dataset *out, const struct task_opts *o)
{
    (void)o;
    toy_open(TASK_CLASSIFY);
    for (int s = 0; s < SPLITS; s++)
        for (int i = 0; i < toy.split[s].n; i++)
            toy.split[s].row[i].label = s == rare ? 0 : 1 + i % 2;
    dataset_seal(&toy);
    *out = toy;
    return OK;
}

static const struct task text = {.name = "given", .title = "Given",
                                 .kind = TASK_LANGUAGE, .metrics = of_text,
                                 .open = open_text};
static const struct task labels = {.name = "given", .title = "Given",
                                   .kind = TASK_CLASSIFY,
                                   .metrics = of_labels, .open = open_labels};

static struct config small(enum task_kind kind, int steps, int evals)
{
    struct config c = toy_config(kind);

    strcpy(c.variant, "vanilla");
    strcpy(c.scale, "smoke");
    strcpy(c.pretrained, "none");
    c.steps = steps;
    c.evals = evals;
    c.start = ID_UNK;
    c.checkpoint_seconds = 1000;
    return c;
}

/* ---- a cell ---- */

static char *store, *checkpoint[2];
static const char config[] =
    "{\"scale\":\"smoke\",\"seed\":3,\"synthetic\":false,\"task\":\"given\","
    "\"variant\":\"vanilla\"}";
static char id[CELL_ID];

static int open_store(void **state)
{
    struct store *made;

    (void)state;
    store = scratch_make();
    assert_int_equal(store_open(&made, store, 1), OK);
    store_close(made);
    rare = -1;
    cell_id(id, config, DATA_RECIPE_VERSION, NUMERICS_VERSION);
    for (int i = 0; i < 2; i++)
        checkpoint[i] = str_format("%s/%s.%d.ckpt", store, id, i);
    return 0;
}

static int close_store(void **state)
{
    (void)state;
    scratch_remove(store);
    free(checkpoint[0]);
    free(checkpoint[1]);
    return 0;
}

/* What a cell tells while it is trained: a stop is asked for after a step. */
struct told { volatile sig_atomic_t stop; int at_first; char remark[512]; };

static void hear(void *arg, const struct progress *p)
{
    struct told *t = arg;

    if (p->remark)
        snprintf(t->remark, sizeof t->remark, "%s", p->remark);
    t->stop |= t->at_first && !strcmp(p->phase, "train") && p->done > 0;
}

static int run(const struct config *c, const struct task *task,
               struct told *t)
{
    struct mix mix = named_mix(c->variant);
    struct train_env env = {.folder = store, .id = id, .config = config,
                            .store = store, .metric = registry_metrics,
                            .stop = &t->stop, .jobs = 1, .tell = hear,
                            .arg = t};

    return train_cell(c, &mix, task, &env);
}

static void trained(const struct config *c, const struct task *task)
{
    struct told t = {.stop = 0};

    if (run(c, task, &t) != OK)
        fail_msg("%s", err_last());
    assert_string_equal(t.remark, "");
}

static struct cell_reader *stored(void)
{
    struct cell_reader *r;

    if (cell_open(&r, store, id) != OK)
        fail_msg("%s", err_last());
    return r;
}

static double *array(struct cell_reader *r, const char *path, size_t want)
{
    double *x;
    size_t n;

    if (cell_get_array(r, path, &x, &n) != OK)
        fail_msg("%s", err_last());
    if (n != want)
        fail_msg("%s has %zu values, not %zu", path, n, want);
    return x;
}

static double real_of(struct cell_reader *r, const char *group,
                      const char *name)
{
    double x;

    if (cell_get_real(r, group, name, &x) != OK)
        fail_msg("%s", err_last());
    return x;
}

/* ---- the same by steps made one by one ---- */

enum { STEPS = 2003, STRIDE = 3, POINTS = STEPS / STRIDE, TIMES = 7 };

struct course {
    struct dataset data;
    struct trainer trainer;
    struct watch   first, last;
    double loss[STEPS], ce[TIMES];
    long   tokens;
    char   sha256[HASH_HEX];
};

/* The k-th of n evaluations, 1 .. n, is after k / n of the steps, or soon. */
static int turn(int k, int n) { return (k * STEPS + n - 1) / n; }

static void course_run(struct course *x, const struct config *c)
{
    struct mix mix = named_mix(c->variant);
    struct arena *a = arena_new();
    struct scores s;
    struct batch b;
    int k = 0;

    open_text(&x->data, NULL);
    x->data.start = c->start;
    trainer_open(&x->trainer, c, &mix, NULL);
    watch_run(&x->first, &x->trainer, &x->data);
    for (int i = 0; i < STEPS; i++) {
        arena_reset(a);
        batch_train(&b, &x->data, c->seed, c->batch, (uint64_t)i, a);
        x->loss[i] = trainer_step(&x->trainer, &b, (uint64_t)i);
        x->tokens += b.targets;
        if (i + 1 != turn(k + 1, TIMES))
            continue;
        evaluate(&s, &x->trainer, &x->data, SPLIT_VALID, a, NULL);
        x->ce[k++] = scores_cross_entropy(&s);
    }
    watch_run(&x->last, &x->trainer, &x->data);
    trainer_digest(&x->trainer, x->sha256);
    arena_free(a);
}

/* Noam: scale d^-1/2 min(t^-1/2, t warmup^-3/2) at step t = 1, 2, ... */
static double rate_of(const struct config *c, double t)
{
    return c->lr_scale * pow(c->model.d, -0.5) *
           fmin(pow(t, -0.5), t * pow(c->warmup, -1.5));
}

static void check_curves(struct cell_reader *r, const struct course *x,
                         const struct config *c)
{
    double *at = array(r, "curves/train/step", POINTS);
    double *loss = array(r, "curves/train/loss", POINTS);
    double *rate = array(r, "curves/train/lr", POINTS);
    double *when = array(r, "curves/valid/step", TIMES);
    double *ce = array(r, "curves/valid/ce", TIMES);

    for (int i = 0; i < POINTS; i++) {
        const double *of = x->loss + STRIDE * i;

        near("steps of a point", at[i], STRIDE * (i + 1));
        near("mean loss of a stretch", loss[i], (of[0] + of[1] + of[2]) / 3);
        near("rate of a stretch's last step", rate[i], rate_of(c, at[i]));
    }
    for (int k = 0; k < TIMES; k++) {
        near("steps before an evaluation", when[k], turn(k + 1, TIMES));
        near("validation loss", ce[k], x->ce[k]);
    }
    near("the last evaluation", when[TIMES - 1], STEPS);
    free(at);
    free(loss);
    free(rate);
    free(when);
    free(ce);
}

/* log((count + 1) / (all + V)) of what is asked in training, summed over what
 * is asked of each test example. */
static void check_unigram(struct cell_reader *r, const struct dataset *d)
{
    const struct examples *test = &d->split[SPLIT_TEST];
    double *got = array(r, "examples/test/unigram_nll", (size_t)test->n);
    double count[TOY_VOCAB] = {0}, all = TOY_VOCAB;

    for (int i = 0; i < TOY_TRAIN; i++) {
        const struct example *e = &d->split[SPLIT_TRAIN].row[i];

        for (int j = e->prompt; j < e->ntarget; j++, all++)
            count[e->target[j]]++;
    }
    for (int i = 0; i < test->n; i++) {
        const struct example *e = &test->row[i];
        double nll = 0;

        for (int j = e->prompt; j < e->ntarget; j++)
            nll -= log((count[e->target[j]] + 1) / all);
        near("unigram model without the prompt", got[i], nll);
    }
    free(got);
}

static void check_sums(struct cell_reader *r, const struct dataset *d)
{
    size_t n = (size_t)d->split[SPLIT_TEST].n;
    double *nll = array(r, "examples/test/nll", n), ce, accuracy, ppl;
    double *tokens = array(r, "examples/test/tokens", n);
    double *hits = array(r, "examples/test/hits", n);
    double sum[3] = {0};

    for (size_t i = 0; i < n; i++) {
        const struct example *e = &d->split[SPLIT_TEST].row[i];

        near("tokens without the prompt", tokens[i], e->ntarget - e->prompt);
        sum[0] += nll[i];
        sum[1] += tokens[i];
        sum[2] += hits[i];
    }
    assert_int_equal(cell_get_metric(r, "ce", &ce), OK);
    assert_int_equal(cell_get_metric(r, "token_accuracy", &accuracy), OK);
    assert_int_equal(cell_get_metric(r, "ppl", &ppl), OK);
    near("ce of its examples", ce, sum[0] / sum[1]);
    near("accuracy of its examples", accuracy, 100 * sum[2] / sum[1]);
    near("perplexity of its examples", ppl, exp(sum[0] / sum[1]));
    free(nll);
    free(tokens);
    free(hits);
}

static void check_attention(struct cell_reader *r, const char *when,
                            const struct watch *want)
{
    const struct watched *w = &want->place[TAPE_DECODER][0];
    char *group = str_format("attention/%s/decoder.0", when);
    char *path = str_format("%s/histogram", group);
    double *bin = array(r, path, WATCH_BINS);

    near(group, real_of(r, group, "entropy_nats"),
         w->entropy / (double)w->rows);
    for (int i = 0; i < WATCH_BINS; i++)
        near(path, bin[i], (double)w->bin[i]);
    free(bin);
    free(path);
    free(group);
}

static void course(void **state)
{
    static struct course x;
    struct config c = small(TASK_LANGUAGE, STEPS, TIMES);
    struct cell_reader *r;
    long long tokens;
    char *sha256;

    (void)state;
    c.model.d = c.model.ff = 4;
    c.model.heads = 1;
    c.batch = 3;
    c.shards = c.lanes = c.threads = 1;
    strcpy(c.schedule, "noam");
    c.lr_scale = 0.5;
    c.warmup = 40;
    trained(&c, &text);
    course_run(&x, &c);
    r = stored();
    check_curves(r, &x, &c);
    check_unigram(r, &x.data);
    check_sums(r, &x.data);
    check_attention(r, "start", &x.first);
    check_attention(r, "end", &x.last);
    assert_true(x.first.place[TAPE_DECODER][0].entropy !=
                x.last.place[TAPE_DECODER][0].entropy);
    assert_int_equal(cell_get_int(r, "timing", "tokens", &tokens), OK);
    assert_int_equal(tokens, x.tokens);
    assert_int_equal(cell_get_text(r, "weights", "sha256", &sha256), OK);
    assert_string_equal(sha256, x.sha256);
    free(sha256);
    cell_close(r);
    trainer_close(&x.trainer);
    dataset_close(&x.data);
}

/* ---- checkpoints ---- */

enum { FEW = 9, SOME = 3 };

struct outcome { char *sha256; double *loss, *ce; };

static struct outcome outcome(void)
{
    struct cell_reader *r = stored();
    struct outcome o = {.loss = array(r, "curves/train/loss", FEW),
                        .ce = array(r, "curves/valid/ce", SOME)};

    assert_int_equal(cell_get_text(r, "weights", "sha256", &o.sha256), OK);
    cell_close(r);
    return o;
}

static void drop(struct outcome *o)
{
    free(o->sha256);
    free(o->loss);
    free(o->ce);
}

static void another_store(void)
{
    close_store(NULL);
    open_store(NULL);
}

/* Stopped after its first step, in this store. */
static void stopped(const struct config *c, const struct task *task)
{
    struct told t = {.at_first = 1};

    assert_int_equal(run(c, task, &t), ERR_STOPPED);
    assert_true(file_exists(checkpoint[0]) && !file_exists(checkpoint[1]));
}

static void same_outcome(const struct outcome *a, const struct outcome *b)
{
    assert_string_equal(a->sha256, b->sha256);
    assert_memory_equal(a->loss, b->loss, FEW * sizeof *a->loss);
    assert_memory_equal(a->ce, b->ce, SOME * sizeof *a->ce);
}

static void goes_on(void **state)
{
    struct config c = small(TASK_CLASSIFY, FEW, SOME);
    char build[HASH_HEX], *bytes;
    struct outcome whole, parts;

    (void)state;
    trained(&c, &labels);
    whole = outcome();
    another_store();
    stopped(&c, &labels);
    provenance_build(build);
    assert_int_equal(file_read(&bytes, NULL, checkpoint[0]), OK);
    assert_string_equal(bytes + 8 + 64, build); /* behind magic and id */
    free(bytes);
    trained(&c, &labels);
    parts = outcome();
    same_outcome(&parts, &whole);
    drop(&parts);
    drop(&whole);
}

/* The same cell on data whose test labels are others: it begins anew. */
static void other_data(void **state)
{
    struct config c = small(TASK_CLASSIFY, FEW, SOME);
    struct outcome whole, again;
    struct told t = {.stop = 0};

    (void)state;
    rare = SPLIT_TRAIN;
    trained(&c, &labels);
    whole = outcome();
    another_store();
    stopped(&c, &labels);
    rare = SPLIT_TRAIN;
    assert_int_equal(run(&c, &labels, &t), OK);
    assert_non_null(strstr(t.remark, "not of this cell, its data"));
    again = outcome();
    same_outcome(&again, &whole);
    drop(&again);
    drop(&whole);
}

/* ---- the end of a cell that diverged ---- */

static void set(real *x, int first, int step, double value)
{
    for (int i = 0; i < 16; i++)
        x[first + i * step] = (real)value;
}

/* Weights under which the logit of class 0 is -inf: by its bias; or by finite
 * ones, whose product overflows where the last norm gives 1 everywhere. */
static void spoil(real *flat, const struct params *ps, int by_bias)
{
    if (by_bias) {
        flat[params_find(ps, "classifier.b")->at] = -INFINITY;
        return;
    }
    set(flat + params_find(ps, "encoder.norm.gain")->at, 0, 1, 0);
    set(flat + params_find(ps, "encoder.norm.bias")->at, 0, 1, 1);
    set(flat + params_find(ps, "classifier.w")->at, 0, TOY_CLASSES, -3e37);
}

/* The checkpoint with these weights, sealed again. */
static void spoil_checkpoint(const struct config *c, int by_bias)
{
    struct mix mix = named_mix(c->variant);
    struct trainer t;
    char *bytes, hex[HASH_HEX];
    size_t n;

    trainer_open(&t, c, &mix, NULL);
    size_t blocks = (t.params.learned + t.optim.values) * sizeof(real) +
                    sizeof(struct history) + sizeof(struct watch);
    assert_int_equal(file_read(&bytes, &n, checkpoint[0]), OK);
    char *at = bytes + n - sizeof hex - blocks;
    real *flat = malloc(t.params.learned * sizeof *flat);
    memcpy(flat, at, t.params.learned * sizeof *flat);
    spoil(flat, &t.params, by_bias);
    memcpy(at, flat, t.params.learned * sizeof *flat);
    hash_sha256(bytes, n - sizeof hex, hex);
    memcpy(bytes + n - sizeof hex, hex, sizeof hex);
    assert_int_equal(file_write(checkpoint[0], bytes, n), OK);
    free(flat);
    free(bytes);
    trainer_close(&t);
}

static void infinite(void **state)
{
    static const struct { int rare, by_bias; const char *says; } each[] = {
        {SPLIT_TRAIN, 0, "the loss of step 2 is infinite"},
        {SPLIT_VALID, 0, "the validation loss after step 3 of 9 is infinite"},
        {SPLIT_TEST, 0, "the loss of test example 1 of 20 is infinite"},
        {-1, 1, "a weight of classifier.b after step 9 of 9 is infinite"}};
    struct config c = small(TASK_CLASSIFY, FEW, SOME);

    (void)state;
    toy_eager(&c);
    c.lr_scale = 1e-6;
    for (int i = 0; i < 4; i++) {
        struct told t = {.stop = 0};
        struct cell_reader *r;

        another_store();
        rare = each[i].rare;
        stopped(&c, &labels);
        spoil_checkpoint(&c, each[i].by_bias);
        if (run(&c, &labels, &t) != ERR_DIVERGED ||
            !strstr(err_last(), each[i].says))
            fail_msg("not '%s': %s", each[i].says, err_last());
        assert_string_equal(t.remark, "");
        assert_int_equal(cell_open(&r, store, id), ERR_EMPTY);
    }
}

int main(void)
{
    const struct CMUnitTest cells[] = {
        {"curves, counts and attention are those of its steps", course,
         open_store, close_store, NULL},
        {"a cell that was stopped ends as if it had not been", goes_on,
         open_store, close_store, NULL},
        {"a cell whose data have changed begins anew", other_data, open_store,
         close_store, NULL},
        {"an infinite loss or weight ends a cell, and nothing is stored",
         infinite, open_store, close_store, NULL},
    };

    backend_cpu.thread_begin();
    return cmocka_run_group_tests_name("train_cell", cells, NULL, NULL);
}
