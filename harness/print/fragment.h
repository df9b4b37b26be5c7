/*
 * fragment: building blocks of HTML pages: sections, tables, and the parts of a
 * sheet one by one.  The HTML format and the pages of site/ use it.
 *
 *     struct fragment f = {.to = markup_new(), .memory = sheet->memory};
 *     fragment_parts(&f, sheet, 0, sheet->parts, "Cells");
 */
#pragma once

#include "harness/print/markup.h"
#include "harness/print/sheet.h"

struct fragment {
    struct markup *to;
    struct arena  *memory;
    const char    *heading; /* of the section; NULL: none yet */

    /* Returns the link target of a grid cell with this `of` (sheet.h), or NULL.
     * If the function itself is NULL, no cell is a link. */
    const char *(*way)(const void *page, const char *of);
    const void   *page;
};

/* Opens a section with a heading and, if id is not NULL, an id.  markup_shut
 * closes it. */
void fragment_section(struct fragment *f, const char *id, const char *title);

/* Opens a box that scrolls, also by keyboard, if its contents are wider than
 * the window.  markup_shut closes it. */
void fragment_wide(struct fragment *f, const char *label);

/* Opens a table in such a box, up to its head.  caption: its name for screen
 * readers and on paper.  fragment_table_shut closes both. */
void fragment_table(struct fragment *f, const char *caption, int sortable);
void fragment_table_shut(struct fragment *f);
void fragment_head(struct fragment *f, const char *title, int left);
void fragment_row_head(struct fragment *f, const char *to, const char *text);
void fragment_cell(struct fragment *f, const char *to, const char *text,
                   int left); /* 1: flush left; 2: prose */

void fragment_command(struct fragment *f, const char *text); /* to be copied */

/* Writes `n` parts of a sheet from `first` on, without titles.  caption: of
 * grids before the first heading. */
void fragment_parts(struct fragment *f, const struct sheet *s, int first,
                    int n, const char *caption);

/* Lines of the style sheet, ending with NULL.  It has a light and a dark
 * scheme, of which the browser uses the one that the reader prefers
 * (style.c). */
extern const char *const fragment_style[];
