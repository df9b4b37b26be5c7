/*
 * fragment: writes the building blocks of HTML pages: sections, tables and the
 * parts of a sheet.  The HTML format and the page kinds of site/ call it.
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
    const char    *heading; /* the section's heading; NULL: none yet */
    int            marks;   /* 1: a text had a mark, so the page needs a
                               legend of marks */

    /* Returns the link target of a grid cell that shows a value of `of`, a row
     * ("vanilla") or a row and a task ("vanilla/lm1b"), or NULL if there is no
     * target.  If `way` is NULL, no cell is a link. */
    const char *(*way)(const void *page, const char *of);
    const void   *page;
};

/* Opens a section with a heading and, if `id` is not NULL, an id.  markup_shut
 * closes the section. */
void fragment_section(struct fragment *f, const char *id, const char *title);

/* Opens a box that scrolls, also by keyboard, if its contents are wider than
 * the window.  markup_shut closes the box. */
void fragment_wide(struct fragment *f, const char *label);

/* Opens a box of fragment_wide and, in it, a table without head and rows.
 * caption: the table's name for screen readers and on paper.  class: of the
 * style sheet, or NULL.  The caller closes the table and the box. */
void fragment_table(struct fragment *f, const char *caption, const char *class);

/* fragment_head writes the head of a column; fragment_row_head writes the head
 * of a row; fragment_cell writes a cell.  to: link target, or NULL.  left: 1:
 * flush left; 2 (cells only): flush left, and the text wraps. */
void fragment_head(struct fragment *f, const char *title, int left);
void fragment_row_head(struct fragment *f, const char *to, const char *text);
void fragment_cell(struct fragment *f, const char *to, const char *text,
                   int left);

/* fragment_better writes the name of a metric and an arrow if higher (+1) or
 * lower (-1) values are better.  fragment_value writes a value; a best value is
 * bold and has a star. */
void fragment_better(struct fragment *f, const char *metric, int better);
void fragment_value(struct fragment *f, const char *to, const char *text,
                    int best);

/* Writes a command line that the reader can copy. */
void fragment_command(struct fragment *f, const char *text);

/* Writes a text; marks in it, such as "(SYNTHETIC)", become chips. */
void fragment_marked(struct fragment *f, const char *text);

/* Writes a short mark.  kind: "good", "part", "bad" or "soft", its colour;
 * icon: shown before the text, or NULL.  The text alone must convey the
 * meaning. */
void fragment_chip(struct fragment *f, const char *kind, const char *icon,
                   const char *text);

/* Writes `n` parts of a sheet, from part `first` on, and skips titles.
 * caption: the caption of all grids that come before the first heading. */
void fragment_parts(struct fragment *f, const struct sheet *s, int first,
                    int n, const char *caption);

/* The lines of the style sheet (style.c); the list ends with NULL.  The style
 * sheet has a light and a dark scheme; the browser uses the reader's choice. */
extern const char *const fragment_style[];
