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
#include "harness/base/text.h"
#include "harness/cmd/describe.h"
#include "harness/print/sheet.h"
#include "harness/report/report.h"
#include "harness/store/cell.h"
#include "plots/ascii_plot.h"

#include <math.h>
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

static json_t *value(char **text, const double *number, size_t i)
{
    return text ? json_string(text[i]) : number ? json_whole(number[i])
                                                : json_null();
}

static json_t *one(const struct examples_read *e, size_t i)
{
    return json_pack("{s:I, s:o, s:o, s:o, s:f}", "example", (json_int_t)i,
                     "source", value(e->text[SOURCE], NULL, i), "reference",
                     value(e->text[REFERENCE], e->label, i), "output",
                     value(e->text[OUTPUT], e->guess, i), "nll", e->nll[i]);
}

/* Returns the text with control characters, which an untrusted file may
 * contain, replaced by blanks. */
static char *plain(struct arena *a, const char *s)
{
    size_t n = strlen(s), length;
    struct text t = {0};

    text_put(&t, "");
    for (size_t i = 0; i < n; i += length) {
        uint32_t c = text_decode(s, i, n, &length);

        text_add_char(&t, c < ' ' || (c >= 0x7f && c < 0xa0) ? ' ' : c);
    }
    return text_keep(&t, a);
}

static void put_line(struct sheet *s, const char *name, const json_t *x)
{
    if (json_is_string(x))
        sheet_put(s, PART_LINE, "  %-10s %s", name,
                  plain(s->memory, json_string_value(x)));
    else if (json_is_number(x))
        sheet_put(s, PART_LINE, "  %-10s %.15g", name, json_number_value(x));
}

static void print_text(struct sheet *s, const json_t *samples)
{
    static const char *const name[] = {"source", "reference", "output"};
    const json_t *x;
    size_t i;

    json_array_foreach(samples, i, x) {
        const json_t *nll = json_object_get(x, "nll");

        if (i)
            sheet_put(s, PART_GAP, "%s", "");
        sheet_put(s, PART_LINE, "example %lld, loss %.4f nats",
                  (long long)json_integer_value(json_object_get(x, "example")),
                  json_is_real(nll) ? json_real_value(nll) : NAN);
        for (size_t k = 0; k < sizeof name / sizeof *name; k++)
            put_line(s, name[k], json_object_get(x, name[k]));
    }
}

static const struct cell *selected(const struct plan *p)
{
    for (int i = 0; i < p->n; i++)
        if (p->cell[i].selected)
            return &p->cell[i];
    REQUIRE(0, "no cell is selected");
}

/* Prints n examples of the selected cell, evenly spaced over its test set, or
 * all if there are fewer.  Returns OK; ERR_EMPTY if the cell is not finished;
 * or ERR_STORE. */
static int samples_show(const struct plan *p, int n, const char *format)
{
    const struct cell *c = selected(p);
    OWNED(sheet_close) struct sheet *s = sheet_new();
    OWNED(close_examples) struct examples_read e = {0};
    OWNED(cell_close) struct cell_reader *r = NULL;
    OWNED(json_decref) json_t *samples = json_array();

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
    for (size_t i = 0; i < some; i++)
        json_array_append_new(samples, one(&e, i * e.n / some));
    if (c->config.synthetic)
        sheet_put(s, PART_WARNING, "%s", report_synthetic);
    print_text(s, samples);
    s->object = json_pack("{s:s, s:b, s:O}", "id", c->id, "synthetic",
                          c->config.synthetic, "samples", samples);
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

static json_t *curves_json(const struct curves_read *c)
{
    json_t *all = json_object();

    for (int k = 0; k < CURVES; k++) {
        json_t *step = json_array(), *value = json_array();

        for (size_t i = 0; i < c->n[k]; i++) {
            json_array_append_new(step, json_whole(c->step[k][i]));
            json_array_append_new(value, json_real(c->value[k][i]));
        }
        json_object_set_new(all, curve_of[k].curve,
                            json_pack("{s:o, s:o}", "step", step,
                                      curve_of[k].value, value));
    }
    return all;
}

static int put_sketch(struct sheet *s, const struct cell *c,
                      const struct curves_read *from)
{
    struct ascii_curve curve[CURVES];
    OWNED(free) char *drawn = NULL;
    char *rest, *line;

    for (int k = 0; k < CURVES; k++)
        curve[k] = (struct ascii_curve){from->step[k], from->value[k],
                                         from->n[k]};
    PASS(ascii_plot(&drawn, &curve[0], &curve[1]));
    sheet_put(s, PART_LINE, CELL_NAME ", nats", CELL_NAMED(c));
    for (rest = drawn; (line = strsep(&rest, "\n")) && rest;)
        sheet_put(s, PART_LINE, "%s", line);
    return OK;
}

/* Draws the curves of the selected cell.  Returns OK; ERR_EMPTY if it is not
 * finished; ERR_STORE; or ERR_IO if gnuplot is missing. */
static int curves_show(const struct plan *p, const char *format)
{
    const struct cell *c = selected(p);
    OWNED(sheet_close) struct sheet *s = sheet_new();
    OWNED(close_curves) struct curves_read curves = {0};
    OWNED(cell_close) struct cell_reader *r = NULL;

    if (plan_state(c) == CELL_MISSING)
        return err_set(ERR_EMPTY, "%s: not trained yet", c->id);
    PASS(cell_open(&r, p->store, c->id));
    PASS(read_curves(&curves, r));
    if (!strcmp(format, "text"))
        PASS(put_sketch(s, c, &curves));
    s->object = json_pack("{s:s, s:o}", "id", c->id, "curves",
                          curves_json(&curves));
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
    return g->curves    ? curves_show(p, g->format)
           : g->samples ? samples_show(p, g->samples, g->format)
                        : describe(p, DESCRIBE_ALL, g->format, g->all);
}

const struct command command_show = {
    .name = "show",
    .summary = "Show one cell: its metrics, settings, samples or curves",
    .args = "STORE#CELL",
    .doc = "CELL is six or more digits of a cell id, or variant/task/seed. "
           "With --store, STORE# can be omitted.",
    .formats = command_text_json,
    COMMAND_RUNS(run_show, 1, 1)};
