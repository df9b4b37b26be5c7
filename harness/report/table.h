/*
 * table: regenerates a table of the paper from a store.  The command `table`
 * calls it.  A struct table is data only: which variants are the rows, which
 * metrics of which tasks are the columns, and which pairs are compared below
 * the table.  Each table is one file, with one row in report/list.h.
 *
 *     struct report *r;
 *     report_open(&r, "results/quick");
 *     table_fill(&sheet, &table_2, r, metric_all, 0);
 *     sheet_print(sheet, "md", NULL);
 */
#pragma once

#include "harness/print/sheet.h"
#include "harness/report/report.h"
#include "harness/store/contrast.h"

struct table_row {
    const char *variant, *title;
    int         ours; /* 1: not in the paper; shown only if it was run */
};

/* If `variant`, the variant of a row, was not run, `other` is shown in its
 * place, with the published numbers of `variant`. */
struct table_stand_in { const char *variant, *other; };

/* The rows of Tables 3, 5 and 6 of the paper, and other variants. */
extern const struct table_row table_rows_short[];

/* The forms of the released code, which Tables 5 and 6 of the paper used. */
extern const struct table_stand_in table_released_forms[];

/* The note below tables of tasks on sentence pairs: it says which other tasks
 * test whether a variant can compare two texts. */
extern const char table_note_pairs[];

struct table_column {
    const char *task, *metric; /* metrics/METRIC, or an attribute of timing */
    const char *title, *what, *unit; /* "CE", "token cross-entropy", ...  */
    int         better;        /* +1: higher is better, -1: lower is
                                  better, 0: neither                    */
    int         decimals;
    const char *published;     /* metric in published.tsv with whose order of
                                  rows the order by this column is
                                  correlated; NULL: none                */
};

/* Returns c->what, to be printed after the title.  If the title begins with the
 * first word of c->what, omits this word: "CoLA: Matthews correlation". */
const char *table_column_says(const struct table_column *c);

#define TABLE_PARAMS(task)                                                    \
    {task, "params", "params", "parameters", "1", 0, 0, NULL}

struct table_task {
    const char *task, *title;
    const char *paper; /* name of the paper's data; NULL: title */
};

struct table { /* each list ends with {0} */
    const char *name, *title, *cite;
    const char *note; /* last line of the legend, or NULL */
    const struct table_row    *row;  /* or NULL */
    const struct table_stand_in *stand_in; /* or NULL */
    const struct table_task   *task;
    const struct table_column *column;
    const struct contrast_named *pair; /* pairs compared below the table, unless
                                          the experiment has contrasts; or
                                          NULL */
    int counted; /* 1: the table is computed from the models, not from stores,
                    and has none of the lists above */
    const char *timed; /* experiment that times the speed columns, or NULL */
};

/* Content of a table's sheet. */
enum {
    TABLE_DETAIL = 1, /* for each column: ranks, seeds, intervals */
    TABLE_PAIRS = 2,  /* only the pairs, with values by seed      */
    TABLE_BRIEF = 4   /* only the table, its notes and its pairs  */
};

struct metric;

/* Fills in a table from a store; the caller closes the sheet.  metrics: as for
 * result_fill; more: the bitwise or of some of the values above, or 0.  If
 * cells were trained by different builds, prints a warning to stderr.  Returns
 * ERR_EMPTY if no cell of the table is finished, ERR_USAGE if the store mixes
 * scales, ERR_DATA if published.tsv is missing or damaged, ERR_STORE if a cell
 * is damaged, or else ERR_IO. */
int table_fill(struct sheet **out, const struct table *t,
               const struct report *r, const struct metric *const *metrics,
               int more);

/* Restores a sheet of table_fill from the file `path`, to which it was printed
 * in the format "json".  Printed in any format, the result is byte-identical to
 * the original sheet.  If `t` is NULL, accepts any table.  Returns ERR_USAGE if
 * the file does not exist or has another table, or ERR_STORE if it is not JSON
 * of a table or has another schema version. */
int table_again(struct sheet **out, const struct table *t, const char *path,
                int more);

/* All tables of list.h, in its order; ends with NULL. */
extern const struct table *const table_all[];

/* Finds a table by name.  If there is no such table, returns ERR_USAGE with the
 * nearest name in the message. */
int table_find(const struct table **out, const char *name);
