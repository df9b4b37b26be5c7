/* table1_sheet: makes the sheet of Table 1 (table1.h), with its JSON and
 * records. */
#include "harness/base/json.h"
#include "harness/cmd/table1.h"

#include "harness/base/text.h"
#include "harness/report/published_print.h"

#include <math.h>

static const char unsigned_rows[] = "none: computed from the model "
                                    "definitions";

/* ---- text ---- */

static void add_digits(struct grid *g, double x)
{
    char text[32];

    grid_add(g, "%s", count_digits(x, text));
}

static void add_when(struct grid *g, struct break_even b)
{
    switch (b.when) {
    case CHEAPER_NEVER: grid_add(g, "never"); break;
    case CHEAPER_ALWAYS: grid_add(g, "always"); break;
    case CHEAPER_BELOW: grid_add(g, "N < %d", b.n); break;
    case CHEAPER_FROM: grid_add(g, "N >= %d", b.n); break;
    }
}

static void put_layers(struct sheet *s, const struct table1 *t)
{
    static const struct grid_column head[] = {
        {"", "Variant", "", 1, 0}, {"parameters", "as a formula", "", 1, 0},
        {"parameters", "as a number", "", 0, 0},
        {"FLOP per sentence", "for scores", "", 0, 0},
        {"FLOP per sentence", "for mixing", "", 0, 0},
        {"", "depends on", "", 1, 0},
        {"cheaper than dot products", "in parameters", "", 1, 0},
        {"cheaper than dot products", "in FLOP", "", 1, 0}};
    struct grid *g = sheet_grid(s, head, sizeof head / sizeof *head);
    const struct model_config *c = &t->config.model;

    for (int i = 0; i < t->rows; i++) {
        const struct table1_row *r = &t->row[i];

        grid_add(g, "%s\t%s", r->variant->title, r->variant->learns);
        add_digits(g, r->cost.params);
        add_digits(g, r->cost.scores);
        add_digits(g, r->cost.mixing);
        grid_add(g, "%s", depends_text[r->variant->depends]);
        add_when(g, r->params);
        add_when(g, r->flops);
    }
    sheet_put(s, PART_PARAGRAPH, "d %d, h %d heads of k = %d, N %d, rank %d. "
                                 "Parameters: learned ones of all heads, "
                                 "without W_v and W_o. Operations: those of "
                                 "the matrix products of one sentence of N "
                                 "tokens, forward; a multiply-add counts as "
                                 "2; -: scores and mixing are not separated, "
                                 "and `mixing` counts all. The last two "
                                 "columns show for which N a form has fewer "
                                 "parameters, or operations, than dot "
                                 "products. r: the rank. p: Linformer's "
                                 "projected length. H, K: the heads and the "
                                 "width of a convolution. a, c: the lengths "
                                 "of the factors of Factorized Dense, which "
                                 "has the most parameters if N is prime: its "
                                 "entry is the first prime N at which it no "
                                 "longer has fewer parameters than dot "
                                 "products.",
              c->d, c->heads, config_head(c), c->N, c->rank);
}

/* Writes a range of vocabulary sizes to `out`, as "44,313 to 44,318" or
 * "49,412". */
static const char *range(struct pieces p, char out[80])
{
    char low[32], high[32];

    count_digits(p.low, low);
    count_digits(p.high, high);
    snprintf(out, 80, "%s%s%s", low, p.low < p.high ? " to " : "",
             p.low < p.high ? high : "");
    return out;
}

static void put_assumption(struct sheet *s, const struct table1_column *c)
{
    const struct model_config *m = &c->row[0].cell->config.model;
    double block = c->fit.low * c->row[0].a_piece;
    char text[80];

    if (!c->of->free)
        sheet_put(s, PART_PARAGRAPH, "Assumed: %d layers, d %d, N %d, the "
                  "known vocabulary of %s, synthesizers with 8 heads of 128.",
                  m->layers, m->d, m->N,
                  count_digits(c->row[0].cell->config.vocab, text));
    else if (!c->matches)
        sheet_put(s, PART_PARAGRAPH, "No vocabulary gives the Transformer.");
    else
        sheet_put(s, PART_PARAGRAPH, "Assumed: %d layers, d %d, N %d and a "
                                     "vocabulary of %s pieces, whose embedding "
                                     "has %.2fM parameters. This vocabulary "
                                     "matches %d of %d rows, and no other "
                                     "matches more. "
                                     "No source states the vocabulary.",
                  m->layers, m->d, m->N, range(c->fit, text),
                  block / 1e6, c->matches, c->n);
}

