/* Resampled metrics: their values over all examples and over resampled test
 * sets must equal those of the metrics themselves. */
#include "harness/base/arena.h"
#include "harness/base/err.h"
#include "harness/base/rng.h"
#include "harness/base/str.h"
#include "harness/metrics/labels/benchmark.h"
#include "harness/report/outcomes.h"
#include "harness/stats/bootstrap.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

extern const struct metric metric_bleu, metric_rouge1, metric_rouge2,
    metric_rouge_l, metric_nlg_bleu1, metric_nlg_bleu4, metric_nlg_rouge_l,
    metric_nlg_cider, metric_meteor, metric_glue8, metric_glue9,
    metric_superglue;

static const struct metric *const metrics[] = {
    &metric_bleu, &metric_rouge1, &metric_rouge2, &metric_rouge_l,
    &metric_nlg_bleu1, &metric_nlg_bleu4, &metric_nlg_rouge_l,
    &metric_nlg_cider, &metric_meteor, &metric_glue8, &metric_glue9,
    &metric_superglue, NULL};

enum { N = 60, DRAWS = 5, GROUP = 4, R = BOOTSTRAP_RESAMPLES };

static void near(const char *what, double got, double want)
{
    if (!(fabs(got - want) <= 1e-9 * (1 + fabs(want))))
        fail_msg("%s is %.17g, not %.17g", what, got, want);
}

/* ---- random answers ---- */

static struct rng_key key = {.seed = 61, .stream = RNG_TEST};
static uint64_t at;

static uint32_t below(uint32_t n) { return rng_below(key, at++, n); }

static char *sentence(const char *like)
{
    static const char *const word[] = {"the", "old",  "houses", "are",
                                       "big", "town", "walked", "and"};
    char *s = str_copy(like ? like : word[below(8)]);

    for (uint32_t i = below(7); i > 0; i--) {
        char *more = str_format("%s %s", s, word[below(8)]);

        free(s);
        s = more;
    }
    return s;
}

/* Returns an example with a text and a hypothesis that is similar, equal or
 * unrelated. */
static struct answer make_text(void)
{
    char *ref = sentence(NULL), *hyp;

    switch (below(4)) {
    case 0: hyp = str_copy(ref); break;
    case 1: hyp = sentence(NULL); break;
    case 2: hyp = str_copy(""); break;
    default: hyp = sentence(ref);
    }
    return (struct answer){.hyp = hyp, .ref = ref};
}

/* Returns an answer that is usually right and sometimes not a label. */
static struct answer make_answer(const struct benchmark_subtask *t, int i)
{
    struct answer s = {.subtask = t->name, .group = i / GROUP};
    uint32_t labels = 0;

    while (t->label[labels])
        labels++;
    if (t->answer == ANSWER_TEXT) {
        s.ref = str_copy("the old house\na tower");
        s.hyp = below(2) ? str_copy("old house") : sentence(NULL);
    } else if (t->answer == ANSWER_SCORE) {
        uint32_t x = below(26);

        s.ref = str_format("%.1f", 0.2 * x);
        s.hyp = below(8) ? str_format("%.1f", 0.1 * (x + below(20)))
                         : str_copy("none");
    } else {
        uint32_t k = below(labels);

        s.ref = str_copy(t->label[k]);
        s.hyp = str_copy(t->label[below(3) ? k : below(labels)]);
        if (below(9) == 0) {
            free((char *)s.hyp);
            s.hyp = str_copy("maybe");
        }
    }
    return s;
}

static int make_benchmark(struct answer *out, const struct benchmark_subtask *t)
{
    int n = 0;

    for (; t->name; t++)
        for (int i = 0; i < N; i++)
            out[n++] = make_answer(t, i);
    return n;
}

static void free_seen(struct answer *s, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        free((char *)s[i].hyp);
        free((char *)s[i].ref);
    }
    free(s);
}

/* ---- values of the metric itself ---- */

/* Returns the metric of some examples; if `part` is not "", returns that part
 * of the metric. */
static double own(const struct metric *m, const struct answer *s, size_t n,
                  const char *part)
{
    struct scored x;

    m->measure(m, &x, s, n);
    for (int k = 0; k < x.n; k++)
        if (!strcmp(x.part[k].name, part))
            return x.part[k].value;
    return *part ? NAN : x.value;
}

