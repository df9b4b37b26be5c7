#include "harness/cmd/speed.h"

#include "harness/base/err.h"
#include "harness/base/json.h"
#include "harness/base/str.h"
#include "harness/engine/cuda/driver.h"
#include "harness/plan/param_count.h"
#include "harness/train/provenance.h"
#include "harness/train/step.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The names of the metrics in published.tsv, by enum speed_claim. */
static const char *const metric_of[CLAIMS] = {
    "params", "tflops", "steps_per_s", "steps_per_s_narang"};

int speed_open(struct speed **out, const struct table *t, const char *store,
               const struct choice *choice, int fresh)
{
    OWNED(free) char *own = str_format("results/table%s", t->name);
    struct plan_of of = {.experiment = t->timed, .choice = *choice,
                         .store = store ? store : own};
    OWNED(speed_close) struct speed *s = calloc(1, sizeof *s);
    OWNED(store_close) struct store *times_of = NULL;

    *out = NULL;
    s->table = t;
    PASS(published_open(&s->published));
    PASS(plan_open(&s->plan, &of));
    s->row = calloc((size_t)s->plan->n, sizeof *s->row);
    OWNED(free) char *path = str_format("%s/speed", s->plan->store);
    PASS(store_open(&times_of, path, 1));
    say("timing the training steps of %d models, one after the other",
        s->plan->n);
    for (int i = 0; i < s->plan->n; i++) {
        struct speed_row *r = &s->row[s->n];
        const struct cell *c = r->cell = &s->plan->cell[i];

        if (c->refused)
            return err_set(ERR_USAGE, "%s: %s", c->row, c->refused);
        PASS(step_times_get(&r->is, times_of, c, fresh));
        say("%d/%d  %s: %.3g s a step%s", ++s->n, s->plan->n, c->row,
            r->is.step.median,
            timing_noisy(&r->is.step, &r->is.load) ? ", too noisy" : "");
        for (int k = 0; k < CLAIMS; k++)
            published_find(s->published, &r->claim[k], c->row, c->config.task,
                           metric_of[k]);
    }
    return MOVE_OUT(out, s);
}

void speed_close(struct speed *s)
{
    if (!s)
        return;
    plan_close(s->plan);
    published_close(s->published);
    free(s->row);
    free(s);
}

/* ---- output ---- */

static const char unsigned_rows[] = "none: timed, not trained";

enum { PARAMS, FLOPS, FLOPS_RATIO, STEPS_PER_S, SPEED_RATIO,
       SPEED_RATIO_NARANG, MEASURES };

static const struct measure {
    const char *name, *unit;
    int         better;
    int         ratio;     /* 1: relative to the first row  */
    int         published; /* enum speed_claim, or -1       */
} measures[MEASURES] = {
    [PARAMS] = {"params", "1", 0, 0, CLAIM_PARAMS},
    [FLOPS] = {"flops_per_step", "FLOP", 0, 0, -1},
    [FLOPS_RATIO] = {"flops_ratio", "1", 0, 1, CLAIM_FLOPS},
    [STEPS_PER_S] = {"steps_per_s", "1/s", 1, 0, CLAIM_STEPS},
    [SPEED_RATIO] = {"speed_ratio", "1", 1, 1, CLAIM_STEPS},
    [SPEED_RATIO_NARANG] = {"speed_ratio_narang", "1", 1, 1,
                            CLAIM_STEPS_AGAIN}};

static const struct column measure_columns[] = {
    {"name", NULL, COLUMN(struct measure, name)},
    {"unit", NULL, COLUMN(struct measure, unit)},
    {"better", NULL, COLUMN(struct measure, better)},
    {.type = COLUMN_END}};

/* A measured value and the published value (NAN: none).  low, high: the
 * interval of the measured value or, of STEPS_PER_S, the speeds at the 90th
 * percentile and the minimum of the step times (NAN: none).  n: the number of
 * timed steps for STEPS_PER_S, else 1. */
struct value {
    double      ours, low, high, published;
    long long   n;
    const char *source, *dispute;
};

static const struct column value_columns[] = {
    {"value", NULL, COLUMN(struct value, ours)},
    {"low", NULL, COLUMN(struct value, low)},
    {"high", NULL, COLUMN(struct value, high)},
    {"n", NULL, COLUMN(struct value, n)},
    {"published", NULL, COLUMN(struct value, published)},
    {"source", NULL, COLUMN(struct value, source)},
    {"disputed", NULL, COLUMN(struct value, dispute)},
    {.type = COLUMN_END}};

/* A line of the CSV. */
struct record {
    const char           *table, *variant, *signature;
    const struct measure *measure;
    const struct value   *value;
};

#define RECORD(member) COLUMN(struct record, member)
#define MEASURE        COLUMN_VIA(struct record, measure)
#define VALUE          COLUMN_VIA(struct record, value)

