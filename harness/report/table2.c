/*
 * Table 2 of the paper: machine translation and language modelling, and topic
 * classification from Table 7.  The paper prints BLEU, perplexity and accuracy.
 * The columns of cross-entropy and token accuracy are added because these
 * metrics need far fewer test sentences than BLEU to show a significant
 * difference between variants.
 */
#include "harness/report/table.h"

static const struct table_row rows[] = {
    {"vanilla", "Transformer", 0},
    {"fixed-random", "Fixed Random", 0},
    {"random", "Random", 0},
    {"factorized-random", "Factorized Random", 0},
    {"dense", "Dense", 0},
    {"factorized-dense", "Factorized Dense", 0},
    {"random+dense", "Random + Dense", 0},
    {"dense+vanilla", "Dense + Vanilla", 0},
    {"random+vanilla", "Random + Vanilla", 0},
    {"factorized-random+vanilla", "Factorized Random + Vanilla", 1},
    {"linformer", "Linformer", 1},
    {"lightweight-conv", "Lightweight Convolution", 1},
    {"orthogonal", "Orthogonal", 1},
    {"uniform", "Uniform", 1},
    {0},
};

static const struct table_task tasks[] = {
    {"wmt14_ende", "WMT En-De", "WMT'14 En-De"},
    {"wmt14_enfr", "WMT En-Fr", "WMT'14 En-Fr"},
    {"lm1b", "LM1B", NULL},
    {"agnews", "AGNews", "AG News"},
    {0},
};

#define CE(task) \
    {task, "ce", "CE", "token cross-entropy", "nats/token", -1, 3, "bleu"}
#define TOKENS(task) \
    {task, "token_accuracy", "tok.acc", "token accuracy", "%", 1, 1, "bleu"}
#define BLEU(task) {task, "bleu", "BLEU", "sacreBLEU", "%", 1, 2, "bleu"}

static const struct table_column columns[] = {
    TABLE_PARAMS("wmt14_ende"),
    CE("wmt14_ende"),
    TOKENS("wmt14_ende"),
    BLEU("wmt14_ende"),
    TABLE_PARAMS("wmt14_enfr"),
    CE("wmt14_enfr"),
    TOKENS("wmt14_enfr"),
    BLEU("wmt14_enfr"),
    TABLE_PARAMS("lm1b"),
    {"lm1b", "ppl_word", "PPL/w", "perplexity per word", "1", -1, 1, "ppl"},
    {"lm1b", "ppl", "PPL", "perplexity per subword", "1", -1, 2, "ppl"},
    TABLE_PARAMS("agnews"),
    {"agnews", "accuracy", "acc", "accuracy", "%", 1, 2, "accuracy"},
    {0},
};

static const struct contrast_named pairs[] = {
    {"wmt14_ende", "ce", "vanilla", "uniform"},
    {"wmt14_ende", "ce", "vanilla", "unigram"},
    {"wmt14_enfr", "ce", "vanilla", "uniform"},
    {"wmt14_enfr", "ce", "vanilla", "unigram"},
    {"lm1b", "ce", "vanilla", "uniform"},
    {"lm1b", "ce", "vanilla", "unigram"},
    {0},
};

const struct table table_2 = {
    .name = "2",
    .title = "Translation, language modelling and topic classification",
    .cite = "Tay et al. 2021, Tables 2 and 7",
    .row = rows,
    .task = tasks,
    .column = columns,
    .pair = pairs,
};