/* Copies the examples of one subtask. `unit` is the number of examples that are
 * drawn together. */
static size_t of_subtask(struct answer *out, const struct answer *s, size_t n,
                         const char *subtask)
{
    size_t k = 0;

    for (size_t i = 0; i < n; i++)
        if (!subtask || !strcmp(s[i].subtask, subtask))
            out[k++] = s[i];
    return k;
}

struct redrawn {
    const struct metric  *metric;
    const struct stratum *stratum;
    const struct answer    *seen;
    size_t                n, unit; /* examples per unit */
    const double         *value;
};

static void redraw(void *arg, size_t r, const uint32_t *drawn)
{
    const struct redrawn *d = arg;
    struct answer *s;

    if (r >= DRAWS)
        return;
    s = calloc(d->n, sizeof *s);
    for (size_t i = 0; i < d->n; i++) {
        s[i] = d->seen[drawn[i / d->unit] * d->unit + i % d->unit];
        s[i].group = (int)(i / d->unit);
    }
    near(*d->stratum->name ? d->stratum->name : d->metric->name, d->value[r],
         own(d->metric, s, d->n, d->stratum->name));
    free(s);
}

/* Checks each stratum: its resampled value is the metric of the drawn
 * examples. */
static void check_strata(const struct metric *m, const struct stratum *s,
                         const struct answer *all, size_t n,
                         const struct benchmark_subtask *of)
{
    struct answer *seen = calloc(n, sizeof *seen);
    double *value = calloc(BOOTSTRAP_RESAMPLES, sizeof *value);
    const char *subtask = of ? of[s->which].name : NULL;
    int grouped = of && of[s->which].answer == ANSWER_GROUP;
    struct redrawn d = {m, s, seen, of_subtask(seen, all, n, subtask),
                        grouped ? GROUP : 1, value};

    stratum_resample(&value, &s, 1, BOOTSTRAP_RESAMPLES, 1);
    assert_int_equal(s->n * d.unit, d.n);
    bootstrap_draw(BOOTSTRAP_RESAMPLES, s->n, 1 + (uint64_t)s->which, redraw,
                   &d);
    free(value);
    free(seen);
}

static void check_metric(const struct metric *m, struct answer *s, size_t n,
                         const struct benchmark_subtask *of)
{
    static char *something;
    struct tested x = {.n = n, .answer = s};
    struct outcomes o;

    x.text[2] = of ? &something : NULL;
    assert_int_equal(outcomes_open(&o, &x, m->name, metrics), OK);
    assert_true(o.strata > 0);
    near(m->name, outcomes_value(&o), own(m, s, n, ""));
    for (int i = 0; i < o.strata; i++)
        if (m != &metric_nlg_cider && m != &metric_glue8)
            check_strata(m, &o.stratum[i], s, n, of);
    outcomes_close(&o);
}

static void texts(void **state)
{
    struct answer *s = calloc(N, sizeof *s);

    (void)state;
    for (int i = 0; i < N; i++)
        s[i] = make_text();
    for (const struct metric *const *m = metrics; *m != &metric_glue8; m++)
        check_metric(*m, s, N, NULL);
    free_seen(s, N);
}

static void benchmarks(void **state)
{
    struct answer *s = calloc(10 * N, sizeof *s);
    size_t n = (size_t)make_benchmark(s, benchmark_glue);

    (void)state;
    check_metric(&metric_glue8, s, n, benchmark_glue);
    check_metric(&metric_glue9, s, n, benchmark_glue);
    free_seen(s, n);
    s = calloc(10 * N, sizeof *s);
    n = (size_t)make_benchmark(s, benchmark_superglue);
    check_metric(&metric_superglue, s, n, benchmark_superglue);
    free_seen(s, n);
}

