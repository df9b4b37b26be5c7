/*
 * picture: one plot on its way to the disk: FOLDER/NAME.tsv (the data),
 * FOLDER/NAME.gp (a gnuplot script that stands alone beside it), and what
 * gnuplot makes of them, NAME.png and NAME.svg.
 *
 * NAME.gp is the variables that were set, plots/style.gp and the figure's own
 * plots/SCRIPT.gp, one after the other.
 */
#ifndef PLOTS_PICTURE_H
#define PLOTS_PICTURE_H

#include <stdio.h>

enum { PICTURE_WIDTH = 1200, PICTURE_HEIGHT = 750 }; /* pixels */

struct picture { char *folder, *name; FILE *data, *script; };

/* ERR_IO, ERR_SPACE: the files cannot be made. */
int picture_begin(struct picture *p, const char *folder, const char *name);

/* gnuplot variables. */
void picture_text(struct picture *p, const char *variable, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
void picture_number(struct picture *p, const char *variable, double value);

/* Draws it and frees p; ERR_IO: gnuplot is missing or refused. */
int  picture_end(struct picture *p, const char *script);
void picture_abandon(struct picture *p); /* also after picture_end */

#endif
