#include "harness/base/err.h"
#include "harness/verify/metrics/vector_case.h"

extern const struct scorer scorer_nlgeval;

static int check(struct vector_case *c)
{
    struct case_files files = {.refs = 0};
    struct result *r = NULL;
    int rc;

    TRY(case_files_open(&files, c, "hyp.txt", "ref%d.txt", NULL));
    TRY(case_score(&r, c, &scorer_nlgeval, &files, NULL));
    TRY(case_equal(c, "corpus", json_object_get(c->expected, "corpus"),
                   json_object_get(result_tree(r), "corpus")));
    TRY(case_equal(c, "per_segment",
                   json_object_get(c->expected, "per_segment"),
                   json_object_get(result_tree(r), "per_segment")));
out:
    result_free(r);
    case_files_close(&files);
    return rc;
}

const struct vectors vectors_nlgeval = {
    .folders = (const char *const[]){"nlgeval_overlap", NULL},
    .check = check,
};
