/*
 * style: determines the colour, mark and dash of a row (a variant with its
 * settings), which are the same in every figure.
 *
 * Each variant has one colour and one mark; a family of variants has related
 * colours.  No two variants share both colour and mark, or, because of
 * black-and-white print, both mark and dash.  A variant that style.c does not
 * list gets a style derived from its name.
 *
 * Settings do not change the colour or the shape of the mark.  A tuned row
 * ("random,tuned") has a filled mark and a thicker line; a varied setting
 * ("random,N=64") changes the dash.
 */
#pragma once

#include "plots/picture.h"

struct arena;

enum { STYLE_DASHES = 5 }; /* as in style.gp */

struct style {
    unsigned colour; /* 0xRRGGBB; contrast with white 3 : 1 or more      */
    unsigned ink;    /* the colour for text: contrast 4.5 : 1 or more    */
    int      mark;   /* point type of gnuplot                            */
    int      dash;   /* dash type, defined in plots/style.gp             */
    double   width;  /* of lines                                         */
};

/* Returns the style of a row.  `varied` is the number of the row's varied
 * settings, counted from 1 as in looks_of, or 0 if all rows of the picture have
 * the same settings. */
struct style style_of(const char *row, int varied);

/* Returns the styles of the rows of a picture; the arena owns the styles.
 * `row` lists the rows, such as the result of select_variants, and ends with
 * NULL. */
const struct style *looks_of(const char *const *row, struct arena *a);

/* Sets the gnuplot variables hueI, inkI, markI, dashI and thickI, where I is
 * `i`, the number of a row, to the style `l`.  Scripts read them with the
 * functions hue(i), ink(i), shape(i), dash(i) and thick(i) of style.gp. */
void style_put(struct picture *p, int i, const struct style *l);
