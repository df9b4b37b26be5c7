#include "plots/scaling.h"

#include "harness/base/err.h"
#include "harness/base/str.h"
#include "plots/style.h"
#include "plots/picture.h"

#include <math.h>

static void data(const struct scaling *s, FILE *f)
{
    fprintf(f, "%s", s->axis);
    for (int i = 0; i < s->n; i++)
        fprintf(f, "\t%s ms", s->series[i].name);
    fputc('\n', f);
    for (int p = 0; p < s->points; p++) {
        fprintf(f, "%g", s->x[p]);
        for (int i = 0; i < s->n; i++)
            picture_put_number(f, "\t", s->series[i].y[p]);
        fputc('\n', f);
    }
}

/* Returns the x at which a step of series i takes as long as a step of the
 * first series.  Returns NAN if there is no such x or one of the two series is
 * too noisy. */
static double crossing(const struct scaling *s, int i)
{
    if (i == 0 || s->series[0].noisy || s->series[i].noisy)
        return NAN;
    return fit_crossing(s->x, s->series[0].y, s->series[i].y,
                        (size_t)s->points);
}

static void put_crossing(struct picture *p, const struct scaling *s, int i)
{
    double at = crossing(s, i);

    picture_number_i(p, "cross", i + 1, isnan(at) ? 0 : at);
    picture_number_i(p, "height", i + 1,
                     fit_at(s->x, s->series[0].y, (size_t)s->points, at));
    picture_text_i(p, "ring", i + 1, "as fast as %s at %.0f", s->series[0].name,
                 isnan(at) ? 0 : at);
}

static void put_label(struct picture *p, const char *key,
                      const struct scaling_series *s)
{
    if (s->noisy)
        picture_text(p, key, "%s: exponent too noisy", s->name);
    else if (s->bends)
        picture_text(p, key, "%s: bends, exponents %.2f to %.2f", s->name,
                     s->local.low, s->local.high);
    else
        picture_text(p, key, "%s: exponent %.2f [%.2f, %.2f]", s->name,
                     s->power.p, s->power.between.low, s->power.between.high);
}

int scaling_plot(const struct scaling *s, const char *folder, const char *name)
{
    OWNED(free) char *file = str_format("scaling_%s", name);
    OWNED(picture_abandon) struct picture p = {0};

    PASS(picture_begin(&p, OUTPUT(folder), file));
    data(s, p.data);
    picture_text(&p, "title", "Cost of a training step, by %s", s->axis);
    picture_text(&p, "xtitle", "%s", s->axis);
    picture_number(&p, "n", s->n);
    picture_number(&p, "x0", s->x[0]);
    picture_number(&p, "x1", s->x[s->points - 1]);
    for (int i = 0; i < s->n; i++) {
        struct style look = style_of(s->series[i].name, 0);
        char key[16];

        style_put(&p, i + 1, &look);
        put_crossing(&p, s, i);
        snprintf(key, sizeof key, "label%d", i + 1);
        put_label(&p, key, &s->series[i]);
        picture_number_i(&p, "even", i + 1,
                         isnan(s->series[i].even) ? 0 : s->series[i].even);
    }
    return picture_end(&p, "scaling");
}
