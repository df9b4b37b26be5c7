#include "plots/trend.h"

#include "harness/base/err.h"
#include "plots/line_labels.h"
#include "plots/style.h"
#include "plots/picture.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TICS = 16, MARKS = 24 };

struct axes { double low, high; };

static void put_series(FILE *f, const struct trend *t, int i, struct axes *a)
{
    const struct trend_series *s = &t->series[i];

    for (int c = 0; c < t->commits; c++) {
        if (!isfinite(s->y[c]))
            continue;
        fprintf(f, "%d\t%d", i + 1, c);
        picture_put_number(f, "\t", s->y[c]);
        fprintf(f, "\t%d", s->change[c]);
        picture_put_text(f, "\t", t->commit[c]);
        picture_put_text(f, "\t", s->name);
        fputc('\n', f);
        a->low = fmin(a->low, s->y[c]);
        a->high = fmax(a->high, s->y[c]);
    }
    fputc('\n', f);
}

/* Sets the gnuplot variables LISTI to `word` and LISTI_at to `at`, where LIST
 * is `list` and I is `i`. */
static void put_place(struct picture *p, const char *list, int i,
                      const char *word, int at)
{
    char key[32];

    snprintf(key, sizeof key, "%s%d", list, i);
    picture_text(p, key, "%s", word);
    snprintf(key, sizeof key, "%s%d_at", list, i);
    picture_number(p, key, at);
}

static int changes_at(const struct trend *t, int commit)
{
    for (int i = 0; i < t->n; i++)
        if (t->series[i].change[commit])
            return 1;
    return 0;
}

/* Puts the commits at which a series changes, each with its name if there is
 * room for it. */
static void put_changes(struct picture *p, const struct trend *t)
{
    int n = 0, last = -t->commits;

    for (int c = 0; c < t->commits; c++) {
        int room = (c - last) * MARKS >= t->commits;

        if (!changes_at(t, c))
            continue;
        put_place(p, "change", ++n, room ? t->commit[c] : "", c);
        last = room ? c : last;
    }
    picture_number(p, "changes", n);
}

static void put_tics(struct picture *p, const struct trend *t)
{
    int step = (t->commits + TICS - 1) / TICS, n = 0;

    for (int c = 0; c < t->commits; c += step)
        put_place(p, "tic", ++n, t->commit[c], c);
    picture_number(p, "tics", n);
}

/* Returns the length of the row's name without the seed: for "random,tuned/2",
 * the length of "random,tuned". */
static size_t row_of(const char *name)
{
    const char *seed = strrchr(name, '/');

    return seed ? (size_t)(seed - name) : strlen(name);
}

/* Returns the style of series i.  Seeds of one row differ in their dashes,
 * like varied settings. */
static struct style look_at(const struct trend *t, int i)
{
    const char *name = t->series[i].name;
    size_t n = row_of(name);
    int before = 0, all = 0;
    char row[256];

    for (int k = 0; k < t->n; k++) {
        const char *other = t->series[k].name;

        if (row_of(other) != n || strncmp(name, other, n))
            continue;
        before += k < i;
        all++;
    }
    snprintf(row, sizeof row, "%.*s", (int)n, name);
    return style_of(row, all > 1 ? before + 1 : 0);
}

static const struct frame panel = {0.092, 0.765, 0.16, 0.84};

/* Puts the names at the ends of the lines. */
static void put_ends(struct picture *p, const struct trend *t, double low,
                     double high)
{
    OWNED(free) struct style *look = calloc((size_t)t->n + 1, sizeof *look);
    OWNED(free) struct end *end = calloc((size_t)t->n + 1, sizeof *end);

    for (int i = 0; i < t->n; i++) {
        double last = NAN;

        for (int c = 0; c < t->commits; c++)
            last = isfinite(t->series[i].y[c]) ? t->series[i].y[c] : last;
        look[i] = look_at(t, i);
        end[i] = (struct end){&look[i], t->series[i].name, "",
                              isnan(last) ? INFINITY
                                          : (last - low) / (high - low)};
    }
    line_labels_put(p, end, t->n, &panel);
    line_labels_frame(p, "panel", &panel);
}

int trend_plot(const struct trend *t, const struct output *to, const char *name)
{
    OWNED(picture_abandon) struct picture p = {0};
    struct axes a = {INFINITY, -INFINITY};

    PASS(picture_begin(&p, to, name));
    fprintf(p.data, "series\tplace\tvalue\tchange\tcommit\tname\n");
    for (int i = 0; i < t->n; i++)
        put_series(p.data, t, i, &a);
    double pad = fmax(0.06 * (a.high - a.low),
                      fmax(1e-3 * fabs(a.high), 1e-9));
    picture_text(&p, "title", "%s", t->title);
    picture_text(&p, "axis", "%s", t->axis);
    picture_number(&p, "low", a.low - pad);
    picture_number(&p, "high", a.high + pad);
    picture_number(&p, "last", t->commits - 1);
    put_ends(&p, t, a.low - pad, a.high + pad);
    put_tics(&p, t);
    put_changes(&p, t);
    return picture_end(&p, "trend");
}
