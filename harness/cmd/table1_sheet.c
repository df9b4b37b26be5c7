#include "harness/cmd/table1_sheet.h"

#include "harness/base/json.h"
#include "harness/base/text.h"
#include "harness/report/published_print.h"

#include <math.h>

static const char unsigned_rows[] = "none: computed from the model "
                                    "definitions";

static const char *signature(const void *row, struct arena *a)
{
    (void)row, (void)a;
    return unsigned_rows;
}

/* ---- a layer of each variant ---- */

static const char *const cheaper[] = {"never", "always", "below", "from"};

static const char *when(struct break_even b, struct arena *a)
{
    return b.when == CHEAPER_BELOW  ? arena_format(a, "N < %d", b.n)
           : b.when == CHEAPER_FROM ? arena_format(a, "N >= %d", b.n)
                                    : cheaper[b.when];
}

struct measure { const char *name, *unit; int better; };

enum { MEASURES = 5 };

static const struct measure measures[MEASURES] = {
    {"parameters", "1", 0}, {"flops_scores", "FLOP", 0},
    {"flops_mixing", "FLOP", 0}, {"break_even_parameters", "N", 0},
    {"break_even_flops", "N", 0}};

static const struct column measure_columns[] = {
    {"name", NULL, COLUMN(struct measure, name)},
    {"unit", NULL, COLUMN(struct measure, unit)},
    {"better", NULL, COLUMN(struct measure, better)},
    {.type = COLUMN_END}};

/* A line of the CSV. */
struct record {
    const char *table, *part, *task, *variant, *measure;
    double      value;
    const char *cheaper;
    double      published, residual; /* NAN: no published count */
    const char *verdict, *signature;
};

#define OF(member) COLUMN(struct record, member)
static const struct column record_columns[] = {
    {"table", NULL, OF(table)},
    {"part", NULL, OF(part)},
    {"task", NULL, OF(task)},
    {"variant", NULL, OF(variant)},
    {"measure", NULL, OF(measure)},
    {"value", NULL, OF(value)},
    {"cheaper", NULL, OF(cheaper)},
    {"published", NULL, OF(published)},
    {"residual", NULL, OF(residual)},
    {"verdict", NULL, OF(verdict)},
    {"signature", NULL, OF(signature)},
    {.type = COLUMN_END}};

static void add_record(struct sheet *s, const struct record *r)
{
    json_array_append_new(s->records,
                          relation_object(record_columns, r, s->memory));
}

/* The value of a measure in a row of the JSON. */
struct value { double is; };

static const struct column value_columns[] = {
    {"value", NULL, COLUMN_AS(COLUMN_WHOLE, struct value, is)},
    {.type = COLUMN_END}};

/* A row of the table, and its measures. */
struct layer {
    struct table1_row is;
    int               measures;
    struct value     *value; /* [MEASURES]: `of` */
    struct value      of[MEASURES];
};

static const char *when_params(const void *row, struct arena *a)
{
    return when(((const struct layer *)row)->is.params, a);
}

static const char *when_flops(const void *row, struct arena *a)
{
    return when(((const struct layer *)row)->is.flops, a);
}

#define PARAMETERS .group = "parameters"
#define FLOPS      .group = "FLOP per sentence"
#define CHEAPER    .group = "cheaper than dot products"
#define VARIANT    COLUMN_VIA(struct layer, is.variant)
#define DIGITS(member)                                                        \
    COLUMN(struct layer, member), .unit = ",", .none = "-"

static const struct column layer_columns[] = {
    {"variant", NULL, VARIANT, COLUMN(struct variant, name)},
    {"title", "Variant", VARIANT, COLUMN(struct variant, title)},
    {"formula", "as a formula", VARIANT, COLUMN(struct variant, learns),
     PARAMETERS},
    {NULL, "as a number", DIGITS(is.cost.params), PARAMETERS},
    {NULL, "for scores", DIGITS(is.cost.scores), FLOPS},
    {NULL, "for mixing", DIGITS(is.cost.mixing), FLOPS},
    {"depends", "depends on", VARIANT,
     COLUMN_AS(COLUMN_ENUM, struct variant, depends), .words = depends_text},
    {"cheaper_parameters", "in parameters",
     COLUMN_AS(COLUMN_ENUM, struct layer, is.params.when), .words = cheaper,
     .show = when_params, CHEAPER},
    {"cheaper_flops", "in FLOP",
     COLUMN_AS(COLUMN_ENUM, struct layer, is.flops.when), .words = cheaper,
     .show = when_flops, CHEAPER},
    {"signature", NULL, COLUMN_SHOWN, .show = signature},
    {"cells", NULL, COLUMN_ROWS(struct layer, value, measures, value_columns)},
    {.type = COLUMN_END}};

