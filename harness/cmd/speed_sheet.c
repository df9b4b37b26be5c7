/* The speed columns as a sheet. */
#include "harness/base/json.h"
#include "harness/cmd/speed.h"

#include "harness/cmd/counts.h"

#include <math.h>
#include <string.h>

/* ---- for people ---- */

static const struct grid_column head[] = {
    {"", "Variant", "", 1, 0},
    {"parameters", "ours", "", 0, 0},
    {"parameters", "paper", "", 0, 0},
    {"FLOP a step", "ours", "", 0, 0},
    {"FLOP a step", "ratio", "", 0, 0},
    {"FLOP a step", "paper", "", 0, 0},
    {"steps/s, this machine", "median", "", 0, 0},
    {"steps/s, this machine", "p90", "", 0, 0},
    {"steps/s, this machine", "most", "", 0, 0},
    {"steps/s, ratio to the first row", "ours", "", 0, 0},
    {"steps/s, ratio to the first row", "paper", "", 0, 0},
    {"steps/s, ratio to the first row", "Narang et al.", "", 0, 0},
};

static void number(struct grid *g, int digits, double x)
{
    if (isnan(x))
        grid_add(g, "%s", "");
    else
        grid_add(g, digits == 3 ? "%.3f" : "%.4g", x);
}

static void speed(struct grid *g, int digits, double x)
{
    if (isnan(x))
        grid_add(g, "too noisy");
    else
        number(g, digits, x);
}

/* The greatest load under which a row was timed. */
static double load_of(const struct speed *s)
{
    double most = NAN;

    for (int i = 0; i < s->n; i++)
        most = fmax(most, load_most(&s->row[i].load));
    return most;
}

static void put_row(struct grid *g, const struct speed *s, int i)
{
    const struct speed_row *r = &s->row[i];
    char text[32];

    grid_add(g, "%s", r->cell->config.variant);
    grid_add(g, "%s", count_digits(r->params, text));
    grid_add(g, "%s", count_printed(&r->claim[CLAIM_PARAMS], text));
    grid_add(g, "%s", grid_count(r->flops, NULL, text));
    number(g, 3, speed_ratio(s, i, speed_flops));
    number(g, 3, speed_published_ratio(s, i, CLAIM_FLOPS));
    speed(g, 4, speed_steps(r));
    number(g, 4, 1 / r->step.p90);
    number(g, 4, 1 / r->step.least);
    speed(g, 3, speed_ratio(s, i, speed_steps));
    number(g, 3, speed_published_ratio(s, i, CLAIM_STEPS));
    number(g, 3, speed_published_ratio(s, i, CLAIM_STEPS_AGAIN));
}

static void put_sources(struct sheet *to, const struct speed *s)
{
    sheet_put(to, PART_HEADING, "Published speeds");
    for (int i = 0; i < s->n; i++) {
        const struct claim *c = &s->row[i].claim[CLAIM_STEPS];

        if (c->value > 0)
            sheet_put(to, PART_ITEM, "%s: %g steps/s (%s)%s%s",
                      s->row[i].cell->config.variant, c->value, c->source,
                      c->dispute ? "; " : "", c->dispute ? c->dispute : "");
    }
}

static void put_people(struct sheet *to, const struct speed *s)
{
    const struct config *c = &s->row[0].cell->config;

    sheet_put(to, PART_TITLE, "Table %s. %s: speed", s->table->name,
              s->table->title);
    struct grid *g = sheet_grid(to, head, sizeof head / sizeof *head);
    for (int i = 0; i < s->n; i++)
        put_row(g, s, i);
    sheet_put(to, PART_PARAGRAPH,
        "A step is of %d examples of %d tokens in %d layers, d %d, by %d "
        "threads; the paper's is of 128 on other hardware, so that only "
        "ratios can be compared. Of %lld steps: the median, the one that nine "
        "of ten are faster than, the fastest; load up to %.1f on %d "
        "processors. Too noisy: p10 to p90 is over %.0f %% of the median, or "
        "the load over %.0f %% of the processors. Rows without a published "
        "ratio are not in the paper.", c->batch, c->length, c->model.layers,
        c->model.d, c->threads, s->row[0].step.n, load_of(s),
        s->row[0].load.processors, 100 * PACE_SLACK, 100 * (1 + PACE_SLACK));
    put_sources(to, s);
}

