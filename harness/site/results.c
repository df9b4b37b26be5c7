#include "harness/site/results.h"

#include "harness/base/err.h"
#include "harness/engine/timed.h"
#include "harness/report/references.h"
#include "harness/store/cell.h"
#include "harness/train/phase.h"

#include <string.h>

/* Attributes that are shown, in this order; a cell need not have all of
 * them. */
static const char *const weights[] = {"sha256", NULL};
static const char *const provenance[] = {
    "data_recipe_version", "commit", "dirty", "date", "build", "compiler",
    "flags", "real_bits",
    "numerics_version", "instruction_set", "instruction_set_compiler",
    "instruction_set_processor", "products", "libraries", "libraries_loaded",
    "environment", "gpu", "gpu_processors", "gpu_memory_mb", "gpu_driver",
    "gpu_products", "gpu_attention", "gpu_ptx", "system", "processor",
    "threads",
    "cores",
    "cores_granted_by", "cores_affinity", "machine", "bound", "ran_on",
    "ran_on_nodes", "ranks",
    "ranks_bytes_a_step", "ranks_bytes_of_a_ring", "ranks_bytes_beside",
    "ranks_seconds_a_step", "ranks_share_of_time",
    "data_source", "data_digest", "pretrained_sha256",
    "synthetic", "train_examples", "train_tokens", "train_dropped",
    "train_truncated",
    "valid_examples", "valid_tokens", "valid_dropped", "valid_truncated",
    "test_examples", "test_tokens", "test_dropped", "test_truncated",
    "entropy_floor_nats", "trainer",
    "trainer_framework", "trainer_machine", "trainer_contract",
    "trainer_trace", "trainer_weights", "trainer_curve", NULL};
static const char *const curve[] = {"settled", "settled_error", NULL};
static const char *const choice[] = {"chosen", NULL};
static const char *const timing[] = {
    "params", "flops_per_step", "tokens", "train_seconds",
    "train_cpu_seconds", "eval_seconds", "too_noisy", "step_spread",
    "step_seconds_min", "step_seconds_p10", "step_seconds_median",
    "step_seconds_p90", "steps_timed", "steps_stopped", "load_begin",
    "load_end", "jobs", "processors", "steps_per_s", "tokens_per_s",
    "peak_rss_bytes", "gpu_peak_bytes", "estimated_bytes", "steps_clocked",
    NULL};
static const char *const other[] = {"other", NULL}; /* outside kernels */

static const struct { const char *group; const char *const *name; } groups[] = {
    {"weights", weights}, {"provenance", provenance},
    {"curves/train", curve}, {"tuning", choice}, {"timing", timing},
    {"timing/cpu_seconds", phase_name},
    {"timing/kernel_seconds", kernel_class_name},
    {"timing/kernel_seconds", other}};

enum { GROUPS = sizeof groups / sizeof *groups,
       KNOWN = (sizeof weights + sizeof provenance + sizeof curve +
                sizeof choice + sizeof timing + sizeof other +
                sizeof phase_name + sizeof kernel_class_name) /
               sizeof *weights };

/* Reads the scores of the model-free baselines and the attributes. */
static int read_facts(struct results *out, struct cell_reader *r,
                      struct arena *a)
{
    struct reference_score *b;
    int n;

    PASS(references_read(&b, &n, r, a));
    out->fact = arena_take(a, (size_t)(KNOWN + n) * sizeof *out->fact);
    for (int i = 0; i < n; i++)
        out->fact[out->facts++] = (struct fact){
            arena_format(a, "baseline/%s", b[i].name), b[i].metric,
            arena_format(a, "%.6g", b[i].value)};
    for (int g = 0; g < GROUPS; g++)
        for (const char *const *name = groups[g].name; *name; name++) {
            OWNED(free) char *text = NULL;

            PASS(cell_maybe(cell_get_shown(r, groups[g].group, *name, &text)));
            if (text)
                out->fact[out->facts++] = (struct fact){
                    groups[g].group, *name, arena_text(a, text)};
        }
    return OK;
}

/* Reads a metric, unless it has been read already or the cell lacks it. */
static int read_metric(struct results *out, struct cell_reader *r,
                       const char *name)
{
    int n = out->metrics;

    for (int i = 0; i < n; i++)
        if (!strcmp(out->metric[i], name))
            return OK;
    int rc = cell_get_metric(r, name, &out->value[n]);
    out->metric[n] = name;
    out->metrics += rc == OK;
    return cell_maybe(rc);
}

int results_read(struct results *out, const char *store, const char *id,
                 const char *const *first, int facts, struct arena *a)
{
    OWNED(cell_close) struct cell_reader *r = NULL;
    const char **name = NULL;
    size_t n = 0, most = 0;

    *out = (struct results){0};
    PASS(cell_open(&r, store, id));
    int rc = blind_read(&out->blind, r);
    PASS(cell_maybe(rc));
    if (rc == ERR_EMPTY)
        out->blind = (struct blind_baseline){0};
    if (facts)
        PASS(cell_maybe(cell_get_names(r, "metrics", &name, &n)));
    while (first[most])
        most++;
    out->metric = arena_take(a, (most + n) * sizeof *out->metric);
    out->value = arena_take(a, (most + n) * sizeof *out->value);
    for (const char *const *m = first; *m; m++)
        PASS(read_metric(out, r, *m));
    for (size_t i = 0; i < n; i++)
        PASS(read_metric(out, r, arena_text(a, name[i])));
    if (facts)
        PASS(read_facts(out, r, a));
    return build_read(&out->build, r, a);
}
