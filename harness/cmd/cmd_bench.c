/* bench: times a training step on this machine. */
#include "harness/base/json.h"
#include "harness/cmd/command.h"

#include "harness/base/err.h"
#include "harness/base/names.h"
#include "harness/base/str.h"
#include "harness/config/bench_config.h"
#include "harness/print/sheet.h"
#include "harness/stats/stats.h"
#include "harness/tasks/task.h"
#include "harness/train/bench.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct given {
    struct bench_model model;
    const char *config, *format; /* may be NULL */
    int         repeat, peak, paced, count;
};

static const struct opt options[] = {
    {"--size", 0, "SIZE", opt_text, OPT_AT(model.size),
     .doc = "tiny, small, medium, t2t-base or t5-base",
     .initial = "tiny"},
    {"--variant", 0, "VARIANT", opt_text, OPT_AT(model.variant),
     .doc = "Attention variant or mixture",
     .initial = "vanilla"},
    {"--threads", 0, "N", opt_count, OPT_AT(model.threads),
     .doc = "Threads per step (default: one per processor)", .most = 256},
    {"--precision", 0, "P", opt_text, OPT_AT(model.precision),
     .doc = "Precision of matrix products: fp32 or bf16",
     .initial = "fp32"},
    {"--repeat", 0, "N", opt_count, OPT_AT(repeat),
     .doc = "Number of timed steps",
     .initial = "20", .most = BENCH_REPEAT_MAX},
    {"--set", 'S', "KEY=VALUE", opt_set, OPT_AT(model.set),
     .doc = "Override a setting of the model",
     .instead = "use --variant or --size"},
    {"--config", 0, "JSON", opt_text, OPT_AT(config),
     .doc = "Use the settings of a cell, as stored in a baseline, instead "
            "of a size"},
    {"--paced", 0, NULL, opt_flag, OPT_AT(paced),
     .doc = "Time steps on request: read a number of steps from each line of "
            "stdin, time that many, and print their median seconds and the "
            "peak memory in bytes"},
    {"--peak", 0, NULL, opt_flag, OPT_AT(peak),
     .doc = "Print only the machine's peak throughput"},
    {"--count", 0, NULL, opt_flag, OPT_AT(count),
     .doc = "Count calls, bytes and FLOPs of a step by kernel, without "
            "computing it"},
    {.group = opts_format, .at = OPT_AT(format)},
    {.name = NULL}};

static const char *const precisions[] = {PRECISIONS(NAMES_WORD)};

/* Adds the facts of a timed step to the JSON object of the sheet; times are in
 * milliseconds. */
static void put_facts(struct sheet *to, const char *size,
                      const struct config *c, const struct bench *b,
                      const struct profile *p, double peak)
{
    const struct spread *s = &b->step;
    double flops = b->cost.flops_per_step / s->median;
    json_t *kernels = json_object();

    for (int i = 0; i < KERNEL_CLASSES; i++)
        json_object_set_new(kernels, kernel_class_name[i],
                            json_real(1e3 * p->kernel[i]));
    json_object_set_new(kernels, "other", json_real(1e3 * p->other));
    json_object_set_new(kernels, "step", json_real(1e3 * p->step));
    sheet_fact(to, "size", json_string(size));
    sheet_fact(to, "variant", json_string(c->variant));
    sheet_fact(to, "threads", json_integer(c->threads));
    sheet_fact(to, "precision", json_string(precisions[c->precision]));
    sheet_fact(to, "ms_per_step", json_real(1e3 * s->median));
    sheet_fact(to, "ms_min", json_real(1e3 * s->least));
    sheet_fact(to, "ms_p10", json_real(1e3 * s->p10));
    sheet_fact(to, "ms_p90", json_real(1e3 * s->p90));
    sheet_fact(to, "spread", json_real(s->width));
    sheet_fact(to, "steps", json_integer(s->n));
    sheet_fact(to, "load_begin", json_real(b->load.begin));
    sheet_fact(to, "load_end", json_real(b->load.end));
    sheet_fact(to, "processors", json_integer(b->load.processors));
    sheet_fact(to, "too_noisy", json_boolean(timing_noisy(s, &b->load)));
    sheet_fact(to, "tokens_per_s", json_real(b->tokens / s->median));
    sheet_fact(to, "flops", json_integer((json_int_t)b->cost.flops_per_step));
    sheet_fact(to, "params", json_integer((json_int_t)b->cost.params));
    sheet_fact(to, "gflops", json_real(flops / 1e9));
    sheet_fact(to, "peak_fraction", json_real(flops / peak));
    sheet_fact(to, "peak_rss_mb", json_real(b->peak_rss / 1048576));
    sheet_fact(to, "peak_gpu_mb", b->peak_gpu > 0
                                      ? json_real(b->peak_gpu / 1048576)
                                      : json_null());
    sheet_fact(to, "weights_sha256", json_string(b->weights));
    sheet_fact(to, "kernels", kernels);
}

