/*
 * picture: one plot on its way to the disk: FOLDER/NAME.tsv (the data),
 * FOLDER/NAME.txt (its words, "variable TAB text" a line), FOLDER/NAME.gp (a
 * gnuplot script that stands alone beside them), and what gnuplot makes of
 * them, NAME.png, NAME.svg and NAME.pdf, or those that the output is of.
 *
 * NAME.gp is plots/style.gp, the variables that were set and the figure's own
 * plots/SCRIPT.gp, one after the other.  No text from a store stands in it,
 * so nothing in a store can be a command: words come from NAME.txt, as values.
 */
#pragma once

#include "harness/base/owned.h"
#include "plots/easel.h"

#include <stdio.h>

enum { PICTURE_WIDTH = 1200, PICTURE_HEIGHT = 750 }; /* pixels */

struct picture {
    struct output to;
    char  *name;
    FILE  *data, *words, *script; /* in memory, until picture_end */
    int    lines;                 /* of words                     */
    char  *text[DRAWN_FILES];     /* what they hold               */
    size_t bytes[DRAWN_FILES];
};

/* ERR_STORE: the name, made of one from a store, has more than letters, digits,
 * '_', '-' and '.', or begins with these two; ERR_IO.  picture_abandon in any
 * case. */
int picture_begin(struct picture *p, const struct output *to, const char *name);

/* gnuplot variables; a number that is not finite becomes NaN. */
void picture_text(struct picture *p, const char *variable, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
void picture_number(struct picture *p, const char *variable, double value);

/* A field of the data and what goes before it.  Text: what is not printable
 * ASCII becomes '?', and a double quote, which would begin a string there, a
 * single one.  A number that is not finite: NaN, which gnuplot leaves out. */
void picture_put_text(FILE *out, const char *before, const char *text);
void picture_put_number(FILE *out, const char *before, double value);

/* Writes the files and draws it, or hands it to the output's easel, which draws
 * it.  Files of the folder that have these names are replaced, and links too.
 * ERR_IO: gnuplot is missing or refused, or the files cannot be made;
 * ERR_SPACE. */
int  picture_end(struct picture *p, const char *script);
void picture_abandon(struct picture *p); /* also after picture_end */
OWNER_OF_VALUE(picture_abandon, struct picture)
