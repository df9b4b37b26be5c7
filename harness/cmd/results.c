#include "harness/cmd/results.h"

#include "harness/base/err.h"
#include "harness/base/str.h"
#include "harness/report/references.h"
#include "harness/store/cell.h"

#include <stdlib.h>
#include <string.h>

enum kind { TEXT, WHOLE, REAL };

static const struct {
    const char *group, *name;
    enum kind   kind;
} known[] = {
    {"weights", "sha256", TEXT},
    {"provenance", "commit", TEXT},
    {"provenance", "dirty", WHOLE},
    {"provenance", "date", TEXT},
    {"provenance", "build", TEXT},
    {"provenance", "compiler", TEXT},
    {"provenance", "flags", TEXT},
    {"provenance", "real_bits", WHOLE},
    {"provenance", "numerics_version", WHOLE},
    {"provenance", "instruction_set", TEXT},
    {"provenance", "instruction_set_compiler", TEXT},
    {"provenance", "instruction_set_processor", TEXT},
    {"provenance", "products", TEXT},
    {"provenance", "libraries", TEXT},
    {"provenance", "libraries_loaded", TEXT},
    {"provenance", "environment", TEXT},
    {"provenance", "processor", TEXT},
    {"provenance", "threads", WHOLE},
    {"provenance", "data_source", TEXT},
    {"provenance", "data_digest", TEXT},
    {"provenance", "pretrained_sha256", TEXT},
    {"provenance", "synthetic", WHOLE},
    {"provenance", "train_examples", WHOLE},
    {"provenance", "train_dropped", WHOLE},
    {"provenance", "train_truncated", WHOLE},
    {"provenance", "valid_examples", WHOLE},
    {"provenance", "valid_dropped", WHOLE},
    {"provenance", "valid_truncated", WHOLE},
    {"provenance", "test_examples", WHOLE},
    {"provenance", "test_dropped", WHOLE},
    {"provenance", "test_truncated", WHOLE},
    {"provenance", "entropy_floor_nats", REAL},
    {"timing", "params", WHOLE},
    {"timing", "tokens", WHOLE},
    {"timing", "train_seconds", REAL},
    {"timing", "train_cpu_seconds", REAL},
    {"timing", "eval_seconds", REAL},
    {"timing", "too_noisy", WHOLE},
    {"timing", "step_spread", REAL},
    {"timing", "step_seconds_min", REAL},
    {"timing", "step_seconds_p10", REAL},
    {"timing", "step_seconds_median", REAL},
    {"timing", "step_seconds_p90", REAL},
    {"timing", "steps_timed", WHOLE},
    {"timing", "steps_stopped", WHOLE},
    {"timing", "load_begin", REAL},
    {"timing", "load_end", REAL},
    {"timing", "jobs", WHOLE},
    {"timing", "processors", WHOLE},
    {"timing", "steps_per_s", REAL},
    {"timing", "tokens_per_s", REAL},
    {"timing", "peak_rss_bytes", REAL},
    {"timing", "estimated_bytes", REAL},
};

enum { KNOWN = sizeof known / sizeof *known };

/* One attribute as text; caller frees. */
static int read_fact(char **out, struct cell_reader *r, int i)
{
    const char *group = known[i].group, *name = known[i].name;
    long long whole;
    double number;
    int rc = OK;

    switch (known[i].kind) {
    case TEXT: rc = cell_get_text(r, group, name, out); break;
    case WHOLE:
        rc = cell_get_int(r, group, name, &whole);
        *out = rc < 0 ? NULL : str_format("%lld", whole);
        break;
    case REAL:
        rc = cell_get_real(r, group, name, &number);
        *out = rc < 0 ? NULL : str_format("%.6g", number);
        break;
    }
    return rc;
}

static void add_fact(struct results *out, const char *group, const char *name,
                     const char *text)
{
    out->fact[out->facts++] = (struct fact){group, name, text};
}

static int read_facts(struct results *out, struct cell_reader *r,
                      struct arena *a)
{
    for (int i = 0; i < KNOWN; i++) {
        char *text = NULL;
        int rc = read_fact(&text, r, i);

        if (rc == ERR_EMPTY) /* not every cell has every one */
            continue;
        if (rc < 0)
            return rc;
        add_fact(out, known[i].group, known[i].name, arena_text(a, text));
        free(text);
    }
    return OK;
}

static int read_references(struct results *out, struct cell_reader *r,
                           struct arena *a)
{
    struct reference_score *b;
    int n, rc = references_read(&b, &n, r, a);

    if (rc == OK)
        out->fact = arena_take(a, (size_t)(KNOWN + n) * sizeof *out->fact);
    for (int i = 0; rc == OK && i < n; i++)
        add_fact(out, arena_format(a, "baseline/%s", b[i].name), b[i].metric,
                 arena_format(a, "%.6g", b[i].value));
    return rc;
}

/* One that is there already, or that the cell lacks, is passed over. */
static int read_metric(struct results *out, struct cell_reader *r,
                       const char *name)
{
    int n = out->metrics, rc;

    for (int i = 0; i < n; i++)
        if (!strcmp(out->metric[i], name))
            return OK;
    rc = cell_get_metric(r, name, &out->value[n]);
    if (rc == ERR_EMPTY)
        return OK;
    out->metric[n] = name;
    out->metrics += rc == OK;
    return rc;
}

/* Those of the task, and then the n that they are means of. */
static int read_metrics(struct results *out, struct cell_reader *r,
                        const char *const *of_task,
                        const char *const *name, size_t n, struct arena *a)
{
    size_t all = n;
    int rc = OK;

    for (const char *const *m = of_task; *m; m++)
        all++;
    out->metric = arena_take(a, all * sizeof *out->metric);
    out->value = arena_take(a, all * sizeof *out->value);
    for (const char *const *m = of_task; *m && rc == OK; m++)
        rc = read_metric(out, r, *m);
    for (size_t i = 0; i < n && rc == OK; i++)
        rc = read_metric(out, r, arena_text(a, name[i]));
    return rc;
}

static int read_blind(struct blind *out, struct cell_reader *r)
{
    int rc = blind_read(out, r);

    if (rc == ERR_EMPTY)
        *out = (struct blind){0};
    return rc == ERR_EMPTY ? OK : rc;
}

int results_read(struct results *out, const char *store, const struct cell *c,
                 int facts, struct arena *a)
{
    OWNED(cell_close) struct cell_reader *r = NULL;
    const char **name = NULL;
    size_t n = 0;

    *out = (struct results){0};
    PASS(cell_open(&r, store, c->id));
    PASS(read_blind(&out->blind, r));
    if (facts) {
        int rc = cell_get_names(r, "metrics", &name, &n);

        PASS(rc == ERR_EMPTY ? OK : rc);
    }
    PASS(read_metrics(out, r, c->task->metrics, name, n, a));
    if (facts) {
        PASS(read_references(out, r, a));
        PASS(read_facts(out, r, a));
    }
    return build_read(&out->build, r, a);
}
