#include "harness/cmd/speed.h"

#include "harness/base/clock.h"
#include "harness/base/err.h"
#include "harness/base/json.h"
#include "harness/base/str.h"
#include "harness/cmd/plan_params.h"
#include "harness/stats/stats.h"
#include "harness/store/cell.h"
#include "harness/train/bench.h"
#include "harness/train/provenance.h"
#include "harness/train/step.h"

#include <math.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

enum { STEPS = 3, STEPS_GPU = 10 };

static int steps_of(const struct cell *c)
{
    return c->config.device == DEVICE_CUDA ? STEPS_GPU : STEPS;
}

static const char TIMING[] = "timing";

/* The names of the metrics in published.tsv, by enum speed_claim. */
static const char *const metric_of[CLAIMS] = {
    "params", "tflops", "steps_per_s", "steps_per_s_narang"};

/* ---- one measurement ---- */

/* Sets `id` to a hash of everything that the time of a step depends on. */
static int name_of(char id[SETTINGS_ID], const struct cell *c)
{
    char program[HASH_HEX], cpu[256], hex[HASH_HEX];

    PASS(hash_file("/proc/self/exe", program));
    provenance_processor(cpu);
    OWNED(free) char *text =
        str_format("speed %s threads %d steps %d program %s on %d x " "%s",
                   c->id, c->config.threads, steps_of(c), program,
                   omp_get_num_procs(), cpu);
    hash_sha256(text, strlen(text), hex);
    memcpy(id, hex, SETTINGS_ID - 1);
    id[SETTINGS_ID - 1] = 0;
    return OK;
}

static int read_spread(struct spread *s, struct cell_reader *f)
{
    PASS(cell_get_real(f, TIMING, "median_seconds", &s->median));
    PASS(cell_get_real(f, TIMING, "least_seconds", &s->least));
    PASS(cell_get_real(f, TIMING, "p10_seconds", &s->p10));
    PASS(cell_get_real(f, TIMING, "p90_seconds", &s->p90));
    PASS(cell_get_real(f, TIMING, "spread", &s->width));
    return cell_get_int(f, TIMING, "steps", &s->n);
}

static int read_load(struct load *l, struct cell_reader *f)
{
    long long processors;

    PASS(cell_get_real(f, TIMING, "load_begin", &l->begin));
    PASS(cell_get_real(f, TIMING, "load_end", &l->end));
    PASS(cell_get_int(f, TIMING, "processors", &processors));
    l->processors = (int)processors;
    return OK;
}

static int read_times(struct speed_row *r, const char *store, const char *id)
{
    OWNED(cell_close) struct cell_reader *f = NULL;

    PASS(cell_open_kind(&f, store, id, "speed"));
    PASS(read_spread(&r->step, f));
    PASS(read_load(&r->load, f));
    PASS(cell_get_real(f, TIMING, "log_mean", &r->log_mean));
    PASS(cell_get_real(f, TIMING, "log_sd", &r->log_sd));
    PASS(cell_get_real(f, TIMING, "params", &r->params));
    return cell_get_real(f, TIMING, "flops_per_step", &r->flops);
}

