#include "harness/run/select_trial.h"

#include "harness/base/err.h"
#include "harness/config/tuning.h"
#include "harness/store/cell.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Sets *ce to the last value of the trial's validation curve, or to INFINITY if
 * it has diverged. */
static int loss_of(double *ce, const struct cell *trial, struct store *s)
{
    OWNED(cell_close) struct cell_reader *r = NULL;
    OWNED(free) double *x = NULL;
    struct cell_status now;
    size_t n;

    PASS(store_status(s, trial->id, &now));
    *ce = INFINITY;
    if (now.state == CELL_FAILED && !strcmp(now.class, "diverged"))
        return OK;
    PASS(cell_open(&r, store_path(s), trial->id));
    PASS(cell_get_array(r, "curves/valid/ce", &x, &n));
    if (!n || !isfinite(x[n - 1]))
        return err_set(ERR_STORE, "%s: trial %s has no validation loss",
                       store_path(s), trial->id);
    *ce = x[n - 1];
    return OK;
}

int select_trial(struct train_choice *out, struct config *c,
                 const struct cell *cell, struct store *s, struct arena *a)
{
    size_t n = (size_t)cell->trials;
    const char **id = arena_take(a, n * sizeof *id);
    double *ce = arena_take(a, n * sizeof *ce);
    int best = 0;

    REQUIRE(cell->trial, "%s has no trials", cell->id);
    for (int i = 0; i < cell->trials; i++) {
        id[i] = cell->trial[i]->id;
        PASS(loss_of(&ce[i], cell->trial[i], s));
        if (ce[i] < ce[best])
            best = i;
    }
    if (isinf(ce[best]))
        return err_set(ERR_DIVERGED, "all %d trials have diverged, so no "
                       "settings can be chosen", cell->trials);
    for (int i = 0; i < cell->trials; i++)
        ce[i] = isinf(ce[i]) ? NAN : ce[i];
    OWNED(free) char *values = tuning_values(&cell->config, best);
    *out = (struct train_choice){n, id, ce, arena_text(a, values)};
    *c = cell->config;
    return tuning_apply(c, best);
}
