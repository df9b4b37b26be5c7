/* The speed columns, for people and for programs. */
#include "harness/base/json.h"
#include "harness/cmd/speed.h"

#include "harness/base/err.h"
#include "harness/base/str.h"
#include "harness/cmd/counts.h"
#include "harness/report/layout.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- text and Markdown ---- */

static const struct grid_column head[] = {
    {"", "Variant", "", 1},
    {"parameters", "ours", "", 0},
    {"parameters", "paper", "", 0},
    {"FLOP a step", "ours", "", 0},
    {"FLOP a step", "ratio", "", 0},
    {"FLOP a step", "paper", "", 0},
    {"steps/s, this machine", "median", "", 0},
    {"steps/s, this machine", "p90", "", 0},
    {"steps/s, this machine", "most", "", 0},
    {"steps/s, ratio to the first row", "ours", "", 0},
    {"steps/s, ratio to the first row", "paper", "", 0},
    {"steps/s, ratio to the first row", "Narang et al.", "", 0},
};

enum { COLUMNS = sizeof head / sizeof *head };

static const char *number(struct arena *a, const char *fmt, double x)
{
    char text[32];

    snprintf(text, sizeof text, fmt, x);
    return isnan(x) ? "" : arena_text(a, text);
}

static const char *speed(struct arena *a, const char *fmt, double x)
{
    return isnan(x) ? "too noisy" : number(a, fmt, x);
}

/* The greatest load under which a row was timed. */
static double load_of(const struct speed *s)
{
    double most = NAN;

    for (int i = 0; i < s->n; i++)
        most = fmax(most, load_most(&s->row[i].load));
    return most;
}

static void fill_row(struct grid_cell *to, const struct speed *s, int i,
                     struct arena *a)
{
    const struct speed_row *r = &s->row[i];
    char text[32];
    const char *cell[COLUMNS] = {
        r->cell->config.variant,
        arena_text(a, count_digits(r->params, text)),
        arena_text(a, count_printed(&r->claim[CLAIM_PARAMS], text)),
        arena_text(a, layout_short(r->flops, text)),
        number(a, "%.3f", speed_ratio(s, i, speed_flops)),
        number(a, "%.3f", speed_published_ratio(s, i, CLAIM_FLOPS)),
        speed(a, "%.4g", speed_steps(r)),
        number(a, "%.4g", 1 / r->step.p90),
        number(a, "%.4g", 1 / r->step.least),
        speed(a, "%.3f", speed_ratio(s, i, speed_steps)),
        number(a, "%.3f", speed_published_ratio(s, i, CLAIM_STEPS)),
        number(a, "%.3f", speed_published_ratio(s, i, CLAIM_STEPS_AGAIN)),
    };

    for (int k = 0; k < COLUMNS; k++)
        to[k].text = cell[k];
}

static void sources(const struct speed *s, const struct layout *l,
                    struct arena *a, FILE *out)
{
    for (int i = 0; i < s->n; i++) {
        const struct claim *c = &s->row[i].claim[CLAIM_STEPS];
        char *text;

        if (!(c->value > 0))
            continue;
        text = str_format("%s: %g steps/s (%s)%s%s",
                          s->row[i].cell->config.variant, c->value, c->source,
                          c->dispute ? "; " : "", c->dispute ? c->dispute
                                                             : "");
        l->item(arena_text(a, text), out);
        free(text);
    }
}

static void people(const struct speed *s, const struct layout *l, FILE *out)
{
    struct arena *a = arena_new();
    const struct config *c = &s->row[0].cell->config;
    struct grid_column column[COLUMNS];
    struct grid g = {.rows = s->n, .columns = COLUMNS, .column = column};
    char *title = str_format("Table %s. %s: speed", s->table->name,
                             s->table->title);
    char *note = str_format(
        "A step is of %d examples of %d tokens in %d layers, d %d, by %d "
        "threads; the paper's is of 128 on other hardware, so that only "
        "ratios can be compared. Of %lld steps: the median, the one that nine "
        "of ten are faster than, the fastest; load up to %.1f on %d "
        "processors. Too noisy: p10 to p90 is over %.0f %% of the median, or "
        "the load over %.0f %% of the processors. Rows without a published "
        "ratio are not in the paper.", c->batch, c->length, c->model.layers,
        c->model.d, c->threads, s->row[0].step.n, load_of(s),
        s->row[0].load.processors, 100 * PACE_SLACK, 100 * (1 + PACE_SLACK));

    memcpy(column, head, sizeof head);
    g.cell = arena_zero(a, (size_t)(s->n * COLUMNS) * sizeof *g.cell);
    for (int i = 0; i < s->n; i++)
        fill_row(g.cell + i * COLUMNS, s, i, a);
    l->title(title, out);
    l->grid(&g, out);
    l->paragraph(note, out);
    l->heading("Published speeds", out);
    sources(s, l, a, out);
    free(title);
    free(note);
    arena_free(a);
}

