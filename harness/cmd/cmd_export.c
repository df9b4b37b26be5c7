/*
 * export: writes a store in long form, one row for each metric of each finished
 * cell.  Each column has one type in all rows (a missing value is empty in CSV
 * and null in JSON), so that readers need no hints and the rows can be
 * converted to Parquet directly.  Reals have 15 digits.  JSON:
 *
 *     {"schema_version": 1, "experiment", "columns": [{"name", "type": "text",
 *      "integer", "real" or "boolean"}], "rows": [{...}]}
 *
 * --curves writes a row for each point of each curve instead: `curve` is
 * train/loss, train/lr or valid/ce.
 */
#include "harness/cmd/command.h"

#include "harness/base/err.h"
#include "harness/base/json.h"
#include "harness/base/stage.h"
#include "harness/base/str.h"
#include "harness/cmd/select_rows.h"
#include "harness/print/sheet.h"
#include "harness/store/cell.h"

#include <stdlib.h>
#include <string.h>

struct given { const char *store, *filter, *format, *output; int curves; };

static const struct opt options[] = {
    {.group = opts_results, .at = OPT_AT(store)},
    {"--select", 'E', "FILTER", opt_text, OPT_AT(filter),
     .doc = "Only these cells: 'variant==random && task==lm1b'"},
    {"--curves", 0, NULL, opt_flag, OPT_AT(curves),
     .doc = "Write each point of each learning curve as a row instead"},
    {.group = opts_format, .at = OPT_AT(format)},
    {.group = opts_output, .at = OPT_AT(output)},
    {.name = NULL}};

static const char *const formats[] = {"csv", "json", NULL};

enum type { TEXT, INTEGER, REAL, BOOLEAN };

static const char *const type_name[] = {"text", "integer", "real", "boolean"};

/* The kinds of rows that a column appears in: those of metrics, of --curves, or
 * both. */
enum { METRICS = 1, CURVES = 2, BOTH = METRICS | CURVES };

/* What a row has that no attribute of the cell's file says. */
struct line {
    const char *experiment, *id, *task, *scale, *row; /* row: name in tables,
                                                         random,steps=700 */
    const char *curve, *metric, *unit, *signature;
    long long   seed, step, better;
    double      value;
    int         synthetic;
};

#define OF(member)   COLUMN(struct line, member)
#define STORED(text) {.name = text}

/* A column, and its place in a cell's file.  If `group` is NULL, the value is
 * that of the line. */
static const struct source {
    struct column is;
    enum type     type;
    unsigned      in;
    const char   *group, *at;
} sources[] = {
    {{"experiment", NULL, OF(experiment)}, TEXT, BOTH, NULL, NULL},
    {{"id", NULL, OF(id)}, TEXT, BOTH, NULL, NULL},
    {{"task", NULL, OF(task)}, TEXT, BOTH, NULL, NULL},
    {{"scale", NULL, OF(scale)}, TEXT, BOTH, NULL, NULL},
    {STORED("variant"), TEXT, METRICS, "config", "variant"},
    {{"row", NULL, OF(row)}, TEXT, BOTH, NULL, NULL},
    {{"seed", NULL, OF(seed)}, INTEGER, BOTH, NULL, NULL},
    {{"synthetic", NULL, COLUMN_AS(COLUMN_BOOL, struct line, synthetic)},
     BOOLEAN, METRICS, NULL, NULL},
    {{"curve", NULL, OF(curve)}, TEXT, CURVES, NULL, NULL},
    {{"step", NULL, OF(step)}, INTEGER, CURVES, NULL, NULL},
    {{"metric", NULL, OF(metric)}, TEXT, METRICS, NULL, NULL},
    {{"value", NULL, OF(value)}, REAL, BOTH, NULL, NULL},
    {{"unit", NULL, OF(unit)}, TEXT, METRICS, NULL, NULL},
    {{"better", NULL, OF(better)}, INTEGER, METRICS, NULL, NULL},
    {{"signature", NULL, OF(signature)}, TEXT, METRICS, NULL, NULL},
    {STORED("steps"), INTEGER, METRICS, "config", "steps"},
    {STORED("tuning"), TEXT, METRICS, "tuning", "chosen"},
    {STORED("params"), INTEGER, METRICS, "timing", "params"},
    {STORED("flops_per_step"), REAL, METRICS, "timing", "flops_per_step"},
    {STORED("train_tokens"), INTEGER, METRICS, "timing", "tokens"},
    {STORED("train_seconds"), REAL, METRICS, "timing", "train_seconds"},
    {STORED("train_cpu_seconds"), REAL, METRICS, "timing",
     "train_cpu_seconds"},
    {STORED("settled"), REAL, METRICS, "curves/train", "settled"},
    {STORED("test_examples"), INTEGER, METRICS, "provenance",
     "test_examples"},
    {STORED("data_digest"), TEXT, METRICS, "provenance", "data_digest"},
    {STORED("numerics_version"), INTEGER, METRICS, "provenance",
     "numerics_version"},
    {STORED("commit"), TEXT, METRICS, "provenance", "commit"},
    {STORED("dirty"), BOOLEAN, METRICS, "provenance", "dirty"},
    {STORED("date"), TEXT, METRICS, "provenance", "date"},
};

