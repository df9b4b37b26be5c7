#include "tests/support/small_cells.h"

#include "harness/base/err.h"
#include "harness/base/file.h"
#include "harness/base/str.h"
#include "harness/config/settings.h"
#include "harness/metrics/metric.h"
#include "harness/nn/checkpoint.h"
#include "harness/store/store.h"
#include "harness/tasks/task.h"
#include "tests/support/dataset_rows.h"
#include "tests/support/scratch.h"
#include "variants/variants.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

char *trained_store;

int trained_setup(void **state)
{
    struct store *s;

    (void)state;
    trained_store = scratch_make();
    assert_int_equal(store_open(&s, trained_store, 1), OK);
    store_close(s);
    return 0;
}

int trained_teardown(void **state)
{
    (void)state;
    scratch_remove(trained_store);
    return 0;
}

/* ---- training a cell ---- */

static const char ours[] =
    "scale=smoke variant=vanilla task=wmt14_ende layers=1 d=16 heads=2 ff=16 "
    "N=16 vocab=40 batch=8 steps=6 evals=3 train=64 valid=20 test=20 shards=4 "
    "lanes=2 schedule.name=constant schedule.scale=0.01 decode.beam=3 "
    "decode.nbest=2 ";

enum { SETS = 64 };

void trained_resolve(struct trained *t, const char *words)
{
    struct assign set[SETS];
    char name[MIX_NAME];
    int n = 0;

    *t = (struct trained){.memory = arena_new()};
    char *all = str_format("%s%s", ours, words), *at = NULL;
    for (char *w = strtok_r(all, " ", &at); w; w = strtok_r(NULL, " ", &at)) {
        char *equals = strchr(w, '=');

        assert_true(equals && n < SETS);
        *equals = 0;
        set[n++] = (struct assign){w, equals + 1, "here"};
    }
    if (settings_resolve(&t->c, set, n) < 0 ||
        mix_parse(&t->mix, name, t->c.variant) < 0 ||
        task_find(&t->task, t->c.task) < 0)
        fail_msg("%s: %s", words, err_last());
    settings_id(&t->c, t->id);
    free(all);
}

static void no_word(void *arg, const struct progress *p)
{
    (void)arg;
    (void)p;
}

void trained_open(struct trained *t, const char *words)
{
    volatile sig_atomic_t stop = 0;

    trained_resolve(t, words);
    char *folder = str_format("%s/checkpoints", trained_store);
    char *base = str_format("%s/%s", folder, t->id);
    char *config = settings_text(&t->c, 1), *settings = settings_all(&t->c, 1);
    struct train_env env = {
        .folder = folder, .id = t->id, .config = config, .settings = settings,
        .jobs = 3, .store = trained_store, .metric = metric_all,
        .stop = &stop,
        .from = strcmp(t->c.pretrained, "none") ? trained_store : NULL,
        .tell = no_word};

    checkpoint_remove(base); /* runtime settings are not part of an id */
    if (train_cell(&t->c, &t->mix, t->task, &env) < 0 ||
        cell_open(&t->r, trained_store, t->id) < 0)
        fail_msg("%s: %s", words, err_last());
    free(settings);
    free(config);
    free(base);
    free(folder);
}

void trained_close(struct trained *t)
{
    cell_close(t->r);
    arena_free(t->memory);
}

/* ---- contents of the cell ---- */

static void found(int rc)
{
    if (rc < 0)
        fail_msg("%s", err_last());
}

/* Returns 1 if the value is missing because trials are not tested. */
static int lacks(const struct trained *t, int rc)
{
    return rc == ERR_EMPTY && strcmp(t->c.trial, "none");
}

struct reals trained_reals(struct trained *t, const char *path)
{
    struct reals out;
    double *x;
    int rc = cell_get_array(t->r, path, &x, &out.n);

    if (lacks(t, rc))
        return (struct reals){0, NULL};
    found(rc);
    out.x = arena_take(t->memory, (out.n + 1) * sizeof *x);
    if (out.n)
        memcpy(out.x, x, out.n * sizeof *x);
    free(x);
    return out;
}

struct texts trained_texts(struct trained *t, const char *path)
{
    struct texts out;
    char **x;
    int rc = cell_get_strings(t->r, path, &x, &out.n);

    if (lacks(t, rc))
        return (struct texts){0, NULL};
    found(rc);
    out.x = arena_take(t->memory, (out.n + 1) * sizeof *x);
    for (size_t i = 0; i < out.n; i++)
        out.x[i] = arena_text(t->memory, x[i]);
    cell_free_strings(x, out.n);
    return out;
}

