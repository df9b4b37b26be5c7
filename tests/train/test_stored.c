/* Recomputes every attribute and dataset of a cell file from the settings, from
 * the same training by hand, or from other values of the file. */
#include "harness/base/clock.h"
#include "harness/base/err.h"
#include "harness/base/str.h"
#include "harness/metrics/metric.h"
#include "harness/store/image.h"
#include "harness/store/store_private.h"
#include "tests/support/expected_attributes.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static struct arena *memory(struct look *k) { return k->t.memory; }

static const struct examples *test_set(const struct look *k)
{
    return &k->h.d.split[SPLIT_TEST];
}

/* ---- numeric datasets ---- */

static struct reals take_reals(struct look *k, size_t n)
{
    return (struct reals){n, arena_zero(memory(k), (n + 1) * sizeof(double))};
}

static int stride(const struct look *k) { return (k->h.c.steps + 999) / 1000; }

static struct reals steps(struct look *k)
{
    struct reals out = take_reals(k, (size_t)(k->h.c.steps / stride(k)));

    for (size_t i = 0; i < out.n; i++)
        out.x[i] = (double)(i + 1) * stride(k);
    return out;
}

/* Returns the training curve. Each point is the mean of the steps after the
 * previous point. */
static struct reals losses(struct look *k)
{
    struct reals out = steps(k);

    for (size_t i = 0; i < out.n; i++) {
        out.x[i] = 0;
        for (int j = 0; j < stride(k); j++)
            out.x[i] += k->h.loss[i * (size_t)stride(k) + (size_t)j];
        out.x[i] /= stride(k);
    }
    return out;
}

/* Returns the learning rates with scale s, warmup w and T steps. noam: s d^-1/2
 * min(t^-1/2, t w^-3/2). rsqrt: s max(t, w)^-1/2. linear: rises to s at step w,
 * falls to 0 at step T + 1. */
static struct reals rates(struct look *k)
{
    const struct config *c = &k->h.c;
    struct reals out = steps(k);

    for (size_t i = 0; i < out.n; i++) {
        double t = out.x[i], w = c->warmup;

        out.x[i] = c->lr_scale;
        if (!strcmp(c->schedule, "noam"))
            out.x[i] *= fmin(1 / sqrt(t), t / (w * sqrt(w))) / sqrt(c->model.d);
        if (!strcmp(c->schedule, "rsqrt"))
            out.x[i] /= sqrt(fmax(t, w));
        if (!strcmp(c->schedule, "linear"))
            out.x[i] *= t < w ? t / w : 1 - (t - w) / (c->steps + 1 - w);
    }
    return out;
}

static struct reals valid_steps(struct look *k)
{
    struct reals out = take_reals(k, (size_t)k->h.c.evals);

    for (size_t i = 0; i < out.n; i++)
        out.x[i] = (double)k->h.at[i];
    return out;
}

static struct reals valid_ce(struct look *k)
{
    return (struct reals){(size_t)k->h.c.evals, k->h.ce};
}

/* Returns -log((count + 1) / (all + V)) summed over each example's targets,
 * from the counts of the training targets. */
static struct reals unigram(struct look *k)
{
    const struct dataset *d = &k->h.d;
    const struct examples *e = &d->split[SPLIT_TRAIN];
    double *count = take_reals(k, (size_t)d->vocab).x, all = d->vocab;
    struct reals out = take_reals(k, (size_t)test_set(k)->n);

    for (int i = 0; i < e->n; i++)
        for (int j = e->row[i].prompt; j < e->row[i].ntarget; j++, all++)
            count[e->row[i].target[j]]++;
    for (int i = 0; i < test_set(k)->n; i++) {
        const struct example *x = &test_set(k)->row[i];

        for (int j = x->prompt; j < x->ntarget; j++)
            out.x[i] -= log((count[x->target[j]] + 1) / all);
    }
    return out;
}

/* Defines the function `name`, which returns the expected contents of one
 * stored dataset: `value` for each test example i. */
#define EACH(name, value)                                                     \
    static struct reals name(struct look *k)                                  \
    {                                                                         \
        struct reals out = take_reals(k, (size_t)test_set(k)->n);             \
                                                                              \
        for (size_t i = 0; i < out.n; i++)                                    \
            out.x[i] = value;                                                 \
        return out;                                                           \
    }
