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
    /* The metric of the paper whose order is compared with the order of this
     * column. */
    const char *against;
    /* The rows and the column of published.tsv that have the values, or NULL if
     * they are not published. A leading slash selects the second of two
     * numbers. */
    const char *table, *printed;
};

/* The columns of tables 2 to 7, by table number; each list ends with {0}. */
extern const struct expected *const column_tables[8];

struct shown { /* a value that is unknown is NAN or "" */
    double value, low, high, published, rank, rank_published;
    char   source[256];
    int    disputed, n, best, worse_than_blind;
    int    uninformative; /* 1: the whole column is uninformative */
};

enum { COLUMN_ROWS = 32 };

/* Returns the entry that the column must have for `variant`, which is one of
 * the n variants `rows` of its table or a model-free baseline. */
struct shown column_shows(const struct expected *c, const char *variant,
                          const char *const *rows, int n);
