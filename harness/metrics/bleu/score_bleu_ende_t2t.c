/*
 * bleu_ende_t2t: German BLEU as in tensor2tensor's get_ende_bleu.sh, from
 * detokenised text: punctuation is replaced, Moses tokenises the text as
 * German, compounds are split at hyphens, then multi-bleu.perl computes the
 * score.  The split raises the score by up to one point, so these scores are
 * comparable only with each other.
 */
#include "harness/metrics/scorer.h"

#include "harness/base/err.h"
#include "harness/base/str.h"
#include "harness/metrics/bleu/moses.h"
#include "harness/metrics/bleu/bleu.h"
#include "harness/metrics/ngram.h"

#include <stdlib.h>

struct options { const char *nonbreaking; int atat; };

static const struct key options[] = {
    {"nonbreaking", &key_text, SCORE_AT(nonbreaking),
     .help = "folder with Moses's nonbreaking_prefix.de"},
    {"atat", &key_bool, SCORE_AT(atat), .initial = "true",
     .help = "split compounds at hyphens"},
    {.name = NULL}};

static char *prepare(const struct moses *m, const char *line, int atat)
{
    OWNED(free) char *plain = moses_replace_punctuation(line);
    OWNED(free) char *tokens = moses_tokenize(m, plain, 0);

    return atat ? moses_split_compounds(tokens) : str_copy(tokens);
}

static int open_moses(struct moses **m, const char *given)
{
    OWNED(free) char *folder = score_data(given, "moses");

    if (!folder)
        return err_set(ERR_DATA, "bleu_ende_t2t needs Moses's list of German "
                       "abbreviations: -S nonbreaking=DIR, where DIR holds "
                       "nonbreaking_prefix.de");
    return moses_open(m, folder, "de");
}

static int score(json_t *out, const struct score_input *in)
{
    OWNED(ngram_free) struct ngrams *g = ngram_new();
    struct bleu_stats b = {.hyp_words = 0};
    const struct options *o = score_given(in);
    int atat = o->atat;
    OWNED(moses_close) struct moses *m = NULL;

    PASS(open_moses(&m, o->nonbreaking));
    for (size_t i = 0; i < in->hyp->n; i++) {
        OWNED(free) char *hyp = prepare(m, in->hyp->line[i], atat);
        OWNED(free) char *ref = prepare(m, in->ref[0]->line[i], atat);

        multibleu_add(&b, g, hyp, &(const char *const){ref}, 1, 0);
    }
    PASS(multibleu_write(out, &b));
    result_format(out, "signature", "nrefs:1|case:mixed|punct:replaced|"
                  "tok:moses-de|prefixes:%.8s|split:%s|smooth:none|"
                  "tool:get_ende_bleu.sh", moses_prefixes(m),
                  atat ? "atat" : "no");
    return OK;
}

const struct scorer scorer_bleu_ende_t2t = {
    .name = "bleu_ende_t2t",
    .title = "BLEU (EnDe, T2T)",
    .unit = "%",
    .takes = SCORE_ONE_REF,
    SCORE_HAS_OPTIONS,
    .score = score};
