#include "harness/run/step_times.h"

#include "harness/base/clock.h"
#include "harness/base/err.h"
#include "harness/base/hash.h"
#include "harness/base/relation.h"
#include "harness/base/str.h"
#include "harness/engine/cuda/driver.h"
#include "harness/store/cell.h"
#include "harness/train/bench.h"
#include "harness/train/provenance.h"

#include <math.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

enum { STEPS = 3, STEPS_GPU = 10 };

static int steps_of(const struct cell *c)
{
    return c->config.device != DEVICE_CPU ? STEPS_GPU : STEPS;
}

static const char TIMING[] = "timing";

/* Sets `id` to a hash of everything that the time of a step depends on. */
static int name_of(char id[SETTINGS_ID], const struct cell *c)
{
    char program[HASH_HEX], cpu[256], hex[HASH_HEX];

    PASS(hash_file("/proc/self/exe", program));
    provenance_processor(cpu);
    if (c->config.device != DEVICE_CPU)
        PASS(cuda_open(NULL, NULL));
    OWNED(free) char *text =
        str_format("speed %s threads %d steps %d program %s on %d x %s%s",
                   c->id, c->config.threads, steps_of(c), program,
                   omp_get_num_procs(), cpu, cuda_card()->name);
    hash_sha256(text, strlen(text), hex);
    memcpy(id, hex, SETTINGS_ID - 1);
    id[SETTINGS_ID - 1] = 0;
    return OK;
}

/* The numbers that a file stores in TIMING. */
static const struct column times[] = {
    {"median_seconds", NULL, COLUMN(struct step_times, step.median)},
    {"least_seconds", NULL, COLUMN(struct step_times, step.least)},
    {"p10_seconds", NULL, COLUMN(struct step_times, step.p10)},
    {"p90_seconds", NULL, COLUMN(struct step_times, step.p90)},
    {"spread", NULL, COLUMN(struct step_times, step.width)},
    {"log_mean", NULL, COLUMN(struct step_times, log_mean)},
    {"log_sd", NULL, COLUMN(struct step_times, log_sd)},
    {"load_begin", NULL, COLUMN(struct step_times, load.begin)},
    {"load_end", NULL, COLUMN(struct step_times, load.end)},
    {"params", NULL, COLUMN(struct step_times, params)},
    {"flops_per_step", NULL, COLUMN(struct step_times, flops)},
    {.type = COLUMN_END}};

static int read_times(struct step_times *t, const char *store, const char *id)
{
    OWNED(cell_close) struct cell_reader *f = NULL;
    long long processors;

    PASS(cell_open_kind(&f, store, id, "speed"));
    for (const struct column *k = times; k->type != COLUMN_END; k++)
        PASS(cell_get_real(f, TIMING, k->name, (double *)((char *)t + k->at)));
    PASS(cell_get_int(f, TIMING, "steps", &t->step.n));
    PASS(cell_get_int(f, TIMING, "processors", &processors));
    t->load.processors = (int)processors;
    return OK;
}

static int put_times(struct cell_writer *w, const struct step_times *t,
                     const struct cell *c)
{
    OWNED(free) char *config = settings_text(&c->config, 1);

    PASS(cell_put_text(w, "", "kind", "speed"));
    PASS(cell_put_text(w, "", "title", "seconds of a training step"));
    PASS(cell_put_text(w, "", "cell", c->id));
    PASS(cell_put_text(w, "config", "json", config));
    for (const struct column *k = times; k->type != COLUMN_END; k++)
        PASS(cell_put_real(w, TIMING, k->name,
                           *(const double *)((const char *)t + k->at)));
    PASS(cell_put_int(w, TIMING, "steps", t->step.n));
    PASS(cell_put_int(w, TIMING, "processors", t->load.processors));
    PASS(cell_put_int(w, TIMING, "too_noisy",
                      timing_noisy(&t->step, &t->load)));
    PASS(provenance_put_device(w, c->config.device, c->config.precision));
    return provenance_put(w, NULL, c->config.threads);
}

/* Times the steps of a cell and writes the file.  The caller holds the lease of
 * `id`. */
static int measure(struct step_times *out, const struct cell *c,
                   const char *store, const char *id)
{
    OWNED(cell_abandon) struct cell_writer *w = NULL;
    struct config g = c->config;
    struct bench b;

    settings_expect(&g);
    PASS(bench_step(&b, &g, &c->mix, c->task, steps_of(c)));
    *out = (struct step_times){b.step, b.log_mean, b.log_sd, b.load,
                               b.cost.params, b.cost.flops_per_step};
    PASS(cell_begin(&w, store, id));
    PASS(put_times(w, out, c));
    struct cell_writer *whole = w;
    w = NULL; /* cell_commit frees it */
    return cell_commit(whole);
}

int step_times_get(struct step_times *out, struct store *s,
                   const struct cell *c, int fresh)
{
    double began = clock_seconds();
    char id[SETTINGS_ID];

    PASS(name_of(id, c));
    int rc = fresh ? ERR_EMPTY : read_times(out, store_path(s), id);
    if (rc != ERR_EMPTY)
        return rc;
    PASS(store_claim(s, id));
    rc = measure(out, c, store_path(s), id);
    if (rc == OK)
        rc = store_done(s, id, clock_seconds() - began);
    store_release(s, id);
    return rc;
}

struct interval step_times_ratio(const struct step_times *t,
                                 const struct step_times *base)
{
    struct interval log = stats_welch(
        (struct stats_sample){base->log_mean, base->log_sd,
                              (double)base->step.n},
        (struct stats_sample){t->log_mean, t->log_sd, (double)t->step.n});

    return (struct interval){exp(log.low), exp(log.high)};
}
