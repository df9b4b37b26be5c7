#include "harness/metrics/rouge.h"
#include "harness/metrics/vector_case.h"

#include "harness/base/err.h"
#include "harness/base/file.h"
#include "harness/base/str.h"

#include <stdlib.h>

extern const struct scorer scorer_rouge;

/* The file of tokens is there for some cases only. */
static int check_tokens(struct vector_case *c, const struct lines *text,
                        int stem)
{
    const char *name = stem ? "tok.stem.hyp.txt" : "tok.nostem.hyp.txt";
    char *path = str_format("%s/%s", c->path, name);
    int rc = OK, there = file_exists(path);
    struct rouge *r = rouge_new(stem);
    struct lines want = {0};

    free(path);
    if (!there)
        goto out;
    TRY(case_lines(c, &want, name));
    for (size_t i = 0; i < want.n && i < text->n; i++)
        TRY(case_equal_text(c, name, i, want.line[i],
                            rouge_words(r, text->line[i])));
out:
    lines_close(&want);
    rouge_free(r);
    return rc;
}

static int check(struct vector_case *c)
{
    struct case_files files = {.refs = 0};
    const json_t *run;
    size_t i;
    int rc;

    TRY(case_files_open(&files, c, "hyp.txt", "ref.txt", NULL));
    json_array_foreach(json_object_get(c->expected, "runs"), i, run)
        TRY(case_run(c, &scorer_rouge, &files, run, "runs", NULL));
    TRY(check_tokens(c, &files.hyp, 0));
    TRY(check_tokens(c, &files.hyp, 1));
out:
    case_files_close(&files);
    return rc;
}

const struct vectors vectors_rouge = {
    .folders = (const char *const[]){"rouge", NULL},
    .check = check,
};
