#include "plots/trend.h"

#include "harness/base/arena.h"
#include "harness/base/err.h"
#include "plots/style.h"
#include "plots/picture.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ACROSS = 3, MARKS = 6, HEAD = 60, PANEL = 190, FOOT = 40 }; /* px */

struct axes { double low, high; };

/* Returns by how many percent the value of commit c differs from the first
 * value. */
static double relative(const struct trend_series *s, int commits, int c)
{
    int first = 0;

    while (first < commits && !isfinite(s->y[first]))
        first++;
    if (first == commits || !isfinite(s->y[c]))
        return NAN;
    return s->y[first]          ? 100 * (s->y[c] / s->y[first] - 1)
           : s->y[c] == 0.0 ? 0 : NAN;
}

/* Writes a series.  The commits of its changes are named where there is
 * room. */
static void put_series(FILE *f, const struct trend *t, int i, struct axes *a)
{
    const struct trend_series *s = &t->series[i];
    int last = -t->commits;

    for (int c = 0; c < t->commits; c++) {
        double x = relative(s, t->commits, c);
        int named = s->change[c] && (c - last) * MARKS >= t->commits;

        if (!isfinite(s->y[c]))
            continue;
        fprintf(f, "%d\t%d", i + 1, c);
        picture_put_number(f, "\t", s->y[c]);
        fprintf(f, "\t%d", s->change[c]);
        picture_put_text(f, "\t", t->commit[c]);
        picture_put_text(f, "\t", s->name);
        picture_put_number(f, "\t", x);
        picture_put_text(f, "\t", named ? t->commit[c] : " ");
        fputc('\n', f);
        a->low = fmin(a->low, x);
        a->high = fmax(a->high, x);
        last = named ? c : last;
    }
    fputc('\n', f);
}

/* Returns the styles of the series.  Seeds ("random,tuned/2") differ in their
 * dashes, like varied settings. */
static const struct style *looks(const struct trend *t, struct arena *a)
{
    const char **row = arena_zero(a, ((size_t)t->n + 1) * sizeof *row);

    for (int i = 0; i < t->n; i++) {
        const char *name = t->series[i].name, *seed = strrchr(name, '/');

        row[i] = seed ? arena_format(a, "%.*s,seed=%s", (int)(seed - name),
                                     name, seed + 1) : name;
    }
    return looks_of(row, a);
}

/* Puts the name, the style and the first and last value of series i. */
static void put_panel(struct picture *p, const struct trend *t, int i,
                      const struct style *look)
{
    const struct trend_series *s = &t->series[i];
    double first = NAN, last = NAN;

    for (int c = 0; c < t->commits; c++) {
        if (!isfinite(s->y[c]))
            continue;
        first = isnan(first) ? s->y[c] : first;
        last = s->y[c];
    }
    picture_text_i(p, "name", i + 1, "%s", s->name);
    picture_text_i(p, "values", i + 1, "%.4g -> %.4g", first, last);
    style_put(p, i + 1, look);
}

static void put_size(struct picture *p, const struct trend *t)
{
    int rows = (t->n + ACROSS - 1) / ACROSS;

    picture_number(p, "n", t->n);
    picture_number(p, "across", ACROSS);
    picture_number(p, "head", HEAD);
    picture_number(p, "foot", FOOT);
    picture_number(p, "panel", PANEL);
    picture_number(p, "height", HEAD + PANEL * rows + FOOT);
    picture_number(p, "last", t->commits - 1);
    picture_text(p, "from", "%s", t->commit[0]);
    picture_text(p, "to", "%s", t->commit[t->commits - 1]);
}

int trend_plot(const struct trend *t, const struct output *to, const char *name)
{
    OWNED(picture_abandon) struct picture p = {0};
    OWNED(arena_free) struct arena *memory = arena_new();
    const struct style *look = looks(t, memory);
    struct axes a = {0, 0};

    PASS(picture_begin(&p, to, name));
    fprintf(p.data, "series\tplace\tvalue\tchange\tcommit\tname\tpercent\t"
                    "label\n");
    for (int i = 0; i < t->n; i++) {
        put_series(p.data, t, i, &a);
        put_panel(&p, t, i, &look[i]);
    }
    double pad = fmax(0.15 * (a.high - a.low), 0.1);
    picture_text(&p, "title", "%s", t->title);
    picture_text(&p, "axis", "%s, change in %% since the first commit; rings: "
                 "changes of level", t->axis);
    picture_number(&p, "low", a.low - pad);
    picture_number(&p, "high", a.high + pad);
    put_size(&p, t);
    return picture_end(&p, "trend");
}
