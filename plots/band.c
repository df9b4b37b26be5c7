#include "plots/band.h"

#include "harness/base/array.h"

#include <math.h>
#include <stdlib.h>

/* Returns the mean over those points from i - `half` to i + `half` that exist
 * and are finite, or NAN if point i is not finite. */
static double moving_mean(const struct trace *t, size_t i, size_t half)
{
    size_t from = i > half ? i - half : 0;
    size_t to = i + half + 1 < t->n ? i + half + 1 : t->n;
    double sum = 0, count = 0;

    if (!isfinite(t->value[i]))
        return NAN;
    for (size_t j = from; j < to; j++) {
        sum += isfinite(t->value[j]) ? t->value[j] : 0;
        count += isfinite(t->value[j]);
    }
    return sum / count;
}

void band_trace(struct band *b, band_test *is, struct picture *p,
                const struct column *columns, struct band_point row,
                const struct trace *t, size_t half)
{
    row.seeds = 1;
    for (size_t i = 0; i < t->n; i++) {
        row.step = (int)t->step[i];
        row.value = t->value[i];
        row.smooth = moving_mean(t, i, half);
        row.low = row.high = NAN;
        picture_row(p, columns, &row);
        if (!b || !isfinite(row.smooth) || !is(row.smooth))
            continue;
        row.low = row.high = row.smooth;
        ARRAY_ROOM(b->point, b->n, b->room);
        b->point[b->n++] = row;
    }
}

static int by_step(const void *a, const void *b)
{
    return ((const struct band_point *)a)->step -
           ((const struct band_point *)b)->step;
}

static void add_point(struct band_point *to, const struct band_point *p)
{
    to->value += p->value;
    to->smooth += p->smooth;
    to->low = fmin(to->low, p->low);
    to->high = fmax(to->high, p->high);
    to->seeds += p->seeds;
}

static void combine(struct band *b)
{
    size_t n = 0;

    qsort(b->point, b->n, sizeof *b->point, by_step);
    for (size_t i = 1; i < b->n; i++) {
        if (b->point[i].step == b->point[n].step)
            add_point(&b->point[n], &b->point[i]);
        else
            b->point[++n] = b->point[i];
    }
    b->n = n + 1;
    for (size_t i = 0; i < b->n; i++) {
        b->point[i].value /= b->point[i].seeds;
        b->point[i].smooth /= b->point[i].seeds;
        b->point[i].seed = "-";
    }
}

int band_put(struct band *b, struct chart_panel *a, double early,
             struct picture *p, const struct column *columns)
{
    if (!b->n)
        return CHART_NO_BLOCK;
    combine(b);
    int block = picture_block(p), last = b->point[b->n - 1].step;
    a->most = fmax(a->most, last);
    for (const struct band_point *x = b->point; x < b->point + b->n; x++) {
        picture_row(p, columns, x);
        a->low = fmin(a->low, x->low);
        if (x->step >= early * last)
            a->high = fmax(a->high, x->high);
    }
    return block;
}

void band_free(struct band *b)
{
    free(b->point);
    *b = (struct band){0};
}
