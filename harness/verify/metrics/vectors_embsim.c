#include "harness/base/err.h"
#include "harness/base/str.h"
#include "harness/verify/metrics/vector_case.h"

#include <stdlib.h>

extern const struct scorer scorer_embsim;

static int check(struct vector_case *c)
{
    struct case_files files = {.refs = 0};
    struct result *r = NULL;
    char *table = str_format("%s/embeddings.txt", c->path);
    json_t *options = json_pack("{s:s}", "embeddings", table);
    const json_t *tolerance = json_object_get(c->expected, "tolerance_rel");
    int rc;

    if (tolerance)
        c->tolerance = json_number_value(tolerance);
    TRY(case_files_open(&files, c, "hyp.txt", "ref%d.txt", NULL));
    TRY(case_score(&r, c, &scorer_embsim, &files, options));
    TRY(case_equal(c, "values", json_object_get(c->expected, "values"),
                   json_object_get(result_tree(r), "values")));
out:
    result_free(r);
    case_files_close(&files);
    json_decref(options);
    free(table);
    return rc;
}

const struct vectors vectors_embsim = {
    .folders = (const char *const[]){"embsim", NULL},
    .check = check,
};
