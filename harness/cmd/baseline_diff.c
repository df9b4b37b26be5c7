/* baseline diff: prints the differences between two baselines. */
#include "harness/cmd/baseline_verbs.h"

#include "harness/base/err.h"
#include "harness/gate/band.h"
#include "harness/gate/pair_cells.h"
#include "harness/print/sheet.h"

#include <math.h>
#include <string.h>

struct given { const char *folder, *format; int all; };

static const struct opt options[] = {
    {.group = opts_baselines, .at = OPT_AT(folder)},
    {"--all", 0, NULL, opt_flag, OPT_AT(all),
     .doc = "Include times and memory, which always differ"},
    {.group = opts_format, .at = OPT_AT(format)},
    {.name = NULL}};

static const struct baseline_value there = {.text = "present", .units = "",
                                            .signature = ""};

struct diff { struct sheet *sheet; struct grid *grid; json_t *rows; int all; };

static int same_value(const struct baseline_value *a,
                      const struct baseline_value *b)
{
    if (!a || !b)
        return a == b;
    if (strcmp(a->units, b->units) || strcmp(a->signature, b->signature))
        return 0;
    return a->text && b->text ? !strcmp(a->text, b->text)
                              : a->value == b->value ||
                                    (isnan(a->value) && isnan(b->value));
}

static void add_difference(struct diff *d, const char *cell, const char *what,
                           const struct baseline_value *a,
                           const struct baseline_value *b)
{
    static const char *const head[] = {"cell", "what", "A", "B", "B - A", NULL};

    if (!d->grid)
        d->grid = sheet_listing(d->sheet, "<<>>>", head);
    grid_add(d->grid, "%s\t%s\t%s\t%s", cell, what,
             baseline_value_text(d->sheet->memory, a),
             baseline_value_text(d->sheet->memory, b));
    if (a && b && !a->text && !b->text)
        grid_add(d->grid, "%+.4g", b->value - a->value);
    else
        grid_add(d->grid, "%s", "");
    json_array_append_new(
        d->rows, json_pack("{s:s, s:s, s:o, s:o}", "cell", cell, "what", what,
                           "a", baseline_value_json(a), "b",
                           baseline_value_json(b)));
}

/* Adds the differences between two cells.  Merges their values, which are
 * sorted by name. */
static void diff_cell(struct diff *d, const struct cell_pair *m)
{
    const struct baseline_cell *a = m->a, *b = m->b;

    for (int i = 0, k = 0; i < a->n || k < b->n;) {
        const struct baseline_value *x = i < a->n ? &a->value[i] : NULL;
        const struct baseline_value *y = k < b->n ? &b->value[k] : NULL;
        int order = !x ? 1 : !y ? -1 : strcmp(x->what, y->what);

        x = order <= 0 ? x : NULL;
        y = order >= 0 ? y : NULL;
        i += x != NULL;
        k += y != NULL;
        const char *what = x ? x->what : y->what;
        if ((d->all || !baseline_is_cost(what)) && !same_value(x, y))
            add_difference(d, a->name, what, x, y);
    }
}

/* If both baselines have the cell or band, compares it, else reports which
 * baseline has it.  `what` is "cell" or "band". */
static void diff_pair(struct diff *d, const struct cell_pair *m,
                      const char *what)
{
    if (m->a && m->b)
        diff_cell(d, m);
    else
        add_difference(d, (m->a ? m->a : m->b)->name, what,
                       m->a ? &there : NULL, m->b ? &there : NULL);
}

static int diff(const void *given, const struct arguments *args)
{
    const struct given *g = given;
    OWNED(baseline_close) struct baseline *a = NULL, *b = NULL;
    OWNED(free) char *path_a = NULL, *path_b = NULL;
    OWNED(sheet_close) struct sheet *s = sheet_new();
    struct diff d = {.sheet = s, .rows = json_array(), .all = g->all};
    struct cell_pair *m;
    int n;

    s->object = json_pack("{s:s, s:s, s:o}", "a", args->of[0], "b",
                          args->of[1], "rows", d.rows);
    PASS(baseline_named(&a, &path_a, g->folder, args->of[0]));
    PASS(baseline_named(&b, &path_b, g->folder, args->of[1]));
    n = pair_baselines(&m, a, b, s->memory);
    for (int i = 0; i < n; i++)
        diff_pair(&d, &m[i], "cell");
    for (const struct baseline_cell *x = a->band; x < a->band + a->bands; x++)
        diff_pair(&d, &(struct cell_pair){x, band_of(b, x)}, "band");
    for (const struct baseline_cell *y = b->band; y < b->band + b->bands; y++)
        if (!band_of(a, y))
            diff_pair(&d, &(struct cell_pair){NULL, y}, "band");
    if (!json_array_size(d.rows))
        sheet_put(s, PART_LINE, "no difference in %d cells", n);
    PASS(sheet_print(s, g->format, NULL));
    return json_array_size(d.rows) ? 1 : OK;
}

const struct command baseline_diff = {
    .name = "diff",
    .summary = "Compare two baselines",
    .args = "A B",
    .doc = "Exit code 1 if they differ.",
    .formats = command_text_json,
    .options = options, .bytes = sizeof(struct given),
    .least = 2, .most = 2, .run = diff};
