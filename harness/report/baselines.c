#include "harness/report/baselines.h"

#include "harness/base/err.h"
#include "harness/base/str.h"

#include <stdlib.h>
#include <string.h>

struct names { char **name; size_t n; };

/* A group that is not there has no names. */
static int read_names(struct names *out, struct cell_reader *r,
                      const char *group)
{
    int rc = cell_get_names(r, group, &out->name, &out->n);

    return rc == ERR_EMPTY ? OK : rc;
}

static int read_baseline(struct baseline_score *out, int *n,
                         struct cell_reader *r, const char *name,
                         const struct names *metrics, struct arena *a)
{
    OWNED(free) char *group = str_format("baseline/%s", name), *what = NULL;
    struct baseline_score s = {.name = arena_text(a, name), .what = ""};
    int rc = cell_get_text(r, group, "description", &what);

    if (rc == OK)
        s.what = arena_text(a, what);
    else if (rc != ERR_EMPTY)
        return rc;
    for (size_t i = 0; i < metrics->n; i++) {
        rc = cell_get_real(r, group, metrics->name[i], &s.value);
        if (rc == ERR_EMPTY) /* it needs probabilities */
            continue;
        PASS(rc);
        s.metric = arena_text(a, metrics->name[i]);
        out[(*n)++] = s;
    }
    return OK;
}

int baselines_read(struct baseline_score **out, int *n, struct cell_reader *r,
                   struct arena *a)
{
    struct names baselines = {0}, metrics = {0};
    int rc;

    *n = 0;
    TRY(read_names(&baselines, r, "baseline"));
    TRY(read_names(&metrics, r, "metrics"));
    *out = arena_take(a, baselines.n * metrics.n * sizeof **out);
    for (size_t i = 0; i < baselines.n; i++)
        TRY(read_baseline(*out, n, r, baselines.name[i], &metrics, a));
out:
    cell_free_strings(baselines.name, baselines.n);
    cell_free_strings(metrics.name, metrics.n);
    return rc;
}

int baselines_of_task(struct baseline_score **out, int *n,
                      const struct report *r, const char *task,
                      struct arena *a)
{
    *n = 0;
    for (int i = 0; i < r->n; i++) {
        const struct report_cell *c = &r->cell[i];
        OWNED(cell_close) struct cell_reader *cell = NULL;
        struct baseline_score *score;
        int scores;

        if (strcmp(c->task, task) || c->state != CELL_DONE)
            continue;
        PASS(cell_open(&cell, r->store, c->id));
        PASS(baselines_read(&score, &scores, cell, a));
        if (scores > *n) {
            *out = score;
            *n = scores;
        }
    }
    return OK;
}
