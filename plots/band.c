#include "plots/band.h"

#include "harness/base/array.h"

#include <math.h>
#include <stdlib.h>

void band_add(struct band *b, double step, double value, double smooth)
{
    if (!isfinite(value) || !isfinite(smooth))
        return;
    ARRAY_ROOM(b->point, b->n, b->room);
    b->point[b->n++] = (struct band_point){step, value, smooth, smooth, smooth,
                                           1};
}

static int by_step(const void *a, const void *b)
{
    double x = ((const struct band_point *)a)->step;
    double y = ((const struct band_point *)b)->step;

    return (x > y) - (x < y);
}

static void add_point(struct band_point *to, const struct band_point *p)
{
    to->value += p->value;
    to->smooth += p->smooth;
    to->low = fmin(to->low, p->low);
    to->high = fmax(to->high, p->high);
    to->seeds += p->seeds;
}

void band_close(struct band *b)
{
    size_t n = 0;

    if (!b->n)
        return;
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
    }
}

void band_free(struct band *b)
{
    free(b->point);
    *b = (struct band){0};
}
