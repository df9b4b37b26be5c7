/* svg: reads numbers from text and from SVG pictures drawn by gnuplot. The tics
 * of the axes convert pixels into values. */
#pragma once

struct axis { double pixel[2], value[2]; };
struct axes { struct axis x, y; };

void svg_near(const char *what, double got, double want, double tolerance);
/* fails if not found */
const char *svg_find(const char *text, const char *part);
const char *svg_next(const char *line);                   /* next line        */

/* svg_axes returns the first and last tics of both axes between two places of
 * an SVG. */
struct axes svg_axes(const char *from, const char *to);
struct axis svg_across(const char *from, const char *to); /* if y has no tics */
struct axis svg_logarithms(struct axis a); /* natural logarithm of its values */
double      svg_pixel(const struct axis *a, double value);

/* Sets *x and *y to the position of the text. */
void svg_place(const char *svg, const char *text, double *x, double *y);

/* Returns the n-th plot of panel "a", "b" or "" (no panels); *end_of is set to
 * its end. Fails unless it has the colour of `row`, if that is not NULL. */
const char *svg_group(const char *svg, int n, const char *panel,
                      const char **end_of, const char *row);

/* Reads the next point of a path. Returns the text after it, or NULL. */
const char *svg_point(const char *s, double *x, double *y);
