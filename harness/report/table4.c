/*
 * Table 4 of the paper: pre-training on C4 by span corruption.  Its speed
 * columns are timed on this machine (cmd/speed.h).
 */
#include "harness/report/table.h"

static const struct table_row rows[] = {
    {"vanilla", "Transformer", 0},
    {"dynamic-conv-mtf", "Dynamic Convolution", 0},
    {"lightweight-conv-mtf", "Lightweight Convolution", 0},
    {"dense-mtf", "Dense", 0},
    {"random", "Random", 0},
    {"fixed-random", "Fixed Random", 1},
    {"factorized-random-mtf", "Factorized Random", 1},
    {"random+vanilla", "Random + Vanilla", 0},
    {"dense-mtf+vanilla", "Dense + Vanilla", 0},
    {"factorized-dense", "Factorized Dense", 1},
    {"random+dense", "Random + Dense", 1},
    {"orthogonal", "Orthogonal", 1},
    {"uniform", "Uniform", 1},
    {0},
};

/* The rows are variants as the released code implements them ("-mtf"), which
 * differ in details from the variants of the other tables. */
static const struct table_stand_in stand_ins[] = {
    {"dynamic-conv-mtf", "dynamic-conv"},
    {"lightweight-conv-mtf", "lightweight-conv"},
    {"dense-mtf", "dense"},
    {"factorized-random-mtf", "factorized-random"},
    {"dense-mtf+vanilla", "dense+vanilla"},
    {0},
};

static const struct table_task tasks[] = {{"c4", "C4", NULL}, {0}};

static const struct table_column columns[] = {
    TABLE_PARAMS("c4"),
    {"c4", "ce", "log-PPL", "log-perplexity", "nats/token", -1, 3, NULL},
    {"c4", "token_accuracy", "tok.acc", "token accuracy", "%", 1, 1, NULL},
    {0},
};

const struct table table_4 = {
    .name = "4",
    .title = "Masked language modelling",
    .cite = "Tay et al. 2021, Table 4",
    .row = rows,
    .stand_in = stand_ins,
    .task = tasks,
    .column = columns,
    .timed = "table4_speed",
};
