/*
 * show: prints one cell; --samples prints test examples (source, reference and
 * output), --curves its learning curves.  JSON:
 *
 *     {"schema_version": 1, "id", "samples": [{"example", "source",
 *      "reference", "output", "nll"}]}
 *     {"schema_version": 1, "id", "curves": {"train": {"step": [], "loss": []},
 *      "valid": {"step": [], "ce": []}}}
 *
 * Fields that a task does not have are null, and so is a loss that is not
 * finite.  A label is a number.
 */
#include "harness/cmd/command.h"

#include "harness/base/err.h"
#include "harness/base/json.h"
#include "harness/base/str.h"
#include "harness/cmd/describe.h"
#include "harness/print/sheet.h"
#include "harness/report/report.h"
#include "harness/store/cell.h"
#include "plots/ascii_plot.h"

#include <stdlib.h>
#include <string.h>

struct given {
    const char *store, *format;
    int         samples; /* 0: not requested */
    int         curves, all;
};

static const struct opt options[] = {
    {.group = opts_results, .at = OPT_AT(store)},
    {"--samples", 0, "N", opt_count, OPT_AT(samples),
     .doc = "Show N evenly spaced test examples: source, reference, output",
     .most = 1000000},
    {"--curves", 0, NULL, opt_flag, OPT_AT(curves),
     .doc = "Draw the learning curves as text"},
    {"--all", 0, NULL, opt_flag, OPT_AT(all),
     .doc = "Print every setting and all that was recorded about the run; "
            "JSON always has it"},
    {.group = opts_format, .at = OPT_AT(format)},
    {.name = NULL}};

enum { SOURCE, OUTPUT, REFERENCE, TEXTS };

struct examples_read { /* each has n values */
    size_t  n;
    char  **text[TEXTS];          /* may be NULL */
    double *nll, *label, *guess;  /* label, guess: may be NULL */
};

/* Reads all test examples.  Fields that this kind of task does not have stay
 * NULL. */
static int read_examples(struct examples_read *e, struct cell_reader *r)
{
    static const char *const path[TEXTS] = {"examples/test/source",
                                            "examples/test/hypothesis",
                                            "examples/test/reference"};
    size_t n;

    PASS(cell_get_array(r, "examples/test/nll", &e->nll, &e->n));
    for (int k = 0; k < TEXTS; k++)
        PASS(cell_maybe(cell_get_strings(r, path[k], &e->text[k], &n)));
    PASS(cell_maybe(cell_get_array(r, "examples/test/label", &e->label, &n)));
    return cell_maybe(cell_get_array(r, "examples/test/guess", &e->guess, &n));
}

static void close_examples(struct examples_read *e)
{
    for (int k = 0; k < TEXTS; k++)
        cell_free_strings(e->text[k], e->n);
    free(e->nll);
    free(e->label);
    free(e->guess);
}
OWNER_OF_VALUE(close_examples, struct examples_read)

/* A test example.  A label or a guess is a number in place of a text. */
struct sample {
    long long example;
    double    nll;
    json_t   *source, *reference, *output; /* NULL: the task has none */
};

static const struct column sample_columns[] = {
    {"example", NULL, COLUMN(struct sample, example)},
    {"source", NULL, COLUMN(struct sample, source)},
    {"reference", NULL, COLUMN(struct sample, reference)},
    {"output", NULL, COLUMN(struct sample, output)},
    {"nll", NULL, COLUMN(struct sample, nll)},
    {.type = COLUMN_END}};

static json_t *value(char **text, const double *number, size_t i)
{
    return text ? json_string(text[i]) : number ? json_whole(number[i]) : NULL;
}

static void put_value(struct sheet *s, const char *name, const json_t *x)
{
    if (json_is_string(x))
        sheet_put(s, PART_LINE, "  %-10s %s", name, json_string_value(x));
    else if (json_is_number(x))
        sheet_put(s, PART_LINE, "  %-10s %.15g", name, json_number_value(x));
}

/* Adds example i to the sheet and returns its object. */
static json_t *put_sample(struct sheet *s, const struct examples_read *e,
                          size_t i)
{
    OWNED(json_decref) json_t *source = value(e->text[SOURCE], NULL, i);
    OWNED(json_decref) json_t *reference = value(e->text[REFERENCE], e->label,
                                                 i);
    OWNED(json_decref) json_t *output = value(e->text[OUTPUT], e->guess, i);
    struct sample x = {(long long)i, e->nll[i], source, reference, output};

    if (i)
        sheet_put(s, PART_GAP, "%s", "");
    sheet_put(s, PART_LINE, "example %lld, loss %.4f nats", x.example, x.nll);
    put_value(s, "source", source);
    put_value(s, "reference", reference);
    put_value(s, "output", output);
    return relation_object(sample_columns, &x, s->memory);
}

/* Prints n examples of the selected cell, evenly spaced over its test set, or
 * all if there are fewer.  Returns OK; ERR_EMPTY if the cell is not finished;
 * or ERR_STORE. */
