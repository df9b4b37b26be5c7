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
    char *text = str_format("speed %s threads %d steps %d program %s on %d x "
                            "%s", c->id, c->config.threads, STEPS, program,
                            omp_get_num_procs(), cpu);
    hash_sha256(text, strlen(text), hex);
    memcpy(id, hex, SETTINGS_ID - 1);
    id[SETTINGS_ID - 1] = 0;
    free(text);
    return OK;
}

static int read_spread(struct spread *s, struct cell_reader *f)
{
    int rc;

    TRY(cell_get_real(f, TIMING, "median_seconds", &s->median));
    TRY(cell_get_real(f, TIMING, "least_seconds", &s->least));
    TRY(cell_get_real(f, TIMING, "p10_seconds", &s->p10));
    TRY(cell_get_real(f, TIMING, "p90_seconds", &s->p90));
    TRY(cell_get_real(f, TIMING, "spread", &s->width));
    TRY(cell_get_int(f, TIMING, "steps", &s->n));
out:
    return rc;
}

static int read_load(struct load *l, struct cell_reader *f)
{
    long long processors;
    int rc;

    TRY(cell_get_real(f, TIMING, "load_begin", &l->begin));
    TRY(cell_get_real(f, TIMING, "load_end", &l->end));
    TRY(cell_get_int(f, TIMING, "processors", &processors));
    l->processors = (int)processors;
out:
    return rc;
}

static int read_times(struct speed_row *r, const char *store, const char *id)
{
    struct cell_reader *f = NULL;
    int rc;

    TRY(cell_open_kind(&f, store, id, "speed"));
    TRY(read_spread(&r->step, f));
    TRY(read_load(&r->load, f));
    TRY(cell_get_real(f, TIMING, "params", &r->params));
    TRY(cell_get_real(f, TIMING, "flops_per_step", &r->flops));
out:
    cell_close(f);
    return rc;
}

static int put_times(struct cell_writer *w, const struct speed_row *r)
{
    char *config = settings_text(&r->cell->config, 1);
    int rc;

    TRY(cell_put_text(w, "", "kind", "speed"));
    TRY(cell_put_text(w, "", "title", "seconds of a training step"));
    TRY(cell_put_text(w, "", "cell", r->cell->id));
    TRY(cell_put_text(w, "config", "json", config));
    TRY(cell_put_real(w, TIMING, "median_seconds", r->step.median));
    TRY(cell_put_real(w, TIMING, "least_seconds", r->step.least));
    TRY(cell_put_real(w, TIMING, "p10_seconds", r->step.p10));
    TRY(cell_put_real(w, TIMING, "p90_seconds", r->step.p90));
    TRY(cell_put_real(w, TIMING, "spread", r->step.width));
    TRY(cell_put_int(w, TIMING, "steps", r->step.n));
    TRY(cell_put_real(w, TIMING, "load_begin", r->load.begin));
    TRY(cell_put_real(w, TIMING, "load_end", r->load.end));
    TRY(cell_put_int(w, TIMING, "processors", r->load.processors));
    TRY(cell_put_int(w, TIMING, "too_noisy", pace_noisy(&r->step, &r->load)));
    TRY(cell_put_real(w, TIMING, "params", r->params));
    TRY(cell_put_real(w, TIMING, "flops_per_step", r->flops));
    TRY(provenance_put(w, NULL, r->cell->config.threads));
out:
    free(config);
    return rc;
}

static int write_times(const struct speed_row *r, const char *store,
                       const char *id)
{
    struct cell_writer *w = NULL;
    int rc;

    TRY(cell_begin(&w, store, id));
    TRY(put_times(w, r));
    rc = cell_commit(w);
    w = NULL;
out:
    cell_abandon(w);
    return rc;
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

static int measure(struct speed_row *r, struct store *s, int fresh)
{
    double began = clock_seconds();
    char id[SETTINGS_ID];
    int rc, held = 0;

    TRY(name_of(id, r->cell));
    rc = fresh ? ERR_EMPTY : read_times(r, store_path(s), id);
    if (rc != ERR_EMPTY)
        goto out;
    TRY(store_claim(s, id));
    held = 1;
    time_row(r);
    TRY(write_times(r, store_path(s), id));
    TRY(store_done(s, id, clock_seconds() - began));
out:
    if (held)
        store_release(s, id);
    return rc;
}

/* ---- all rows ---- */

static int measure_all(struct speed *s, int fresh)
{
    char *path = str_format("%s/speed", s->plan->store);
    struct store *store = NULL;
    int rc;

    TRY(store_open(&store, path, 1));
    for (int i = 0; i < s->plan->n; i++) {
        struct speed_row *r = &s->row[s->n];

        r->cell = &s->plan->cell[i];
        if (r->cell->refused)
            TRY(err_set(ERR_USAGE, "%s: %s", r->cell->config.variant,
                        r->cell->refused));
        TRY(measure(r, store, fresh));
        say("%d/%d  %s: %.3g s a step%s", ++s->n, s->plan->n,
            r->cell->config.variant, r->step.median,
            pace_noisy(&r->step, &r->load) ? ", too noisy" : "");
    }
out:
    store_close(store);
    free(path);
    return rc;
}

int speed_open(struct speed **out, const struct table *t, const char *store,
               const struct choice *choice, int fresh)
{
    char *own = str_format("results/table%s", t->name);
    struct plan_of of = {.experiment = t->timed, .choice = *choice,
                         .store = store ? store : own};
    struct speed *s = calloc(1, sizeof *s);
    int rc;

    *out = NULL;
    s->table = t;
    TRY(published_open(&s->published));
    TRY(plan_open(&s->plan, &of));
    s->row = calloc((size_t)s->plan->n, sizeof *s->row);
    TRY(measure_all(s, fresh));
    for (int i = 0; i < s->n; i++)
        for (int k = 0; k < CLAIMS; k++)
            published_find(s->published, &s->row[i].claim[k],
                           s->row[i].cell->config.variant,
                           s->row[i].cell->config.task, speed_metric[k]);
    *out = s;
    s = NULL;
out:
    speed_close(s);
    free(own);
    return rc;
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
