#include "plots/line_labels.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Height of a line in pixels, size of the letters in points, and distance from
 * the panel to the names in widths of the picture. */
static const double LINE = 22, LETTERS = 12;
static const double AWAY = 0.022;

static int by_height(const void *a, const void *b)
{
    const struct end *x = a, *y = b;

    return x->y < y->y ? -1 : x->y > y->y ? 1 : strcmp(x->name, y->name);
}

/* Subtracts i * gap from place i.  The places must then not decrease, so
 * adjacent places that decrease are set to their mean (pool adjacent
 * violators). */
void line_labels_spread(double *place, int n, double gap, double low,
                        double high)
{
    for (int i = 0; i < n; i++)
        place[i] -= i * gap;
    for (int i = 1; i < n; i++) {
        double sum = place[i];
        int from = i;

        while (from > 0 && place[from - 1] > sum / (i - from + 1))
            sum += place[--from];
        for (int k = from; k <= i; k++)
            place[k] = sum / (i - from + 1);
    }
    for (int i = 0; i < n; i++)
        place[i] = fmax(low, fmin(place[i], high - (n - 1) * gap)) + i * gap;
}

/* Returns the height of `y` (from 0 to 1 in the panel) above the bottom of the
 * picture, in pixels. */
static double height(const struct frame *f, double y)
{
    return (f->bottom + (f->top - f->bottom) * y) * PICTURE_HEIGHT;
}

static double clamp(double y) { return fmax(0, fmin(y, 1)); }

static void put_line(struct picture *p, const struct end *e,
                     const struct frame *f, double at)
{
    double y = height(f, clamp(e->y)) / PICTURE_HEIGHT;

    fprintf(p->script, "names = names . \"set arrow from screen %.4f, screen "
            "%.4f to screen %.4f, screen %.4f nohead lw 1 dt %d lc rgb %u; "
            "\"\n", f->right, y, f->right + AWAY, at, e->look->dash,
            e->look->colour);
}

static void put_name(struct picture *p, int i, const struct end *e,
                     const struct frame *f, double at, double letters)
{
    fprintf(p->script, "names = names . \"set label end%d at screen %.4f, "
            "screen %.4f left point pt %d ps mark(%.2f) lc rgb %u offset "
            "%.2f, 0 font ',%.1f' textcolor rgb %u; \"\n", i,
            f->right + AWAY + 0.004, at, e->look->mark,
            1.3 * letters / LETTERS, e->look->colour,
            0.9 * letters / LETTERS, letters, e->look->ink);
}

void line_labels_put(struct picture *p, struct end *e, int n,
                     const struct frame *panel)
{
    double room = height(panel, 1) - height(panel, 0);
    double gap = fmin(LINE, room / n), letters = LETTERS * fmin(1, gap / LINE);
    double *place = calloc((size_t)n, sizeof *place);
    char variable[24];

    qsort(e, (size_t)n, sizeof *e, by_height);
    for (int i = 0; i < n; i++)
        place[i] = height(panel, clamp(e[i].y));
    line_labels_spread(place, n, gap, height(panel, 0), height(panel, 1));
    picture_number(p, "n", n);
    fputs("names = ''\n", p->script);
    for (int i = 0; i < n; i++) {
        double at = place[i] / PICTURE_HEIGHT;

        snprintf(variable, sizeof variable, "name%d", i + 1);
        picture_text(p, variable, "%s", e[i].name);
        snprintf(variable, sizeof variable, "end%d", i + 1);
        picture_text(p, variable, "%s  %s", e[i].name, e[i].told);
        style_put(p, i + 1, e[i].look);
        if (isfinite(e[i].y))
            put_line(p, &e[i], panel, at);
        put_name(p, i + 1, &e[i], panel, at, letters);
    }
    free(place);
}

void line_labels_frame(struct picture *p, const char *name,
                       const struct frame *f)
{
    const struct { const char *edge; double at; } all[] = {
        {"left", f->left}, {"right", f->right}, {"bottom", f->bottom},
        {"top", f->top}};
    char variable[32];

    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        snprintf(variable, sizeof variable, "%s_%s", all[i].edge, name);
        picture_number(p, variable, all[i].at);
    }
}