EACH(nll, k->h.test.nll[i])
EACH(own_nll, test_set(k)->own_nll[i])
EACH(target_tokens, k->h.test.tokens[i])
EACH(hits, k->h.test.hits[i])
EACH(guesses, k->h.test.guess[i])
EACH(labels, test_set(k)->row[i].label)
EACH(groups, test_set(k)->row[i].group)
EACH(word_counts, test_set(k)->row[i].words)

static struct reals nbest_score(struct look *k)
{
    return (struct reals){(size_t)(k->h.test.n * k->h.test.nbest),
                          k->h.test.score};
}

static const struct {
    const char *path, *units;
    struct reals (*want)(struct look *k);
} datasets[] = {
    {"curves/train/step", "1", steps},
    {"curves/train/loss", "nats/token", losses},
    {"curves/train/lr", "1", rates},
    {"curves/valid/step", "1", valid_steps},
    {"curves/valid/ce", "nats/token", valid_ce},
    {"examples/test/nll", "nats", nll},
    {"examples/test/own_nll", "nats", own_nll},
    {"examples/test/unigram_nll", "nats", unigram},
    {"examples/test/tokens", "1", target_tokens},
    {"examples/test/hits", "1", hits},
    {"examples/test/guess", "1", guesses},
    {"examples/test/label", "1", labels},
    {"examples/test/group", "1", groups},
    {"examples/test/words", "1", word_counts},
    {"examples/test/nbest_score", "nats", nbest_score},
    {"examples/test/example", "1", NULL},
    {"examples/test/rank", "1", NULL},
};

/* ---- text datasets ---- */

static const char *source_text(struct look *k, int i)
{
    const struct example *e = &test_set(k)->row[i];

    return dataset_text(&k->h.d, e->source, e->nsource, memory(k));
}
static const char *subtask(struct look *k, int i)
{
    return k->h.d.subtasks[test_set(k)->row[i].subtask];
}
static const char *reference(struct look *k, int i)
{
    return test_set(k)->row[i].text;
}
static const char *hypothesis(struct look *k, int i)
{
    return k->h.test.best[i * k->h.test.nbest];
}
static const char *nbest(struct look *k, int i) { return k->h.test.best[i]; }

static const struct {
    const char *path;
    const char *(*want)(struct look *k, int i);
} lists[] = {
    {"examples/test/source", source_text},
    {"examples/test/subtask", subtask},
    {"examples/test/reference", reference},
    {"examples/test/hypothesis", hypothesis},
    {"examples/test/nbest", nbest},
};

/* ---- metrics, recomputed from the stored examples ---- */

static const struct metric *metric_of(const char *name)
{
    for (const struct metric *const *m = metric_all; *m; m++)
        if (!strcmp((*m)->name, name))
            return *m;
    return NULL;
}

/* Returns a column of the examples, or zeros if the cell has no column of that
 * name. */
static double *column(struct look *k, const char *name)
{
    char *path = str_format("examples/test/%s", name);
    struct reals all = take_reals(k, (size_t)test_set(k)->n);
    double *x;
    size_t n;

    if (cell_get_array(k->t.r, path, &x, &n) == OK) {
        memcpy(all.x, x, n * sizeof *x);
        free(x);
    }
    free(path);
    return all.x;
}

/* Returns a column of texts, or NULLs if the cell has no column of that
 * name. */
static char **lines(struct look *k, const char *name)
{
    char *path = str_format("examples/test/%s", name), **x;
    size_t all = (size_t)test_set(k)->n, n;
    char **out = arena_zero(memory(k), all * sizeof *out);

    if (cell_get_strings(k->t.r, path, &x, &n) == OK) {
        for (size_t i = 0; i < n; i++)
            out[i] = arena_text(memory(k), x[i]);
        cell_free_strings(x, n);
    }
    free(path);
    return out;
}

static struct answer *seen_of_cell(struct look *k)
{
    size_t n = (size_t)test_set(k)->n;
    struct answer *out = arena_take(memory(k), n * sizeof *out);
    char **hyp = lines(k, "hypothesis"), **ref = lines(k, "reference");
    char **part = lines(k, "subtask");
    double *got = column(k, "guess"), *want = column(k, "label");
    double *p = column(k, "nll"), *count = column(k, "tokens");
    double *right = column(k, "hits"), *length = column(k, "words");
    double *group = column(k, "group");

    for (size_t i = 0; i < n; i++)
        out[i] = (struct answer){hyp[i], ref[i], (int)got[i], (int)want[i],
                               p[i], (long)count[i], (long)right[i],
                               (long)length[i], part[i], (int)group[i]};
    return out;
}

