/* Rows that several tables of the paper share. */
#include "harness/report/table.h"

const struct table_row table_rows_short[] = {
    {"vanilla", "Transformer", 0},
    {"random", "Random", 0},
    {"dense", "Dense", 0},
    {"dense+vanilla", "Dense + Vanilla", 0},
    {"random+vanilla", "Random + Vanilla", 0},
    {"fixed-random", "Fixed Random", 1},
    {"factorized-random", "Factorized Random", 1},
    {"factorized-dense", "Factorized Dense", 1},
    {"random+dense", "Random + Dense", 1},
    {"lightweight-conv", "Lightweight Convolution", 1},
    {"orthogonal", "Orthogonal", 1},
    {"uniform", "Uniform", 1},
    {0},
};
