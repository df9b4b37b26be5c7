/*
 * Recomputes the values of GLUE and SuperGLUE in each resample from the drawn
 * units, which are questions with all their answers for MultiRC, else examples:
 *
 *   accuracy, EM, F1 of ReCoRD   means over the units
 *   F1, mcc, macro F1            from counts of pairs of labels (confusion.h)
 *   Pearson                      from sums of values, squares and products
 *   Spearman                     from ranks among the drawn units
 */
#include "harness/metrics/labels/benchmark.h"

#include "harness/base/arena.h"
#include "harness/base/err.h"
#include "harness/base/map.h"
#include "harness/metrics/gathered.h"
#include "harness/metrics/labels/confusion.h"
#include "harness/stats/stats.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A value of a scorer, and how its stratum is filled from the answers. */
struct kind {
    const char *scorer, *key;
    void (*fill)(struct stratum *s, const struct gathered *g,
                 const struct kind *k);
    /* Number of labels in the confusion matrix, which has one row for each
     * correct label and one column for each predicted label, after a column for
     * answers that are not a label. */
    size_t labels;
    double (*of)(const struct confusion *c);
};

/* ---- scores of sums ---- */

static double percent(double x) { return isnan(x) ? 0 : 100 * x; }

static double of_mean(const struct stratum *s, const double *sum)
{
    (void)s;
    return percent(sum[0] / sum[1]);
}

static double of_counts(const struct stratum *s, const double *sum)
{
    const struct kind *k = s->self;
    long label[] = {-1, 0, 1, 2}, count[4 * 4] = {0};
    size_t n = k->labels + 1;

    for (size_t i = 0; i < s->columns; i++)
        count[n + i] = lround(sum[i]);
    return percent(k->of(&(struct confusion){n, label, count}));
}

/* Returns the correlation of n pairs (x, y) from the sums of x, y, x^2, y^2 and
 * x y.  A variance that is only the rounding error of equal values counts as
 * 0. */
static double correlation(double n, const double sum[5])
{
    double xx = n * sum[2] - sum[0] * sum[0], yy = n * sum[3] - sum[1] * sum[1];
    int flat = !(xx > 1e-12 * n * sum[2]) || !(yy > 1e-12 * n * sum[3]);

    return flat ? 0 : percent((n * sum[4] - sum[0] * sum[1]) / sqrt(xx * yy));
}

static double of_pearson(const struct stratum *s, const double *sum)
{
    return correlation((double)s->n, sum);
}

/* Returns, for each class, the mean rank of its values among the drawn units,
 * minus the mean of all ranks.  s->x holds the classes of the answers (`side`
 * 0) and of the references (`side` 1), as set by classify(). */
static double *class_ranks(const struct stratum *s, const uint32_t *drawn,
                           int side)
{
    double *rank = calloc(s->n + 1, sizeof *rank), below = 0;

    for (size_t i = 0; i < s->n; i++)
        rank[(size_t)s->x[2 * drawn[i] + (size_t)side]]++;
    /* if one of n + 1 units is left out, the others have classes up to n */
    for (size_t k = 0; k <= s->n; k++) {
        double many = rank[k];

        rank[k] = below + (many + 1) / 2 - ((double)s->n + 1) / 2;
        below += many;
    }
    return rank;
}

static double of_ranks(const struct stratum *s, const uint32_t *drawn)
{
    OWNED(free) double *a = class_ranks(s, drawn, 0);
    OWNED(free) double *b = class_ranks(s, drawn, 1);
    double sum[5] = {0};

    for (size_t i = 0; i < s->n; i++) {
        double x = a[(size_t)s->x[2 * drawn[i]]];
        double y = b[(size_t)s->x[2 * drawn[i] + 1]];

        sum[0] += x;
        sum[1] += y;
        sum[2] += x * x;
        sum[3] += y * y;
        sum[4] += x * y;
    }
    return correlation((double)s->n, sum);
}

/* ---- statistics of examples ---- */

static long label_at(const struct lines *l, size_t i)
{
    return strtol(l->line[i], NULL, 10);
}

/* Returns the index of each line's unit and sets *units to the number of units.
 * A unit is a group of lines, or one line if there are no groups; units are
 * numbered in the order of their first lines.  The caller frees the result. */
static size_t *units_of(size_t *units, const struct gathered *g)
{
    OWNED(map_free) struct map *names = map_new();
    size_t *of = malloc((g->hyp.n + 1) * sizeof *of);

    for (size_t i = 0; i < g->hyp.n; i++)
        of[i] = g->groups.n ? (size_t)map_number(names, g->groups.line[i],
                                                 strlen(g->groups.line[i]))
                            : i;
    *units = g->groups.n ? (size_t)map_count(names) : g->hyp.n;
    return of;
}

/* A unit is correct if all its lines are correct. */
static void fill_exact(struct stratum *s, const struct gathered *g,
                       const struct kind *k)
{
    size_t units;
    OWNED(free) size_t *of = units_of(&units, g);

    (void)k;
    stratum_open(s, units, 2);
    s->of_sums = of_mean;
    for (size_t i = 0; i < 2 * units; i++)
        s->x[i] = 1;
    for (size_t i = 0; i < g->hyp.n; i++)
        if (label_at(&g->hyp, i) != label_at(&g->ref, i))
            s->x[2 * of[i]] = 0;
}

