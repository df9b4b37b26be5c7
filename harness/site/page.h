/*
 * page: writes what all pages have in common: head, navigation, links,
 * sections, tables, sheets and figures.  A page kind calls page_open, writes
 * the contents, and calls page_shut, which writes the file; page_close releases
 * the page in any case.
 *
 * The contents are sections.  A section has blocks (paragraphs, lists, tables),
 * a table has groups (its head and body), a group or a list has lines, and a
 * line of a table has cells.  A function that begins one of these first ends
 * what cannot contain it, so no caller closes anything; text and links may
 * follow in what was begun last.
 */
#pragma once

#include "harness/claims/claims.h"
#include "harness/print/fragment.h"
#include "harness/site/site.h"

enum page_level {
    PAGE_SECTION, PAGE_BLOCK, PAGE_GROUP, PAGE_LINE, PAGE_CELL, PAGE_LEVELS
};

struct page {
    struct site   *site;
    struct markup *to;
    const char    *path; /* relative to the site's folder: "cell/ID.html" */
    struct fragment in;  /* writes to `to`, with links from this page     */
    int            open[PAGE_LEVELS]; /* number of open elements          */
    const char    *tag[PAGE_LEVELS];  /* of the element begun last        */
};

/* Writes everything above the contents of the page of `name` in a folder of the
 * site ("": the site's folder), with a warning if the store has synthetic data.
 * `title` is the title of the window and the heading. */
void page_open(struct page *p, struct site *s, const char *folder,
               const char *name, const char *title);

void page_close(struct page *p); /* releases the page */
OWNER_OF_VALUE(page_close, struct page)

/* Completes the page and writes its file.  Returns OK, ERR_IO or ERR_SPACE. */
int page_shut(struct page *p);

/* Returns a name that is safe as part of a path.  Different names stay
 * different. */
const char *page_name(const struct site *s, const char *name);

/* page_way returns the relative link from this page to the page `path`; page_of
 * returns the relative link to the page of `name` in a folder of the site, such
 * as "task" or "cell".  The site's memory owns the link. */
const char *page_way(const struct page *p, const char *path);
const char *page_of(const struct page *p, const char *folder,
                    const char *name);

/* Returns the link to the numbers of a variant on a task, or NULL if no cell is
 * finished.  The target is the page of the finished cell or, if there are
 * several, their section on the page of the variant.  If `task` is NULL,
 * returns the link to the page of the variant. */
const char *page_numbers(const struct page *p, const char *variant,
                         const char *task);

/* page_section begins a section; its id may be NULL.  The other functions begin
 * blocks.  page_heading is a link if `to` is not NULL. */
void page_section(struct page *p, const char *id, const char *title);
void page_heading(struct page *p, const char *to, const char *text);
void page_paragraph(struct page *p, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));
void page_warning(struct page *p, const char *text);

/* page_line begins an item of a list and, unless a list is open, a list of the
 * class, which may be NULL.  page_item also writes text, as a link if `to` is
 * not NULL. */
void page_line(struct page *p, const char *class);
void page_item(struct page *p, const char *class, const char *to,
               const char *fmt, ...) __attribute__((format(printf, 4, 5)));

/* Writes a command to be copied. */
void page_command(struct page *p, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

/* Writes the parts of a sheet from part `first` to the one before the next part
 * of kind `until` (-1: to the last).  Returns the index after them. */
int page_parts(struct page *p, const struct sheet *s, int first, int until,
               const char *caption);

/* page_table begins a table.  class: a class of the style sheet, or NULL;
 * "sort" makes the table sortable.  page_group begins a group, such as "tfoot".
 * page_head writes the head of a column.  page_heads writes the heads of all
 * columns, flush left where `align` has '<', and begins the body; the list ends
 * with NULL.  page_row begins a row with its head, page_cell adds a cell
 * (fragment_cell), page_open_cell begins a cell of a class (or NULL), and
 * page_fact writes a row of a name and a text. */
void page_table(struct page *p, const char *caption, const char *class);
void page_group(struct page *p, const char *tag);
void page_head(struct page *p, const char *title, int left);
void page_heads(struct page *p, const char *align, const char *const *title);
void page_row(struct page *p, const char *to, const char *text);
void page_cell(struct page *p, const char *to, const char *text, int left);
void page_open_cell(struct page *p, const char *class);
void page_fact(struct page *p, const char *name, const char *to,
               const char *text);

/* page_figure opens a figure, whose contents are in a box that scrolls;
 * page_figure_shut closes the box, writes the title below and closes the
 * figure.  page_picture_write writes a picture to the file FOLDER/NAME.svg of
 * the site; page_picture shows this file as a figure.  A browser runs no script
 * of a picture in a file, and lets it load nothing. */
void page_figure(struct page *p, const char *title);
void page_figure_shut(struct page *p, const char *title);
int  page_picture_write(struct site *s, const char *folder,
                        const struct site_picture *x);
void page_picture(struct page *p, const char *folder,
                  const struct site_picture *x);

/* Draws the losses of a variant's finished cells on a task, or only those of
 * *seed if `seed` is not NULL, as a figure (curve.c).  Writes nothing if no
 * cell stores its losses.  Returns ERR_STORE if a cell is damaged. */
int page_curve(struct page *p, const char *variant, const char *task,
               const long long *seed, const char *title);

/* Writes a list of the class `class` with the number of claims of each verdict
 * (claim.c). */
void page_verdicts(struct page *p, const char *class);

/* ---- the results of a store in sentences (findings.c) ---- */

/* Writes the heading of a task and one sentence for each of its main metrics.
 * Returns 1 if a sentence says that values are not significantly different. */
int findings_task(struct page *p, const struct site_table *t);

/* Returns the column of the task's most important metric, or -1. */
int findings_column(const struct site *s, const struct site_table *t);

/* Writes the picture of the task's differences (figure forest) or, if it was
 * not drawn, that of its curves, and adds 1 to *pictures.  Does nothing if
 * neither was drawn, if *pictures is already 3, or if findings_column returns
 * -1. */
void findings_picture(struct page *p, const struct site_table *t,
                      int *pictures);

/* Adds one sentence to the sheet for each of the first few tasks, about the
 * task's most important metric.  If the experiment has contrasts
 * (store/contrast.h), adds one sentence for each contrast instead. */
void findings_brief(struct sheet *out, struct site *s);

/* In the sheets of all tables, finds the items below the heading that begins
 * with `heading`.  Writes a section of these items, with a heading for each
 * table, or nothing if there are none. */
void findings_quote(struct page *p, const char *heading, const char *title);

enum { PAGE_MOST = 1000000 }; /* bytes; a larger page is reported */

/* The lines of the pages' script; ends with NULL. */
extern const char *const page_script[];
