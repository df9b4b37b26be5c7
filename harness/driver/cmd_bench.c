/* bench: how fast a training step is on this machine. */
#include "harness/driver/command.h"

#include "harness/base/err.h"
#include "harness/driver/columns.h"
#include "harness/driver/names.h"
#include "harness/driver/registry.h"
#include "harness/driver/settings.h"
#include "harness/train/bench.h"

#include <jansson.h>
#include <omp.h>
#include <stdio.h>
#include <string.h>

enum { KEYS = 24, DEFAULT_REPEAT = 20 };

/* tiny, small and medium are the peers' benchmark: a decoder with learned
 * positions, biases everywhere, no sqrt(d), Adam with b2 0.98. */
#define PEER(...)                                                             \
    {"task", "lm1b"}, {"position", "learned"}, {"embed_scale", "false"},      \
        {"attention_bias", "true"}, {"tied", "true"}, {"dropout", "0"},       \
        {"optimizer.b2", "0.98"}, {"schedule.name", "constant"},              \
        {"schedule.scale", "0.001"}, __VA_ARGS__

static const struct size {
    const char *name;
    struct { const char *key, *value; } set[KEYS];
} sizes[] = {
    {"tiny", {PEER({"layers", "2"}, {"d", "64"}, {"heads", "4"},
                   {"ff", "256"}, {"N", "32"}, {"batch", "32"},
                   {"vocab", "1000"})}},
    {"small", {PEER({"layers", "2"}, {"d", "128"}, {"heads", "4"},
                    {"ff", "512"}, {"N", "64"}, {"batch", "32"},
                    {"vocab", "4000"})}},
    {"medium", {PEER({"layers", "6"}, {"d", "512"}, {"heads", "8"},
                     {"ff", "2048"}, {"N", "128"}, {"batch", "8"},
                     {"vocab", "32000"})}},
    {"t2t-base", {{"task", "wmt14_ende"}, {"layers", "6"}, {"d", "512"},
                  {"heads", "8"}, {"ff", "2048"}, {"N", "256"},
                  {"batch", "2"}, {"vocab", "32768"}}},
    {"t5-base", {{"task", "c4"}, {"preset", "t5"}, {"layers", "12"},
                 {"d", "768"}, {"heads", "12"}, {"ff", "3072"}, {"N", "512"},
                 {"batch", "2"}, {"vocab", "32128"}}},
    {.name = NULL},
};

static int size_find(const struct size **out, const char *name)
{
    const char *names[sizeof sizes / sizeof *sizes] = {NULL};

    for (int i = 0; sizes[i].name; i++)
        names[i] = sizes[i].name;
    int i = names_index(names, name);
    if (i < 0)
        return names_unknown("size", name, names);
    *out = &sizes[i];
    return OK;
}

/* The configuration that the options ask for. */
static int configure(struct config *c, struct mix *mix,
                     const struct options *o)
{
    const struct bench_choice *b = &o->bench;
    struct assign set[KEYS + 80];
    char threads[16], lanes[16], name[MIX_NAME];
    const struct size *size = NULL;
    int n = 0, rc;

    TRY(size_find(&size, b->size ? b->size : "tiny"));
    int wanted = b->threads ? b->threads : omp_get_num_procs(), power = 1;
    while (power < wanted)
        power *= 2;
    snprintf(threads, sizeof threads, "%d", wanted);
    snprintf(lanes, sizeof lanes, "%d", power);
    TRY(mix_parse(mix, name, b->variant ? b->variant : "vanilla"));
    set[n++] = (struct assign){"variant", name, "--variant"};
    for (int i = 0; i < KEYS && size->set[i].key; i++)
        set[n++] = (struct assign){size->set[i].key, size->set[i].value,
                                   "--size"};
    set[n++] = (struct assign){"threads", threads, "--threads"};
    set[n++] = (struct assign){"shards", lanes, "--threads"};
    set[n++] = (struct assign){"lanes", lanes, "--threads"};
    set[n++] = (struct assign){"precision",
                               b->precision ? b->precision : "fp32",
                               "--precision"};
    for (int i = 0; i < o->choice.set.n; i++)
        set[n++] = o->choice.set.a[i];
    TRY(settings_resolve(c, set, n));
    settings_expect(c);
    const char *fault = mix_fault(mix, &c->model);
    if (fault)
        rc = err_set(ERR_USAGE, "%s: %s", name, fault);
out:
    return rc;
}

static json_t *kernels(const struct bench *b)
{
    json_t *all = json_object();

    for (int i = 0; i < KERNEL_CLASSES; i++)
        json_object_set_new(all, kernel_class_name[i],
                            json_real(1e3 * b->kernel[i]));
    json_object_set_new(all, "other", json_real(1e3 * b->other));
    return all;
}

