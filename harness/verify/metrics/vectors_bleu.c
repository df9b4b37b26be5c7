/* vectors_bleu: checks BLEU of sacreBLEU and of tensor2tensor, and the tokens
 * of both.  The table of vectors.c lists the checks. */
#include "harness/verify/metrics/vector_case.h"

#include "harness/base/err.h"
#include "harness/base/str.h"
#include "harness/metrics/bleu/tokenize.h"

#include <stdlib.h>
#include <string.h>

/* Strips the line before tokenizing it, as sacreBLEU does. */
static char *strip_and_cut(const void *with, const char *line)
{
    OWNED(free) char *copy = str_copy(line);

    copy[text_rstrip(copy, strlen(copy))] = 0;
    return tokenizer(with)(copy);
}

static int check_tokenizers(struct vector_case *c, const char *side)
{
    OWNED(free) char *raw = str_format("%s.txt", side);

    for (int t = 0; tokenizer_names[t]; t++) {
        OWNED(free) char *name = str_format("tok.%s.%s.txt",
                                            tokenizer_names[t], side);

        PASS(case_tokens(c, raw, name, strip_and_cut, tokenizer_names[t]));
    }
    return OK;
}

int vectors_sacrebleu(struct vector_case *c)
{
    const char *key;
    json_t *v;

    PASS(check_tokenizers(c, "hyp"));
    PASS(check_tokenizers(c, "ref1"));
    PASS(case_runs(c));
    json_object_foreach(c->expected, key, v) {
        if (strncmp(key, "sentence_", 9))
            continue;
        /* v is {"options": ..., "scores": [...]}, one score per segment */
        json_object_set_new(json_object_get(v, "options"), "sentence_level",
                            json_true());
        PASS(case_run(c, v, key));
    }
    return OK;
}

static char *cut_as_t2t(const void *with, const char *line)
{
    (void)with;
    return tokenize_t2t(line);
}

int vectors_t2t(struct vector_case *c)
{
    PASS(case_tokens(c, "hyp.txt", "tok.hyp.txt", cut_as_t2t, NULL));
    PASS(case_tokens(c, "ref1.txt", "tok.ref1.txt", cut_as_t2t, NULL));
    return case_runs(c);
}