static void text(const struct speed *s, FILE *out)
{
    people(s, &text_layout, out);
}

static void markdown(const struct speed *s, FILE *out)
{
    people(s, &markdown_layout, out);
}

/* ---- CSV and JSON ---- */

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

struct value { double ours, published; const struct claim *claim; };

static struct value value_of(const struct speed *s, int i,
                             const struct measure *m)
{
    const struct speed_row *r = &s->row[i];
    struct value v = {m->ratio ? speed_ratio(s, i, m->of) : m->of(r), NAN,
                      NULL};

    if (m->published < 0 || !(r->claim[m->published].value > 0))
        return v;
    v.claim = &r->claim[m->published];
    v.published = m->ratio ? speed_published_ratio(
                                 s, i, (enum speed_claim)m->published)
                           : v.claim->value;
    return v;
}

static void csv(const struct speed *s, FILE *out)
{
    fputs("table,variant,measure,unit,value,published\r\n", out);
    for (int i = 0; i < s->n; i++)
        for (int k = 0; k < MEASURES; k++) {
            struct value v = value_of(s, i, &measures[k]);

            fprintf(out, "%s,%s,%s,%s,", s->table->name,
                    s->row[i].cell->config.variant, measures[k].name,
                    measures[k].unit);
            if (!isnan(v.ours)) /* too noisy */
                fprintf(out, "%.15g", v.ours);
            fputc(',', out);
            if (!isnan(v.published))
                fprintf(out, "%.15g", v.published);
            fputs("\r\n", out);
        }
}

static json_t *or_null(double x)
{
    return isnan(x) ? json_null() : json_real(x);
}

static json_t *quoted(const char *s)
{
    return s ? json_string(s) : json_null();
}

static json_t *cells_of(const struct speed *s, int i)
{
    const struct speed_row *r = &s->row[i];
    json_t *all = json_array();

    for (int k = 0; k < MEASURES; k++) {
        struct value v = value_of(s, i, &measures[k]);
        int timed = measures[k].of == speed_steps && !measures[k].ratio;

        json_array_append_new(
            all, json_pack("{s:o, s:o, s:o, s:I, s:o, s:o, s:o}", "value",
                           or_null(v.ours), "low",
                           or_null(timed ? 1 / r->step.p90 : NAN), "high",
                           or_null(timed ? 1 / r->step.least : NAN), "n",
                           timed ? (json_int_t)r->step.n : 1, "published",
                           or_null(v.published), "source",
                           quoted(v.claim ? v.claim->source : NULL),
                           "disputed",
                           quoted(v.claim ? v.claim->dispute : NULL)));
    }
    return all;
}

static void json(const struct speed *s, FILE *out)
{
    json_t *columns = json_array(), *rows = json_array();

    for (int k = 0; k < MEASURES; k++)
        json_array_append_new(columns, json_pack(
            "{s:s, s:s, s:i}", "name", measures[k].name, "unit",
            measures[k].unit, "better", measures[k].better));
    for (int i = 0; i < s->n; i++)
        json_array_append_new(rows, json_pack(
            "{s:s, s:s, s:o, s:o, s:o, s:i, s:b}", "variant",
            s->row[i].cell->config.variant, "id", s->row[i].cell->id, "cells",
            cells_of(s, i), "load_begin", or_null(s->row[i].load.begin),
            "load_end", or_null(s->row[i].load.end), "processors",
            s->row[i].load.processors, "too_noisy",
            pace_noisy(&s->row[i].step, &s->row[i].load)));
    json_t *all = json_pack("{s:i, s:s, s:s, s:o, s:o}", "schema_version", 1,
                            "table", s->table->name, "kind", "speed",
                            "columns", columns, "rows", rows);
    REQUIRE(all, "speeds cannot be JSON");
    json_dumpf(all, out, JSON_INDENT(1));
    fputc('\n', out);
    json_decref(all);
}

void speed_write(const struct speed *s, const char *format, FILE *out)
{
    static const struct {
        const char *name;
        void (*write)(const struct speed *s, FILE *out);
    } formats[] = {{"text", text}, {"md", markdown}, {"csv", csv},
                   {"json", json}};

    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
        if (!strcmp(formats[i].name, format))
            formats[i].write(s, out);
}
