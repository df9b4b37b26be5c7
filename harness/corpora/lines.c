/*
 * lines: reads the corpora for language modelling.
 *
 *     lm1b    training-monolingual.tokenized.shuffled/news.en-000NN-of-00100
 *             heldout-monolingual.tokenized.shuffled/
 *             news.en.heldout-000NN-of-00050
 *                 One sentence per line.  Held-out shard 0 is the usual
 *                 evaluation set, called "valid" here.
 *             vocab-2016-09-10.txt
 *                 One word per line: the vocabulary of the results of
 *                 Jozefowicz et al. (2016) and of Tensor2Tensor, from
 *                 download.tensorflow.org/models/LM_LSTM_CNN.
 *     c4      en/c4-train.NNNNN-of-01024.json.gz
 *                 One object {"text": ...} per line.
 *
 * Shards are read in the order of their names, which must all state the same
 * total (shards.h).  White space at both ends of a sentence is removed;
 * documents are not changed.  Empty sentences and documents are skipped.
 * Source: Chelba et al. (2013); Raffel et al., T5 (JMLR 2020), 2.2.
 */
#include "harness/corpora/corpus.h"

#include "harness/base/err.h"
#include "harness/base/text.h"
#include "harness/data/format/jsonl.h"

#include <string.h>

static int take_sentence(struct corpus_reading *x, const struct linefile *f,
                         char *line)
{
    line = text_strip(line);
    if (linefile_has_nul(f))
        return corpus_skip(x, linefile_number(f), CORPUS_NUL, NULL);
    return *line ? ROW(x, TEXT("text", line))
                 : corpus_skip(x, linefile_number(f), "empty", NULL);
}

static int read_sentences(struct corpus_reading *x, const char *path)
{
    OWNED(linefile_close) struct linefile *f = NULL;
    char *line;
    int rc;

    PASS(linefile_open(&f, path));
    linefile_allow_nul(f, x->sink->skip_nul);
    while ((rc = linefile_next(f, &line)) > 0)
        PASS(take_sentence(x, f, line));
    return rc;
}

static int take_document(void *x, const struct jsonl *j)
{
    const char *text;

    PASS(value_string(&text, j->object, "text"));
    return text[strspn(text, " \t\n\v\f\r")]
               ? ROW(x, TEXT("text", text))
               : corpus_skip(x, linefile_number(j->lines), "empty", NULL);
}

#define FIVE "?????"
#define OUTPUT "1-billion-word-language-modeling-benchmark-r13output/"
#define TRAINING OUTPUT "training-monolingual.tokenized.shuffled/news.en-"
#define HELDOUT OUTPUT "heldout-monolingual.tokenized.shuffled/news.en.heldout-"

const struct corpus corpus_lm1b = {
    .name = "lm1b", .title = "LM1B",
    .from = "the One Billion Word benchmark: 1-billion-word-language-modeling-"
            "benchmark-r13output.tar.gz (https://www.statmt.org/lm-benchmark); "
            "vocabulary: http://download.tensorflow.org/models/LM_LSTM_CNN/"
            "vocab-2016-09-10.txt. Cells are tested on the file of `valid` and "
            "validated on those of `test`",
    .counted = "empty",
    .layout = {{.name = "official", .file = read_sentences, .split = {
        {"train", TRAINING FIVE "-of-" FIVE, 30301028},
        {"valid", HELDOUT "00000-of-" FIVE, 0},
        {"test", HELDOUT "0000[1-9]-of-" FIVE " " HELDOUT "000[1-9]?-of-"
                 FIVE, 0},
        {"vocabulary", "vocab-2016-09-10.txt*", 793471}}}}};

const struct corpus corpus_c4 = {
    .name = "c4", .title = "C4",
    .from = "the Allen Institute's copy of C4 (allenai/c4), subset en "
            "(https://github.com/allenai/allennlp/discussions/5056)",
    .counted = "empty",
    .layout = {{.name = "official", .object = take_document, .split = {
        {"train", "en/c4-train." FIVE "-of-" FIVE ".json.gz", 364868892},
        {"valid", "en/c4-validation." FIVE "-of-" FIVE ".json.gz", 364608}}}}};
