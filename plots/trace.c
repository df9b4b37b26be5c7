#include "plots/trace.h"

#include "harness/base/err.h"
#include "harness/store/cell.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static int check_steps(const struct trace *t, const char *id, const char *path)
{
    for (size_t i = 0; i < t->n; i++)
        if (!(t->step[i] >= 0 && t->step[i] <= INT_MAX))
            return err_set(ERR_STORE, "cell %s: %s has %g", id, path,
                           t->step[i]);
    return OK;
}

int trace_read(struct trace *t, struct cell_reader *cell, const char *id,
               const char *curve, const char *value)
{
    char path[64];
    size_t values;

    *t = (struct trace){0};
    snprintf(path, sizeof path, "curves/%s/step", curve);
    PASS(cell_get_array(cell, path, &t->step, &t->n));
    PASS(check_steps(t, id, path));
    snprintf(path, sizeof path, "curves/%s/%s", curve, value);
    PASS(cell_get_array(cell, path, &t->value, &values));
    if (values != t->n)
        return err_set(ERR_STORE, "cell %s: %s has %zu values for %zu steps",
                       id, path, values, t->n);
    return OK;
}

void trace_free(struct trace *t)
{
    free(t->step);
    free(t->value);
    *t = (struct trace){0};
}

double trace_mean(const struct trace *t, size_t i, size_t half)
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

double trace_last(const struct trace *t)
{
    double last = t->n ? t->value[t->n - 1] : NAN;

    return t->n && isnan(last) ? INFINITY : last;
}
