/* vectors: chrF and TER of sacreBLEU. */
#include "harness/metrics/vector_case.h"

#include "harness/base/err.h"
#include "harness/base/file.h"
#include "harness/base/str.h"
#include "harness/metrics/ter.h"

#include <stdio.h>
#include <stdlib.h>

extern const struct scorer scorer_chrf, scorer_ter;

static int check_runs(struct vector_case *c, const struct scorer *s,
                      const struct case_files *f)
{
    json_t *run, *runs = json_object_get(c->expected, "runs");
    size_t i;
    int rc = OK;

    json_array_foreach(runs, i, run) {
        char where[32];

        snprintf(where, sizeof where, "runs[%zu]", i);
        TRY(case_run(c, s, f, run, where, NULL));
    }
out:
    return rc;
}

/* expected[KEY] against what the scorer says of each segment. */
static int check_sentences(struct vector_case *c, const struct scorer *s,
                           const struct case_files *f, const char *key,
                           const char *field, int word_order)
{
    json_t *options = json_pack("{s:b}", "sentence_level", 1);
    const json_t *want = json_object_get(c->expected, key);
    struct result *r = NULL;
    int rc = OK;

    if (!want)
        goto out;
    if (word_order)
        json_object_set_new(options, "word_order", json_integer(word_order));
    TRY(case_score(&r, c, s, f, options));
    TRY(case_equal(c, key, want, json_object_get(result_tree(r), field)));
out:
    json_decref(options);
    result_free(r);
    return rc;
}

static int check_chrf(struct vector_case *c)
{
    struct case_files f;
    int rc;

    TRY(case_files_open(&f, c, "hyp.txt", "ref%d.txt", NULL));
    TRY(check_runs(c, &scorer_chrf, &f));
    TRY(check_sentences(c, &scorer_chrf, &f, "sentence_chrf2", "scores", 0));
    TRY(check_sentences(c, &scorer_chrf, &f, "sentence_chrf2pp", "scores", 2));
out:
    case_files_close(&f);
    return rc;
}

/* hyp.txt, tokenised, is NAME line by line. */
static int check_tokens(struct vector_case *c, const struct lines *hyp,
                        const char *name, const struct ter_form *form)
{
    char *path = str_format("%s/%s", c->path, name);
    struct lines want = {0};
    int rc = OK, there = file_exists(path);

    free(path);
    if (!there)
        return OK;
    TRY(case_lines(c, &want, name));
    if (hyp->n != want.n)
        TRY(err_set(CASE_MISMATCH, "%s: %zu lines in hyp.txt, %zu in %s",
                    c->path, hyp->n, want.n, name));
    for (size_t i = 0; i < hyp->n; i++) {
        char *got = ter_tokenize(hyp->line[i], form);

        rc = case_equal_text(c, name, i, want.line[i], got);
        free(got);
        TRY(rc);
    }
out:
    lines_close(&want);
    return rc;
}

static int check_ter(struct vector_case *c)
{
    static const struct ter_form norm = {.normalized = 1},
        asian = {.normalized = 1, .no_punct = 1, .asian_support = 1};
    struct case_files f;
    int rc;

    TRY(case_files_open(&f, c, "hyp.txt", "ref%d.txt", NULL));
    TRY(check_tokens(c, &f.hyp, "tok.norm.hyp.txt", &norm));
    TRY(check_tokens(c, &f.hyp, "tok.norm_asian_nopunct.hyp.txt", &asian));
    TRY(check_runs(c, &scorer_ter, &f));
    TRY(check_sentences(c, &scorer_ter, &f, "sentence_default", "sentences",
                        0));
out:
    case_files_close(&f);
    return rc;
}

const struct vectors vectors_chrf = {
    .folders = (const char *const[]){"chrf", NULL}, .check = check_chrf};

const struct vectors vectors_ter = {
    .folders = (const char *const[]){"ter", NULL}, .check = check_ter};
