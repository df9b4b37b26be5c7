/*
 * columns: what Tables 2 to 7 must show of the store of distinct.h, written
 * down by hand: what a column is called, which way is better, where the paper
 * prints it.  Of published.tsv the printed rows and columns count, not the keys
 * that the program goes by.
 */
#pragma once

struct header {
    const char *task, *metric, *group, *heading, *what, *unit;
    int         better, decimals;
    const char *against;         /* its order is held against that metric  */
    const char *table, *printed; /* in published.tsv; NULL: nothing is; with
                                    a slash in front: the second of two    */
};

extern const struct header *const column_tables[8]; /* 2 .. 7; each ends {0} */

struct shown { /* unknown: NAN, "" */
    double value, low, high, published, rank, rank_published;
    char   source[256];
    int    disputed, n, best, worse_than_blind;
    int    uninformative; /* so is the column */
};

enum { COLUMN_ROWS = 32 };

/* Of a variant, one of the n rows of its table, or of a reference. */
struct shown column_shows(const struct header *c, const char *variant,
                          const char *const *rows, int n);
