/*
 * site: writes a store as a folder of HTML pages that can be opened as files:
 * an index with the findings in sentences, and a page for each table, task,
 * variant, figure and cell.  The command `report` calls these functions.
 *
 *     DIR/index.html  cells.html  table/2.html  task/lm1b.html
 *     DIR/variant/random+dense.html  figure/curves_lm1b.html  cell/ID.html
 *     DIR/claims.html  claim/C1.html
 *     DIR/synthbench-report.txt    the files of the site (site/folder.h)
 *
 * A page is self-contained: it includes its style, its script and its pictures
 * (except a very large one).  A policy in its head permits only this script, by
 * its digest, and no other resources.  Numbers link to their cells, and the
 * page of a cell shows its provenance.  The same store produces the same bytes,
 * because no page depends on the time.
 *
 * Order of calls: site_open, site_write, site_close.
 */
#pragma once

#include "harness/base/owned.h"
#include "harness/print/sheet.h"
#include "harness/report/result_table.h"
#include "harness/site/results.h"

struct claims;

/* A table and its page. */
struct site_table {
    const struct table *of;
    struct sheet       *sheet;    /* NULL: no cell is finished               */
    struct result_table *measured; /* measured numbers; NULL: a counted table */
    const char         *why;      /* why `sheet` is NULL                     */
};

struct site_picture { /* as drawn by plots/ */
    const char *name;  /* "curves_lm1b" */
    const char *kind;  /* name of its figure: "curves" */
    const char *title; /* "Learning curves: lm1b"     */
    const char *what;  /* title of the figure (figure.h) that it belongs to */
    const char *task;  /* or NULL                     */
    char       *svg;
    size_t      bytes;
};

struct site {
    const struct report *report;
    struct arena        *memory;   /* owns the lists                       */
    const char          *folder;   /* output folder                        */
    int                  tables, tasks, rows, pictures;
    struct site_table   *table;    /* tables of the paper and experiment   */
    struct site_table   *task;     /* one table per task                   */
    const char         **row;      /* variants, with their varied settings;
                                      ends with NULL                       */
    struct site_picture *picture;
    const char         **undrawn;  /* figures that were not drawn, with the
                                      reasons; ends with NULL              */
    const struct claims *claims;   /* or NULL                              */
    struct results      *cell;     /* [report->n]; set for finished cells  */
    const char         **file;     /* written files, relative to `folder`  */
    int                  files;
    size_t               room, picture_room;
};

/* The inputs of a site, which the command collects. */
struct site_source {
    const struct report        *report;
    const struct table *const  *table; /* ends with NULL                     */
    const struct table *const  *task;  /* one per task; ends with NULL       */
    struct sheet               *counted; /* sheet of the table whose member
                                            `counted` is 1, or NULL; the site
                                            owns and closes the sheet        */
    const struct metric *const *metrics; /* see result_fill                */
    const struct claims        *claims;  /* judged claims, or NULL           */
    int                         plain;   /* 1: without pictures              */
};

/* Computes and draws everything that the pages show.  Returns ERR_EMPTY if no
 * cell is finished, ERR_STORE or ERR_IO. */
int  site_open(struct site **out, const struct site_source *from);
void site_close(struct site *s); /* NULL is fine */
OWNER(site_close, struct site *)

/* Writes every page into s->folder, which must exist. */
int site_write(struct site *s);

/* Each function writes all pages of a kind.  Returns ERR_IO, ERR_SPACE or
 * ERR_STORE. */
int pages_index(struct site *s);
int pages_table(struct site *s);
int pages_task(struct site *s);
int pages_variant(struct site *s);
int pages_figure(struct site *s);
int pages_cell(struct site *s);
int pages_claim(struct site *s);

/* ---- parts ---- */

/* site_row returns the index of the variant in s->row, and site_task the index
 * of the task in s->task.  Both return -1 if the list does not have the
 * name. */
int site_row(const struct site *s, const char *variant);
int site_task(const struct site *s, const char *task);

/* Returns the title of a task, "WMT En-De", or its name if it has none. */
const char *site_task_title(const struct site *s, const char *task);

/* Returns the picture of a figure for a task, or NULL if it was not drawn. */
const struct site_picture *site_picture(const struct site *s, const char *kind,
                                        const char *task);

/* Returns the number of finished cells of a variant (NULL: of any) on a task
 * (NULL: on any), and sets *one to the last such cell.  If there is none,
 * leaves *one unchanged. */
int site_done(const struct site *s, const char *variant, const char *task,
              const struct report_cell **one);

/* Creates the folder `name` in the site's folder. */
int site_folder_in(const struct site *s, const char *name);

/* Adds a file to the list s->file.  `path` is relative to the site's folder. */
void site_file(struct site *s, const char *path);

/* Returns the metric or numeric fact `name` of a finished cell, or NAN if the
 * cell does not have it. */
double site_value(const struct results *r, const char *name);
