/*
 * table: a table of the paper, regenerated.  The plug-in is data only: which
 * variants are its rows, which metrics of which tasks its columns, and what
 * is compared below it.  One file a table; one row in report/list.h.
 *
 *     struct report *r;
 *     report_open(&r, "results/quick");
 *     table_fill(&sheet, &table_2, r, metric_all);
 *     sheet_print(sheet, "md", NULL);
 */
#pragma once

#include "harness/print/sheet.h"
#include "harness/report/report.h"
#include "harness/store/contrast.h"

struct table_row {
    const char *variant, *title;
    int         ours; /* 1: not in the paper; a row only where it was run */
};

/* Where a row's variant was not run, the other is, beside its published
 * numbers. */
struct table_stand_in { const char *variant, *other; };

/* Those of the paper's Tables 3, 5 and 6, and others that were run. */
extern const struct table_row table_rows_short[];

/* Forms of the released code, which 5 and 6 were made with. */
extern const struct table_stand_in table_released_forms[];

/* Below tables of pairs of sentences: where their mechanism is decided. */
extern const char table_note_pairs[];

struct table_column {
    const char *task, *metric; /* metrics/METRIC or attribute of timing */
    const char *title, *what, *unit; /* "CE", "token cross-entropy", ...  */
    int         better;        /* +1, -1; 0: neither                    */
    int         decimals;
    const char *published;     /* metric in published.tsv whose order this
                                  column's is held against, or NULL     */
};

/* `what` beside the title, without the first word where both have it: the task
 * of a benchmark, "CoLA: Matthews correlation". */
const char *table_column_says(const struct table_column *c);

#define TABLE_PARAMS(task)                                                    \
    {task, "params", "params", "parameters", "1", 0, 0, NULL}

struct table_task {
    const char *task, *title;
    const char *paper; /* the paper's data by name; NULL: as the title */
};

struct table { /* each list ends with an entry of NULL */
    const char *name, *title, *cite;
    const char *note; /* the last line of its legend, or NULL */
    const char *notice; /* what must be known first, or NULL  */
    const struct table_row    *row;  /* or NULL */
    const struct table_stand_in *stand_in; /* or NULL */
    const struct table_task   *task;
    const struct table_column *column;
    const struct contrast_named *pair; /* or NULL; compared below the table,
                                          unless the experiment has contrasts */
    int closed;  /* 1: what else was run has a row only where one of its own
                    is of the same variant                                  */
    int counted; /* 1: no store has its numbers; it has no lists */
    const char *timed; /* experiment whose steps its speed columns time, or
                          NULL: it has none */
};

/* What a table says more, where it is asked to. */
enum {
    TABLE_DETAIL = 1, /* of each column: ranks, seeds, intervals  */
    TABLE_SOURCES = 2, /* who says what of each published value   */
    TABLE_PAIRS = 4, /* instead: its pairs, with values by seed     */
    TABLE_BRIEF = 8  /* only the table, its notes and its pairs     */
};

struct metric;

/* Out of a store; metrics: see result_fill.  On stderr: cells that were
 * built differently.  ERR_EMPTY: no cell of the table is done; ERR_USAGE: the
 * store mixes scales; ERR_DATA: published.tsv is missing or damaged; ERR_STORE;
 * ERR_IO. */
int table_fill(struct sheet **out, const struct table *t,
               const struct report *r, const struct metric *const *metrics,
               int more);

/* The same sheet again, from what format "json" wrote of it: the same bytes
 * in every format.  t NULL: whichever table it is.  ERR_USAGE: there is no
 * such file, or it is of another table; ERR_STORE: it is no such JSON, or a
 * newer program's. */
int table_again(struct sheet **out, const struct table *t, const char *path,
                int more);

/* All of list.h, in its order; ends with NULL. */
extern const struct table *const table_all[];

/* ERR_USAGE with the nearest name. */
int table_find(const struct table **out, const char *name);