/* ---- for programs ---- */

static double params(const struct speed_row *r) { return r->params; }

static const struct measure {
    const char *name, *unit;
    int         better;
    double    (*of)(const struct speed_row *r);
    int         ratio;                 /* to the first row        */
    int         published;             /* enum speed_claim, or -1 */
} measures[] = {
    {"params", "1", 0, params, 0, CLAIM_PARAMS},
    {"flops_per_step", "FLOP", 0, speed_flops, 0, -1},
    {"flops_ratio", "1", 0, speed_flops, 1, CLAIM_FLOPS},
    {"steps_per_s", "1/s", 1, speed_steps, 0, CLAIM_STEPS},
    {"speed_ratio", "1", 1, speed_steps, 1, CLAIM_STEPS},
    {"speed_ratio_narang", "1", 1, speed_steps, 1, CLAIM_STEPS_AGAIN},
};

enum { MEASURES = sizeof measures / sizeof *measures };

struct value { double ours, published; const char *source, *dispute; };

static struct value value_of(const struct speed *s, int i,
                             const struct measure *m)
{
    const struct speed_row *r = &s->row[i];
    struct value v = {m->ratio ? speed_ratio(s, i, m->of) : m->of(r), NAN,
                      NULL, NULL};

    if (m->published < 0 || !(r->claim[m->published].value > 0))
        return v;
    v.source = r->claim[m->published].source;
    v.dispute = r->claim[m->published].dispute;
    v.published = m->ratio ? speed_published_ratio(
                                 s, i, (enum speed_claim)m->published)
                           : r->claim[m->published].value;
    return v;
}

static json_t *records_of(const struct speed *s)
{
    json_t *all = json_array();

    for (int i = 0; i < s->n; i++)
        for (int k = 0; k < MEASURES; k++) {
            struct value v = value_of(s, i, &measures[k]);

            json_array_append_new(
                all, json_pack("{s:s, s:s, s:s, s:s, s:f, s:f}", "table",
                               s->table->name, "variant",
                               s->row[i].cell->config.variant, "measure",
                               measures[k].name, "unit", measures[k].unit,
                               "value", v.ours, "published", v.published));
        }
    return all;
}

static json_t *cells_of(const struct speed *s, int i)
{
    const struct spread *step = &s->row[i].step;
    json_t *all = json_array();

    for (int k = 0; k < MEASURES; k++) {
        struct value v = value_of(s, i, &measures[k]);
        int timed = measures[k].of == speed_steps && !measures[k].ratio;

        json_array_append_new(
            all, json_pack("{s:f, s:f, s:f, s:I, s:f, s:s?, s:s?}", "value",
                           v.ours, "low", timed ? 1 / step->p90 : NAN, "high",
                           timed ? 1 / step->least : NAN, "n",
                           timed ? (json_int_t)step->n : 1, "published",
                           v.published, "source", v.source, "disputed",
                           v.dispute));
    }
    return all;
}

static json_t *object_of(const struct speed *s)
{
    json_t *columns = json_array(), *rows = json_array();

    for (int k = 0; k < MEASURES; k++)
        json_array_append_new(columns, json_pack(
            "{s:s, s:s, s:i}", "name", measures[k].name, "unit",
            measures[k].unit, "better", measures[k].better));
    for (int i = 0; i < s->n; i++) {
        const struct speed_row *r = &s->row[i];

        json_array_append_new(rows, json_pack(
            "{s:s, s:s, s:o, s:f, s:f, s:i, s:b}", "variant",
            r->cell->config.variant, "id", r->cell->id, "cells",
            cells_of(s, i), "load_begin", r->load.begin, "load_end",
            r->load.end, "processors", r->load.processors, "too_noisy",
            pace_noisy(&r->step, &r->load)));
    }
    return json_pack("{s:s, s:s, s:o, s:o}", "table", s->table->name, "kind",
                     "speed", "columns", columns, "rows", rows);
}

struct sheet *speed_sheet(const struct speed *s)
{
    struct sheet *to = sheet_new();

    put_people(to, s);
    to->object = object_of(s);
    to->records = records_of(s);
    return to;
}