static void fill_counts(struct stratum *s, const struct gathered *g,
                        const struct kind *k)
{
    size_t units, wide = k->labels + 1;
    OWNED(free) size_t *of = units_of(&units, g);

    stratum_open(s, units, k->labels * wide);
    s->of_sums = of_counts;
    s->self = k;
    for (size_t i = 0; i < g->hyp.n; i++) {
        size_t row = (size_t)label_at(&g->ref, i);

        s->x[of[i] * s->columns + row * wide +
             (size_t)(label_at(&g->hyp, i) + 1)]++;
    }
}

static void fill_marks(struct stratum *s, const struct gathered *g,
                       const struct kind *k)
{
    int exact = !strcmp(k->key, "exact_match");
    OWNED(arena_free) struct arena *a = arena_new();
    struct score_input in = {.hyp = &g->hyp, .ref = {&g->ref}, .refs = 1};
    OWNED(free) struct record_mark *m = malloc((g->ref.n + 1) * sizeof *m);
    int rc = record_marks(m, &in, a);

    REQUIRE(rc == OK, "%s", err_last()); /* the lines are valid by
                                            construction */
    stratum_open(s, g->ref.n, 2);
    s->of_sums = of_mean;
    for (size_t i = 0; i < s->n; i++) {
        s->x[2 * i] = exact ? m[i].exact : m[i].f1;
        s->x[2 * i + 1] = 1;
    }
}

/* Returns the values of the answers (`side` 0) or of the references (`side` 1),
 * minus their mean. */
static double *values(const struct gathered *g, int side)
{
    const struct lines *l = side ? &g->ref : &g->hyp;
    double *x = malloc((l->n + 1) * sizeof *x), mean = 0;

    for (size_t i = 0; i < l->n; i++) {
        x[i] = strtod(l->line[i], NULL);
        mean += x[i] / (double)l->n;
    }
    for (size_t i = 0; i < l->n; i++)
        x[i] -= mean;
    return x;
}

static void fill_pearson(struct stratum *s, const struct gathered *g,
                         const struct kind *k)
{
    OWNED(free) double *a = values(g, 0), *b = values(g, 1);

    (void)k;
    stratum_open(s, g->hyp.n, 5);
    s->of_sums = of_pearson;
    for (size_t i = 0; i < s->n; i++) {
        const double row[5] = {a[i], b[i], a[i] * a[i], b[i] * b[i],
                               a[i] * b[i]};

        memcpy(s->x + 5 * i, row, sizeof row);
    }
}

/* Sets out[2 * i] to the class of x[i], a whole number from 0 on.  Equal values
 * have the same class; a greater value has a greater class. */
static void classify(double *out, const double *x, size_t n)
{
    OWNED(free) double *rank = malloc((n + 1) * sizeof *rank);

    stats_ranks(rank, x, n);
    for (size_t i = 0; i < n; i++)
        out[2 * i] = floor(rank[i]) - 1;
}

static void fill_spearman(struct stratum *s, const struct gathered *g,
                          const struct kind *k)
{
    OWNED(free) double *a = values(g, 0), *b = values(g, 1);

    (void)k;
    stratum_open(s, g->hyp.n, 2);
    s->of_drawn = of_ranks;
    classify(s->x, a, s->n);
    classify(s->x + 1, b, s->n);
}

/* ---- all kinds ---- */

static const struct kind kinds[] = {
    {"accuracy", "score", fill_exact, 0, NULL},
    {"acc_f1", "accuracy", fill_exact, 0, NULL},
    {"cb", "accuracy", fill_exact, 0, NULL},
    {"multirc", "exact_match", fill_exact, 0, NULL},
    {"acc_f1", "f1", fill_counts, 2, confusion_f1},
    {"multirc", "f1_a", fill_counts, 2, confusion_f1},
    {"mcc", "score", fill_counts, 2, confusion_mcc},
    {"cb", "f1", fill_counts, 3, confusion_macro_f1},
    {"record", "f1", fill_marks, 0, NULL},
    {"record", "exact_match", fill_marks, 0, NULL},
    {"stsb", "pearson", fill_pearson, 0, NULL},
    {"stsb", "spearmanr", fill_spearman, 0, NULL},
};

static void fill(struct stratum *s, const struct gathered *g,
                 const char *scorer, const char *key)
{
    size_t k = 0, n = sizeof kinds / sizeof *kinds;

    while (k < n && (strcmp(kinds[k].scorer, scorer) ||
                     strcmp(kinds[k].key, key)))
        k++;
    REQUIRE(k < n, "no resampling method for %s of %s", key, scorer);
    kinds[k].fill(s, g, &kinds[k]);
}

int benchmark_strata(struct stratum *out, const struct benchmark_subtask *t,
                     const struct gathered *g)
{
    int n = 0;

    for (; n < 2 && t->value[n].key; n++) {
        out[n] = (struct stratum){.n = 0};
        snprintf(out[n].name, sizeof out->name, "%s_%s", t->task,
                 t->value[n].metric);
        fill(&out[n], g, t->scorer->name, t->value[n].key);
    }
    return n;
}