static int put_times(struct cell_writer *w, const struct speed_row *r)
{
    OWNED(free) char *config = settings_text(&r->cell->config, 1);

    PASS(cell_put_text(w, "", "kind", "speed"));
    PASS(cell_put_text(w, "", "title", "seconds of a training step"));
    PASS(cell_put_text(w, "", "cell", r->cell->id));
    PASS(cell_put_text(w, "config", "json", config));
    PASS(cell_put_real(w, TIMING, "median_seconds", r->step.median));
    PASS(cell_put_real(w, TIMING, "least_seconds", r->step.least));
    PASS(cell_put_real(w, TIMING, "p10_seconds", r->step.p10));
    PASS(cell_put_real(w, TIMING, "p90_seconds", r->step.p90));
    PASS(cell_put_real(w, TIMING, "spread", r->step.width));
    PASS(cell_put_int(w, TIMING, "steps", r->step.n));
    PASS(cell_put_real(w, TIMING, "log_mean", r->log_mean));
    PASS(cell_put_real(w, TIMING, "log_sd", r->log_sd));
    PASS(cell_put_real(w, TIMING, "load_begin", r->load.begin));
    PASS(cell_put_real(w, TIMING, "load_end", r->load.end));
    PASS(cell_put_int(w, TIMING, "processors", r->load.processors));
    PASS(cell_put_int(w, TIMING, "too_noisy",
                      timing_noisy(&r->step, &r->load)));
    PASS(cell_put_real(w, TIMING, "params", r->params));
    PASS(cell_put_real(w, TIMING, "flops_per_step", r->flops));
    PASS(provenance_put_device(w, r->cell->config.device));
    return provenance_put(w, NULL, r->cell->config.threads);
}

static int write_times(const struct speed_row *r, const char *store,
                       const char *id)
{
    OWNED(cell_abandon) struct cell_writer *w = NULL;

    PASS(cell_begin(&w, store, id));
    PASS(put_times(w, r));
    struct cell_writer *whole = w;
    w = NULL; /* cell_commit frees it */
    return cell_commit(whole);
}

static int time_row(struct speed_row *r)
{
    struct config c = r->cell->config;
    struct bench b;

    settings_expect(&c);
    PASS(bench_step(&b, &c, &r->cell->mix, r->cell->task,
                    steps_of(r->cell)));
    r->step = b.step;
    r->log_mean = b.log_mean;
    r->log_sd = b.log_sd;
    r->load = b.load;
    r->params = b.cost.params;
    r->flops = b.cost.flops_per_step;
    return OK;
}

/* Times a row and stores the result.  The caller holds the lease of `id`. */
static int measure_now(struct speed_row *r, struct store *s, const char *id)
{
    double began = clock_seconds();

    PASS(time_row(r));
    PASS(write_times(r, store_path(s), id));
    return store_done(s, id, clock_seconds() - began);
}

static int measure(struct speed_row *r, struct store *s, int fresh)
{
    char id[SETTINGS_ID];

    PASS(name_of(id, r->cell));
    int rc = fresh ? ERR_EMPTY : read_times(r, store_path(s), id);
    if (rc != ERR_EMPTY)
        return rc;
    PASS(store_claim(s, id));
    rc = measure_now(r, s, id);
    store_release(s, id);
    return rc;
}

/* ---- all rows ---- */

static int measure_all(struct speed *s, int fresh)
{
    OWNED(free) char *path = str_format("%s/speed", s->plan->store);
    OWNED(store_close) struct store *store = NULL;

    PASS(store_open(&store, path, 1));
    say("timing the training steps of %d models, one after the other",
        s->plan->n);
    for (int i = 0; i < s->plan->n; i++) {
        struct speed_row *r = &s->row[s->n];

        r->cell = &s->plan->cell[i];
        if (r->cell->refused)
            return err_set(ERR_USAGE, "%s: %s", r->cell->row,
                           r->cell->refused);
        PASS(measure(r, store, fresh));
        say("%d/%d  %s: %.3g s a step%s", ++s->n, s->plan->n,
            r->cell->row, r->step.median,
            timing_noisy(&r->step, &r->load) ? ", too noisy" : "");
    }
    return OK;
}

