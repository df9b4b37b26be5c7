#include "harness/verify/metrics/vectors.h"

#include "harness/base/err.h"
#include "harness/base/str.h"
#include "harness/verify/metrics/vector_case.h"

#include <stdlib.h>
#include <string.h>

static int read_expected(struct vector_case *c)
{
    char *path = str_format("%s/expected.json", c->path);
    json_error_t why;
    int rc = OK;

    c->expected = json_load_file(path, JSON_REJECT_DUPLICATES, &why);
    if (!c->expected)
        rc = err_set(ERR_DATA, "%s:%d: %s", path, why.line, why.text);
    free(path);
    return rc;
}

void vectors_run(struct vector_outcome *out, const struct vectors *v,
                 const char *path, const char *data)
{
    struct vector_case c = {.path = path, .data = data, .tolerance = 1e-9};
    int rc;

    *out = (struct vector_outcome){.verdict = OK};
    TRY(read_expected(&c));
    TRY(v->check(&c));
    if (!c.compared && !c.skipped)
        TRY(err_set(CASE_MISMATCH, "%s: nothing was compared", path));
out:
    if (rc < 0) {
        out->verdict = rc == CASE_SKIPPED ? CASE_SKIPPED : CASE_MISMATCH;
        out->message = rc == CASE_MISMATCH && c.mismatch
                           ? str_copy(c.mismatch) : str_copy(err_last());
        free(c.skipped);
    } else if (c.skipped) {
        out->verdict = CASE_SKIPPED;
        out->message = c.skipped;
    }
    free(c.mismatch);
    out->compared = c.compared;
    json_decref(c.expected);
}
