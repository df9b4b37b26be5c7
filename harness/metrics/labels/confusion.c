/*
 * Let n_kk be how often label k is correctly predicted.  Let t_k be the sum of
 * row k of the counts (k is correct), and p_k the sum of column k (k is
 * predicted).  Let c be the sum of all n_kk, and s the sum of all counts:
 *
 *   accuracy  c / s
 *   F1 of k   2 n_kk / (t_k + p_k)
 *   mcc       (c s - sum t_k p_k) / sqrt((s^2 - sum p_k^2)(s^2 - sum t_k^2))
 *             (Gorodkin, 2004: Matthews' correlation for any number of labels)
 */
#include "harness/metrics/labels/confusion.h"

#include "harness/base/err.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int rising(const void *a, const void *b)
{
    long x = *(const long *)a, y = *(const long *)b;

    return (x > y) - (x < y);
}

/* Returns the distinct labels of `a` and `b`, sorted, and sets *kinds to their
 * number. */
static long *union_of(const long *a, const long *b, size_t n, size_t *kinds)
{
    long *all = calloc(2 * n + 1, sizeof *all);

    memcpy(all, a, n * sizeof *all);
    memcpy(all + n, b, n * sizeof *all);
    qsort(all, 2 * n, sizeof *all, rising);
    *kinds = 0;
    for (size_t i = 0; i < 2 * n; i++)
        if (i == 0 || all[i] != all[i - 1])
            all[(*kinds)++] = all[i];
    return all;
}

static size_t index_of(const struct confusion *c, long label)
{
    const long *at = bsearch(&label, c->label, c->n, sizeof *at, rising);

    return at ? (size_t)(at - c->label) : c->n;
}

int confusion_make(struct confusion *out, const long *gold, const long *pred,
                   size_t n)
{
    struct confusion c = {.n = 0};

    *out = c;
    c.label = union_of(gold, pred, n, &c.n);
    if (c.n > CONFUSION_LABELS) {
        free(c.label);
        return err_set(ERR_USAGE, "%zu different labels, but at most %d are "
                       "supported; check that they are not scores", c.n,
                       CONFUSION_LABELS);
    }
    c.count = calloc(c.n * c.n + 1, sizeof *c.count);
    for (size_t i = 0; i < n; i++)
        c.count[index_of(&c, gold[i]) * c.n + index_of(&c, pred[i])]++;
    *out = c;
    return OK;
}

void confusion_free(struct confusion *c)
{
    free(c->label);
    free(c->count);
    *c = (struct confusion){.n = 0};
}

static int read_labels(long *out, const struct lines *l, int binary)
{
    for (size_t i = 0; i < l->n; i++) {
        PASS(lines_integer(&out[i], l, i));
        if (binary && out[i] != 0 && out[i] != 1)
            PASS(lines_bad(l, i, "label %ld: expected 0 or 1", out[i]));
    }
    return OK;
}

int confusion_labels(long *pred, long *gold, const struct score_input *in,
                     int binary)
{
    PASS(read_labels(pred, in->hyp, binary));
    return read_labels(gold, in->ref[0], binary);
}

/* ---- scores ---- */

static double gold_total(const struct confusion *c, size_t k)
{
    double sum = 0;

    for (size_t j = 0; j < c->n; j++)
        sum += (double)c->count[k * c->n + j];
    return sum;
}

static double guessed_total(const struct confusion *c, size_t k)
{
    double sum = 0;

    for (size_t i = 0; i < c->n; i++)
        sum += (double)c->count[i * c->n + k];
    return sum;
}

static double right(const struct confusion *c, size_t k)
{
    return (double)c->count[k * c->n + k];
}

double confusion_accuracy(const struct confusion *c)
{
    double hits = 0, all = 0;

    for (size_t k = 0; k < c->n; k++) {
        hits += right(c, k);
        all += gold_total(c, k);
    }
    return hits / all;
}

static double f1(const struct confusion *c, size_t k)
{
    double both = gold_total(c, k) + guessed_total(c, k);

    return both > 0 ? 2 * right(c, k) / both : 0;
}

double confusion_f1(const struct confusion *c)
{
    size_t k = index_of(c, 1);

    return k < c->n ? f1(c, k) : 0;
}

double confusion_macro_f1(const struct confusion *c)
{
    double sum = 0, seen = 0;

    for (size_t k = 0; k < c->n; k++) {
        if (c->label[k] < 0)
            continue;
        sum += f1(c, k);
        seen += gold_total(c, k) + guessed_total(c, k) > 0;
    }
    return sum / seen;
}

double confusion_mcc(const struct confusion *c)
{
    double hits = 0, s = 0, tp = 0, tt = 0, pp = 0;

    for (size_t k = 0; k < c->n; k++) {
        double t = gold_total(c, k), p = guessed_total(c, k);

        hits += right(c, k);
        s += t;
        tp += t * p;
        tt += t * t;
        pp += p * p;
    }
    double var = (s * s - pp) * (s * s - tt);
    return var > 0 ? (hits * s - tp) / sqrt(var) : 0;
}