/* Computes one of the task's metrics, or a part of one. Sets *of to the
 * metric. */
static double measured(struct look *k, const struct answer *seen,
                       const char *name, const struct metric **of)
{
    for (const char *const *each = k->t.task->metrics; *each; each++) {
        const struct metric *m = *of = metric_of(*each);
        struct scored x;

        m->measure(m, &x, seen, (size_t)test_set(k)->n);
        if (!strcmp(name, *each))
            return x.value;
        for (int i = 0; i < x.n; i++)
            if (!strcmp(name, x.part[i].name))
                return x.part[i].value;
    }
    fail_msg("%s: no metric of the task", name);
    return NAN;
}

/* Checks the unit. UDUNITS has neither nats nor tokens; datasets in these have
 * the unit 1 and a readable name instead. */
static void check_units(struct look *k, const char *path, const char *want)
{
    char *at = str_format("%s@units", path), *said;
    int known = strncmp(want, "nats", 4) != 0;

    same_text(at, trained_text(&k->t, at), known ? want : "1");
    assert_int_equal(cell_get_unit(k->t.r, path, &said), OK);
    same_text(at, said, want);
    free(said);
    free(at);
}

static void check_metric(struct look *k, const char *name)
{
    char *group = str_format("metrics/%s", name);
    const struct metric *m;
    double is, want = measured(k, seen_of_cell(k), name, &m);
    char *at;

    assert_int_equal(cell_get_metric(k->t.r, name, &is), OK);
    same_real(group, is, want);
    check_units(k, group, m->unit);
    at = str_format("%s@signature", group);
    same_text(at, trained_text(&k->t, at), m->signature);
    free(at);
    at = str_format("%s@better", group);
    same_real(at, trained_real(&k->t, at), m->better);
    free(at);
    free(group);
}

/* Checks the score of a baseline's predictions, such as
 * baseline/majority@glue9. */
static int check_reference(struct look *k, const char *path)
{
    const struct reference *b = k->t.task->references;
    const char *name = strchr(path, '@') + 1;
    size_t front = strlen("baseline/"), n = (size_t)test_set(k)->n;
    struct answer *seen = arena_zero(memory(k), n * sizeof *seen);
    const char **answer = arena_zero(memory(k), n * sizeof *answer);
    const struct metric *m;

    for (; b && b->name; b++)
        if (!strncmp(path + front, b->name, strlen(b->name)) &&
            path[front + strlen(b->name)] == '@')
            break;
    if (!b || !b->name)
        return 0;
    if (!strcmp(name, "description")) {
        same_text(path, trained_text(&k->t, path), b->what);
        return 1;
    }
    b->answer(b, answer, &k->h.d, memory(k));
    for (size_t i = 0; i < n; i++)
        seen[i] = (struct answer){.hyp = answer[i], .ref = reference(k, (int)i),
                                .subtask = subtask(k, (int)i),
                                .group = test_set(k)->row[i].group};
    same_real(path, trained_real(&k->t, path), measured(k, seen, name, &m));
    return 1;
}

/* ---- the whole file ---- */

static void check_reals(struct look *k, const char *path, struct reals want)
{
    struct reals is = trained_reals(&k->t, path);

    if (is.n != want.n)
        fail_msg("%s has %zu values, not %zu", path, is.n, want.n);
    for (size_t i = 0; i < is.n; i++)
        if (!isnan(want.x[i]) || !isnan(is.x[i]))
            same_real(path, is.x[i], want.x[i]);
}

static int check_data(struct look *k, const char *path)
{
    for (size_t i = 0; i < sizeof datasets / sizeof *datasets; i++)
        if (!strcmp(path, datasets[i].path)) {
            check_units(k, path, datasets[i].units);
            if (datasets[i].want)
                check_reals(k, path, datasets[i].want(k));
            else
                stored_count(k, path);
            return 1;
        }
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        if (!strcmp(path, lists[i].path)) {
            struct texts is = trained_texts(&k->t, path);

            for (size_t j = 0; j < is.n; j++)
                same_text(path, is.x[j], lists[i].want(k, (int)j));
            return 1;
        }
    if (!strncmp(path, "metrics/", strlen("metrics/"))) {
        check_metric(k, path + strlen("metrics/"));
        return 1;
    }
    return stored_attention(k, path);
}

static int check_attribute(struct look *k, const char *path)
{
    if (!strncmp(path, "baseline/", strlen("baseline/")))
        return check_reference(k, path);
    return stored_attribute(k, path);
}