int speed_open(struct speed **out, const struct table *t, const char *store,
               const struct choice *choice, int fresh)
{
    OWNED(free) char *own = str_format("results/table%s", t->name);
    struct plan_of of = {.experiment = t->timed, .choice = *choice,
                         .store = store ? store : own};
    OWNED(speed_close) struct speed *s = calloc(1, sizeof *s);

    *out = NULL;
    s->table = t;
    PASS(published_open(&s->published));
    PASS(plan_open(&s->plan, &of));
    s->row = calloc((size_t)s->plan->n, sizeof *s->row);
    PASS(measure_all(s, fresh));
    for (int i = 0; i < s->n; i++)
        for (int k = 0; k < CLAIMS; k++)
            published_find(s->published, &s->row[i].claim[k],
                           s->row[i].cell->row,
                           s->row[i].cell->config.task, metric_of[k]);
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

/* Returns the median steps per second, or NAN if they are too noisy
 * (stats/step_timing.h). */
static double speed_steps(const struct speed_row *r)
{
    return timing_noisy(&r->step, &r->load) ? NAN : 1 / r->step.median;
}

static double speed_flops(const struct speed_row *r) { return r->flops; }

/* speed_ratio returns the value `of` of a row divided by that of the first row,
 * or NAN if either value is NAN, such as a speed that is too noisy.
 * speed_published_ratio returns the ratio of the published values, or NAN if
 * one of them is missing. */
static double speed_ratio(const struct speed *s, int row,
                          double (*of)(const struct speed_row *r))
{
    return of(&s->row[row]) / of(&s->row[0]);
}

/* Returns the 95 % interval of the ratio between a row's speed and the first
 * row's speed, from the logarithms of their times.  Both bounds are NAN for the
 * first row, and if either row is too noisy. */
static struct interval ratio_interval(const struct speed *s, int row)
{
    const struct speed_row *x = &s->row[row], *y = &s->row[0];

    if (!row || !isfinite(speed_ratio(s, row, speed_steps)))
        return (struct interval){NAN, NAN};
    struct interval of = stats_welch(
        (struct stats_sample){y->log_mean, y->log_sd, (double)y->step.n},
        (struct stats_sample){x->log_mean, x->log_sd, (double)x->step.n});
    return (struct interval){exp(of.low), exp(of.high)};
}

static double speed_published_ratio(const struct speed *s, int row,
                                    enum speed_claim c)
{
    double of = s->row[row].claim[c].value, base = s->row[0].claim[c].value;

    return of > 0 && base > 0 ? of / base : NAN;
}

/* ---- text ---- */

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
    {"steps/s, ratio to the first row", "95 %", "", 0, 0},
    {"steps/s, ratio to the first row", "paper", "", 0, 0},
    {"steps/s, ratio to the first row", "Narang et al.", "", 0, 0},
};

/* Returns the greatest load during the timing of any row. */
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
    struct interval of = ratio_interval(s, i);
    char text[32];

    grid_add(g, "%s", r->cell->row);
    grid_add(g, "%s", count_digits(r->params, text));
    grid_add(g, "%s", count_printed(&r->claim[CLAIM_PARAMS], text));
    grid_add(g, "%s", grid_count(r->flops, NULL, text));
    grid_number(g, "%.3f", speed_ratio(s, i, speed_flops), "");
    grid_number(g, "%.3f", speed_published_ratio(s, i, CLAIM_FLOPS), "");
    grid_number(g, "%.4g", speed_steps(r), "too noisy");
    grid_number(g, "%.4g", 1 / r->step.p90, "");
    grid_number(g, "%.4g", 1 / r->step.least, "");
    grid_number(g, "%.3f", speed_ratio(s, i, speed_steps), "too noisy");
    if (isfinite(of.low))
        grid_add(g, "[%.3f, %.3f]", of.low, of.high);
    else
        grid_add(g, "%s", "");
    grid_number(g, "%.3f", speed_published_ratio(s, i, CLAIM_STEPS), "");
    grid_number(g, "%.3f", speed_published_ratio(s, i, CLAIM_STEPS_AGAIN), "");
}

static void put_sources(struct sheet *to, const struct speed *s)
{
    sheet_put(to, PART_HEADING, "Published speeds");
    for (int i = 0; i < s->n; i++) {
        const struct published_value *c = &s->row[i].claim[CLAIM_STEPS];

        if (c->value > 0)
            sheet_put(to, PART_ITEM, "%s: %g steps/s (%s)%s%s",
                      s->row[i].cell->row, c->value, c->source,
                      c->dispute ? "; " : "", c->dispute ? c->dispute : "");
    }
}

