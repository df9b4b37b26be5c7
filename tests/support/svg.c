#include "tests/support/svg.h"

#include "harness/base/str.h"
#include "plots/style.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void svg_near(const char *what, double got, double want, double tolerance)
{
    if (!(fabs(got - want) <= tolerance))
        fail_msg("%s is %.9g, not %.9g", what, got, want);
}

const char *svg_find(const char *text, const char *part)
{
    const char *at = strstr(text, part);

    if (!at)
        fail_msg("'%s' is not in the picture", part);
    return at ? at : text;
}

const char *svg_next(const char *line) { return strchr(line, '\n') + 1; }

/* Reads the tics of both axes. Sets n[0] and n[1] to the numbers of tics of x
 * and y. */
static struct axes tics(const char *from, const char *to, int n[2])
{
    /* remains zero if the tics are names, not numbers */
    struct axes a = {{{0}, {0}}, {{0}, {0}}};

    for (const char *s = from; s < to; s = svg_next(s)) {
        double x[2], y[2], value;

        if (sscanf(s, "\t<path stroke='rgb( 68,  68,  68)'  d='M%lf,%lf L%lf,"
                   "%lf  '/>\t<g transform", &x[0], &y[0], &x[1], &y[1]) != 4 ||
            sscanf(svg_next(s), "\t\t<text> %lf</text>", &value) != 1)
            continue;
        int of_y = y[0] == y[1];
        struct axis *axis = of_y ? &a.y : &a.x;
        int last = n[of_y]++ > 0;

        axis->pixel[last] = of_y ? y[0] : x[0];
        axis->value[last] = value;
    }
    return a;
}

struct axes svg_axes(const char *from, const char *to)
{
    int n[2] = {0};
    struct axes a = tics(from, to, n);

    assert_true(n[1] > 1);
    return a;
}

struct axis svg_across(const char *from, const char *to)
{
    int n[2] = {0};
    struct axes a = tics(from, to, n);

    assert_true(n[0] > 1);
    return a.x;
}

double svg_pixel(const struct axis *a, double value)
{
    return a->pixel[0] + (value - a->value[0]) * (a->pixel[1] - a->pixel[0]) /
                             (a->value[1] - a->value[0]);
}

void svg_place(const char *svg, const char *text, double *x, double *y)
{
    const char *at = svg_find(svg, text), *moved = NULL;

    for (const char *s = svg; (s = strstr(s, "translate(")) && s < at; s++)
        moved = s;
    assert_int_equal(sscanf(moved, "translate(%lf,%lf)", x, y), 2);
}

const char *svg_group(const char *svg, int n, const char *panel,
                         const char **end_of, const char *row)
{
    char *id = str_format("<g id=\"gnuplot_plot_%d%s\"", n, panel);
    const char *at = svg_find(svg, id);

    *end_of = strstr(at + 1, "<g id=");
    if (!*end_of)
        *end_of = svg + strlen(svg);
    if (row) {
        unsigned c = style_of(row, 0).colour;
        char *colour = str_format("'rgb(%3u, %3u, %3u)'", c >> 16,
                                  c >> 8 & 255, c & 255);

        if (svg_find(at, colour) > *end_of)
            fail_msg("plot %d%s has not the colour of %s", n, panel, row);
        free(colour);
    }
    free(id);
    return at;
}

const char *svg_point(const char *s, double *x, double *y)
{
    char *rest;

    while (*s && *s != '\'' && !(*s >= '0' && *s <= '9'))
        s++;
    if (*s == '\'' || !*s)
        return NULL;
    *x = strtod(s, &rest);
    *y = strtod(rest + 1, &rest);
    return rest;
}

struct axis svg_logarithms(struct axis a)
{
    a.value[0] = log(a.value[0]);
    a.value[1] = log(a.value[1]);
    return a;
}
