#include "harness/report/blind_baseline.h"

#include "harness/base/err.h"
#include "harness/stats/stats.h"

#include <stdlib.h>

static double sum(const double *x, size_t n)
{
    double all = 0;

    for (size_t i = 0; i < n; i++)
        all += x[i];
    return all;
}

static int read_unigram(struct blind_baseline *out, struct cell_reader *r)
{
    OWNED(free) double *nll = NULL, *tokens = NULL;
    size_t n, m;

    *out = (struct blind_baseline){.name = "the unigram model", .metric = "ce"};
    PASS(cell_get_array(r, "examples/test/unigram_nll", &nll, &n));
    PASS(cell_get_array(r, "examples/test/tokens", &tokens, &m));
    PASS(cell_get_metric(r, "ce", &out->own));
    out->value = sum(nll, n) / sum(tokens, m);
    out->worse = out->own > out->value;
    return OK;
}

/* Returns the share of the most frequent value in `x`, in percent.  Sorts
 * `x`. */
static double most_frequent(double *x, size_t n)
{
    size_t most = 0, same = 0;

    qsort(x, n, sizeof *x, stats_order);
    for (size_t i = 0; i < n; i++) {
        same = i > 0 && x[i] == x[i - 1] ? same + 1 : 1;
        most = same > most ? same : most;
    }
    return 100 * (double)most / (double)n;
}

static int read_majority(struct blind_baseline *out, struct cell_reader *r)
{
    OWNED(free) double *label = NULL;
    size_t n;

    *out = (struct blind_baseline){.name = "the most frequent label",
                          .metric = "accuracy"};
    PASS(cell_get_array(r, "examples/test/label", &label, &n));
    PASS(cell_get_metric(r, "accuracy", &out->own));
    out->value = most_frequent(label, n);
    out->worse = out->own < out->value;
    return OK;
}

int blind_read(struct blind_baseline *out, struct cell_reader *r)
{
    int rc = read_unigram(out, r);

    return rc == ERR_EMPTY ? read_majority(out, r) : rc;
}
