/*
 * columns: expected columns of Tables 2 to 7 for the store of distinct.h,
 * written by hand: headings, which direction is better, and where the paper
 * prints the values. Entries refer to published.tsv by its printed rows and
 * columns, not by the keys that the program uses.
 */
#pragma once

struct expected {
    const char *task, *metric, *group, *heading, *what, *unit;
    int         better, decimals;
    /* the metric whose published order is compared */
    const char *against;
    /* Where published.tsv has the values; NULL if they are not published. A
     * leading slash selects the second of two numbers. */
    const char *table, *printed;
};

/* Columns of tables 2 to 7; each list ends with {0}. */
extern const struct expected *const column_tables[8];

struct shown { /* unknown: NAN, "" */
    double value, low, high, published, rank, rank_published;
    char   source[256];
    int    disputed, n, best, worse_than_blind;
    int    uninformative; /* 1: so is the whole column */
};

enum { COLUMN_ROWS = 32 };

/* Returns the expected entry of a variant (one of the n rows of its table) or
 * of a model-free baseline. */
struct shown column_shows(const struct expected *c, const char *variant,
                          const char *const *rows, int n);
