#define _GNU_SOURCE /* timegm, strptime */
#include "harness/cmd/mllog.h"

#include "harness/base/err.h"
#include "harness/base/json.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

/* The cell whose log is written. */
struct log {
    struct sheet             *sheet;
    const struct report_cell *cell;
    /* end of the run, in seconds since 1970, and its length in seconds */
    double                    end, seconds;
};

/* Adds a line.  `share` is the share of the run that has passed.  Takes
 * ownership of `value` and `metadata`. */
static void put(const struct log *l, double share, const char *type,
                const char *key, json_t *value, json_t *metadata)
{
    double at = l->end - (1 - share) * l->seconds;
    OWNED(json_decref) json_t *own = metadata;
    OWNED(json_decref) json_t *line = NULL;
    OWNED(free) char *text = NULL;

    json_object_set_new(own, "cell", json_string(l->cell->id));
    line = json_pack("{s:s, s:I, s:s, s:s, s:o, s:O}", "namespace", "",
                     "time_ms", (json_int_t)(1000 * at), "event_type", type,
                     "key", key, "value", value, "metadata", own);
    text = json_dumps(line, JSON_ENSURE_ASCII);
    sheet_put(l->sheet, PART_LINE, ":::MLLOG %s", text);
}

static void point(const struct log *l, double share, const char *key,
                  json_t *value, json_t *metadata)
{
    put(l, share, "POINT_IN_TIME", key, value, metadata);
}

/* ---- values of a cell ---- */

static int put_whole(const struct log *l, struct cell_reader *r,
                     const char *key, const char *name)
{
    long long x;
    int rc = cell_get_int(r, "provenance", name, &x);

    if (rc == OK)
        point(l, 0, key, json_integer(x), json_object());
    return cell_maybe(rc);
}

static int put_setup(const struct log *l, struct cell_reader *r)
{
    const struct report_cell *c = l->cell;
    OWNED(free) char *optimizer = NULL, *by = NULL;
    long long batch;

    PASS(cell_get_text(r, "config", "optimizer.name", &optimizer));
    point(l, 0, "submission_benchmark",
          json_string(arena_format(l->sheet->memory, "%s/%s/%s", c->task,
                                   c->variant, c->scale)), json_object());
    point(l, 0, "seed", json_integer(c->seed), json_object());
    int rc = cell_get_int(r, "config", "batch", &batch);
    PASS(cell_maybe(rc));
    PASS(cell_maybe(cell_get_text(r, "config", "batch.by", &by)));
    if (rc == OK) /* versions without batch.by count examples */
        point(l, 0, "global_batch_size", json_integer(batch),
              json_pack("{s:s}", "unit", by ? by : "examples"));
    point(l, 0, "opt_name", json_string(optimizer), json_object());
    PASS(put_whole(l, r, "train_samples", "train_examples"));
    return put_whole(l, r, "eval_samples", "test_examples");
}

static int put_validations(const struct log *l, struct cell_reader *r)
{
    OWNED(free) double *step = NULL, *ce = NULL;
    size_t n, m;

    PASS(cell_get_array(r, "curves/valid/step", &step, &n));
    PASS(cell_get_array(r, "curves/valid/ce", &ce, &m));
    if (n != m)
        return err_set(ERR_STORE, "cell %s: curves/valid has %zu steps and %zu "
                       "values", l->cell->id, n, m);
    for (size_t i = 0; i < n; i++)
        point(l, step[n - 1] > 0 ? step[i] / step[n - 1] : 1, "eval_accuracy",
              json_real(ce[i]),
              json_pack("{s:s, s:s, s:w, s:b}", "metric", "ce", "split",
                        "valid", "step_num", step[i], "time_estimated", 1));
    return OK;
}

static int read_times(struct log *l, struct cell_reader *r)
{
    OWNED(free) char *date = NULL;
    double train, eval;
    struct tm at = {0};

    PASS(cell_get_text(r, "provenance", "date", &date));
    PASS(cell_get_real(r, "timing", "train_seconds", &train));
    PASS(cell_get_real(r, "timing", "eval_seconds", &eval));
    const char *end = strptime(date, "%Y-%m-%dT%H:%M:%SZ", &at);
    if (!end || *end)
        return err_set(ERR_STORE, "cell %s: provenance, date: '%s' is not a "
                                  "date",
                       l->cell->id, date);
    l->end = (double)timegm(&at);
    l->seconds = train + eval;
    return OK;
}

int mllog_put(struct sheet *s, const struct report_cell *c,
              struct cell_reader *r)
{
    struct log l = {.sheet = s, .cell = c};
    const char **name;
    double value;
    size_t n;

    PASS(read_times(&l, r));
    PASS(put_setup(&l, r));
    put(&l, 0, "INTERVAL_START", "run_start", json_null(), json_object());
    PASS(put_validations(&l, r));
    PASS(cell_get_names(r, "metrics", &name, &n));
    for (size_t i = 0; i < n; i++) {
        PASS(cell_get_metric(r, name[i], &value));
        point(&l, 1, name[i], json_real(value),
              json_pack("{s:s}", "split", "test"));
    }
    put(&l, 1, "INTERVAL_END", "run_stop", json_null(),
        json_pack("{s:s}", "status", "success"));
    return OK;
}