/* Checks what other tools require of a dataset: a name, a unit if it has
 * numbers, and dimension scales. */
static void check_layout(struct look *k, const struct image_object *o,
                         const char *path)
{
    int scale = image_attribute(o, "CLASS") != NULL;
    char *at = str_format("%s@long_name", path);

    if (!image_attribute(o, "long_name") || !*trained_text(&k->t, at))
        fail_msg("%s has no long_name", path);
    if (o->value.type != IMAGE_TEXT && !image_attribute(o, "units"))
        fail_msg("%s has no units", path);
    if (o->value.rank && !scale && !image_attribute(o, "DIMENSION_LIST"))
        fail_msg("%s lies along nothing", path);
    if (scale && !image_attribute(o, "REFERENCE_LIST"))
        fail_msg("nothing lies along %s", path);
    free(at);
}

static void walk(struct look *k, const struct image_object *o,
                 const char *path)
{
    char *next;

    if (o->is_data && !check_data(k, path))
        fail_msg("%s: nothing here says what it has to be", path);
    if (o->is_data)
        check_layout(k, o, path);
    for (size_t i = 0; i < o->attributes && !o->is_data; i++) {
        next = str_format("%s@%s", path, o->attribute[i].name);
        if (!check_attribute(k, next))
            fail_msg("%s: nothing here says what it has to be", next);
        free(next);
    }
    for (size_t i = 0; i < o->children; i++) {
        next = str_format("%s%s%s", path, *path ? "/" : "", o->child[i]->name);
        walk(k, o->child[i], next);
        free(next);
    }
}

static void look_open(struct look *k, const char *settings,
                      const struct look *start)
{
    *k = (struct look){.parent = ""};
    clock_iso(k->began);
    trained_open(&k->t, settings);
    byhand_open(&k->h, &k->t, start ? &start->h : NULL);
    if (k->t.task->kind == TASK_TRANSDUCE)
        assert_int_equal(evaluate_decode(&k->h.test, &k->h.t, &k->h.d,
                                         SPLIT_TEST, k->h.memory, NULL), OK);
}

static void look_close(struct look *k)
{
    byhand_close(&k->h);
    trained_close(&k->t);
}

static void check(struct look *k)
{
    walk(k, image_root(cell_image(k->t.r)), "");
}

static void every_value(void **state)
{
    static const char *const settings[] = {
        "seed=5 variant=random+dense steps=10 evals=4 decode.alpha=0.9",
        "task=lm1b seed=4 batch=7 schedule.name=noam schedule.scale=2 "
        "schedule.warmup=3 lanes=4 threads=2",
        "task=agnews variant=dense schedule.name=rsqrt schedule.warmup=4",
        "task=glue variant=uniform vocab=64 test=120 decode.beam=1 "
        "decode.nbest=1",
        "task=gen_bigram variant=lightweight-conv valid=9 "
        "schedule.name=linear schedule.warmup=2",
        "task=gen_copy"}; /* only the copy itself is a target */
    struct look k;

    (void)state;
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++) {
        look_open(&k, settings[i], NULL);
        check(&k);
        look_close(&k);
    }
}

/* With 1999 steps, a point covers two steps, and the last step is in no
 * point. */
static void long_curves(void **state)
{
    struct look k;

    (void)state;
    look_open(&k, "task=lm1b steps=1999 d=4 heads=1 ff=4 N=8 batch=2 shards=1 "
                  "lanes=1 evals=7 valid=4 test=4 schedule.name=noam "
                  "schedule.scale=0.1 schedule.warmup=50", NULL);
    assert_int_equal(trained_reals(&k.t, "curves/train/loss").n, 999);
    check(&k);
    look_close(&k);
}

/* A cell that starts from the weights of another has those weights, but its own
 * seed. */
static void child(void **state)
{
    struct look parent, k;

    (void)state;
    look_open(&parent, "task=c4 preset=t5 seed=5", NULL);
    check(&parent);
    char *settings = str_format("preset=t5 seed=6 pretrained=%s", parent.t.id);
    look_open(&k, settings, &parent);
    k.parent = trained_text(&parent.t, "weights@sha256");
    check(&k);
    look_close(&k);
    look_close(&parent);
    free(settings);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        {"every value of a cell file can be recomputed", every_value,
         trained_setup, trained_teardown, NULL},
        {"each point of a long curve is the mean of its steps", long_curves,
         trained_setup, trained_teardown, NULL},
        {"a child starts from the weights of the cell it names", child,
         trained_setup, trained_teardown, NULL},
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