/* A part is found by name in the benchmark to which the examples belong. */
static void parts(void **state)
{
    static char *something;
    struct answer *s = calloc(10 * N, sizeof *s);
    size_t n = (size_t)make_benchmark(s, benchmark_superglue);
    struct tested x = {.n = n, .answer = s, .text[2] = &something};
    struct outcomes o;

    (void)state;
    assert_int_equal(outcomes_open(&o, &x, "rte_accuracy", metrics), OK);
    assert_int_equal(o.strata, 1);
    near("rte_accuracy", outcomes_value(&o),
         own(&metric_superglue, s, n, "rte_accuracy"));
    outcomes_close(&o);
    assert_int_equal(outcomes_open(&o, &x, "cola_mcc", metrics), OK);
    assert_int_equal(o.strata, 0);
    free((char *)s[0].ref);
    s[0].ref = str_copy("no label");
    assert_int_equal(outcomes_open(&o, &x, "superglue", metrics), ERR_STORE);
    assert_non_null(strstr(err_last(), "'no label' is not a label"));
    free_seen(s, n);
}

/* The two systems have different numbers of examples. */
static void unlike(void **state)
{
    struct answer *s = calloc(N, sizeof *s);
    struct outcomes o[2];
    const struct outcomes *both[] = {&o[0], &o[1]};
    double *v = calloc(2 * BOOTSTRAP_RESAMPLES, sizeof *v);
    double *value[] = {v, v + BOOTSTRAP_RESAMPLES};

    (void)state;
    for (int i = 0; i < N; i++)
        s[i] = make_text();
    for (size_t i = 0; i < 2; i++) {
        struct tested x = {.n = N - i, .answer = s};

        assert_int_equal(outcomes_open(&o[i], &x, "bleu", metrics), OK);
    }
    assert_int_equal(outcomes_resample(value, both, 2, R), ERR_STORE);
    assert_non_null(strstr(err_last(), "have different examples"));
    for (int i = 0; i < 2; i++)
        outcomes_close(&o[i]);
    free(v);
    free_seen(s, N);
}

/* Two resamplings of two systems use the same draws and yield the same values;
 * the difference of a system from itself is 0. */
static void repeatable(void **state)
{
    struct answer *s = calloc(2 * N, sizeof *s);
    struct outcomes o[2];
    const struct outcomes *both[] = {&o[0], &o[1]}, *twice[] = {&o[1], &o[1]};
    double *v[4], *d = calloc(BOOTSTRAP_RESAMPLES, sizeof *d);
    size_t bytes = BOOTSTRAP_RESAMPLES * sizeof *d;

    (void)state;
    for (int i = 0; i < 2 * N; i++)
        s[i] = make_text();
    for (int i = 0; i < 2; i++) {
        struct tested x = {.n = N, .answer = s + i * N};

        assert_int_equal(outcomes_open(&o[i], &x, "bleu", metrics), OK);
    }
    for (int i = 0; i < 4; i++)
        v[i] = calloc(1, bytes);
    assert_int_equal(outcomes_resample(v, both, 2, R), OK);
    assert_int_equal(outcomes_resample(v + 2, twice, 2, R), OK);
    assert_memory_equal(v[1], v[2], bytes);
    assert_memory_equal(v[2], v[3], bytes);
    assert_true(memcmp(v[0], v[1], bytes) != 0);
    outcomes_differences(d, v[2], v[3], R);
    for (int r = 0; r < BOOTSTRAP_RESAMPLES; r++)
        assert_true(d[r] == 0);
    for (int i = 0; i < 4; i++)
        free(v[i]);
    outcomes_close(&o[0]);
    outcomes_close(&o[1]);
    free(d);
    free_seen(s, 2 * N);
}

/* ---- jackknife ---- */

/* Returns the metric without unit number `out` of `subtask` (NULL: of all
 * subtasks). */
static double without(const struct metric *m, const struct answer *s, size_t n,
                      const char *subtask, size_t unit, size_t out)
{
    struct answer *fewer = calloc(n, sizeof *fewer);
    size_t k = 0, of_it = 0;

    for (size_t i = 0; i < n; i++)
        if ((subtask && strcmp(s[i].subtask, subtask)) ||
            of_it++ / unit != out)
            fewer[k++] = s[i];
    double value = own(m, fewer, k, "");
    free(fewer);
    return value;
}

/* Checks the jackknife's values. They are centred on their mean and scaled so
 * that their squares sum to the jackknife's variance. */
