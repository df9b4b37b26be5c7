/*
 * fragment: what pages of HTML are made of: sections, tables, and the parts of
 * a sheet one by one.
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
    const char    *heading; /* of the section; NULL: there is none yet */

    /* Where it is told what a grid's cell is of (sheet.h); NULL: nowhere.
     * Without the function no cell leads anywhere. */
    const char *(*way)(const void *page, const char *of);
    const void   *page;
};

/* A section with a heading, and an id where it is not NULL; markup_shut. */
void fragment_section(struct fragment *f, const char *id, const char *title);

/* A box that scrolls, by keys too, where what is in it is wider than the
 * window; markup_shut. */
void fragment_wide(struct fragment *f, const char *label);

/* A table in such a box, up to its head: fragment_table_shut.  caption: its
 * name for who cannot see it, and on paper. */
void fragment_table(struct fragment *f, const char *caption, int sortable);
void fragment_table_shut(struct fragment *f);
void fragment_head(struct fragment *f, const char *title, int left);
void fragment_row_head(struct fragment *f, const char *to, const char *text);
void fragment_cell(struct fragment *f, const char *to, const char *text,
                   int left); /* 2: prose */

void fragment_command(struct fragment *f, const char *text); /* for copying */

/* The parts of a sheet from `first` on, `n` of them; caption: of grids before
 * the first heading.  Titles are left out. */
void fragment_parts(struct fragment *f, const struct sheet *s, int first,
                    int n, const char *caption);

/* Of an element style, lines that end with NULL: two schemes, as the reader's
 * machine asks (style.c). */
extern const char *const fragment_style[];
