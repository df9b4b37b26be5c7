/*
 * picture: writes and draws one plot.  Its files are FOLDER/NAME.tsv (the
 * data), FOLDER/NAME.txt (the words, a line "variable TAB text" each),
 * FOLDER/NAME.gp (a gnuplot script that needs only these two) and what gnuplot
 * draws: NAME.png, NAME.svg and NAME.pdf, or those that the output asks for.
 * Begin a picture, set variables, write its data to `data`, and end it.
 *
 * NAME.gp consists of plots/style.gp, the variables and the figure's own
 * plots/SCRIPT.gp.  It contains no text from a store, so nothing in a store
 * can become a command: gnuplot reads the words from NAME.txt, as values.
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
    int    lines;                 /* number of words              */
    char  *text[DRAWN_FILES];     /* contents of the three files  */
    size_t bytes[DRAWN_FILES];
};

/* Returns ERR_STORE if the name, which may contain names from a store, has
 * other characters than letters, digits, '_', '-' and '.', or begins with '-'
 * or '.'; or ERR_IO.  The caller calls picture_abandon even after an error. */
int picture_begin(struct picture *p, const struct output *to, const char *name);

/* Sets a gnuplot variable; a number that is not finite becomes NaN. */
void picture_text(struct picture *p, const char *variable, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
void picture_number(struct picture *p, const char *variable, double value);

/* Writes `before` and then a field of the data.  In a text, characters other
 * than printable ASCII become '?', and a double quote, which would start a
 * string, becomes a single quote.  A number that is not finite becomes NaN,
 * which gnuplot leaves out. */
void picture_put_text(FILE *out, const char *before, const char *text);
void picture_put_number(FILE *out, const char *before, double value);

/* Completes the picture with plots/SCRIPT.gp and draws it, or passes it to the
 * output's easel, which draws it.  Files, and links, of the same names in the
 * folder are replaced.  Returns ERR_IO if gnuplot is missing or fails, or if
 * the files cannot be written, or ERR_SPACE. */
int  picture_end(struct picture *p, const char *script);
void picture_abandon(struct picture *p); /* also after picture_end */
OWNER_OF_VALUE(picture_abandon, struct picture)