static void put_unmatched(struct sheet *s, const struct table1_column *c)
{
    OWNED(text_free) struct text all = {0};

    for (int i = 0; i < c->n; i++)
        if (c->row[i].cannot)
            text_format(&all, "%s%s", all.n ? ", " : "",
                        c->row[i].cell->config.variant);
    if (all.n)
        sheet_put(s, PART_PARAGRAPH, "No assumption matches %s. %s", all.s,
                  c->of->why ? c->of->why : "");
}

static void put_column(struct sheet *s, const struct table1_column *c)
{
    static const struct grid_column head[] = {
        {"", "Variant", "", 1, 0}, {"", "published", "", 0, 0},
        {"heads: equal", "parameters", "", 0, 0},
        {"heads: equal", "residual", "", 0, 0},
        {"heads: code", "parameters", "", 0, 0},
        {"heads: code", "residual", "", 0, 0}, {"", "verdict", "", 1, 0}};
    char text[32];

    sheet_put(s, PART_HEADING, "%s", c->of->title);
    struct grid *g = sheet_grid(s, head, sizeof head / sizeof *head);
    for (int i = 0; i < c->n; i++) {
        const struct count *k = &c->row[i];

        grid_add(g, "%s\t%s", k->cell->config.variant,
                 count_printed(&k->claim, text));
        count_put(g, k);
        grid_add(g, "%s", k->verdict);
    }
    put_assumption(s, c);
    put_unmatched(s, c);
}

/* ---- JSON and records ---- */

static const char *const cheaper[] = {"never", "always", "below", "from"};

enum { MEASURES = 5 };

static const struct { const char *name, *unit; } measures[MEASURES] = {
    {"parameters", "1"}, {"flops_scores", "FLOP"}, {"flops_mixing", "FLOP"},
    {"break_even_parameters", "N"}, {"break_even_flops", "N"}};

static double crossing(struct break_even b) { return b.n ? b.n : NAN; }

/* Returns value `k` of a row, in the order of `measures`.  If the value is a
 * break-even length, sets *side to the side of it on which the variant is
 * cheaper, else to "". */
static double value_of(const struct table1_row *r, int k, const char **side)
{
    *side = k == 3 ? cheaper[r->params.when]
          : k == 4 ? cheaper[r->flops.when] : "";
    switch (k) {
    case 0: return r->cost.params;
    case 1: return r->cost.scores;
    case 2: return r->cost.mixing;
    case 3: return crossing(r->params);
    default: return crossing(r->flops);
    }
}

static json_t *record(const char *part, const char *task, const char *variant,
                      const char *measure, double value, const char *side,
                      const struct published_value *claim, const char *verdict)
{
    return json_pack("{s:s, s:s, s:s, s:s, s:s, s:f, s:s, s:f, s:f, s:s, s:s}",
                     "table", "1", "part", part, "task", task, "variant",
                     variant, "measure", measure, "value", value, "cheaper",
                     side, "published", claim ? claim->value : NAN, "residual",
                     claim ? count_residual(value, claim) : NAN, "verdict",
                     verdict, "signature", unsigned_rows);
}

static json_t *records_of(const struct table1 *t)
{
    json_t *all = json_array();
    const char *side;

    for (int i = 0; i < t->rows; i++)
        for (int k = 0; k < MEASURES; k++) {
            double x = value_of(&t->row[i], k, &side);

            json_array_append_new(
                all, record("layer", "", t->row[i].variant->name,
                            measures[k].name, x, side, NULL, ""));
        }
    for (int i = 0; i < TABLE1_COLUMNS; i++) {
        const struct table1_column *c = &t->column[i];

        for (int k = 0; k < 2 * c->n; k++) {
            const struct count *n = &c->row[k / 2];

            json_array_append_new(
                all, record("published", c->of->task, n->cell->config.variant,
                            k % 2 ? "params_code" : "params_equal",
                            k % 2 ? n->code : n->equal, "", &n->claim,
                            n->verdict));
        }
    }
    return all;
}

