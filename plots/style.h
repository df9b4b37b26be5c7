/*
 * style: the colour, mark and dash that a row has in every figure.
 *
 * A variant has one colour and one mark, a family of variants related colours;
 * no two variants share both, nor mark and dash, which is what is left of them
 * in grey print.  A variant that style.c does not know has one by its name.
 *
 * What a row has besides does not change its colour or the kind of its mark:
 * one that is tuned ("random,tuned") is filled and has a thicker line, and what
 * an experiment varies ("random,N=64") changes the dash.
 */
#pragma once

#include "plots/picture.h"

struct arena;

struct style {
    unsigned colour; /* 0xRRGGBB; of 3 : 1 on white or more              */
    unsigned ink;    /* the same for words: 4.5 : 1 or more              */
    int      mark;   /* gnuplot's type of point                          */
    int      dash;   /* its type of dash, those of plots/style.gp        */
    double   width;  /* of a line                                        */
};

/* Of a row; varied: which of the things that are varied it has, 0: none of
 * them (looks_of counts). */
struct style style_of(const char *row, int varied);

/* Of the rows of a picture, which end with NULL, such as select_variants(r) has
 * them; the arena owns them. */
const struct style *looks_of(const char *const *row, struct arena *a);

/* ",N=64" of "random,N=64,tuned"; "" of a variant alone. */
const char *look_varied(const char *row, struct arena *a);

/* Sets hueI, inkI, markI, dashI and thickI for gnuplot; style.gp has hue(i) and
 * so on for them. */
void style_put(struct picture *p, int i, const struct style *l);
