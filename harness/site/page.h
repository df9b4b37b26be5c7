/*
 * page: writes what all pages have in common: head, navigation, links, tables,
 * sheets and figures.  A page kind calls page_open, writes the contents, and
 * calls page_shut, which writes the file; page_close releases the page in any
 * case.
 */
#pragma once

#include "harness/claims/claims.h"
#include "harness/print/fragment.h"
#include "harness/site/site.h"

struct page {
    struct site   *site;
    struct markup *to;
    const char    *path; /* relative to the site's folder: "cell/ID.html" */
    struct fragment in;  /* writes to `to`, with links from this page     */
};

/* Writes everything above the contents, with a warning if the store has
 * synthetic data.  `title` is the title of the window and the heading. */
void page_open(struct page *p, struct site *s, const char *path,
               const char *title);

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

/* Each function page_NAME calls fragment_NAME (print/fragment.h). */
void page_section(struct page *p, const char *id, const char *title);
void page_table(struct page *p, const char *caption, int sortable);
void page_table_shut(struct page *p);
void page_head(struct page *p, const char *title, int left); /* of a column */
/* Writes the heads of n columns, of which the first and the last are flush
 * left, and opens the body of the table. */
void page_heads(struct page *p, const char *const *title, size_t n);
void page_row_head(struct page *p, const char *to, const char *text);
void page_cell(struct page *p, const char *to, const char *text, int left);
void page_chip(struct page *p, const char *kind, const char *icon,
               const char *text);
void page_command(struct page *p, const char *fmt, ...) /* to be copied */
    __attribute__((format(printf, 2, 3)));
void page_parts(struct page *p, const struct sheet *s, int first, int n,
                const char *caption);

/* page_figure opens a figure, whose contents are in a box that scrolls;
 * page_figure_shut closes the box, writes the title below and closes the
 * figure. */
void page_figure(struct page *p, const char *title);
void page_figure_shut(struct page *p, const char *title);

/* Writes a picture as a figure. */
int page_picture(struct page *p, const struct site_picture *picture);

/* Draws the losses of a variant's finished cells on a task, or only those of
 * *seed if `seed` is not NULL, as a figure (curve.c).  Writes nothing if no
 * cell stores its losses.  Returns ERR_STORE if a cell is damaged. */
int page_curve(struct page *p, const char *variant, const char *task,
               const long long *seed, const char *title);

/* page_verdict writes a verdict as a chip with its icon: of one claim if n is
 * 0, or of n claims.  page_verdicts writes the number of claims of each
 * verdict, a list of this class (claim.c). */
void page_verdict(struct page *p, enum claim_verdict v, int n);
void page_verdicts(struct page *p, const char *class);

/* Writes the value of every variant on every task as a table (matrix.c). */
void page_matrix(struct page *p);

/* Writes a table of links to the pictures, with a row for each task and a
 * column for each figure (matrix.c). */
void page_gallery(struct page *p);

enum { PAGE_MOST = 1000000 }; /* maximum bytes of a page */

/* The lines of the pages' script; ends with NULL. */
extern const char *const page_script[];
