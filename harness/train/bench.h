/*
 * bench: measures the speed of a training step and the peak throughput of the
 * machine, for `synthbench bench`.
 *
 * As in other benchmarks, a step consists of forward pass, loss, backward pass
 * and optimizer, and the batch is already in memory.  Batches are random ids of
 * full length.  The time of the kernels is measured in separate steps, so that
 * reading the clock slows down no reported step.
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
    struct spread step;         /* seconds per step             */
    double log_mean, log_sd;    /* mean and SD of ln(seconds)   */
    struct load load;           /* the system's load in these steps */
    double tokens;              /* targets per step             */
    struct cost cost;
    double peak_rss;            /* bytes of this process        */
    double peak_gpu;            /* bytes of the GPU; CPU: 0     */
    char weights[HASH_HEX];     /* trainer_digest at the end    */
};

/* Times `repeat` steps.  c->model.family, vocab and classes must be set; the
 * task determines the length of targets.  This function and all functions below
 * that return int fail if the backend of c->precision cannot be opened. */
int bench_step(struct bench *out, const struct config *c,
               const struct mix *mix, const struct task *task, int repeat);

/* A bencher is a model that runs training steps on request, so that two
 * programs that are compared can take turns.  If `be` is NULL, bencher_open
 * uses the backend of c->precision.  The caller must close *out even if
 * bencher_open fails. */
struct bencher;

int bencher_open(struct bencher **out, const struct config *c,
                 const struct mix *mix, const struct task *task,
                 const struct backend *be);
/* Runs n steps; seconds[i] receives the time of step i. */
void bencher_steps(struct bencher *b, double *seconds, int n);
void bencher_close(struct bencher *b);
OWNER(bencher_close, struct bencher *)

/* Returns the peak resident memory of this program in bytes.  The peak that
 * getrusage reports includes the program that started this one, because exec
 * keeps the counter. */
double bench_peak(void);

struct profile { /* seconds per step, summed over threads */
    double step;  /* total: threads times wall time */
    double kernel[KERNEL_CLASSES];
    double other; /* time outside the kernels       */
};

/* Measures the time of each class of kernels in a step. */
int bench_profile(struct profile *out, const struct config *c,
                  const struct mix *mix, const struct task *task);

/* Counts the calls, bytes and FLOPs of each kernel in one step with one thread,
 * without computing the step.  The step is that of a device with its own
 * memory: the device of c or, if that is the CPU, `cuda`.  The device
 * determines whether attention is fused. */
int bench_count(struct counted out[COUNTED], const struct config *c,
                const struct mix *mix, const struct task *task);

/* Measures the FLOP/s of matrix products on the device of c.  On the CPU, calls
 * bench_flops.  On a GPU, takes the best result of products of square matrices,
 * whose size grows until a product takes 5 ms. */
int bench_device_flops(double *out, const struct config *c);

/* Both functions return a peak throughput of the machine, the best of several
 * rounds.  bench_flops returns the FLOP/s of large products, and bench_bytes
 * the bytes/s of y += a x on more data than the caches hold.  `threads` threads
 * run at the same time, each on its own data. */
double bench_flops(int threads, enum precision precision);
double bench_bytes(int threads);