static void check_moves(const struct metric *m, const struct answer *s,
                        size_t n, const double *u, const char *subtask,
                        size_t unit)
{
    double left[N], mean = 0;
    size_t units = N / unit;

    for (size_t i = 0; i < units; i++) {
        left[i] = without(m, s, n, subtask, unit, i);
        mean += left[i] / (double)units;
    }
    for (size_t i = 0; i < units; i++)
        near(subtask ? subtask : m->name, u[i],
             (left[i] - mean) * sqrt(1 - 1 / (double)units));
}

static double *moves_of(size_t *units, const struct metric *m, struct answer *s,
                        size_t n, struct arena *a)
{
    static char *something;
    struct tested x = {.n = n, .answer = s};
    struct outcomes o;

    x.text[2] = m->subtasks ? &something : NULL;
    assert_int_equal(outcomes_open(&o, &x, m->name, metrics), OK);
    double *u = outcomes_influence(units, &o, a);
    outcomes_close(&o);
    return u;
}

static void moved_texts(void **state)
{
    struct arena *a = arena_new();
    struct answer *s = calloc(N, sizeof *s);
    size_t units;

    (void)state;
    for (int i = 0; i < N; i++)
        s[i] = make_text();
    for (const struct metric *const *m = metrics; *m != &metric_glue8; m++) {
        const double *u = moves_of(&units, *m, s, N, a);

        assert_int_equal(units, N);
        /* this metric uses document frequencies of all examples */
        if (*m != &metric_nlg_cider)
            check_moves(*m, s, N, u, NULL, 1);
    }
    free_seen(s, N);
    arena_free(a);
}

static void moved_benchmark(const struct metric *m,
                            const struct benchmark_subtask *of)
{
    struct arena *a = arena_new();
    struct answer *s = calloc(10 * N, sizeof *s);
    size_t n = (size_t)make_benchmark(s, of), units, at_unit = 0;
    const double *u = moves_of(&units, m, s, n, a);

    for (; of->name; of++) {
        size_t unit = of->answer == ANSWER_GROUP ? GROUP : 1;

        check_moves(m, s, n, u + at_unit, of->name, unit);
        at_unit += N / unit;
    }
    assert_int_equal(units, at_unit);
    free_seen(s, n);
    arena_free(a);
}

static void moved_benchmarks(void **state)
{
    (void)state;
    moved_benchmark(&metric_glue9, benchmark_glue);
    moved_benchmark(&metric_superglue, benchmark_superglue);
}

/* If one example has all tokens, leaving out any other changes nothing. */
static void moved_nowhere(void **state)
{
    double nll[] = {3, 1}, tokens[] = {2, 0};
    const struct tested x = {.n = 2, .sum = {nll, tokens}};
    struct arena *a = arena_new();
    struct outcomes o;
    size_t units;

    (void)state;
    assert_int_equal(outcomes_open(&o, &x, "ce", metrics), OK);
    outcomes_influence(&units, &o, a);
    assert_int_equal(units, 0);
    outcomes_close(&o);
    arena_free(a);
}

/* variance_of (below) returns ROWS times the jackknife's variance of the mean,
 * averaged over TEXTS random texts. The rows are in groups of SHARED successive
 * rows, and two rows of a group have the correlation CORRELATION. */
enum { ROWS = 480, SHARED = 6, TEXTS = 400 };
static const double CORRELATION = 0.18;

static double variance_of(size_t block)
{
    double nll[ROWS], tokens[ROWS], mean = 0;
    struct arena *a = arena_new();

    for (int t = 0; t < TEXTS; t++) {
        struct rng_key text = {.seed = 7, .step = (uint32_t)t};
        const struct tested x = {.n = ROWS, .block = block,
                                 .sum = {nll, tokens}};
        struct outcomes o;
        size_t units;

        for (int i = 0; i < ROWS; i++) {
            tokens[i] = 1;
            nll[i] = sqrt(CORRELATION) *
                         rng_normal(text, (uint64_t)(ROWS + i / SHARED)) +
                     sqrt(1 - CORRELATION) * rng_normal(text, (uint64_t)i);
        }
        assert_int_equal(outcomes_open(&o, &x, "ce", metrics), OK);
        const double *u = outcomes_influence(&units, &o, a);
        assert_int_equal(units, block ? ROWS / block : ROWS);
        for (size_t i = 0; i < units; i++)
            mean += ROWS * u[i] * u[i] / TEXTS;
        outcomes_close(&o);
    }
    arena_free(a);
    return mean;
}

