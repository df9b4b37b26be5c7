/*
 * site: a store as a folder of pages that open from a file: what came out, in
 * sentences; a page for each table, task, variant, figure and cell.
 *
 *     DIR/index.html  cells.html  table/2.html  task/lm1b.html
 *     DIR/variant/random+dense.html  figure/curves_lm1b.html  cell/ID.html
 *     DIR/claims.html  claim/C1.html
 *     DIR/synthbench-report.txt    which files are ours (site/folder.h)
 *
 * Of two stores: DIR/index.html and DIR/task/lm1b.html, side by side, claims of
 * both, and each with its own other pages in DIR/a and DIR/b.
 *
 * A page stands alone: its style, its script and its pictures are in it (but
 * one that is too large), and a policy in its head lets no other script run,
 * which it knows by its digest, and nothing else be loaded.  A number leads to
 * the cells that it is of, a cell tells how it came about.  The same store
 * gives the same bytes: no clock is asked.
 *
 * A page kind is one file, which ends in a const struct pages, and one row
 * in list.h.
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
    struct sheet       *sheet;    /* NULL: nothing of it is done             */
    struct result_table *measured; /* of numbers of the store; NULL: counted  */
    const char         *why;      /* of one without a sheet                  */
};

struct site_picture { /* as plots/ draws them */
    const char *name;  /* "curves_lm1b" */
    const char *title; /* "Learning curves: lm1b"     */
    const char *what;  /* of its figure               */
    const char *task;  /* or NULL                     */
    char       *svg;
    size_t      bytes;
};

struct site {
    const struct report *report;
    struct arena        *memory;   /* owns the lists                       */
    const char          *folder;   /* that pages are written into          */
    const char          *other;    /* title of a page over this site's index;
                                      NULL: there is none                  */
    int                  tables, tasks, rows, pictures;
    struct site_table   *table;    /* the paper's, the experiment's own    */
    struct site_table   *task;     /* of one task each                     */
    const char         **row;      /* variants, and what is varied         */
    struct site_picture *picture;
    const char         **undrawn;  /* figures, and why; ends with NULL */
    const struct claims *claims;   /* NULL: there are none                 */
    int                  plain;    /* 1: without pictures                  */
    struct results      *cell;     /* [report->n]; of one that is done     */
    struct site         *side[DIFFERENCE_SIDES]; /* of two stores; then it has
                                      none of the lists above           */
    const struct difference *by;
    const char         **file;     /* written, from the folder             */
    int                  files;
    size_t               room, picture_room;
};

/* What cmd knows and a report does not. */
struct site_source {
    const struct report        *report;
    const struct table *const  *table; /* ends with NULL                     */
    const struct table *const  *task;  /* of each task one, likewise         */
    struct sheet               *counted; /* of the table that is `counted`,
                                            or NULL; is then the site's      */
    const struct metric *const *metrics; /* see result_fill                */
    const struct claims        *claims;  /* that it judged; or NULL          */
    int                         plain;   /* 1: without pictures              */
};

/* Computes and draws all that the pages show.  ERR_EMPTY: no cell is done;
 * ERR_STORE; ERR_IO. */
int  site_open(struct site **out, const struct site_source *from);
void site_close(struct site *s); /* NULL is fine */
OWNER(site_close, struct site *)

/* Of two sites, which it closes; by, claims: as long as it lives. */
struct site *site_of_both(struct site *a, struct site *b,
                          const struct difference *by,
                          const struct claims *claims);

/* Every page, into s->folder, which is there. */
int site_write(struct site *s);

struct pages { /* of one kind */
    const char *name;
    int (*write)(struct site *s); /* its pages; ERR_IO, ERR_SPACE, ERR_STORE */
};
extern const struct pages *const pages_all[]; /* ends with NULL */
extern const struct pages pages_claim; /* of two stores, too */

/* ---- its parts ---- */

/* Which row and which task of the site that is; -1: none. */
int site_row(const struct site *s, const char *variant);
int site_task(const struct site *s, const char *task);

/* The title of a task, "WMT En-De"; its name where nobody gave one. */
const char *site_task_title(const struct site *s, const char *task);

/* How many cells of it are done; variant, task: NULL: any.  one: the last. */
int site_done(const struct site *s, const char *variant, const char *task,
              const struct report_cell **one);

/* A row of a table by its name; m NULL, or no such row: NULL. */
const struct result_row *site_measured_row(const struct result_table *m,
                                           const char *variant);

/* What a task's table says of a metric of a row; NULL: it has no such row. */
const struct result_cell *site_number(const struct site *s,
                                      const char *variant, const char *task,
                                      const char *metric);

int site_write_both(struct site *s); /* both.c */
int site_folder_in(const struct site *s, const char *name); /* makes it */

/* Notes a file that is written, a path from the site's folder. */
void site_file(struct site *s, const char *path);

/* A metric or fact of a finished cell; NAN: it has no such number. */
double site_value(const struct results *r, const char *name);
