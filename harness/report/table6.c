/*
 * Table 6 of the paper: SuperGLUE.
 */
#include "harness/report/table.h"

static const struct table_task tasks[] = {
    {"superglue", "SuperGLUE", NULL},
    {0},
};

#define SCORE(metric, title, what) \
    {"superglue", metric, title, what, "%", 1, 1, metric}

static const struct table_column columns[] = {
    SCORE("superglue", "avg", "mean of eight tasks"),
    SCORE("boolq_accuracy", "BoolQ", "BoolQ accuracy"),
    SCORE("cb_f1", "CB F1", "CB macro F1"),
    SCORE("cb_accuracy", "CB acc", "CB accuracy"),
    SCORE("copa_accuracy", "COPA", "COPA accuracy"),
    SCORE("multirc_f1_a", "MultiRC F1a", "MultiRC F1 of answers"),
    SCORE("multirc_exact_match", "MultiRC EM", "MultiRC exact match"),
    SCORE("record_f1", "ReCoRD F1", "ReCoRD token F1"),
    SCORE("record_exact_match", "ReCoRD EM", "ReCoRD exact match"),
    SCORE("rte_accuracy", "RTE", "RTE accuracy"),
    SCORE("wic_accuracy", "WiC", "WiC accuracy"),
    SCORE("wsc_accuracy", "WSC", "WSC accuracy"),
    {0},
};

static const struct contrast_named pairs[] = {
    {"superglue", "ce", "vanilla", "uniform"},
    {0},
};

const struct table table_6 = {
    .name = "6",
    .title = "SuperGLUE",
    .cite = "Tay et al. 2021, Table 6",
    .note = table_note_pairs,
    .row = table_rows_short,
    .stand_in = table_released_forms,
    .task = tasks,
    .column = columns,
    .pair = pairs,
};