static void put_step(struct sheet *to, const struct config *c,
                     const struct bench *b, double peak)
{
    const struct spread *s = &b->step;
    double flops = b->cost.flops_per_step / s->median;
    struct grid *g = sheet_listing(to, "<<", NULL);
    char params[32], work[32];

    grid_add(g, "step\t%.3f ms (median), %.3f ms (least), %d thread%s",
             1e3 * s->median, 1e3 * s->least, c->threads,
             c->threads == 1 ? "" : "s");
    grid_add(g, "spread\t%.3f to %.3f ms (p10, p90 of %lld steps), load "
             "%.1f to %.1f on %d processor%s", 1e3 * s->p10, 1e3 * s->p90, s->n,
             b->load.begin, b->load.end, b->load.processors,
             b->load.processors == 1 ? "" : "s");
    grid_add(g, "speed\t%.0f tokens/s, %.1f GFLOP/s, %.0f %% of the peak (%.0f "
             "GFLOP/s)%s", b->tokens / s->median, flops / 1e9,
             100 * flops / peak, peak / 1e9,
             timing_noisy(s, &b->load) ? ": too noisy" : "");
    grid_add(g, "model\t%s parameters, %s a step",
             grid_count(b->cost.params, NULL, params),
             grid_count(b->cost.flops_per_step, "FLOP", work));
    grid_add(g, "memory\t%.1f MB at most", b->peak_rss / 1048576);
    if (b->peak_gpu > 0)
        grid_add(g, "GPU memory\t%.1f MB at most", b->peak_gpu / 1048576);
}

static int put_ceiling(struct sheet *s, const struct config *c)
{
    static const char *const what[] = {"products, fp32", "products, bf16",
                                       "memory"};
    struct grid *g = sheet_listing(s, "<><", NULL);
    double each[3];
    int threads = c->threads;

    if (c->device != DEVICE_CPU)
        return err_set(ERR_USAGE, "--peak measures the processor; without "
                       "--peak, a step's share of the GPU's peak is printed");
    struct load load = load_begin();
    each[0] = bench_flops(threads, PRECISION_FP32);
    each[1] = bench_flops(threads, PRECISION_BF16);
    each[2] = bench_bytes(threads);
    load_end(&load);

    for (int i = 0; i < 3; i++)
        grid_add(g, "%s\t%.1f\t%s", what[i], each[i] / 1e9,
                 i < 2 ? "GFLOP/s" : "GB/s");
    if (load_noisy(&load))
        sheet_put(s, PART_ITEM, "too noisy: the load was up to %.1f on %d "
                  "processors; repeat this on an idle machine",
                  load_most(&load), load.processors);
    sheet_fact(s, "threads", json_integer(threads));
    sheet_fact(s, "fp32_gflops", json_real(each[0] / 1e9));
    sheet_fact(s, "bf16_gflops", json_real(each[1] / 1e9));
    sheet_fact(s, "memory_gb_per_s", json_real(each[2] / 1e9));
    sheet_fact(s, "too_noisy", json_boolean(load_noisy(&load)));
    return OK;
}

/* Times a training step of the model, and profiles it by kernel. */
static int put_bench(struct sheet *s, const char *size, const struct config *c,
                     const struct mix *mix, int repeat)
{
    static const char *const head[] = {"kernel", "time, summed over threads",
                                       "share", NULL};
    const struct task *task;
    struct profile p;
    struct bench b;
    double peak;

    PASS(task_find(&task, c->task));
    PASS(bench_step(&b, c, mix, task, repeat));
    PASS(bench_profile(&p, c, mix, task));
    PASS(bench_device_flops(&peak, c));
    put_step(s, c, &b, peak);
    struct grid *g = sheet_listing(s, "<>>", head);
    for (int i = 0; i <= KERNEL_CLASSES; i++) {
        int other = i == KERNEL_CLASSES;
        double seconds = other ? p.other : p.kernel[i];

        grid_add(g, "%s\t%.3f ms\t%.1f %%",
                 other ? "other" : kernel_class_name[i], 1e3 * seconds,
                 100 * seconds / p.step);
    }
    put_facts(s, size, c, &b, &p, peak);
    return OK;
}

