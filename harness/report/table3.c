/*
 * Table 3 of the paper: summarisation and dialogue.  The paper's embedding
 * similarity needs word vectors that cannot be downloaded here; `score embsim`
 * computes it from given vectors.  The paper's ROUGE-L on news is 0.93 times
 * its ROUGE-1, which shows that the paper computes ROUGE-L over sentences, not
 * over whole texts; the column does the same.
 */
#include "harness/report/table.h"

static const struct table_task tasks[] = {
    {"cnndm", "CNN/DailyMail", NULL},
    {"personachat", "PersonaChat", NULL},
    {0},
};

#define CE(task, other) \
    {task, "ce", "CE", "token cross-entropy", "nats/token", -1, 3, other}

static const struct table_column columns[] = {
    CE("cnndm", "rouge_lsum"),
    {"cnndm", "rouge1", "R-1", "ROUGE-1", "%", 1, 2, "rouge1"},
    {"cnndm", "rouge2", "R-2", "ROUGE-2", "%", 1, 2, "rouge2"},
    {"cnndm", "rouge_lsum", "R-L", "ROUGE-L of sentences", "%", 1, 2,
     "rouge_lsum"},
    CE("personachat", "nlg_bleu1"),
    {"personachat", "nlg_bleu1", "BLEU-1", "BLEU-1", "%", 1, 2, "nlg_bleu1"},
    {"personachat", "nlg_bleu4", "BLEU-4", "BLEU-4", "%", 1, 2, "nlg_bleu4"},
    {"personachat", "nlg_rouge_l", "R-L", "ROUGE-L", "%", 1, 2, "nlg_rouge_l"},
    {"personachat", "meteor", "METEOR", "METEOR", "%", 1, 2, "meteor"},
    {"personachat", "nlg_cider", "CIDEr", "CIDEr", "%", 1, 2, "nlg_cider"},
    {0},
};

static const struct contrast_named pairs[] = {
    {"cnndm", "ce", "vanilla", "uniform"},
    {"personachat", "ce", "vanilla", "uniform"},
    {0},
};

const struct table table_3 = {
    .name = "3",
    .title = "Summarisation and dialogue",
    .cite = "Tay et al. 2021, Table 3",
    .row = table_rows_short,
    .task = tasks,
    .column = columns,
    .pair = pairs,
};
