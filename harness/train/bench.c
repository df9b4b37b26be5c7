#include "harness/train/bench.h"

#include "harness/base/clock.h"
#include "harness/train/provenance.h"
#include "harness/train/trainer.h"

#include <omp.h>
#include <stdlib.h>
#include <string.h>

enum { WARM = 2, BATCHES = 4, PROFILED = 5 };

/* ---- batches ---- */

static int *random_ids(struct arena *a, size_t n, int v, struct rng_key key)
{
    int *id = arena_take(a, n * sizeof *id);

    for (size_t i = 0; i < n; i++)
        id[i] = (int)rng_below(key, i, (uint32_t)v);
    return id;
}

static struct batch random_batch(const struct config *c,
                                 const struct task *task, struct arena *a,
                                 uint32_t which)
{
    const struct model_config *m = &c->model;
    struct rng_key key = {.seed = c->seed, .stream = RNG_TEST, .step = which};
    struct batch b = batch_longest(c, task, c->batch, a);
    size_t cells = (size_t)c->batch * (size_t)(b.n > b.m ? b.n : b.m);

    b.source = random_ids(a, cells, m->vocab, key);
    key.site = 1;
    b.target_in = random_ids(a, cells, m->vocab, key);
    key.site = 2;
    b.target_out = random_ids(a, cells, m->vocab, key);
    key.site = 3;
    b.label = random_ids(a, (size_t)c->batch, m->classes ? m->classes : 1,
                         key);
    return b;
}

/* ---- steps ---- */

/* Seconds of each of `repeat` steps, after some that are not counted. */
static void time_steps(struct trainer *t, const struct batch *b, int batches,
                       int repeat, double *seconds)
{
    for (int i = -WARM; i < repeat; i++) {
        double began = clock_seconds();

        trainer_step(t, &b[(i + WARM) % batches], (uint64_t)(i + WARM));
        if (i >= 0)
            seconds[i] = clock_seconds() - began;
    }
}

void bench_step(struct bench *out, const struct config *c,
                const struct mix *mix, const struct task *task, int repeat)
{
    OWNED(arena_free) struct arena *a = arena_new();
    double *seconds = arena_take(a, (size_t)repeat * sizeof *seconds);
    struct batch b[BATCHES];
    struct trainer t;

    *out = (struct bench){0};
    for (uint32_t i = 0; i < BATCHES; i++)
        b[i] = random_batch(c, task, a, i);
    trainer_open(&t, c, mix, NULL);
    out->load = load_begin();
    time_steps(&t, b, BATCHES, repeat, seconds);
    load_end(&out->load);
    trainer_close(&t);
    out->peak_rss = provenance_peak_rss();
    out->step = pace_sample(seconds, (size_t)repeat);
    out->tokens = (double)b[0].targets;
    train_cost(c, mix, task, &out->cost);
}

void bench_profile(struct profile *out, const struct config *c,
                   const struct mix *mix, const struct task *task)
{
    const struct backend *be = timed_open(backend_of(c->precision));
    OWNED(arena_free) struct arena *a = arena_new();
    struct batch b = random_batch(c, task, a, 0);
    struct trainer t;

    trainer_open(&t, c, mix, be);
    time_steps(&t, &b, 1, 0, NULL);
    timed_read(out->kernel);
    double began = clock_seconds();
    for (int i = 0; i < PROFILED; i++)
        trainer_step(&t, &b, (uint64_t)(WARM + i));
    out->step = (clock_seconds() - began) * t.threads / PROFILED;
    out->other = out->step;
    timed_read(out->kernel);
    for (int k = 0; k < KERNEL_CLASSES; k++) {
        out->kernel[k] /= PROFILED;
        out->other -= out->kernel[k];
    }
    trainer_close(&t);
}

/* ---- ceilings ---- */

enum { SIDE = 1024, LONG = 1 << 24, ROUNDS = 8 };

/* The best seconds of a round in which every thread does `work` once. */
static double best_round(int threads, real *const x[],
                         void (*work)(real *x, int precision), int precision)
{
    double best = 0;

    for (int r = 0; r < ROUNDS; r++) {
        double began = clock_seconds();

        #pragma omp parallel num_threads(threads)
        {
            backend_cpu.thread_begin();
            work(x[omp_get_thread_num()], precision);
        }
        double took = clock_seconds() - began;
        best = r == 0 || took < best ? took : best;
    }
    return best;
}

static void product(real *x, int precision)
{
    const size_t square = (size_t)SIDE * SIDE;
    struct gemm s = {.m = SIDE, .n = SIDE, .k = SIDE, .lda = SIDE,
                     .ldb = SIDE, .ldc = SIDE};

    for (int i = 0; i < 8; i++)
        backend_of(precision)->gemm(&s, x, x + square, NULL, x + 2 * square);
}

static void stream(real *x, int precision)
{
    (void)precision;
    backend_cpu.axpy(LONG, (real)0.5, x, x + LONG);
}

void bench_ceiling(struct ceiling *out, int threads)
{
    size_t bytes = 2 * (size_t)LONG * sizeof(real);
    real **x = calloc((size_t)threads, sizeof *x);

    #pragma omp parallel num_threads(threads)
    { /* each touches its own first */
        int i = omp_get_thread_num();

        x[i] = malloc(bytes);
        memset(x[i], 0, bytes);
    }
    double flops = 8.0 * 2 * SIDE * SIDE * (double)SIDE * threads;
    out->fp32 = flops / best_round(threads, x, product, PRECISION_FP32);
    out->bf16 = flops / best_round(threads, x, product, PRECISION_BF16);
    out->memory = 3.0 * LONG * sizeof(real) * threads /
                  best_round(threads, x, stream, 0);
    for (int i = 0; i < threads; i++)
        free(x[i]);
    free(x);
}
