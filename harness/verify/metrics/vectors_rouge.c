/* vectors: ROUGE, and the words that it sees. */
#include "harness/metrics/rouge/rouge.h"
#include "harness/verify/metrics/vector_case.h"

#include "harness/base/err.h"
#include "harness/base/str.h"

extern const struct scorer scorer_rouge;

static char *words(const void *with, const char *line)
{
    struct rouge *r = rouge_new(*(const int *)with);
    char *s = str_copy(rouge_words(r, line));

    rouge_free(r);
    return s;
}

static int check_words(struct vector_case *c, const char *name, int stem)
{
    if (!case_has(c, name))
        return OK;
    return case_texts(c, "hyp.txt", name, words, &stem);
}

static int check(struct vector_case *c)
{
    OWNED(case_files_close) struct case_files files = {.refs = 0};

    PASS(case_files_open(&files, c, "hyp.txt", "ref.txt", NULL));
    PASS(case_runs(c, &scorer_rouge, &files));
    PASS(check_words(c, "tok.nostem.hyp.txt", 0));
    return check_words(c, "tok.stem.hyp.txt", 1);
}

const struct vectors vectors_rouge = {
    .folders = (const char *const[]){"rouge", NULL},
    .check = check,
};
