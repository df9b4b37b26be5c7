/*
 * page: what all pages share: head, ways around, and the forms in which
 * numbers and sheets are shown.
 */
#pragma once

#include "harness/print/fragment.h"
#include "harness/site/site.h"

struct page {
    struct site   *site;
    struct markup *to;
    const char    *path; /* from the site's folder, "cell/ID.html" */
    struct fragment in;  /* `to` again, with the ways of this page */
};

/* Everything above the contents, with a warning if the store has synthetic
 * data; title: of the window, its heading too. */
void page_open(struct page *p, struct site *s, const char *path,
               const char *title);

void page_close(struct page *p); /* one that is not shut */
OWNER_OF_VALUE(page_close, struct page)

/* Writes it.  ERR_IO, ERR_SPACE. */
int page_shut(struct page *p);

/* A name as part of a path, whatever is in it: no two names have the same. */
const char *page_name(const struct site *s, const char *name);

/* Where a page is, from this one; lives in the site's memory. */
const char *page_way(const struct page *p, const char *path);
const char *page_of(const struct page *p, const char *folder,
                    const char *name);

/* Where the numbers of a variant on a task are told: of one cell its page, of
 * several their section; NULL: nothing of it is done.  task NULL: the
 * variant's page. */
const char *page_numbers(const struct page *p, const char *variant,
                         const char *task);

/* As those of print/fragment.h. */
void page_section(struct page *p, const char *id, const char *title);
void page_table(struct page *p, const char *caption, int sortable);
void page_table_shut(struct page *p);
void page_head(struct page *p, const char *title, int left); /* of a column */
void page_row_head(struct page *p, const char *to, const char *text);
void page_cell(struct page *p, const char *to, const char *text, int left);
void page_command(struct page *p, const char *fmt, ...) /* to be copied */
    __attribute__((format(printf, 2, 3)));
void page_parts(struct page *p, const struct sheet *s, int first, int n,
                const char *caption);

/* What stands between them in a box that scrolls, its title below. */
void page_figure(struct page *p, const char *title);
void page_figure_shut(struct page *p, const char *title);

/* The picture in such a box. */
int page_picture(struct page *p, const struct site_picture *picture);

enum { PAGE_MOST = 1000000 }; /* bytes of a page */

extern const char *const page_script[]; /* lines; end with NULL */
