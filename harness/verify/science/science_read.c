#include "harness/verify/science/science.h"

#include "harness/base/err.h"
#include "harness/store/cell.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int read_array(const double **out, size_t *n, struct cell_reader *cell,
                      const char *path, struct arena *a)
{
    double *x;
    int rc = cell_get_array(cell, path, &x, n);

    if (rc < 0)
        return rc;
    double *kept = arena_take(a, (*n + 1) * sizeof *kept);
    memcpy(kept, x, *n * sizeof *kept);
    free(x);
    *out = kept;
    return OK;
}

int science_read(struct science_run *r, const char *store, const char *id,
                 struct arena *a)
{
    struct cell_reader *cell = NULL;
    const double *valid;
    size_t n[5];
    int rc;

    TRY(cell_open(&cell, store, id));
    TRY(read_array(&r->nll, &n[0], cell, "examples/test/nll", a));
    TRY(read_array(&r->own, &n[1], cell, "examples/test/own_nll", a));
    TRY(read_array(&r->tokens, &n[2], cell, "examples/test/tokens", a));
    TRY(read_array(&r->hits, &n[3], cell, "examples/test/hits", a));
    TRY(read_array(&valid, &n[4], cell, "curves/valid/ce", a));
    for (int i = 1; i < 4; i++)
        if (n[i] != n[0])
            TRY(err_set(ERR_STORE, "%zu losses, but %zu of something else",
                        n[0], n[i]));
    r->n = n[0];
    r->valid = n[4] ? valid[n[4] - 1] : NAN;
out:
    cell_close(cell);
    return rc < 0 ? err_wrap(ERR_STORE, "cell %s", id) : OK;
}