static double peak_of(const struct config *c, const struct ceiling *top)
{
    return c->precision == PRECISION_BF16 ? top->bf16 : top->fp32;
}

static void print_json(const json_t *all)
{
    json_dumpf(all, stdout, JSON_INDENT(2) | JSON_REAL_PRECISION(6));
    putchar('\n');
}

static void step_json(const struct options *o, const struct config *c,
                      const struct bench *b, const struct ceiling *top)
{
    json_t *all = json_pack(
        "{s:i, s:s, s:s, s:i, s:s, s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:f, "
        "s:o}", "schema_version", 1,
        "size", o->bench.size ? o->bench.size : "tiny", "variant", c->variant,
        "threads", c->threads, "precision",
        c->precision == PRECISION_BF16 ? "bf16" : "fp32",
        "ms_per_step", 1e3 * b->median, "ms_min", 1e3 * b->least,
        "tokens_per_s", b->tokens / b->median,
        "flops", b->cost.flops_per_step, "params", b->cost.params,
        "gflops", b->cost.flops_per_step / b->median / 1e9,
        "peak_fraction",
        b->cost.flops_per_step / b->median / peak_of(c, top),
        "peak_rss_mb", b->peak_rss / 1048576, "kernels", kernels(b));

    print_json(all);
    json_decref(all);
}

static void step_text(const struct config *c, const struct bench *b,
                      const struct ceiling *top)
{
    double flops = b->cost.flops_per_step / b->median, all = b->other;
    char count[16];

    printf("step         %.3f ms (median), %.3f ms (least), %d thread%s\n",
           1e3 * b->median, 1e3 * b->least, c->threads,
           c->threads == 1 ? "" : "s");
    printf("speed        %.0f tokens/s, %.1f GFLOP/s, %.0f %% of the peak "
           "(%.0f GFLOP/s)\n", b->tokens / b->median, flops / 1e9,
           100 * flops / peak_of(c, top), peak_of(c, top) / 1e9);
    printf("model        %s parameters, ", columns_count(b->cost.params,
                                                         count));
    printf("%sFLOP a step\n", columns_count(b->cost.flops_per_step, count));
    printf("memory       %.1f MB at most\n\n", b->peak_rss / 1048576);
    for (int i = 0; i < KERNEL_CLASSES; i++)
        all += b->kernel[i];
    for (int i = 0; i < KERNEL_CLASSES; i++)
        printf("%-12s %8.3f ms %5.1f %%\n", kernel_class_name[i],
               1e3 * b->kernel[i], 100 * b->kernel[i] / all);
    printf("%-12s %8.3f ms %5.1f %%   (of all threads)\n", "other",
           1e3 * b->other, 100 * b->other / all);
}

static int show_ceiling(const struct options *o, int threads)
{
    struct ceiling top;

    bench_ceiling(&top, threads);
    if (!strcmp(o->format, "json")) {
        json_t *all = json_pack(
            "{s:i, s:i, s:f, s:f, s:f}", "schema_version", 1, "threads",
            threads, "fp32_gflops", top.fp32 / 1e9, "bf16_gflops",
            top.bf16 / 1e9, "memory_gb_per_s", top.memory / 1e9);

        print_json(all);
        json_decref(all);
    } else {
        printf("products, fp32   %8.1f GFLOP/s\nproducts, bf16   %8.1f "
               "GFLOP/s\nmemory           %8.1f GB/s\n", top.fp32 / 1e9,
               top.bf16 / 1e9, top.memory / 1e9);
    }
    return OK;
}

static int run(const struct options *o)
{
    struct config c;
    struct mix mix;
    struct bench b;
    struct ceiling top;
    int rc;

    TRY(configure(&c, &mix, o));
    if (o->bench.peak)
        return show_ceiling(o, c.threads);
    bench_step(&b, &c, &mix,
               o->bench.repeat ? o->bench.repeat : DEFAULT_REPEAT);
    bench_ceiling(&top, c.threads);
    if (strcmp(o->format, "json"))
        step_text(&c, &b, &top);
    else
        step_json(o, &c, &b, &top);
out:
    return rc;
}

const struct command command_bench = {
    .name = "bench",
    .summary = "How fast a training step is on this machine",
    .args = "",
    .doc = "Batches are random ids of full length. Threads share the batch: "
           "shards and lanes are as many, unless -S says otherwise.",
    .takes = TAKES_BENCH | TAKES_FORMAT,
    .formats = command_text_json,
    .run = run};
