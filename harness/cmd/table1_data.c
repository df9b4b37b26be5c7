/* Table 1 for programs: CSV, one line a variant and measure, and JSON. */
#include "harness/base/json.h"
#include "harness/cmd/table1.h"

#include "harness/base/err.h"

#include <math.h>
#include <string.h>

static const char *const cheaper[] = {"never", "always", "below", "from"};

static double params(const struct table1_row *r) { return r->cost.params; }
static double scores(const struct table1_row *r) { return r->cost.scores; }
static double mixing(const struct table1_row *r) { return r->cost.mixing; }

static double crossing(struct break_even b)
{
    return b.n ? b.n : NAN;
}

static double even_params(const struct table1_row *r)
{
    return crossing(r->params);
}

static double even_flops(const struct table1_row *r)
{
    return crossing(r->flops);
}

/* What a row of part one has, in the order of the JSON's cells. */
static const struct measure {
    const char *name, *unit;
    double (*of)(const struct table1_row *r);
} measures[] = {
    {"parameters", "1", params}, {"flops_scores", "FLOP", scores},
    {"flops_mixing", "FLOP", mixing},
    {"break_even_parameters", "N", even_params},
    {"break_even_flops", "N", even_flops}};

enum { MEASURES = sizeof measures / sizeof *measures };

/* ---- CSV ---- */

static void number(double x, FILE *out)
{
    if (!isnan(x))
        fprintf(out, "%.15g", x);
}

static void line(const char *part, const char *task, const char *variant,
                 const char *measure, double value, FILE *out)
{
    fprintf(out, "1,%s,%s,%s,%s,", part, task, variant, measure);
    number(value, out);
}

void table1_csv(const struct table1 *t, const char *format, FILE *out)
{
    (void)format;
    fputs("table,part,task,variant,measure,value,cheaper,published,residual,"
          "verdict\r\n", out);
    for (int i = 0; i < t->rows; i++)
        for (int k = 0; k < MEASURES; k++) {
            const struct table1_row *r = &t->row[i];
            const struct measure *m = &measures[k];
            const char *side = m->of == even_params ? cheaper[r->params.when]
                               : m->of == even_flops ? cheaper[r->flops.when]
                                                     : "";

            line("layer", "", r->variant->name, m->name, m->of(r), out);
            fprintf(out, ",%s,,,\r\n", side);
        }
    for (int i = 0; i < TABLE1_COLUMNS; i++) {
        const struct table1_column *c = &t->column[i];

        for (int k = 0; k < 2 * c->n; k++) {
            const struct count *n = &c->row[k / 2];
            double ours = k % 2 ? n->code : n->equal;

            line("published", c->task, n->cell->config.variant,
                 k % 2 ? "params_code" : "params_equal", ours, out);
            fprintf(out, ",,%.15g,", n->claim.value);
            number(count_residual(ours, &n->claim), out);
            fprintf(out, ",%s\r\n", c->verdict[k / 2]);
        }
    }
}

/* ---- JSON ---- */

static json_t *whole(double x)
{
    return fabs(x) < 1e18 ? json_integer((json_int_t)x) : json_null();
}

static json_t *cells_of(const struct table1_row *r)
{
    json_t *all = json_array();

    for (int k = 0; k < MEASURES; k++)
        json_array_append_new(all, json_pack("{s:o}", "value",
                                             whole(measures[k].of(r))));
    return all;
}

static json_t *rows_of(const struct table1 *t)
{
    json_t *all = json_array();

    for (int i = 0; i < t->rows; i++) {
        const struct table1_row *r = &t->row[i];
        const struct variant *v = r->variant;

        json_array_append_new(
            all, json_pack("{s:s, s:s, s:s, s:s, s:s, s:s, s:o}", "variant",
                           v->name, "title", v->title, "formula", v->learns,
                           "depends", depends_text[v->depends],
                           "cheaper_parameters", cheaper[r->params.when],
                           "cheaper_flops", cheaper[r->flops.when], "cells",
                           cells_of(r)));
    }
    return all;
}

static json_t *counts_of(const struct table1_column *c)
{
    json_t *all = json_array();

    for (int i = 0; i < c->n; i++) {
        const struct count *k = &c->row[i];

        json_array_append_new(
            all, json_pack("{s:s, s:o, s:s, s:o, s:o, s:o, s:o, s:b, s:s}",
                           "variant", k->cell->config.variant, "published",
                           whole(k->claim.value), "source", k->claim.source,
                           "params_equal", whole(k->equal), "residual_equal",
                           whole(count_residual(k->equal, &k->claim)),
                           "params_code", whole(k->code), "residual_code",
                           whole(count_residual(k->code, &k->claim)), "cannot",
                           c->cannot[i], "verdict", c->verdict[i]));
    }
    return all;
}

static json_t *published_of(const struct table1 *t)
{
    json_t *all = json_array();

    for (int i = 0; i < TABLE1_COLUMNS; i++) {
        const struct table1_column *c = &t->column[i];
        double known = c->row[0].cell->config.vocab;

        json_array_append_new(
            all, json_pack("{s:s, s:s, s:o, s:o, s:b, s:o}", "task", c->task,
                           "title", c->title, "vocab_low",
                           whole(c->free ? c->fit.low : known), "vocab_high",
                           whole(c->free ? c->fit.high : known), "vocab_known",
                           !c->free, "rows", counts_of(c)));
    }
    return all;
}

void table1_json(const struct table1 *t, const char *format, FILE *out)
{
    const struct model_config *c = &t->config.model;
    json_t *columns = json_array(), *all;

    (void)format;
    for (int k = 0; k < MEASURES; k++)
        json_array_append_new(columns, json_pack("{s:s, s:s, s:i}", "name",
                                                 measures[k].name, "unit",
                                                 measures[k].unit, "better",
                                                 0));
    all = json_pack("{s:i, s:s, s:{s:i, s:i, s:i, s:i}, s:o, s:o, s:o}",
                    "schema_version", 1, "table", "1", "shape", "d", c->d,
                    "heads", c->heads, "N", c->N, "rank", c->rank, "columns",
                    columns, "rows", rows_of(t), "published",
                    published_of(t));
    REQUIRE(all, "table 1 cannot be JSON");
    json_dumpf(all, out, JSON_INDENT(1));
    fputc('\n', out);
    json_decref(all);
}