static const struct column count_columns[] = {
    {"kernel", "kernel", COLUMN(struct counted, name)},
    {"calls", "calls", COLUMN_AS(COLUMN_WHOLE, struct counted, calls), "%.0f"},
    {"bytes", "bytes", COLUMN(struct counted, bytes), .unit = "B"},
    {"flops", "operations", COLUMN(struct counted, flops), .unit = "FLOP"},
    {.type = COLUMN_END}};

static int put_count(struct sheet *s, const struct config *c,
                     const struct mix *mix)
{
    struct counted of[COUNTED + 1], sum = {.name = "all"};
    const struct task *task;
    int n = 0;

    PASS(task_find(&task, c->task));
    PASS(bench_count(of, c, mix, task));
    for (int i = 0; i < COUNTED; i++) {
        sum.calls += of[i].calls;
        sum.bytes += of[i].bytes;
        sum.flops += of[i].flops;
        if (of[i].calls)
            of[n++] = of[i];
    }
    if (sum.calls)
        of[n++] = sum;
    sheet_fact(s, "variant", json_string(c->variant));
    sheet_fact(s, "shards", json_integer(c->shards));
    sheet_relation(s, &(struct relation){"kernels", count_columns, of,
                                         sizeof *of, n});
    return OK;
}

/* Takes turns with another program: for each line of stdin, times as many steps
 * as the line states, and prints the median of their times and the peak
 * memory. */
static int answer(const struct config *c, const struct mix *mix)
{
    OWNED(bencher_close) struct bencher *b = NULL;
    OWNED(free) double *seconds = malloc(BENCH_REPEAT_MAX * sizeof *seconds);
    OWNED(free) char *line = NULL;
    const struct task *task;
    size_t room = 0;
    long long n;

    PASS(task_find(&task, c->task));
    PASS(bencher_open(&b, c, mix, task, NULL));
    while (getline(&line, &room, stdin) > 0) {
        line[strcspn(line, "\n")] = 0;
        if (str_to_int(line, &n) || n < 1 || n > BENCH_REPEAT_MAX)
            return err_set(ERR_USAGE, "--paced: '%s': expected a number of "
                                      "steps from 1 to %d",
                                      line, BENCH_REPEAT_MAX);
        bencher_steps(b, seconds, (int)n);
        printf("%.9g %.0f\n", stats_quantile(seconds, (size_t)n, 0.5),
               bench_peak());
        fflush(stdout);
    }
    return OK;
}

static int run_bench(const void *given, const struct arguments *args)
{
    const struct given *g = given;
    struct bench_model model = g->model;
    OWNED(sheet_close) struct sheet *s = NULL;
    struct config c;
    struct mix mix;

    (void)args;
    if (g->config && model.set.n)
        return err_set(ERR_USAGE, "-S applies to --size; --config already "
                                  "holds all settings");
    if (g->count && !model.threads)
        model.threads = 1; /* counts do not depend on the machine */
    PASS(g->config ? bench_restore(&c, &mix, g->config, model.threads)
                   : bench_configure(&c, &mix, &model));
    if (g->paced)
        return answer(&c, &mix);
    s = sheet_new();
    if (g->peak)
        PASS(put_ceiling(s, &c));
    else if (g->count)
        PASS(put_count(s, &c, &mix));
    else
        PASS(put_bench(s, g->config ? "cell" : model.size, &c, &mix,
                       g->repeat));
    return sheet_print(s, g->format, NULL);
}

const struct command command_bench = {
    .name = "bench",
    .summary = "Time a training step on this machine",
    .args = "",
    .doc = "Batches are random ids of full length. By default there are as "
           "many lanes and shards as threads (medium: two shards per lane); "
           "-S changes that. tiny, small and medium are decoders with "
           "learned positions and biases everywhere. A speed is marked as "
           "too noisy if fewer than 3 steps were timed, p90 - p10 is over a "
           "quarter of the median, or the load is over 1.25 per processor. "
           "--count prints the work of a step on a device with its own "
           "memory, such as a GPU: kernel launches (calls), bytes read and "
           "written (each operand and result once), and FLOPs of matrix "
           "products and convolutions. With bf16, attention is fused "
           "(kernels fuse and fuse_back instead of attend and attend_back), "
           "unless -S device=cuda-unfused. It allocates no tensors, so any "
           "size is counted in a second: --count --size t5-base --variant "
           "random -S shards=1 -S batch=128.",
    .formats = command_text_json,
    COMMAND_RUNS(run_bench, 0, 0)};
