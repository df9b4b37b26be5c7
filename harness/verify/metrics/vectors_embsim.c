#include "harness/base/err.h"
#include "harness/base/str.h"
#include "harness/verify/metrics/vector_case.h"

#include <stdlib.h>

extern const struct scorer scorer_embsim;

static int check(struct vector_case *c)
{
    OWNED(case_files_close) struct case_files files = {.refs = 0};
    OWNED(result_free) struct result *r = NULL;
    OWNED(free) char *table = str_format("%s/embeddings.txt", c->path);
    OWNED(json_decref) json_t *options = json_pack("{s:s}", "embeddings",
                                                   table);
    const json_t *tolerance = json_object_get(c->expected, "tolerance_rel");

    if (tolerance)
        c->tolerance = json_number_value(tolerance);
    PASS(case_files_open(&files, c, "hyp.txt", "ref%d.txt", NULL));
    PASS(case_score(&r, c, &scorer_embsim, &files, options));
    return case_equal(c, "values", json_object_get(c->expected, "values"),
                      json_object_get(result_tree(r), "values"));
}

const struct vectors vectors_embsim = {
    .folders = (const char *const[]){"embsim", NULL},
    .check = check,
};
