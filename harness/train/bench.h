/*
 * bench: how fast a step is, and what the machine could do.
 *
 * One step is what the peers' benchmarks call one: batch on hand, forward,
 * loss, backward, optimiser.  Batches are random ids of full length.  The time
 * of the kernels comes from steps of its own, so that clocks slow no step that
 * is reported.
 */
#pragma once

#include "harness/base/hash.h"
#include "harness/base/owned.h"
#include "harness/engine/count.h"
#include "harness/engine/timed.h"
#include "harness/stats/step_timing.h"
#include "harness/train/train.h"

enum { BENCH_REPEAT_MAX = 100000 };

struct bench {
    struct spread step;         /* seconds                 */
    double log_mean, log_sd;    /* of their logarithms     */
    struct load load;           /* while they were timed   */
    double tokens;              /* targets of a step       */
    struct cost cost;
    double peak_rss;            /* bytes, of the process   */
    double peak_gpu;            /* bytes of the card, or 0 */
    char weights[HASH_HEX];     /* trainer_digest at the end */
};

/* c->model.family, vocab and classes are set.  The task decides how long a
 * target is.  Like all calls below that return int, fails if the backend of
 * c->precision cannot be opened. */
int bench_step(struct bench *out, const struct config *c,
               const struct mix *mix, const struct task *task, int repeat);

/* A model that waits, so that two programs can take turns.  be: NULL for that
 * of c->precision.  *out is to be closed even if this fails. */
struct bencher;

int bencher_open(struct bencher **out, const struct config *c,
                 const struct mix *mix, const struct task *task,
                 const struct backend *be);
void bencher_steps(struct bencher *b, double *seconds, int n); /* of each */
void bencher_close(struct bencher *b);
OWNER(bencher_close, struct bencher *)

/* Bytes that were resident at most since this program began: getrusage's count
 * those of what started it too (exec keeps them). */
double bench_peak(void);

struct profile { /* seconds a step, summed over threads */
    double step;  /* all of it: threads times what the clock says */
    double kernel[KERNEL_CLASSES];
    double other; /* what is not in them */
};

int bench_profile(struct profile *out, const struct config *c,
                  const struct mix *mix, const struct task *task);

/* Calls, bytes and FLOPs of each kernel in one step with one thread, as a
 * device with its own memory would make them.  Nothing is computed. */
int bench_count(struct counted out[COUNTED], const struct config *c,
                const struct mix *mix, const struct task *task);

/* FLOP/s of products on the device that computes c: those of bench_flops, or,
 * of a GPU, of square matrices that grow until a product takes 5 ms. */
int bench_device_flops(double *out, const struct config *c);

/* The machine's ceilings, the best of a few seconds: FLOP/s of large products,
 * and bytes/s of y += a x over more than the caches hold; `threads` at once,
 * each with its own. */
double bench_flops(int threads, enum precision precision);
double bench_bytes(int threads);
