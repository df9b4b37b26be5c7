#include "harness/train/bench.h"

#include "harness/base/clock.h"
#include "harness/base/err.h"
#include "harness/base/file.h"
#include "harness/engine/cuda/driver.h"
#include "harness/stats/stats.h"
#include "harness/train/provenance.h"
#include "harness/train/step.h"
#include "harness/train/trainer.h"

#include <math.h>
#include <omp.h>
#include <stdio.h>
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
    struct batch b = batch_longest(c, task, step_rows(c), a);
    size_t cells = (size_t)b.b * (size_t)(b.n > b.m ? b.n : b.m);

    b.source = random_ids(a, cells, m->vocab, key);
    key.site = 1;
    b.target_in = random_ids(a, cells, m->vocab, key);
    key.site = 2;
    b.target_out = random_ids(a, cells, m->vocab, key);
    key.site = 3;
    b.label = random_ids(a, (size_t)b.b, m->classes ? m->classes : 1, key);
    return b;
}

/* ---- steps ---- */

struct bencher {
    struct arena  *memory;
    struct batch   batch[BATCHES];
    struct trainer trainer;
    uint64_t       step;
};

void bencher_steps(struct bencher *b, double *seconds, int n)
{
    for (int i = 0; i < n; i++, b->step++) {
        double began = clock_seconds();

        trainer_step(&b->trainer, &b->batch[b->step % BATCHES], b->step);
        seconds[i] = clock_seconds() - began;
    }
}

double bench_peak(void)
{
    OWNED(fclose) FILE *f = fopen("/proc/self/status", "r");
    char line[256];
    long kib;

    while (f && fgets(line, sizeof line, f))
        if (sscanf(line, "VmHWM: %ld kB", &kib) == 1)
            return 1024.0 * (double)kib;
    return provenance_peak_rss();
}

int bencher_open(struct bencher **out, const struct config *c,
                 const struct mix *mix, const struct task *task,
                 const struct backend *be)
{
    struct arena *memory = arena_new();
    struct bencher *b = *out = arena_zero(memory, sizeof *b);
    double warm[WARM];

    b->memory = memory;
    for (uint32_t i = 0; i < BATCHES; i++)
        b->batch[i] = random_batch(c, task, memory, i);
    PASS(trainer_open(&b->trainer, c, mix, be));
    bencher_steps(b, warm, WARM);
    return OK;
}

void bencher_close(struct bencher *b)
{
    if (!b)
        return;
    trainer_close(&b->trainer);
    arena_free(b->memory);
}

int bench_step(struct bench *out, const struct config *c,
               const struct mix *mix, const struct task *task, int repeat)
{
    OWNED(bencher_close) struct bencher *b = NULL;
    OWNED(free) double *seconds = malloc((size_t)repeat * sizeof *seconds);

    PASS(bencher_open(&b, c, mix, task, NULL));
    *out = (struct bench){.load = load_begin()};
    bencher_steps(b, seconds, repeat);
    load_end(&out->load);
    out->peak_rss = bench_peak();
    out->peak_gpu = c->device != DEVICE_CPU ? cuda_peak() : 0;
    trainer_digest(&b->trainer, out->weights);
    out->step = timing_sample(seconds, (size_t)repeat);
    for (int i = 0; i < repeat; i++)
        seconds[i] = log(seconds[i]);
    out->log_mean = stats_mean(seconds, (size_t)repeat);
    out->log_sd = stats_sd(seconds, (size_t)repeat);
    out->tokens = (double)b->batch[0].targets;
    train_cost(c, mix, task, NULL, &out->cost);
    return OK;
}

int bench_profile(struct profile *out, const struct config *c,
                  const struct mix *mix, const struct task *task)
{
    OWNED(bencher_close) struct bencher *b = NULL;
    double seconds[PROFILED], all = 0;
    const struct backend *be;

    PASS(backend_of(&be, c->device, c->precision));
    PASS(bencher_open(&b, c, mix, task, timed_open(be)));
    timed_read(out->kernel);
    bencher_steps(b, seconds, PROFILED);
    for (int i = 0; i < PROFILED; i++)
        all += seconds[i];
    out->step = all * b->trainer.threads / PROFILED;
    out->other = out->step;
    timed_read(out->kernel);
    for (int k = 0; k < KERNEL_CLASSES; k++) {
        out->kernel[k] /= PROFILED;
        out->other -= out->kernel[k];
    }
    return OK;
}

