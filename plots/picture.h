/*
 * picture: writes and draws one plot.  Its files are FOLDER/NAME.tsv (the
 * data), FOLDER/NAME.txt (the texts, each in a line "variable TAB text") and
 * FOLDER/NAME.gp (a gnuplot script that needs only these two files).  gnuplot
 * draws NAME.png, NAME.svg and NAME.pdf, or only the formats that the output
 * requires (easel.h).  A figure calls picture_begin, sets variables, writes
 * its data to `data`, and calls picture_end and picture_abandon.
 *
 * NAME.gp consists of plots/style.gp, the variables and the figure's own
 * plots/SCRIPT.gp.  NAME.gp contains no text from a store, so nothing in a
 * store can become a command: gnuplot reads the texts from NAME.txt, as values.
 */
#pragma once

#include "harness/base/owned.h"
#include "harness/base/relation.h"
#include "plots/easel.h"

#include <stdio.h>

enum { PICTURE_WIDTH = 1200, PICTURE_HEIGHT = 750 }; /* pixels */

struct picture {
    struct output to;
    /* The .tsv, .txt and .gp file, in memory until picture_end. */
    FILE  *data, *words, *script;
    int    lines;                 /* number of texts in `words`   */
    int    blocks;                /* ended blocks in `data`       */
    struct picture_files made;    /* name and contents of the files */
};

/* Begins the picture `name`, which can contain names from a store.  Returns
 * ERR_STORE if `name` begins with '-' or '.', or contains characters that are
 * not letters, digits, '_', '-' or '.'; or ERR_IO.  The caller calls
 * picture_abandon even after an error. */
int picture_begin(struct picture *p, const struct output *to, const char *name);

/* These functions set a gnuplot variable; a number that is not finite becomes
 * NaN.  picture_text_i and picture_number_i set the variable NAMEi, such as
 * "low2". */
void picture_text(struct picture *p, const char *variable, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
void picture_text_i(struct picture *p, const char *name, int i,
                    const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));
void picture_number(struct picture *p, const char *variable, double value);
void picture_number_i(struct picture *p, const char *name, int i, double value);

/* picture_head writes the names of the columns as the first line of the data,
 * and picture_row a row.  Columns are texts, integers and reals.  picture_block
 * ends a block, which must have at least one row, and returns the index of the
 * block that begins. */
void picture_head(struct picture *p, const struct column *c);
void picture_row(struct picture *p, const struct column *c, const void *row);
int  picture_block(struct picture *p);

/* Both functions write `before` and then a field of the data.  In a text,
 * characters that are not printable ASCII become '?', and a double quote, which
 * would start a string, becomes a single quote.  A number that is not finite
 * becomes NaN, which gnuplot does not draw. */
void picture_put_text(FILE *out, const char *before, const char *text);
void picture_put_number(FILE *out, const char *before, double value);

/* Completes the picture with plots/SCRIPT.gp.  If the output has an easel, the
 * easel draws the picture; otherwise picture_end does.  Files and links with
 * the same names in the folder are replaced.  Returns ERR_IO if gnuplot is
 * missing or fails.  Returns ERR_IO or ERR_SPACE if the files cannot be
 * written. */
int  picture_end(struct picture *p, const char *script);
void picture_abandon(struct picture *p); /* also after picture_end */
OWNER_OF_VALUE(picture_abandon, struct picture)
