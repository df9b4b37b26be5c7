/* vectors: chrF and TER of sacreBLEU. */
#include "harness/verify/metrics/vector_case.h"

#include "harness/base/err.h"
#include "harness/metrics/bleu/ter.h"

extern const struct scorer scorer_chrf, scorer_ter;

/* expected[KEY] against what the scorer says of each segment. */
static int check_sentences(struct vector_case *c, const struct scorer *s,
                           const struct case_files *f, const char *key,
                           const char *field, int word_order)
{
    OWNED(json_decref) json_t *options = json_pack("{s:b}", "sentence_level",
                                                   1);
    const json_t *want = json_object_get(c->expected, key);
    OWNED(result_free) struct result *r = NULL;

    if (!want)
        return OK;
    if (word_order)
        json_object_set_new(options, "word_order", json_integer(word_order));
    PASS(case_score(&r, c, s, f, options));
    PASS(case_equal(c, key, want, json_object_get(result_tree(r), field)));
    return OK;
}

static int check_chrf(struct vector_case *c)
{
    OWNED(case_files_close) struct case_files f = {.refs = 0};

    PASS(case_files_open(&f, c, "hyp.txt", "ref%d.txt", NULL));
    PASS(case_runs(c, &scorer_chrf, &f));
    PASS(check_sentences(c, &scorer_chrf, &f, "sentence_chrf2", "scores", 0));
    return check_sentences(c, &scorer_chrf, &f, "sentence_chrf2pp", "scores",
                           2);
}

static char *cut(const void *form, const char *line)
{
    return ter_tokenize(line, form);
}

static int check_tokens(struct vector_case *c, const char *name,
                        const struct ter_form *form)
{
    return case_has(c, name) ? case_texts(c, "hyp.txt", name, cut, form) : OK;
}

static int check_ter(struct vector_case *c)
{
    static const struct ter_form norm = {.normalized = 1},
        asian = {.normalized = 1, .no_punct = 1, .asian_support = 1};
    OWNED(case_files_close) struct case_files f = {.refs = 0};

    PASS(case_files_open(&f, c, "hyp.txt", "ref%d.txt", NULL));
    PASS(check_tokens(c, "tok.norm.hyp.txt", &norm));
    PASS(check_tokens(c, "tok.norm_asian_nopunct.hyp.txt", &asian));
    PASS(case_runs(c, &scorer_ter, &f));
    return check_sentences(c, &scorer_ter, &f, "sentence_default", "sentences",
                           0);
}

const struct vectors vectors_chrf = {
    .folders = (const char *const[]){"chrf", NULL}, .check = check_chrf};

const struct vectors vectors_ter = {
    .folders = (const char *const[]){"ter", NULL}, .check = check_ter};