static int samples_show(const struct plan *p, const struct cell *c, int n,
                        const char *format)
{
    OWNED(sheet_close) struct sheet *s = sheet_new();
    OWNED(close_examples) struct examples_read e = {0};
    OWNED(cell_close) struct cell_reader *r = NULL;
    json_t *samples = json_array();

    sheet_fact(s, "id", json_string(c->id));
    sheet_fact(s, "synthetic", json_boolean(c->config.synthetic));
    sheet_fact(s, "samples", samples);
    if (plan_is_trial(c))
        return err_set(ERR_EMPTY, "%s: a trial has no samples because it "
                                  "does not use the test set; --curves "
                                  "draws its losses",
                       c->id);
    if (plan_state(c) == CELL_MISSING)
        return err_set(ERR_EMPTY, "%s: not trained yet", c->id);
    PASS(cell_open(&r, p->store, c->id));
    PASS(read_examples(&e, r));
    if (!e.text[SOURCE] && !e.text[REFERENCE] && !e.label)
        say("task %s: no texts are stored, only the loss of each example",
            c->config.task);
    size_t some = (size_t)n < e.n ? (size_t)n : e.n;
    if (c->config.synthetic)
        sheet_put(s, PART_WARNING, "%s", report_synthetic);
    for (size_t i = 0; i < some; i++)
        json_array_append_new(samples, put_sample(s, &e, i * e.n / some));
    return sheet_print(s, format, NULL);
}

/* ---- curves ---- */

static const struct { const char *curve, *value; } curve_of[] = {
    {"train", "loss"}, {"valid", "ce"}};

enum { CURVES = sizeof curve_of / sizeof *curve_of };

struct curves_read { /* both arrays have n[k] values */
    double *step[CURVES], *value[CURVES];
    size_t  n[CURVES];
};

static void close_curves(struct curves_read *c)
{
    for (int k = 0; k < CURVES; k++) {
        free(c->step[k]);
        free(c->value[k]);
    }
}
OWNER_OF_VALUE(close_curves, struct curves_read)

static int read_curves(struct curves_read *c, struct cell_reader *r)
{
    char path[64];
    size_t n;

    for (int k = 0; k < CURVES; k++) {
        snprintf(path, sizeof path, "curves/%s/step", curve_of[k].curve);
        PASS(cell_get_array(r, path, &c->step[k], &c->n[k]));
        snprintf(path, sizeof path, "curves/%s/%s", curve_of[k].curve,
                 curve_of[k].value);
        PASS(cell_get_array(r, path, &c->value[k], &n));
        if (n != c->n[k])
            return err_set(ERR_STORE, "%s has %zu values for %zu steps", path,
                           n, c->n[k]);
    }
    return OK;
}

/* Draws the curves of the selected cell.  Returns OK; ERR_EMPTY if it is not
 * finished; ERR_STORE; or ERR_IO if gnuplot is missing. */
static int curves_show(const struct plan *p, const struct cell *c,
                       const char *format)
{
    OWNED(sheet_close) struct sheet *s = sheet_new();
    OWNED(close_curves) struct curves_read curves = {0};
    OWNED(cell_close) struct cell_reader *r = NULL;
    OWNED(free) char *drawn = NULL;
    struct ascii_curve curve[CURVES];
    json_t *all = json_object();
    char *rest, *line;

    sheet_fact(s, "id", json_string(c->id));
    sheet_fact(s, "curves", all);
    if (plan_state(c) == CELL_MISSING)
        return err_set(ERR_EMPTY, "%s: not trained yet", c->id);
    PASS(cell_open(&r, p->store, c->id));
    PASS(read_curves(&curves, r));
    for (int k = 0; k < CURVES; k++) {
        json_t *step = json_array(), *value = json_array();
        json_t *both = json_object();

        for (size_t i = 0; i < curves.n[k]; i++) {
            json_array_append_new(step, json_whole(curves.step[k][i]));
            json_array_append_new(value, json_real(curves.value[k][i]));
        }
        json_object_set_new(both, "step", step);
        json_object_set_new(both, curve_of[k].value, value);
        json_object_set_new(all, curve_of[k].curve, both);
        curve[k] = (struct ascii_curve){curves.step[k], curves.value[k],
                                        curves.n[k]};
    }
    if (!strcmp(format, "text"))
        PASS(ascii_plot(&drawn, &curve[0], &curve[1]));
    sheet_put(s, PART_LINE, CELL_NAME ", nats", CELL_NAMED(c));
    for (rest = drawn; (line = strsep(&rest, "\n")) && rest;)
        sheet_put(s, PART_LINE, "%s", line);
    return sheet_print(s, format, NULL);
}

static int run_show(const void *given, const struct arguments *args)
{
    const struct given *g = given;
    const char *cell = args->of[0];
    OWNED(plan_close) struct plan *p = NULL;

    if (target_group(cell))
        return err_set(ERR_USAGE, "%s: name one cell: "
                                  "STORE#VARIANT/TASK/SEED",
                                  cell);
    if (g->samples && g->curves)
        return err_set(ERR_USAGE, "--samples and --curves cannot be "
                                  "combined");
    PASS(target_open(&p, cell, g->store));
    const struct cell *c = p->cell;
    while (!c->selected) /* target_open has selected one */
        c++;
    return g->curves    ? curves_show(p, c, g->format)
           : g->samples ? samples_show(p, c, g->samples, g->format)
                        : describe_cell(p, c, g->format, g->all);
}

const struct command command_show = {
    .name = "show",
    .summary = "Show one cell: its metrics, settings, samples or curves",
    .args = "STORE#CELL",
    .doc = "CELL is six or more digits of a cell id, or variant/task/seed. "
           "With --store, STORE# can be omitted.",
    .formats = command_text_json,
    COMMAND_RUNS(run_show, 1, 1)};
