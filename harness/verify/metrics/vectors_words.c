/* vectors_words: checks ROUGE and its tokens, stems of words (one per line of
 * the vector), metrics of word vectors, and correlations.  The table of
 * vectors.c lists the checks. */
#include "harness/verify/metrics/vector_case.h"

#include "harness/base/err.h"
#include "harness/base/str.h"
#include "harness/base/text.h"
#include "harness/metrics/rouge/rouge.h"
#include "harness/metrics/stem.h"

#include <stdlib.h>
#include <string.h>

static char *words(const void *with, const char *line)
{
    struct rouge *r = rouge_new(with != NULL, 0, NULL);
    char *s = str_copy(rouge_words(r, line));

    rouge_free(r);
    return s;
}

int vectors_rouge(struct vector_case *c)
{
    PASS(case_runs(c));
    PASS(case_tokens(c, "hyp.txt", "tok.nostem.hyp.txt", words, NULL));
    return case_tokens(c, "hyp.txt", "tok.stem.hyp.txt", words, "stem");
}

static char *porter(const void *with, const char *word)
{
    struct text t = {0};

    (void)with;
    text_lower(&t, word, strlen(word));
    t.s[stem_porter(t.s, t.n)] = 0;
    return t.s;
}

int vectors_porter(struct vector_case *c)
{
    return case_texts(c, "words.txt", "stems.txt", porter, NULL);
}

static char *snowball(const void *with, const char *word)
{
    struct snowball *const *s = with;

    return str_copy(snowball_stem(*s, word, strlen(word)));
}

int vectors_snowball(struct vector_case *c)
{
    struct snowball *s = snowball_new();
    int rc = case_texts(c, "words.txt", "stems.txt", snowball, &s);

    snowball_free(s);
    return rc;
}

int vectors_embsim(struct vector_case *c)
{
    OWNED(free) char *table = str_format("%s/embeddings.txt", c->path);
    const json_t *tolerance = json_object_get(c->expected, "tolerance_rel");

    if (tolerance)
        c->tolerance = json_number_value(tolerance);
    json_t *options = json_object();

    json_object_set_new(options, "embeddings", json_string(table));
    json_object_set_new(c->expected, "options", options);
    return case_whole(c);
}

/* In single precision, the sums of the reference tool are rounded, too, so the
 * tolerance is larger. */
int vectors_stsb(struct vector_case *c)
{
    static const char *const single[] = {"pearson_float32_inputs_as_in_hf",
                                         "spearmanr_float32_inputs_as_in_hf"};
    json_t *values = json_object_get(c->expected, "values");
    OWNED(json_decref) json_t *rounded = json_object();

    for (int i = 0; i < 2; i++) {
        json_object_set(rounded, single[i],
                        json_object_get(values, single[i]));
        json_object_del(values, single[i]);
    }
    PASS(case_values(c));
    c->tolerance = 1e-6;
    return case_run(c, rounded, "values");
}