/* Returns the expected variance_of(block): 1 plus twice the sum, over lags, of
 * the covariances that a block includes. The mean covariance of two rows at a
 * lag is CORRELATION (1 - lag / SHARED). The share 1 - lag / block of these
 * pairs lies within one block. */
static double covariance(double block)
{
    double sum = 1;

    for (int lag = 1; lag < SHARED; lag++)
        sum += 2 * CORRELATION * (1 - lag / (double)SHARED) *
               (1 - lag / block);
    return sum;
}

static void blocks(void **state)
{
    double truth = 1 + (SHARED - 1) * CORRELATION;

    (void)state;
    assert_float_equal(covariance(INFINITY), truth, 1e-12);
    assert_float_equal(variance_of(0), 1, 0.03);
    assert_float_equal(variance_of(8), covariance(8), 0.06);
    assert_true(variance_of(8) > 0.8 * truth);
}

/* The last block may be shorter, but no row is lost. */
static void last_block(void **state)
{
    double nll[] = {3, 1, 4, 1, 5}, tokens[] = {2, 2, 2, 2, 1};
    const struct tested x = {.n = 5, .block = 2, .sum = {nll, tokens}};
    struct arena *a = arena_new();
    struct outcomes o;
    size_t units;

    (void)state;
    assert_int_equal(outcomes_open(&o, &x, "ce", metrics), OK);
    near("cross-entropy", outcomes_value(&o), 14.0 / 9);
    double left[] = {10.0 / 5, 9.0 / 5, 9.0 / 8};
    double mean = (left[0] + left[1] + left[2]) / 3;
    const double *u = outcomes_influence(&units, &o, a);
    assert_int_equal(units, 3);
    for (int i = 0; i < 3; i++)
        near("a block", u[i], sqrt(2 / 3.0) * (left[i] - mean));
    outcomes_close(&o);
    arena_free(a);
}

/* The stored value must equal that of the examples, up to rounding. */
static void held_against_examples(void **state)
{
    double nll[] = {3, 1}, tokens[] = {2, 2};
    const struct tested x = {.n = 2, .sum = {nll, tokens}};
    static const double off[] = {0.1, -0.1, 1e-3, 1e-5, -1e-5};
    struct outcomes o;

    (void)state;
    assert_int_equal(outcomes_open(&o, &x, "ce", metrics), OK);
    near("cross-entropy", outcomes_value(&o), 1);
    assert_int_equal(outcomes_check(&o, "id", "ce", 1), OK);
    assert_int_equal(outcomes_check(&o, "id", "ce", 1 + 1e-7), OK);
    for (size_t i = 0; i < sizeof off / sizeof *off; i++) {
        assert_int_equal(outcomes_check(&o, "id", "ce", 1 + off[i]), ERR_STORE);
        assert_non_null(strstr(err_last(), "its examples give 1: another"));
    }
    outcomes_close(&o);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        {"text metrics of all examples, and of those drawn, are the metrics' "
         "own", texts, NULL, NULL, NULL},
        {"so are GLUE's and SuperGLUE's scores, and their average",
         benchmarks, NULL, NULL, NULL},
        {"a subtask's score is found by its name; foreign answers are refused",
         parts, NULL, NULL, NULL},
        {"a stored value that its examples do not give is refused",
         held_against_examples, NULL, NULL, NULL},
        {"an example moves a text metric by what it is without it", moved_texts,
         NULL, NULL, NULL},
        {"... a benchmark's average in its subtask alone, by question",
         moved_benchmarks, NULL, NULL, NULL},
        {"what is no number without an example is not told by them",
         moved_nowhere, NULL, NULL, NULL},
        {"blocks of neighbours see what rows alone do not", blocks, NULL, NULL,
         NULL},
        {"the last block has the rows that are left", last_block, NULL, NULL,
         NULL},
        {"systems of other examples are refused", unlike, NULL, NULL, NULL},
        {"systems see the same draws every time", repeatable, NULL, NULL,
         NULL},
    };

    return cmocka_run_group_tests_name("outcomes", tests, NULL, NULL);
}
