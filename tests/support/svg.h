/* svg: numbers in a text and in a picture of gnuplot's, for tests: pixels turn
 * into numbers by the tics of the axes. */
#pragma once

struct axis { double pixel[2], value[2]; };
struct axes { struct axis x, y; };

void svg_near(const char *what, double got, double want, double tolerance);
const char *svg_find(const char *text, const char *part); /* fails: not there */
const char *svg_next(const char *line);                   /* the line after   */

/* The first tic and the last, of those between two places of an SVG. */
struct axes svg_axes(const char *from, const char *to);
struct axis svg_across(const char *from, const char *to); /* where y has none */
struct axis svg_logarithms(struct axis a); /* of its values */
double      svg_pixel(const struct axis *a, double value);

/* Where the text stands. */
void svg_place(const char *svg, const char *text, double *x, double *y);

/* What gnuplot drew as the n-th of a panel ("a", "b", ""), to *end of it; in
 * the row's colour, where it is one's. */
const char *svg_group(const char *svg, int n, const char *panel,
                      const char **end_of, const char *row);

/* The next point of a path, or NULL. */
const char *svg_point(const char *s, double *x, double *y);
