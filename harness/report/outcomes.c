#include "harness/report/outcomes.h"

#include "harness/base/err.h"
#include "harness/report/measure.h"
#include "harness/store/cell.h"

#include <stdlib.h>

/* ---- metrics of two sums ---- */

static double ratio_of(const double *sums, const void *self)
{
    const struct measure *m = self;

    return m->of(sums[0] / sums[1]);
}

static int read_sums(struct outcomes *e, struct cell_reader *cell,
                     const struct measure *m)
{
    double *over = NULL, *under = NULL;
    size_t below;
    int rc;

    TRY(cell_get_array(cell, measure_path(m->over), &over, &e->n));
    TRY(cell_get_array(cell, measure_path(m->under), &under, &below));
    if (e->n != below || !e->n)
        TRY(err_set(ERR_STORE, "%zu values in %s, %zu in %s", e->n,
                    measure_path(m->over), below, measure_path(m->under)));
    e->columns = 2;
    e->x = malloc(2 * e->n * sizeof *e->x);
    REQUIRE(e->x, "out of memory: %zu examples", e->n);
    for (size_t i = 0; i < e->n; i++) {
        e->x[2 * i] = over[i];
        e->x[2 * i + 1] = under[i];
    }
out:
    free(over);
    free(under);
    return rc;
}

/* ---- metrics of text ---- */

static double text_of(const double *sums, const void *self)
{
    const struct outcomes *e = self;

    return e->text->of_sums(e->metric, sums);
}

static int read_text(struct outcomes *e, struct cell_reader *cell)
{
    char **hyp = NULL, **ref = NULL;
    size_t hyps = 0, refs = 0;
    int rc;

    TRY(cell_get_strings(cell, "examples/test/hypothesis", &hyp, &hyps));
    TRY(cell_get_strings(cell, "examples/test/reference", &ref, &refs));
    if (hyps != refs || !hyps)
        TRY(err_set(ERR_STORE, "%zu hypotheses, %zu references", hyps, refs));
    e->n = hyps;
    rc = e->text->segments(&e->x, &e->columns, e->metric, hyp, ref, hyps);
out:
    cell_free_strings(hyp, hyps);
    cell_free_strings(ref, refs);
    return rc;
}

/* ---- either ---- */

int outcomes_read(struct outcomes *out, struct cell_reader *cell,
                  const char *metric, const struct outcomes_text *text)
{
    const struct measure *m = measure_of(metric);
    int rc;

    *out = (struct outcomes){.metric = metric, .text = text};
    rc = m ? read_sums(out, cell, m) : read_text(out, cell);
    if (rc < 0)
        outcomes_close(out);
    return rc == ERR_EMPTY ? OK : rc;
}

void outcomes_close(struct outcomes *e)
{
    free(e->x);
    e->x = NULL;
}

struct paired_score outcomes_score(const struct outcomes *e)
{
    const struct measure *m = measure_of(e->metric);

    return m ? (struct paired_score){2, ratio_of, m}
             : (struct paired_score){e->columns, text_of, e};
}
