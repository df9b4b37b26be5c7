#include "harness/base/err.h"
#include "harness/verify/metrics/vector_case.h"

extern const struct scorer scorer_nlgeval;

static int check(struct vector_case *c)
{
    OWNED(case_files_close) struct case_files files = {.refs = 0};
    OWNED(result_free) struct result *r = NULL;

    PASS(case_files_open(&files, c, "hyp.txt", "ref%d.txt", NULL));
    PASS(case_score(&r, c, &scorer_nlgeval, &files, NULL));
    PASS(case_equal(c, "corpus", json_object_get(c->expected, "corpus"),
                    json_object_get(result_tree(r), "corpus")));
    return case_equal(c, "per_segment",
                      json_object_get(c->expected, "per_segment"),
                      json_object_get(result_tree(r), "per_segment"));
}

const struct vectors vectors_nlgeval = {
    .folders = (const char *const[]){"nlgeval_overlap", NULL},
    .check = check,
};