enum { COLUMNS = sizeof sources / sizeof *sources };

static const struct { const char *group, *values; } curves[] = {
    {"train", "loss"}, {"train", "lr"}, {"valid", "ce"}, {NULL, NULL}};

/* Returns 1 if the cell was trained by a program that did not know its commit.
 * Earlier versions then wrote that it was clean. */
static int is_unknown(struct cell_reader *r)
{
    OWNED(free) char *commit = NULL;

    return cell_get_text(r, "provenance", "commit", &commit) == OK &&
           !strcmp(commit, "unknown");
}

/* Sets *out to the value of a column, or to null if the cell has none. */
static int stored(json_t **out, struct cell_reader *r, const struct source *c)
{
    OWNED(free) char *text = NULL;
    long long whole = 0;
    double x = 0;
    int rc = c->type == TEXT   ? cell_get_text(r, c->group, c->at, &text)
             : c->type == REAL ? cell_get_real(r, c->group, c->at, &x)
                               : cell_get_int(r, c->group, c->at, &whole);

    PASS(cell_maybe(rc));
    if (rc == OK && c->type == BOOLEAN && is_unknown(r))
        rc = ERR_EMPTY;
    *out = rc == ERR_EMPTY      ? json_null()
           : c->type == TEXT    ? json_string(text)
           : c->type == REAL    ? json_real(x)
           : c->type == INTEGER ? json_integer(whole)
                                : json_boolean(whole != 0);
    return OK;
}

/* Sets *out to a row with all columns that rows of the kind `in` have; those of
 * the line are null. */
static int read_cell(json_t **out, struct cell_reader *r, unsigned in)
{
    OWNED(json_decref) json_t *row = json_object();

    for (const struct source *k = sources; k < sources + COLUMNS; k++) {
        json_t *x = json_null();

        if (k->group && k->in & in)
            PASS(stored(&x, r, k));
        if (k->in & in)
            json_object_set_new(row, k->is.name, x);
    }
    return MOVE_OUT(out, row);
}

static struct line line_of(const struct report *r, const struct report_cell *c)
{
    return (struct line){.experiment = r->name, .id = c->id, .task = c->task,
                         .scale = c->scale, .row = c->variant, .seed = c->seed,
                         .synthetic = c->synthetic};
}

/* Adds a copy of `cell` with the values of the line to the records. */
static void put_line(struct sheet *s, json_t *cell, const struct line *l,
                     unsigned in)
{
    json_t *row = json_copy(cell);

    for (const struct source *k = sources; k < sources + COLUMNS; k++)
        if (!k->group && k->in & in)
            json_object_set_new(row, k->is.name,
                                relation_value(&k->is, l, s->memory));
    json_array_append_new(s->records, row);
}

static int put_metric(struct sheet *s, json_t *cell, struct line l,
                      struct cell_reader *r)
{
    OWNED(free) char *unit = NULL, *signature = NULL;
    const char *path = arena_format(s->memory, "metrics/%s", l.metric);

    PASS(cell_get_metric(r, l.metric, &l.value));
    PASS(cell_maybe(cell_get_unit(r, path, &unit)));
    PASS(cell_maybe(cell_get_text(r, path, "signature", &signature)));
    PASS(cell_maybe(cell_get_int(r, path, "better", &l.better)));
    l.unit = unit;
    l.signature = signature;
    put_line(s, cell, &l, METRICS);
    return OK;
}