/* Splits a name such as "weights@sha256". Sets *group to "weights" and returns
 * the part after "@". */
static const char *split(struct trained *t, const char *attribute,
                         const char **group)
{
    char *copy = arena_text(t->memory, attribute), *at = strchr(copy, '@');

    *at = 0;
    *group = copy;
    return at + 1;
}

const char *trained_text(struct trained *t, const char *attribute)
{
    const char *group, *name = split(t, attribute, &group);
    char *text;

    found(cell_get_text(t->r, group, name, &text));
    const char *copy = arena_text(t->memory, text);
    free(text);
    return copy;
}

double trained_real(struct trained *t, const char *attribute)
{
    const char *group, *name = split(t, attribute, &group);
    long long whole;
    double x;

    if (cell_get_int(t->r, group, name, &whole) == OK)
        return (double)whole;
    found(cell_get_real(t->r, group, name, &x));
    return x;
}

/* ---- the same by hand ---- */

static void open_data(struct byhand *h, const struct trained *t)
{
    struct config *c = &h->c;
    struct task_opts o = {.synthetic = 1, .N = c->model.N, .length = c->length,
                          .vocab = c->vocab, .train = c->train,
                          .valid = c->valid, .test = c->test};

    found(open_listed(&h->d, t->task, &o));
    h->d.start = c->start;
    c->model.vocab = h->d.vocab;
    c->model.classes = h->d.classes;
}

/* Returns 1 if there is an evaluation after this step. Evaluation k of `evals`,
 * k = 1, 2, ..., takes place after step ceil(k steps / evals). */
static int is_due(const struct config *c, int steps, int evals)
{
    return steps == ((evals + 1) * c->steps + c->evals - 1) / c->evals;
}

static void validate(struct byhand *h, int steps, int *evals)
{
    struct scores s;
    double nll = 0, tokens = 0;

    found(evaluate(&s, &h->t, &h->d, SPLIT_VALID, h->memory, NULL));
    for (int i = 0; i < s.n; i++) {
        nll += s.nll[i];
        tokens += s.tokens[i];
    }
    h->at[*evals] = steps;
    h->ce[(*evals)++] = nll / tokens;
}

static void start_from(struct byhand *h, const struct byhand *start)
{
    struct params *to = &h->t.params;
    const struct params *from = &start->t.params;

    assert_int_equal(to->n, from->n);
    for (int i = 0; i < to->n; i++)
        memcpy(to->list[i].value->x, from->list[i].value->x,
               tensor_len(to->list[i].value) * sizeof(real));
}

/* Runs step s and records the change of the logits if s + 1 is a power of two
 * or the last step. */
static void step(struct byhand *h, const struct batch *b, int s)
{
    struct logits before, after;

    logits_read(&before, &h->t, &h->d);
    h->loss[s] = trainer_step(&h->t, b, (uint64_t)s);
    logits_read(&after, &h->t, &h->d);
    if (__builtin_popcount((unsigned)s + 1) == 1 || s + 1 == h->c.steps)
        changes_add(&h->changes, (uint64_t)s + 1, &before, &after);
    logits_free(&before);
    logits_free(&after);
}

void byhand_open(struct byhand *h, const struct trained *t,
                 const struct byhand *start)
{
    struct arena *a = arena_new();
    int evals = 0;

    *h = (struct byhand){.c = t->c, .memory = arena_new()};
    open_data(h, t);
    h->loss = arena_zero(h->memory, (size_t)h->c.steps * sizeof *h->loss);
    h->ce = arena_zero(h->memory, (size_t)h->c.evals * sizeof *h->ce);
    h->at = arena_zero(h->memory, (size_t)h->c.evals * sizeof *h->at);
    trainer_open(&h->t, &h->c, &t->mix, NULL);
    if (start)
        start_from(h, start);
    watch_run(&h->first, &h->t, &h->d);
    for (int s = 0; s < h->c.steps; s++) {
        struct batch b;

        arena_reset(a);
        batch_train(&b, &h->d, h->c.seed, h->c.batch, (uint64_t)s, a);
        step(h, &b, s);
        h->tokens += b.targets;
        if (is_due(&h->c, s + 1, evals))
            validate(h, s + 1, &evals);
    }
    assert_int_equal(evals, h->c.evals);
    watch_run(&h->last, &h->t, &h->d);
    found(evaluate(&h->test, &h->t, &h->d, SPLIT_TEST, h->memory, NULL));
    arena_free(a);
}

void byhand_close(struct byhand *h)
{
    trainer_close(&h->t);
    dataset_close(&h->d);
    arena_free(h->memory);
}