static json_t *rows_of(const struct table1 *t)
{
    json_t *all = json_array();
    const char *side;

    for (int i = 0; i < t->rows; i++) {
        const struct table1_row *r = &t->row[i];
        const struct variant *v = r->variant;
        json_t *cells = json_array();

        for (int k = 0; k < MEASURES; k++)
            json_array_append_new(cells, json_pack("{s:w}", "value",
                                                   value_of(r, k, &side)));
        json_array_append_new(
            all, json_pack("{s:s, s:s, s:s, s:s, s:s, s:s, s:s, s:o}",
                           "variant", v->name, "title", v->title, "formula",
                           v->learns, "depends", depends_text[v->depends],
                           "cheaper_parameters", cheaper[r->params.when],
                           "cheaper_flops", cheaper[r->flops.when],
                           "signature", unsigned_rows, "cells", cells));
    }
    return all;
}

static json_t *counts_of(const struct table1_column *c)
{
    json_t *all = json_array();

    for (int i = 0; i < c->n; i++) {
        const struct count *k = &c->row[i];

        json_array_append_new(
            all, json_pack("{s:s, s:w, s:s, s:w, s:w, s:w, s:w, s:b, s:s, s:s}",
                           "variant", k->cell->config.variant, "published",
                           k->claim.value, "source", k->claim.source,
                           "params_equal", k->equal, "residual_equal",
                           count_residual(k->equal, &k->claim), "params_code",
                           k->code, "residual_code",
                           count_residual(k->code, &k->claim), "cannot",
                           k->cannot, "verdict", k->verdict, "signature",
                           unsigned_rows));
    }
    return all;
}

static json_t *published_of(const struct table1 *t)
{
    json_t *all = json_array();

    for (int i = 0; i < TABLE1_COLUMNS; i++) {
        const struct table1_column *c = &t->column[i];
        double known = c->row[0].cell->config.vocab;
        int free = c->of->free;

        json_array_append_new(all, json_pack(
            "{s:s, s:s, s:w, s:w, s:b, s:o}", "task", c->of->task, "title",
            c->of->title, "vocab_low", free ? c->fit.low : known, "vocab_high",
            free ? c->fit.high : known, "vocab_known", !free, "rows",
            counts_of(c)));
    }
    return all;
}

static json_t *object_of(const struct table1 *t)
{
    const struct model_config *c = &t->config.model;
    json_t *columns = json_array();

    for (int k = 0; k < MEASURES; k++)
        json_array_append_new(columns, json_pack("{s:s, s:s, s:i}", "name",
                                                 measures[k].name, "unit",
                                                 measures[k].unit, "better",
                                                 0));
    return json_pack("{s:s, s:{s:i, s:i, s:i, s:i}, s:o, s:o, s:o}", "table",
                     "1", "shape", "d", c->d, "heads", c->heads, "N", c->N,
                     "rank", c->rank, "columns", columns, "rows", rows_of(t),
                     "published", published_of(t));
}

struct sheet *table1_sheet(const struct table1 *t)
{
    struct sheet *s = sheet_new();

    sheet_put(s, PART_TITLE, "Table 1. What a layer of each variant costs");
    put_layers(s, t);
    sheet_put(s, PART_HEADING, "Published parameter counts against ours");
    sheet_put(s, PART_PARAGRAPH, "`heads: equal` gives every variant the "
                                 "Transformer's heads, `heads: code` gives "
                                 "Synthesizers the released code's 8 heads of "
                                 "128. Residual: our number, rounded as the "
                                 "published one, minus the published one.");
    for (int i = 0; i < TABLE1_COLUMNS; i++)
        put_column(s, &t->column[i]);
    sheet_put(s, PART_HEADING, "Signatures");
    sheet_put(s, PART_CODE, "no row has a signature: %s",
              unsigned_rows + strlen("none: "));
    s->object = object_of(t);
    s->records = records_of(t);
    published_below(s, t->published, "1");
    sheet_put(s, PART_ITEM, "k, k1, k2: the paper's rank and lengths of "
              "factors, not the k above");
    return s;
}