/* Sets the measures of a row, and adds them to the CSV. */
static void measure(struct sheet *s, struct layer *l)
{
    const struct table1_row *r = &l->is;
    const struct break_even *of[] = {NULL, NULL, NULL, &r->params, &r->flops};
    const double cost[] = {r->cost.params, r->cost.scores, r->cost.mixing};

    l->value = l->of;
    l->measures = MEASURES;
    for (int k = 0; k < MEASURES; k++) {
        double x = !of[k] ? cost[k] : of[k]->n ? of[k]->n : NAN;

        l->of[k].is = x;
        add_record(s, &(struct record){
            "1", "layer", "", r->variant->name, measures[k].name, x,
            of[k] ? cheaper[of[k]->when] : "", NAN, NAN, "", unsigned_rows});
    }
}

static void put_layers(struct sheet *s, const struct table1 *t)
{
    const struct model_config *c = &t->config.model;

    struct layer *layer = arena_take(s->memory,
                                     (size_t)t->rows * sizeof *layer);

    s->records = json_array(); /* one line for each measure */
    for (int i = 0; i < t->rows; i++) {
        layer[i].is = t->row[i];
        measure(s, &layer[i]);
    }
    sheet_relation(s, &(struct relation){"rows", layer_columns, layer,
                                         sizeof *layer, t->rows});
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

/* ---- published counts ---- */

static void put_assumption(struct sheet *s, const struct table1_column *c)
{
    const struct model_config *m = &c->row[0].cell->config.model;
    double block = c->fit.low * c->row[0].a_piece;
    int one = c->fit.low == c->fit.high;
    char text[32], high[32];

    if (!c->of->free)
        sheet_put(s, PART_PARAGRAPH, "Assumed: %d layers, d %d, N %d, the "
                  "known vocabulary of %s, synthesizers with 8 heads of 128.",
                  m->layers, m->d, m->N,
                  grid_digits(c->row[0].cell->config.vocab, text));
    else if (!c->matches)
        sheet_put(s, PART_PARAGRAPH, "No vocabulary gives the Transformer.");
    else
        sheet_put(s, PART_PARAGRAPH, "Assumed: %d layers, d %d, N %d and a "
                  "vocabulary of %s%s%s pieces, whose embedding has %.2fM "
                  "parameters. This vocabulary matches %d of %d rows, and no "
                  "other matches more. No source states the vocabulary.",
                  m->layers, m->d, m->N, grid_digits(c->fit.low, text),
                  one ? "" : " to ",
                  one ? "" : grid_digits(c->fit.high, high), block / 1e6,
                  c->matches, c->n);
}

static const char *show_published(const void *row, struct arena *a)
{
    char text[32];

    return arena_text(a, count_printed(&((const struct count *)row)->claim,
                                       text));
}

static const char *show_residual_equal(const void *row, struct arena *a)
{
    const struct count *k = row;
    char text[32];

    return arena_text(a, count_signed(k->residual_equal, &k->claim, text));
}

static const char *show_residual_code(const void *row, struct arena *a)
{
    const struct count *k = row;
    char text[32];

    return arena_text(a, count_signed(k->residual_code, &k->claim, text));
}

#define NUMBER(member) COLUMN_AS(COLUMN_WHOLE, struct count, member)
#define EQUAL          .group = "heads: equal"
#define CODE           .group = "heads: code"

static const struct column published_columns[] = {
    {"variant", "Variant", COLUMN_VIA(struct count, cell),
     COLUMN_AS(COLUMN_CHARS, struct cell, config.variant)},
    {"published", "published", NUMBER(claim.value), .show = show_published},
    {"params_equal", "parameters", NUMBER(equal), .unit = ",", .none = "-",
     EQUAL},
    {"residual_equal", "residual", NUMBER(residual_equal),
     .show = show_residual_equal, EQUAL},
    {"params_code", "parameters", NUMBER(code), .unit = ",", .none = "-", CODE},
    {"residual_code", "residual", NUMBER(residual_code),
     .show = show_residual_code, CODE},
    {"source", NULL, COLUMN(struct count, claim.source)},
    {"cannot", NULL, COLUMN_AS(COLUMN_BOOL, struct count, cannot)},
    {"verdict", "verdict", COLUMN(struct count, verdict)},
    {"signature", NULL, COLUMN_SHOWN, .show = signature},
    {.type = COLUMN_END}};

/* A column of published counts, as the JSON describes it. */
struct published_json {
    const char *task, *title;
    double      low, high; /* range of vocabulary sizes */
    int         known, rows;
    const struct count *row;
};

static const struct column task_columns[] = {
    {"task", NULL, COLUMN(struct published_json, task)},
    {"title", NULL, COLUMN(struct published_json, title)},
    {"vocab_low", NULL, COLUMN_AS(COLUMN_WHOLE, struct published_json, low)},
    {"vocab_high", NULL, COLUMN_AS(COLUMN_WHOLE, struct published_json, high)},
    {"vocab_known", NULL, COLUMN_AS(COLUMN_BOOL, struct published_json, known)},
    {"rows", NULL, COLUMN_ROWS(struct published_json, row, rows,
                               published_columns)},
    {.type = COLUMN_END}};

/* Adds a published count and ours, `ours`, to the CSV. */
static void add_count(struct sheet *s, const char *task, const struct count *k,
                      const char *measure, double ours)
{
    add_record(s, &(struct record){
        "1", "published", task, k->cell->config.variant, measure, ours, "",
        k->claim.value, count_residual(ours, &k->claim), k->verdict,
        unsigned_rows});
}

static struct published_json put_column(struct sheet *s,
                                        const struct table1_column *c)
{
    OWNED(text_free) struct text all = {0}; /* rows that cannot match */
    double known = c->row[0].cell->config.vocab;

    sheet_put(s, PART_HEADING, "%s", c->of->title);
    sheet_grid_of(s, &(struct relation){NULL, published_columns, c->row,
                                        sizeof *c->row, c->n});
    put_assumption(s, c);
    for (int i = 0; i < c->n; i++) {
        const struct count *k = &c->row[i];
        const char *variant = k->cell->config.variant;

        add_count(s, c->of->task, k, "params_equal", k->equal);
        add_count(s, c->of->task, k, "params_code", k->code);
        if (k->cannot)
            text_format(&all, "%s%s", all.n ? ", " : "", variant);
    }
    if (all.n)
        sheet_put(s, PART_PARAGRAPH, "No assumption matches %s. %s", all.s,
                  c->of->why ? c->of->why : "");
    return (struct published_json){
        c->of->task, c->of->title, c->of->free ? c->fit.low : known,
        c->of->free ? c->fit.high : known, !c->of->free, c->n, c->row};
}

static const struct column shape_columns[] = {
    {"d", NULL, COLUMN(struct model_config, d)},
    {"heads", NULL, COLUMN(struct model_config, heads)},
    {"N", NULL, COLUMN(struct model_config, N)},
    {"rank", NULL, COLUMN(struct model_config, rank)},
    {.type = COLUMN_END}};

struct sheet *table1_sheet(const struct table1 *t)
{
    struct published_json published[TABLE1_COLUMNS];
    struct relation all = {"published", task_columns, published,
                           sizeof *published, TABLE1_COLUMNS};
    struct sheet *s = sheet_new();

    sheet_fact(s, "table", json_string("1"));
    sheet_fact(s, "shape", relation_object(shape_columns, &t->config.model,
                                           s->memory));
    sheet_fact(s, "columns", relation_json(&(struct relation){
        NULL, measure_columns, measures, sizeof *measures, MEASURES},
        s->memory));
    sheet_put(s, PART_TITLE, "Table 1. What a layer of each variant costs");
    put_layers(s, t);
    sheet_put(s, PART_HEADING, "Published parameter counts against ours");
    sheet_put(s, PART_PARAGRAPH, "`heads: equal` gives every variant the "
                                 "Transformer's heads, `heads: code` gives "
                                 "Synthesizers the released code's 8 heads of "
                                 "128. Residual: our number, rounded as the "
                                 "published one, minus the published one.");
    for (int i = 0; i < TABLE1_COLUMNS; i++)
        published[i] = put_column(s, &t->column[i]);
    sheet_fact(s, all.name, relation_json(&all, s->memory));
    sheet_put(s, PART_HEADING, "Signatures");
    sheet_put(s, PART_CODE, "no row has a signature: %s",
              unsigned_rows + strlen("none: "));
    published_below(s, t->published, "1");
    sheet_put(s, PART_ITEM, "k, k1, k2: the paper's rank and lengths of "
              "factors, not the k above");
    return s;
}
