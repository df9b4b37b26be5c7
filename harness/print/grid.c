#include "harness/print/sheet.h"

#include "harness/base/array.h"
#include "harness/base/str.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void grid_add(struct grid *g, const char *fmt, ...)
{
    va_list ap;

    va_start(ap, fmt);
    char *rest = arena_vformat(g->memory, fmt, ap);
    va_end(ap);
    for (const char *tab = fmt; tab; fmt = tab ? tab + 1 : NULL) {
        tab = strchr(fmt, '\t');
        char *text = tab ? strsep(&rest, "\t") : rest;

        ARRAY_ROOM(g->cell, g->cells, g->room);
        g->cell[g->cells++] = (struct grid_cell){.text = str_harmless(text,
                                                                      "")};
    }
}

void grid_number(struct grid *g, const char *form, double x, const char *none)
{
    if (isnan(x))
        grid_add(g, "%s", none);
    else
        grid_add(g, form, x);
}

void grid_best(struct grid *g) { g->cell[g->cells - 1].best = 1; }

void grid_whose(struct grid *g, const char *variant, const char *task)
{
    g->cell[g->cells - 1].of = arena_format(g->memory, "%s%s%s", variant,
                                            task ? "/" : "", task ? task : "");
}

int grid_rows(const struct grid *g) { return g->cells / g->columns; }

const struct grid_cell *grid_at(const struct grid *g, int row, int column)
{
    return &g->cell[row * g->columns + column];
}

const char *grid_count(double x, const char *unit, char out[32])
{
    static const char *const prefix[2][6] = {{"", "K", "M", "B", "T", "T"},
                                             {" ", " k", " M", " G", " T",
                                              " P"}};
    int most = unit ? 5 : 4, k = 0;

    for (; x >= 999.5 && k < most; k++)
        x /= 1000;
    snprintf(out, 32, "%.*f%s%s", k == 0 || x >= 99.95 ? 0 : x >= 9.995 ? 1 : 2,
             x, prefix[unit != NULL][k], unit ? unit : "");
    return out;
}

const char *grid_digits(double x, char out[32])
{
    char plain[32], *to = out;

    if (isnan(x))
        return "-";
    int n = snprintf(plain, sizeof plain, "%.0f", x);
    for (int i = 0; i < n; i++) {
        if (i && (n - i) % 3 == 0 && plain[i - 1] != '-')
            *to++ = ',';
        *to++ = plain[i];
    }
    *to = 0;
    return out;
}
