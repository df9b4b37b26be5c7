#include "plots/chart.h"

#include "harness/base/str.h"
#include "plots/labels.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The edges of all panels, in fractions of the picture. */
static const double BOTTOM = 0.13, TOP = 0.85;
/* Height of a name in pixels, size of its letters in points, and distance from
 * the panel to the names in widths of the picture. */
static const double LINE = 22, LETTERS = 12, AWAY = 0.022;

void chart_pad(struct chart_panel *panel, double least)
{
    if (!(panel->low <= panel->high)) {
        panel->low = 0;
        panel->high = 1;
    }
    double pad = fmax((panel->high - panel->low) * 0.05, least);
    panel->low -= pad;
    panel->high += pad;
}

void chart_pad_log(double *low, double *high, double factor)
{
    if (!(*low <= *high)) {
        *low = 1;
        *high = 10;
    }
    *low /= factor;
    *high *= factor;
}

/* Returns the place of y in the panel, from 0 (bottom) to 1 (top). */
static double place_of(const struct chart_panel *panel, double y)
{
    double at = y;

    if (isfinite(y) && panel->log_y)
        at = log(y / panel->low) / log(panel->high / panel->low);
    else if (isfinite(y))
        at = (y - panel->low) / (panel->high - panel->low);
    return isnan(at) ? 1 : fmax(0, fmin(at, 1));
}

static int by_end(const void *a, const void *b)
{
    const struct chart_line *x = a, *y = b;
    double p = isnan(x->end) ? INFINITY : x->end;
    double q = isnan(y->end) ? INFINITY : y->end;

    return p < q ? -1 : p > q ? 1 : strcmp(x->name, y->name);
}

/* Adds the commands that draw the name of line i, at the height `at` of the
 * picture, and the thin line that connects the name to the end of line i, at
 * the height `end`. */
static void put_name(struct picture *p, const struct chart *c, int i, double at,
                     double end, double letters)
{
    const struct style *look = &c->line[i].look;
    double right = c->panel[0].right;

    if (isfinite(c->line[i].end))
        fprintf(p->script, "names = names . \"set arrow from screen %.4f, "
                "screen %.4f to screen %.4f, screen %.4f nohead lw 1 dt %d lc "
                "rgb %u; \"\n", right, end, right + AWAY, at, look->dash,
                look->colour);
    fprintf(p->script, "names = names . \"set label end%d at screen %.4f, "
            "screen %.4f left point pt %d ps mark(%.2f) lc rgb %u offset "
            "%.2f, 0 font ',%.1f' textcolor rgb %u; \"\n", i + 1,
            right + AWAY + 0.004, at, look->mark, 1.3 * letters / LETTERS,
            look->colour, 0.9 * letters / LETTERS, letters, look->ink);
}

/* Returns the size of the letters of a name, in points, with which it fits into
 * a line of height `gap` and into the space beside the panel. */
static double letters_of(const struct chart *c, int i, double gap)
{
    double across = (1 - c->panel[0].right - AWAY - 0.02) * PICTURE_WIDTH;
    OWNED(free) char *text = str_format("%s  %s", c->line[i].name,
                                        c->line[i].value);

    return fmin(LETTERS * fmin(1, gap / LINE),
                LABEL_POINTS * across / label_width(text));
}

/* Sets the variable `names` to commands that draw the names, and for each line
 * its name, its style and its blocks. */
static void put_lines(struct picture *p, const struct chart *c)
{
    double room = (TOP - BOTTOM) * PICTURE_HEIGHT;
    double gap = fmin(LINE, room / (c->n + !c->n));
    double *place = calloc((size_t)c->n + 1, sizeof *place);

    for (int i = 0; i < c->n; i++)
        place[i] = room * place_of(&c->panel[0], c->line[i].end);
    labels_spread(place, c->n, gap, 0, room);
    picture_number(p, "n", c->n);
    fputs("names = ''\n", p->script);
    for (int i = 0; i < c->n; i++) {
        const struct chart_line *l = &c->line[i];

        picture_text_i(p, "name", i + 1, "%s", l->name);
        picture_text_i(p, "end", i + 1, "%s  %s", l->name, l->value);
        style_put(p, i + 1, &l->look);
        put_name(p, c, i, BOTTOM + place[i] / PICTURE_HEIGHT,
                 BOTTOM + (TOP - BOTTOM) * place_of(&c->panel[0], l->end),
                 letters_of(c, i, gap));
        for (int k = 0; k < c->panels; k++)
            picture_number_i(p, "block", c->panels * i + k + 1, l->block[k]);
    }
    free(place);
}

static void put_panel(struct picture *p, const struct chart_panel *a, int k)
{
    const struct { const char *name, *text; } texts[] = {
        {"title", a->title}, {"x_title", a->x_title}, {"y_title", a->y_title}};
    const struct { const char *name; double value; } numbers[] = {
        {"left", a->left}, {"right", a->right}, {"least", a->least},
        {"most", a->most}, {"low", a->low}, {"high", a->high},
        {"log_x", a->log_x}, {"log_y", a->log_y}, {"ticks", a->ticks},
        {"levels", a->levels}, {"cut", a->cut}, {"x", a->x}, {"y", a->y},
        {"band", a->band}, {"every", a->every}};

    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        picture_text_i(p, texts[i].name, k, "%s",
                       texts[i].text ? texts[i].text : "");
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        picture_number_i(p, numbers[i].name, k, numbers[i].value);
}

int chart_end(struct picture *p, struct chart *c, const struct report *r)
{
    const char *beyond = reference_lines_put(&c->levels, p, r, c->panel[0].low,
                                             c->panel[0].high);
    const struct { const char *name, *text; } texts[] = {
        {"title", c->title}, {"subtitle", c->subtitle}, {"order", c->order},
        {"note", c->note}};

    qsort(c->line, (size_t)c->n, sizeof *c->line, by_end);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        picture_text(p, texts[i].name, "%s", texts[i].text ? texts[i].text
                                                           : "");
    picture_text(p, "beyond", "%s%s", *beyond ? c->beyond : "", beyond);
    picture_number(p, "bottom", BOTTOM);
    picture_number(p, "top", TOP);
    picture_number(p, "dots", c->dots);
    picture_number(p, "zero", c->zero);
    picture_number(p, "panels", c->panels);
    picture_number(p, "ticks", c->ticks);
    for (int i = 0; i < c->ticks; i++)
        picture_number_i(p, "tick", i + 1, c->tick[i]);
    for (int k = 0; k < c->panels; k++)
        put_panel(p, &c->panel[k], k + 1);
    put_lines(p, c);
    return picture_end(p, "chart");
}