static int put_rows(struct sheet *s, const struct report *rep,
                    const struct report_cell *c, struct cell_reader *r)
{
    OWNED(json_decref) json_t *cell = NULL;
    struct line l = line_of(rep, c);
    const char **name;
    size_t n;
    int rc = cell_get_names(r, "metrics", &name, &n);

    PASS(cell_maybe(rc));
    if (rc == ERR_EMPTY) /* the cell is a trial */
        return OK;
    PASS(read_cell(&cell, r, METRICS));
    for (size_t i = 0; i < n; i++) {
        l.metric = name[i];
        PASS(put_metric(s, cell, l, r));
    }
    return OK;
}

static int put_curve(struct sheet *s, json_t *cell, struct line l,
                     struct cell_reader *r, int k)
{
    OWNED(free) char *steps = str_format("curves/%s/step", curves[k].group);
    OWNED(free) char *values = str_format("curves/%s/%s", curves[k].group,
                                          curves[k].values);
    OWNED(free) double *step = NULL, *value = NULL;
    size_t n = 0, m = 0;

    PASS(cell_maybe(cell_get_array(r, steps, &step, &n)));
    PASS(cell_maybe(cell_get_array(r, values, &value, &m)));
    if (n != m)
        return err_set(ERR_STORE, "%s has %zu values for %zu steps", values, m,
                       n);
    l.curve = values + strlen("curves/");
    for (size_t i = 0; i < n; i++) {
        l.step = (long long)step[i];
        l.value = value[i];
        put_line(s, cell, &l, CURVES);
    }
    return OK;
}

static int put_curves(struct sheet *s, const struct report *rep,
                      const struct report_cell *c, struct cell_reader *r)
{
    OWNED(json_decref) json_t *cell = NULL;

    PASS(read_cell(&cell, r, CURVES));
    for (int k = 0; curves[k].group; k++)
        PASS(put_curve(s, cell, line_of(rep, c), r, k));
    return OK;
}

static void put_object(struct sheet *s, const struct report *rep, unsigned in)
{
    static const struct column source[] = {
        {"name", NULL, COLUMN(struct source, is.name)},
        {"type", NULL, COLUMN_AS(COLUMN_ENUM, struct source, type),
         .words = type_name},
        {.type = COLUMN_END}};
    const struct source *column[COLUMNS];
    int n = 0;

    for (int i = 0; i < COLUMNS; i++)
        if (sources[i].in & in)
            column[n++] = &sources[i];
    sheet_fact(s, "experiment", json_string(rep->name));
    sheet_relation(s, &(struct relation){"columns", source, column, 0, n});
    sheet_fact(s, "rows", json_incref(s->records));
}

typedef int put_one(struct sheet *s, const struct report *rep,
                    const struct report_cell *c, struct cell_reader *r);

static int put_all(struct sheet *s, const struct report *rep, put_one *each)
{
    OWNED(stage_end) struct stage stage = {.what = "exporting cells"};
    int put = 0, left = 0;

    for (int i = 0; i < rep->n; i++) {
        const struct report_cell *c = &rep->cell[i];
        OWNED(cell_close) struct cell_reader *r = NULL;

        if (c->state != CELL_DONE) {
            left++;
            continue;
        }
        stage_show(&stage, i, rep->n);
        PASS(report_read(&r, rep, c->id));
        PASS(each(s, rep, c, r));
        put++;
    }
    if (!put)
        return err_set(ERR_EMPTY, "%s: no selected cell is finished",
                       rep->store);
    if (left)
        say("%d of %d cells are not finished and have no row",
            left, left + put);
    return OK;
}

static int run_export(const void *given, const struct arguments *args)
{
    const struct given *g = given;
    OWNED(report_close) struct report *rep = NULL;
    OWNED(sheet_close) struct sheet *s = sheet_new();

    (void)args;
    if (!g->store)
        return err_set(ERR_USAGE, "export: specify the results with --store "
                                  "DIR");
    PASS(report_open(&rep, g->store));
    PASS(select_rows(rep, g->filter));
    s->records = json_array();
    PASS(put_all(s, rep, g->curves ? put_curves : put_rows));
    put_object(s, rep, g->curves ? CURVES : METRICS);
    PASS(sheet_print(s, g->format, g->output));
    return report_damage(rep);
}

const struct command command_export = {
    .name = "export",
    .summary = "Write each metric of each cell as a row, for other programs",
    .args = "",
    .doc = "csv: RFC 4180, one type per column. harness/cmd/README.md reads "
           "--curves with TensorBoard, Weights & Biases and MLflow.",
    .formats = formats,
    COMMAND_RUNS(run_export, 0, 0)};
