/*
 * site: a store as a folder of HTML pages that can be opened as files: the
 * findings in sentences, and a page for each table, task, variant, figure and
 * cell.
 *
 *     DIR/index.html  cells.html  table/2.html  task/lm1b.html
 *     DIR/variant/random+dense.html  figure/curves_lm1b.html  cell/ID.html
 *     DIR/claims.html  claim/C1.html
 *     DIR/synthbench-report.txt    the files of the site (site/folder.h)
 *
 * For two stores: DIR/index.html and DIR/task/lm1b.html compare them, claims
 * use both, and each store has its other pages in DIR/a and DIR/b.
 *
 * A page is self-contained: it includes its style, its script and its pictures
 * (except a very large one).  A policy in its head permits only this script, by
 * its digest, and no other resources.  Numbers link to their cells, and the
 * page of a cell shows its provenance.  The same store produces the same bytes;
 * the time is not used.
 *
 * A page kind is one file, which ends in a const struct pages, and one row in
 * list.h.  Order of calls: site_open (for two stores twice, then site_of_both),
 * site_write, site_close.
 */
#pragma once

#include "harness/base/owned.h"
#include "harness/print/sheet.h"
#include "harness/report/difference.h"
#include "harness/report/result_table.h"
#include "harness/site/results.h"

struct claims;

/* A table and its page. */
struct site_table {
    const struct table *of;
    struct sheet       *sheet;    /* NULL: no cell is finished               */
    struct result_table *measured; /* measured numbers; NULL: counted         */
    const char         *why;      /* reason for no sheet                     */
};

struct site_picture { /* as drawn by plots/ */
    const char *name;  /* "curves_lm1b" */
    const char *title; /* "Learning curves: lm1b"     */
    const char *what;  /* title of its figure         */
    const char *task;  /* or NULL                     */
    char       *svg;
    size_t      bytes;
};

struct site {
    const struct report *report;
    struct arena        *memory;   /* owns the lists                       */
    const char          *folder;   /* output folder                        */
    const char          *other;    /* title of a page above this index; NULL:
                                      none                                 */
    int                  tables, tasks, rows, pictures;
    struct site_table   *table;    /* of the paper, of the experiment      */
    struct site_table   *task;     /* one per task                         */
    const char         **row;      /* variants with varied settings        */
    struct site_picture *picture;
    const char         **undrawn;  /* figures with reasons; NULL at end */
    const struct claims *claims;   /* or NULL                              */
    int                  plain;    /* 1: without pictures                  */
    struct results      *cell;     /* [report->n]; of finished cells       */
    struct site         *side[DIFFERENCE_SIDES]; /* of two stores; the lists
                                                    above are then empty */
    const struct difference *by;
    const char         **file;     /* files written, relative to folder    */
    int                  files;
    size_t               room, picture_room;
};

/* The inputs of a site, which the command collects. */
struct site_source {
    const struct report        *report;
    const struct table *const  *table; /* ends with NULL                     */
    const struct table *const  *task;  /* one per task, likewise             */
    struct sheet               *counted; /* of the table that is `counted`, or
                                            NULL; the site takes it          */
    const struct metric *const *metrics; /* see result_fill                */
    const struct claims        *claims;  /* judged claims, or NULL           */
    int                         plain;   /* 1: without pictures              */
};

/* Computes and draws everything that the pages show.  Returns ERR_EMPTY if no
 * cell is finished, ERR_STORE or ERR_IO. */
int  site_open(struct site **out, const struct site_source *from);
void site_close(struct site *s); /* NULL is fine */
OWNER(site_close, struct site *)

/* Returns the site of two stores.  It takes a and b, and closes them; `by` and
 * `claims` must outlive it. */
struct site *site_of_both(struct site *a, struct site *b,
                          const struct difference *by,
                          const struct claims *claims);

/* Writes every page into s->folder, which must exist. */
int site_write(struct site *s);

struct pages { /* one kind of pages */
    const char *name;
    int (*write)(struct site *s); /* ERR_IO, ERR_SPACE, ERR_STORE */
};
extern const struct pages *const pages_all[]; /* ends with NULL */
extern const struct pages pages_claim; /* also of two stores */

/* ---- parts ---- */

/* Return the index of the row and of the task, or -1. */
int site_row(const struct site *s, const char *variant);
int site_task(const struct site *s, const char *task);

/* Returns the title of a task, "WMT En-De", or its name if it has none. */
const char *site_task_title(const struct site *s, const char *task);

/* Returns the number of finished cells of a variant and a task (NULL: any).
 * *one: the last of them. */
int site_done(const struct site *s, const char *variant, const char *task,
              const struct report_cell **one);

/* Returns the row of a variant, or NULL if m is NULL or has no such row. */
const struct result_row *site_measured_row(const struct result_table *m,
                                           const char *variant);

/* Returns the cell of a task's table for a variant and a metric, or NULL. */
const struct result_cell *site_number(const struct site *s,
                                      const char *variant, const char *task,
                                      const char *metric);

int site_write_both(struct site *s); /* both.c */
int site_folder_in(const struct site *s, const char *name); /* creates it */

/* Records a file that is written; path: relative to the site's folder. */
void site_file(struct site *s, const char *path);

/* Returns a metric or a fact of a finished cell, or NAN if it has no such
 * number. */
double site_value(const struct results *r, const char *name);