int bench_count(struct counted out[COUNTED], const struct config *c,
                const struct mix *mix, const struct task *task)
{
    OWNED(bencher_close) struct bencher *b = NULL;
    struct config single = *c;
    double seconds;

    single.threads = 1;
    enum device d = c->device == DEVICE_CPU ? DEVICE_CUDA : c->device;
    int fuses = backend_fuses(d, c->precision);
    PASS(bencher_open(&b, &single, mix, task,
                      count_open(c->precision, fuses)));
    count_read(out); /* discard the counts of bencher_open */
    bencher_steps(b, &seconds, 1);
    count_read(out);
    return OK;
}

/* ---- peak throughput ---- */

enum { SIDE = 1024, PRODUCTS = 8, LONG = 1 << 24, ROUNDS = 8 };

/* Returns the wall time of the fastest of ROUNDS rounds, in seconds.  In a
 * round, each thread calls `work` once on its own buffer of 2 LONG values.  The
 * thread itself initializes the buffer, so that the memory is on its NUMA
 * node. */
static double best_round(int threads, void (*work)(real *x, int precision),
                         int precision)
{
    size_t bytes = 2 * (size_t)LONG * sizeof(real);
    double best = 0, began = 0;

    #pragma omp parallel num_threads(threads)
    {
        real *x = malloc(bytes);

        memset(x, 0, bytes);
        backend_cpu.thread_begin();
        for (int r = 0; r < ROUNDS; r++) {
            #pragma omp barrier
            #pragma omp master
            began = clock_seconds();
            work(x, precision);
            #pragma omp barrier
            #pragma omp master
            {
                double took = clock_seconds() - began;

                best = r == 0 || took < best ? took : best;
            }
        }
        free(x);
    }
    return best;
}

static void product(real *x, int precision)
{
    const struct backend *be =
        precision == PRECISION_BF16 ? &backend_bf16 : &backend_cpu;
    const size_t square = (size_t)SIDE * SIDE;
    struct gemm s = {.m = SIDE, .n = SIDE, .k = SIDE, .lda = SIDE,
                     .ldb = SIDE, .ldc = SIDE};

    for (int i = 0; i < PRODUCTS; i++)
        be->gemm(&s, x, x + square, NULL, x + 2 * square);
}

static void stream(real *x, int precision)
{
    (void)precision;
    backend_cpu.axpy(LONG, (real)0.5, x, x + LONG);
}

double bench_flops(int threads, enum precision precision)
{
    return PRODUCTS * 2.0 * SIDE * SIDE * SIDE * threads /
           best_round(threads, product, precision);
}

/* Computes a product of two side x side matrices ROUNDS times.  Returns the
 * FLOP/s of the fastest product and sets *least to its seconds. */
static double square_flops(const struct backend *be, int side, double *least)
{
    size_t n = (size_t)side * (size_t)side;
    OWNED(arena_free) struct arena *host = arena_new();
    OWNED(arena_free) struct arena *a = arena_of(be->memory);
    real *x = arena_take(a, 2 * n * sizeof *x);
    real *from = arena_take(host, n * sizeof *from);
    uint16_t *low = be->lower ? arena_take(a, n * sizeof *low) : NULL;
    struct gemm s = {.m = side, .n = side, .k = side, .lda = side,
                     .ldb = side, .ldc = side, .low_a = low, .low_b = low};

    for (size_t i = 0; i < n; i++)
        from[i] = (real)rng_below((struct rng_key){.stream = RNG_TEST}, i, 256);
    be->put(x, from, n * sizeof *x);
    if (low)
        be->lower(n, x, low);
    for (int r = 0; r < ROUNDS; r++) {
        double began = clock_seconds(), took;

        be->gemm(&s, x, x, NULL, x + n);
        be->wait();
        took = clock_seconds() - began;
        *least = r == 0 || took < *least ? took : *least;
    }
    return 2.0 * side * (double)n / *least;
}

int bench_device_flops(double *out, const struct config *c)
{
    const double enough = 5e-3;
    const struct backend *be;
    double least = 0;

    *out = 0;
    PASS(backend_of(&be, c->device, c->precision));
    if (!be->wait)
        *out = bench_flops(c->threads, c->precision);
    for (int side = 64; be->wait && least < enough; side *= 2)
        *out = fmax(*out, square_flops(be, side, &least));
    return OK;
}

double bench_bytes(int threads)
{
    return 3.0 * LONG * sizeof(real) * threads /
           best_round(threads, stream, 0);
}
