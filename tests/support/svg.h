/* svg: reads numbers from text and from SVG pictures drawn by gnuplot. The tics
 * of the axes convert pixels into values. */
#pragma once

struct axis { double pixel[2], value[2]; };
struct axes { struct axis x, y; };

void svg_near(const char *what, double got, double want, double tolerance);
/* svg_find returns the first occurrence of `part`, and fails if there is
 * none. */
const char *svg_find(const char *text, const char *part);
const char *svg_next(const char *line);                   /* next line        */

/* svg_axes returns the first and last tics of both axes, which it reads between
 * two places of an SVG. */
struct axes svg_axes(const char *from, const char *to);
struct axis svg_across(const char *from, const char *to); /* if y has no tics */
struct axis svg_logarithms(struct axis a); /* values become their logarithms */
double      svg_pixel(const struct axis *a, double value);

/* Sets *x and *y to the position of the text. */
void svg_place(const char *svg, const char *text, double *x, double *y);

/* Returns the n-th plot of panel "a" or "b", or of a picture without panels
 * (""). Sets *end_of to its end. If `row` is not NULL, fails unless the plot
 * has the colour of that row. */
const char *svg_group(const char *svg, int n, const char *panel,
                      const char **end_of, const char *row);

/* Reads the next point of a path. Returns the text after it, or NULL. */
const char *svg_point(const char *s, double *x, double *y);