static void print_text(struct sheet *to, const struct speed *s)
{
    const struct config *c = &s->row[0].cell->config;
    const char *by = c->device == DEVICE_CPU
                         ? arena_format(to->memory, "%d threads", c->threads)
                         : "a GPU";

    sheet_put(to, PART_TITLE, "Table %s. %s: speed", s->table->name,
              s->table->title);
    struct grid *g = sheet_grid(to, head, sizeof head / sizeof *head);
    for (int i = 0; i < s->n; i++)
        put_row(g, s, i);
    sheet_put(to, PART_PARAGRAPH,
        "A step is of %d examples of %d tokens in %d layers, d %d, by %s; the "
        "paper's is of 128 on other hardware, so that only ratios can be "
        "compared; 95 %%: interval of ours. No attention is fused: the scores "
        "go through memory, those of dot products for each example, so a "
        "fused kernel would speed up vanilla most. Of %lld steps: the median, "
        "the one that nine of ten are faster than, the fastest; load up to "
        "%.1f on %d "
        "processors. Too noisy: p10 to p90 is over %.0f %% of the median, or "
        "the load over %.0f %% of the processors. Rows without a published "
        "ratio are not in the paper.", step_rows(c), c->length, c->model.layers,
        c->model.d, by, s->row[0].step.n, load_of(s),
        s->row[0].load.processors, 100 * PACE_SLACK, 100 * (1 + PACE_SLACK));
    put_sources(to, s);
    sheet_put(to, PART_HEADING, "Signatures");
    sheet_put(to, PART_CODE, "no row has a signature: %s",
              unsigned_rows + strlen("none: "));
}

/* ---- JSON and records ---- */

static double params(const struct speed_row *r) { return r->params; }

static const struct measure {
    const char *name, *unit;
    int         better;
    double    (*of)(const struct speed_row *r);
    int         ratio;                 /* relative to the first row */
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
                all, json_pack("{s:s, s:s, s:s, s:s, s:f, s:f, s:s}", "table",
                               s->table->name, "variant",
                               s->row[i].cell->row, "measure",
                               measures[k].name, "unit", measures[k].unit,
                               "value", v.ours, "published", v.published,
                               "signature", unsigned_rows));
        }
    return all;
}

static json_t *cells_of(const struct speed *s, int i)
{
    const struct spread *step = &s->row[i].step;
    json_t *all = json_array();

    for (int k = 0; k < MEASURES; k++) {
        struct value v = value_of(s, i, &measures[k]);
        int steps = measures[k].of == speed_steps;
        int timed = steps && !measures[k].ratio;
        struct interval of = {NAN, NAN};

        if (timed)
            of = (struct interval){1 / step->p90, 1 / step->least};
        else if (steps)
            of = ratio_interval(s, i);
        json_array_append_new(
            all, json_pack("{s:f, s:f, s:f, s:I, s:f, s:s?, s:s?}", "value",
                           v.ours, "low", of.low, "high", of.high, "n",
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
            "{s:s, s:s, s:s, s:o, s:f, s:f, s:i, s:b}", "variant",
            r->cell->row, "id", r->cell->id, "signature",
            unsigned_rows, "cells", cells_of(s, i), "load_begin",
            r->load.begin, "load_end", r->load.end, "processors",
            r->load.processors, "too_noisy",
            timing_noisy(&r->step, &r->load)));
    }
    return json_pack("{s:s, s:s, s:o, s:o}", "table", s->table->name, "kind",
                     "speed", "columns", columns, "rows", rows);
}

struct sheet *speed_sheet(const struct speed *s)
{
    struct sheet *to = sheet_new();

    print_text(to, s);
    to->object = object_of(s);
    to->records = records_of(s);
    return to;
}
