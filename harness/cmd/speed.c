#include "harness/cmd/speed.h"

#include "harness/base/clock.h"
#include "harness/base/err.h"
#include "harness/base/str.h"
#include "harness/store/cell.h"
#include "harness/train/bench.h"
#include "harness/train/provenance.h"

#include <math.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

enum { STEPS = 3 };

static const char TIMING[] = "timing";

const char *const speed_metric[CLAIMS] = {"params", "tflops", "steps_per_s",
                                          "steps_per_s_narang"};

/* ---- one measurement ---- */

/* What a time depends on, hashed. */
static int name_of(char id[SETTINGS_ID], const struct cell *c)
{
    char program[HASH_HEX], cpu[256], hex[HASH_HEX];
    int rc = hash_file("/proc/self/exe", program);

    if (rc < 0)
        return rc;
    provenance_processor(cpu);
    OWNED(free) char *text =
        str_format("speed %s threads %d steps %d program %s on %d x " "%s",
                   c->id, c->config.threads, STEPS, program,
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
    PASS(cell_put_real(w, TIMING, "load_begin", r->load.begin));
    PASS(cell_put_real(w, TIMING, "load_end", r->load.end));
    PASS(cell_put_int(w, TIMING, "processors", r->load.processors));
    PASS(cell_put_int(w, TIMING, "too_noisy", pace_noisy(&r->step, &r->load)));
    PASS(cell_put_real(w, TIMING, "params", r->params));
    PASS(cell_put_real(w, TIMING, "flops_per_step", r->flops));
    return provenance_put(w, NULL, r->cell->config.threads);
}

static int write_times(const struct speed_row *r, const char *store,
                       const char *id)
{
    OWNED(cell_abandon) struct cell_writer *w = NULL;

    PASS(cell_begin(&w, store, id));
    PASS(put_times(w, r));
    struct cell_writer *whole = w;
    w = NULL; /* commit frees it */
    return cell_commit(whole);
}

static void time_row(struct speed_row *r)
{
    struct config c = r->cell->config;
    struct bench b;

    settings_expect(&c);
    bench_step(&b, &c, &r->cell->mix, r->cell->task, STEPS);
    r->step = b.step;
    r->load = b.load;
    r->params = b.cost.params;
    r->flops = b.cost.flops_per_step;
}

/* Under the claim of it. */
static int measure_now(struct speed_row *r, struct store *s, const char *id)
{
    double began = clock_seconds();

    time_row(r);
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
    for (int i = 0; i < s->plan->n; i++) {
        struct speed_row *r = &s->row[s->n];

        r->cell = &s->plan->cell[i];
        if (r->cell->refused)
            return err_set(ERR_USAGE, "%s: %s", r->cell->config.variant,
                           r->cell->refused);
        PASS(measure(r, store, fresh));
        say("%d/%d  %s: %.3g s a step%s", ++s->n, s->plan->n,
            r->cell->config.variant, r->step.median,
            pace_noisy(&r->step, &r->load) ? ", too noisy" : "");
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
                           s->row[i].cell->config.variant,
                           s->row[i].cell->config.task, speed_metric[k]);
    *out = s;
    s = NULL;
    return OK;
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

double speed_steps(const struct speed_row *r)
{
    return pace_noisy(&r->step, &r->load) ? NAN : 1 / r->step.median;
}

double speed_flops(const struct speed_row *r) { return r->flops; }

double speed_ratio(const struct speed *s, int row,
                   double (*of)(const struct speed_row *r))
{
    return of(&s->row[row]) / of(&s->row[0]);
}

double speed_published_ratio(const struct speed *s, int row,
                             enum speed_claim c)
{
    double of = s->row[row].claim[c].value, base = s->row[0].claim[c].value;

    return of > 0 && base > 0 ? of / base : NAN;
}
