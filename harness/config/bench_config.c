#include "harness/config/bench_config.h"

#include "harness/base/cores.h"
#include "harness/base/err.h"
#include "harness/base/names.h"
#include "harness/config/settings.h"
#include "variants/variants.h"

#include <stdio.h>
#include <stdlib.h>

enum { KEYS = 24 };

/* The settings that tiny, small and medium share, as in other frameworks'
 * benchmarks: a decoder with learned positions, biases everywhere, no factor
 * sqrt(d), and Adam with b2 0.98. */
#define PEER(...)                                                             \
    {"task", "lm1b"}, {"position", "learned"}, {"embed_scale", "false"},      \
        {"attention_bias", "true"}, {"tied", "true"}, {"dropout", "0"},       \
        {"optimizer.b2", "0.98"}, {"schedule.name", "constant"},              \
        {"schedule.scale", "0.001"}, __VA_ARGS__

static const struct size {
    const char *name;
    /* shards per lane; more shards need less memory for activations */
    int         shards;
    struct { const char *key, *value; } set[KEYS];
} sizes[] = {
    {"tiny", 1, {PEER({"layers", "2"}, {"d", "64"}, {"heads", "4"},
                   {"ff", "256"}, {"N", "32"}, {"batch", "32"},
                   {"vocab", "1000"})}},
    {"small", 1, {PEER({"layers", "2"}, {"d", "128"}, {"heads", "4"},
                    {"ff", "512"}, {"N", "64"}, {"batch", "32"},
                    {"vocab", "4000"})}},
    {"medium", 2, {PEER({"layers", "6"}, {"d", "512"}, {"heads", "8"},
                     {"ff", "2048"}, {"N", "128"}, {"batch", "8"},
                     {"vocab", "32000"})}},
    {"t2t-base", 1, {{"task", "wmt14_ende"}, {"layers", "6"}, {"d", "512"},
                  {"heads", "8"}, {"ff", "2048"}, {"N", "256"},
                  {"batch", "2"}, {"vocab", "32768"}}},
    {"t5-base", 1, {{"task", "c4"}, {"preset", "t5"}, {"layers", "12"},
                 {"d", "768"}, {"heads", "12"}, {"ff", "3072"}, {"N", "512"},
                 {"batch", "2"}, {"vocab", "32128"}}},
    {.name = NULL},
};

int bench_configure(struct config *c, struct mix *mix,
                    const struct bench_model *m)
{
    enum { MORE = 5 }; /* settings besides those of the size and m->set */
    OWNED(free) struct assign *set = calloc(KEYS + MORE + (size_t)m->set.n,
                                            sizeof *set);
    char threads[16], lanes[16], shards[16], name[MIX_NAME];
    int n = 0, at = names_row("size", m->size, sizes, sizeof *sizes);

    PASS(at);
    const struct size *size = &sizes[at];
    int wanted = m->threads ? m->threads : cores_count(), power = 1;
    while (power < wanted)
        power *= 2;
    snprintf(threads, sizeof threads, "%d", wanted);
    snprintf(lanes, sizeof lanes, "%d", power);
    snprintf(shards, sizeof shards, "%d", power * size->shards);
    PASS(mix_parse(mix, name, m->variant));
    set[n++] = (struct assign){"variant", name, "--variant"};
    for (int i = 0; i < KEYS && size->set[i].key; i++)
        set[n++] = (struct assign){size->set[i].key, size->set[i].value,
                                   "--size"};
    set[n++] = (struct assign){"threads", threads, "--threads"};
    set[n++] = (struct assign){"shards", shards, "--threads"};
    set[n++] = (struct assign){"lanes", lanes, "--threads"};
    set[n++] = (struct assign){"precision", m->precision, "--precision"};
    for (int i = 0; i < m->set.n; i++)
        set[n++] = m->set.a[i];
    PASS(settings_resolve(c, set, n));
    settings_expect(c);
    const char *fault = mix_fault(mix, &c->model);
    return fault ? err_set(ERR_USAGE, "%s: %s", name, fault) : OK;
}

int bench_restore(struct config *c, struct mix *mix, const char *config,
                  int threads)
{
    char name[MIX_NAME];

    if (settings_restore(c, config, "{}") < 0)
        return err_wrap(ERR_USAGE, "--config");
    PASS(mix_parse(mix, name, c->variant));
    c->threads = threads ? threads : cores_count();
    settings_expect(c);
    const char *fault = mix_fault(mix, &c->model);
    return fault ? err_set(ERR_USAGE, "--config: %s: %s", name, fault) : OK;
}
