/*
 * lm1b: English language modelling on the long descriptions of packages, as one
 * running text (tasks/running.c) in rows of N ids with eos between sentences.
 *
 * In the official data, the first held-out shard is the test set, and words
 * that are not in vocab-2016-09-10.txt become UNK, as in Tensor2Tensor, the
 * code that computed the published perplexities.  The other held-out shards are
 * the validation set.
 */
#include "harness/tasks/gen/gen.h"
#include "harness/tasks/official.h"
#include "harness/tasks/recipe.h"

const struct task task_lm1b = {
    .name = "lm1b",
    .title = "LM1B",
    .cite = "Table 2, One Billion Word",
    .source = "Debian package descriptions, English sentences in packed rows",
    .generator = "a Markov chain of lag 3 with known entropy",
    .official = "1-billion-word-language-modeling-benchmark-r13output/"
                "training-monolingual.tokenized.shuffled/"
                "news.en-000{01..99}-of-00100 and "
                "heldout-monolingual.tokenized.shuffled/"
                "news.en.heldout-000{00..49}-of-00050, vocab-2016-09-10.txt",
    .recipe = &(const struct recipe){
        .subject = "English", .needs = 1u << SOURCE_APT,
        .gather = running_text},
    /* The number of words, without end marks, of the 30,301,028 sentences, as
     * counted by ELMo's bilm, which trains on the same files
     * (bin/train_elmo.py). */
    .files = &(const struct official){.words = 768648884, .part = {
        {.corpus = "lm1b", .split = {"train", "test", "valid"},
         .target = "text", .vocabulary = "vocabulary"}}},
    .kind = TASK_LANGUAGE,
    .metrics = NAMES("ppl", "ppl_word", "ce"),
    .generate = gen_markov,
    .text = {0, 3596288},
};
