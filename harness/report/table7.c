/*
 * Table 7 of the paper: classification with only an encoder, including
 * Linformer.
 */
#include "harness/report/table.h"

static const struct table_row rows[] = {
    {"vanilla", "Transformer", 0},
    {"linformer", "Linformer", 0},
    {"factorized-random", "Factorized Random", 0},
    {"factorized-random+vanilla", "Factorized Random + Vanilla", 0},
    {"random", "Random", 1},
    {"fixed-random", "Fixed Random", 1},
    {"dense", "Dense", 1},
    {"factorized-dense", "Factorized Dense", 1},
    {"random+dense", "Random + Dense", 1},
    {"dense+vanilla", "Dense + Vanilla", 1},
    {"random+vanilla", "Random + Vanilla", 1},
    {"lightweight-conv", "Lightweight Convolution", 1},
    {"orthogonal", "Orthogonal", 1},
    {"uniform", "Uniform", 1},
    {0},
};

static const struct table_task tasks[] = {
    {"agnews", "AGNews", "AG News"},
    {"imdb", "Movie reviews", "IMDb"},
    {0},
};

#define ACCURACY(task) \
    {task, "accuracy", "acc", "accuracy", "%", 1, 2, "accuracy"}

static const struct table_column columns[] = {
    TABLE_PARAMS("agnews"), ACCURACY("agnews"),
    TABLE_PARAMS("imdb"),   ACCURACY("imdb"),
    {0},
};

const struct table table_7 = {
    .name = "7",
    .title = "Topics and movie reviews, encoder only",
    .cite = "Tay et al. 2021, Table 7",
    .row = rows,
    .task = tasks,
    .column = columns,
};
