#include "harness/driver/results.h"

#include "harness/base/err.h"
#include "harness/base/str.h"
#include "harness/store/cell.h"

#include <stdlib.h>

enum kind { TEXT, WHOLE, REAL };

static const struct {
    const char *group, *name;
    enum kind   kind;
} known[] = {
    {"weights", "sha256", TEXT},
    {"provenance", "commit", TEXT},
    {"provenance", "dirty", WHOLE},
    {"provenance", "date", TEXT},
    {"provenance", "compiler", TEXT},
    {"provenance", "products", TEXT},
    {"provenance", "processor", TEXT},
    {"provenance", "threads", WHOLE},
    {"provenance", "data_source", TEXT},
    {"provenance", "data_digest", TEXT},
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
    {"timing", "eval_seconds", REAL},
    {"timing", "steps_per_s", REAL},
    {"timing", "tokens_per_s", REAL},
    {"timing", "peak_rss_bytes", REAL},
    {"timing", "estimated_bytes", REAL},
};

enum { KNOWN = sizeof known / sizeof *known };

_Static_assert(sizeof known / sizeof *known <= RESULTS_FACTS,
               "raise RESULTS_FACTS");

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
        out->fact[out->facts++] = (struct fact){known[i].group, known[i].name,
                                                arena_text(a, text)};
        free(text);
    }
    return OK;
}

int results_read(struct results *out, const char *store, const struct cell *c,
                 int facts, struct arena *a)
{
    struct cell_reader *r = NULL;
    int rc;

    *out = (struct results){0};
    TRY(cell_open(&r, store, c->id));
    for (const char *const *m = c->task->metrics; *m; m++) {
        int n = out->metrics;

        REQUIRE(n < RESULTS_METRICS, "task %s has over %d metrics",
                c->task->name, RESULTS_METRICS);
        rc = cell_get_metric(r, *m, &out->value[n]);
        if (rc == ERR_EMPTY)
            continue;
        TRY(rc);
        out->metric[out->metrics++] = *m;
    }
    rc = facts ? read_facts(out, r, a) : OK;
out:
    cell_close(r);
    return rc;
}