static const struct column record_columns[] = {
    {"table", NULL, RECORD(table)},
    {"variant", NULL, RECORD(variant)},
    {"measure", NULL, MEASURE, COLUMN(struct measure, name)},
    {"unit", NULL, MEASURE, COLUMN(struct measure, unit)},
    {"value", NULL, VALUE, COLUMN(struct value, ours)},
    {"published", NULL, VALUE, COLUMN(struct value, published)},
    {"signature", NULL, RECORD(signature)},
    {.type = COLUMN_END}};

/* A row of the table. */
struct line {
    const struct cell      *cell;
    const struct speed_row *row;
    const char   *signature, *published_params, *interval; /* for people */
    int           values, too_noisy;
    struct value *value; /* [MEASURES]; points to `of` */
    struct value  of[MEASURES];
};

#define CELL       COLUMN_VIA(struct line, cell)
#define ROW        COLUMN_VIA(struct line, row)
#define PARAMETERS .group = "parameters"
#define A_STEP     .group = "FLOP a step"
#define MACHINE    .group = "steps/s, this machine"
#define RATIO      .group = "steps/s, ratio to the first row"

static const struct column line_columns[] = {
    {"variant", "Variant", CELL, COLUMN(struct cell, row)},
    {"id", NULL, CELL, COLUMN_AS(COLUMN_CHARS, struct cell, id)},
    {"signature", NULL, COLUMN(struct line, signature)},
    {"cells", NULL, COLUMN_ROWS(struct line, value, values, value_columns)},
    {"load_begin", NULL, ROW, COLUMN(struct speed_row, is.load.begin)},
    {"load_end", NULL, ROW, COLUMN(struct speed_row, is.load.end)},
    {"processors", NULL, ROW, COLUMN(struct speed_row, is.load.processors)},
    {"too_noisy", NULL, COLUMN_AS(COLUMN_BOOL, struct line, too_noisy)},
    {NULL, "ours", COLUMN(struct line, of[PARAMS].ours), .unit = ",",
     PARAMETERS},
    {NULL, "paper", COLUMN(struct line, published_params), PARAMETERS},
    {NULL, "ours", COLUMN(struct line, of[FLOPS].ours), .unit = "", A_STEP},
    {NULL, "ratio", COLUMN(struct line, of[FLOPS_RATIO].ours), "%.3f", A_STEP},
    {NULL, "paper", COLUMN(struct line, of[FLOPS_RATIO].published), "%.3f",
     A_STEP},
    {NULL, "median", COLUMN(struct line, of[STEPS_PER_S].ours), "%.4g",
     "too noisy", MACHINE},
    {NULL, "p90", COLUMN(struct line, of[STEPS_PER_S].low), "%.4g", MACHINE},
    {NULL, "most", COLUMN(struct line, of[STEPS_PER_S].high), "%.4g", MACHINE},
    {NULL, "ours", COLUMN(struct line, of[SPEED_RATIO].ours), "%.3f",
     "too noisy", RATIO},
    {NULL, "95 %", COLUMN(struct line, interval), RATIO},
    {NULL, "paper", COLUMN(struct line, of[SPEED_RATIO].published), "%.3f",
     RATIO},
    {NULL, "Narang et al.",
     COLUMN(struct line, of[SPEED_RATIO_NARANG].published), "%.3f", RATIO},
    {.type = COLUMN_END}};

/* Returns the parameters, the FLOPs or the median steps per second of a row.
 * Steps per second that are too noisy (stats/step_timing.h) are NAN. */
static double measured(const struct speed_row *r, int k)
{
    if (k <= FLOPS_RATIO)
        return k == PARAMS ? r->is.params : r->is.flops;
    return timing_noisy(&r->is.step, &r->is.load) ? NAN : 1 / r->is.step.median;
}

static struct value value_of(const struct speed *s, int i, int k)
{
    const struct speed_row *r = &s->row[i], *first = &s->row[0];
    const struct measure *m = &measures[k];
    struct value v = {measured(r, k), NAN, NAN, NAN, 1, NULL, NULL};

    if (m->ratio)
        v.ours /= measured(first, k);
    if (k == STEPS_PER_S) {
        v.low = 1 / r->is.step.p90;
        v.high = 1 / r->is.step.least;
        v.n = r->is.step.n;
    } else if (k > STEPS_PER_S && i > 0 && isfinite(v.ours)) {
        struct interval ratio = step_times_ratio(&r->is, &first->is);

        v.low = ratio.low;
        v.high = ratio.high;
    }
    if (m->published >= 0 && r->claim[m->published].value > 0) {
        const struct published_value *claim = &r->claim[m->published];
        double base = m->ratio ? first->claim[m->published].value : 1;

        v.published = base > 0 ? claim->value / base : NAN;
        v.source = claim->source;
        v.dispute = claim->dispute;
    }
    return v;
}

