#include "harness/report/trace.h"

#include "harness/base/err.h"
#include "harness/base/str.h"
#include "harness/store/cell.h"

#include <limits.h>
#include <stdlib.h>

int trace_read(struct trace *out, struct cell_reader *cell, const char *id,
               const char *group, const char *value)
{
    OWNED(free) char *steps = str_format("%s/step", group);
    OWNED(free) char *values = str_format("%s/%s", group, value);
    size_t n;

    *out = (struct trace){0};
    PASS(cell_get_array(cell, steps, &out->step, &out->n));
    PASS(cell_get_array(cell, values, &out->value, &n));
    if (n != out->n)
        return err_set(ERR_STORE, "cell %s: %s has %zu values for %zu steps",
                       id, values, n, out->n);
    for (size_t i = 0; i < n; i++)
        if (!(out->step[i] >= 0 && out->step[i] <= INT_MAX))
            return err_set(ERR_STORE, "cell %s: %s has %g", id, steps,
                           out->step[i]);
    return OK;
}

void trace_free(struct trace *t)
{
    free(t->step);
    free(t->value);
    *t = (struct trace){0};
}
