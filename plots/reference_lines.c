#include "plots/reference_lines.h"

#include "harness/base/err.h"
#include "harness/base/text.h"
#include "harness/report/references.h"
#include "plots/select.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

void reference_lines_add(struct reference_lines *l, const char *name,
                         double value)
{
    if (isfinite(value) && l->n < LEVELS)
        l->of[l->n++] = (struct level){name, value};
}

int reference_lines_read(struct reference_lines *out, const struct report *r,
                         const char *task)
{
    const struct report_cell *first = select_first(r, task, NULL);
    OWNED(cell_close) struct cell_reader *cell = NULL;
    struct blind_baseline blind;
    double floor = NAN;

    *out = (struct reference_lines){.decimals = 3};
    if (!first)
        return OK;
    PASS(report_read(&cell, r, first->id));
    int rc = blind_read(&blind, cell);
    PASS(cell_maybe(rc));
    if (rc == OK && !strcmp(blind.metric, "ce"))
        reference_lines_add(out, "unigram model", blind.value);
    PASS(cell_maybe(cell_get_real(cell, "provenance", "entropy_floor_nats",
                                  &floor)));
    reference_lines_add(out, "entropy floor", floor);
    return OK;
}

void reference_lines_widen(const struct reference_lines *l, double *low,
                           double *high)
{
    double near = (*high - *low) / 2, least = *low - near, most = *high + near;

    for (int i = 0; i < l->n; i++)
        if (l->of[i].value > least && l->of[i].value < most) {
            *low = fmin(*low, l->of[i].value);
            *high = fmax(*high, l->of[i].value);
        }
}

static void put_level(struct picture *p, const struct reference_lines *l, int i)
{
    double at = l->of[i].value;

    picture_text_i(p, "level", i + 1, "%s %.*f", l->of[i].name, l->decimals,
                   at);
    fprintf(p->script, "levels = levels . \"set arrow from graph 0, first %.9g "
            "to graph 1, first %.9g nohead lw 1.5 dt 3 lc rgb '#666666'; set "
            "label level%d at graph %s, first %.9g left offset 0, %s font "
            "',11' textcolor rgb '#444444' front boxed; \"\n", at, at, i + 1,
            l->right ? "1.005" : "0.01", at, l->right ? "0" : "0.6");
}

const char *reference_lines_put(const struct reference_lines *l,
                                struct picture *p, const struct report *r,
                                double low, double high)
{
    struct text beyond = {0};

    fputs("levels = ''\n", p->script);
    for (int i = 0; i < l->n; i++) {
        const struct level *of = &l->of[i];

        if (of->value >= low && of->value <= high)
            put_level(p, l, i);
        else
            text_format(&beyond, "%s%s %.*f", beyond.n ? ", " : "", of->name,
                        l->decimals, of->value);
    }
    return text_keep(&beyond, r->memory);
}