/* Adds the CSV, with one line for each value. */
static void put_records(struct sheet *to, const struct speed *s,
                        const struct line *line)
{
    to->records = json_array();
    for (int i = 0; i < s->n * MEASURES; i++) {
        const struct line *l = &line[i / MEASURES];
        int k = i % MEASURES;
        struct record r = {s->table->name, l->cell->row, l->signature,
                           &measures[k], &l->of[k]};

        json_array_append_new(to->records, relation_object(record_columns, &r,
                                                           to->memory));
    }
}

static int fuses(const struct config *c)
{
    return backend_fuses(c->device, c->precision);
}

/* Returns a sentence that says whether the attention of the rows is fused. */
static const char *fusing(const struct config *c)
{
    return fuses(c)
               ? "All attention is fused, that of vanilla included: its scores "
                 "and weights are not stored."
               : "No attention is fused: the scores go through memory, those "
                 "of dot products for each example, so a fused kernel would "
                 "speed up vanilla most.";
}

/* Returns what timed the steps: "2 threads of AMD EPYC 9B45", or the GPU. */
static const char *machine(const struct config *c, struct arena *a)
{
    char cpu[256];

    if (c->device != DEVICE_CPU)
        return arena_text(a, cuda_card()->name);
    provenance_processor(cpu);
    return arena_format(a, "%d threads of %s", c->threads, cpu);
}

static void put_notes(struct sheet *to, const struct speed *s)
{
    const struct config *c = &s->row[0].cell->config;
    const struct step_times *first = &s->row[0].is;
    double load = NAN;

    for (int i = 0; i < s->n; i++)
        load = fmax(load, load_most(&s->row[i].is.load));
    sheet_put(to, PART_PARAGRAPH,
        "A step is of %d examples of %d tokens in %d layers, d %d, on %s; the "
        "paper's is of 128 on other hardware, so that only ratios can be "
        "compared; 95 %%: interval of ours. %s Of %lld steps: the median, "
        "the one that nine of ten are faster than, the fastest; load up to "
        "%.1f on %d processors. Too noisy: p10 to p90 is over %.0f %% of the "
        "median, or the load over %.0f %% of the processors. Rows without a "
        "published ratio are not in the paper.", step_rows(c), c->length,
        c->model.layers, c->model.d, machine(c, to->memory), fusing(c),
        first->step.n, load, first->load.processors, 100 * PACE_SLACK,
        100 * (1 + PACE_SLACK));
    sheet_put(to, PART_HEADING, "Published speeds");
    for (int i = 0; i < s->n; i++) {
        const struct published_value *p = &s->row[i].claim[CLAIM_STEPS];

        if (p->value > 0)
            sheet_put(to, PART_ITEM, "%s: %g steps/s (%s)%s%s",
                      s->row[i].cell->row, p->value, p->source,
                      p->dispute ? "; " : "", p->dispute ? p->dispute : "");
    }
    sheet_put(to, PART_HEADING, "Signatures");
    sheet_put(to, PART_CODE, "no row has a signature: %s",
              unsigned_rows + strlen("none: "));
}

struct sheet *speed_sheet(const struct speed *s)
{
    struct sheet *to = sheet_new();
    struct line *line = arena_take(to->memory, (size_t)s->n * sizeof *line);
    struct relation columns = {"columns", measure_columns, measures,
                               sizeof *measures, MEASURES};
    char text[32];

    for (int i = 0; i < s->n; i++) {
        const struct speed_row *r = &s->row[i];
        struct line *l = &line[i];

        *l = (struct line){.cell = r->cell, .row = r, .value = l->of,
                           .values = MEASURES, .signature = unsigned_rows,
                           .too_noisy = timing_noisy(&r->is.step, &r->is.load)};
        for (int k = 0; k < MEASURES; k++)
            l->of[k] = value_of(s, i, k);
        l->published_params = arena_text(
            to->memory, count_printed(&r->claim[CLAIM_PARAMS], text));
        l->interval = isfinite(l->of[SPEED_RATIO].low)
                          ? arena_format(to->memory, "[%.3f, %.3f]",
                                         l->of[SPEED_RATIO].low,
                                         l->of[SPEED_RATIO].high) : "";
    }
    sheet_fact(to, "table", json_string(s->table->name));
    sheet_fact(to, "kind", json_string("speed"));
    sheet_fact(to, "machine", json_string(machine(&s->row[0].cell->config,
                                                  to->memory)));
    sheet_fact(to, "fused_attention",
               json_boolean(fuses(&s->row[0].cell->config)));
    sheet_fact(to, "columns", relation_json(&columns, to->memory));
    put_records(to, s, line);
    sheet_put(to, PART_TITLE, "Table %s. %s: speed", s->table->name,
              s->table->title);
    sheet_relation(to, &(struct relation){"rows", line_columns, line,
                                          sizeof *line, s->n});
    put_notes(to, s);
    return to;
}
