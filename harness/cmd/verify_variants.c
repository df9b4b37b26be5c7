/* verify variants: checks every exact property of every variant and of
 * mixtures, in tables of subjects by properties. */
#include "harness/base/json.h"
#include "harness/cmd/command.h"

#include "harness/base/array.h"
#include "harness/base/err.h"
#include "harness/print/sheet.h"
#include "harness/verify/attention/verify.h"
#include "variants/variants.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

struct given { const char *format; };

static const struct opt options[] = {
    {.group = opts_verdict, .at = OPT_AT(format)},
    {.name = NULL}};

enum { ACROSS = 11 }; /* properties per table */

/* A finding.  measured, bound: NAN if the property does not apply. */
struct row {
    const char  *subject, *remark, *name, *title;
    double       measured, bound;
    enum verdict verdict;
};

static const struct column columns[] = {
    {"subject", NULL, COLUMN(struct row, subject)},
    {"property", NULL, COLUMN(struct row, name)},
    {"title", NULL, COLUMN(struct row, title)},
    {"measured", NULL, COLUMN(struct row, measured)},
    {"bound", NULL, COLUMN(struct row, bound)},
    {"verdict", NULL, COLUMN_AS(COLUMN_ENUM, struct row, verdict),
     .words = verdict_text},
    {"remark", NULL, COLUMN(struct row, remark)},
    {.type = COLUMN_END}};

/* All findings; those of a subject are consecutive, in the order of
 * `properties`. */
struct gathered {
    struct arena *memory;
    struct row   *row;
    int           n, across; /* findings; properties */
    size_t        cap;
    int           count[3];
};

static void gather(void *arg, const struct finding *f)
{
    struct gathered *g = arg;
    int applicable = f->verdict != VERDICT_NONE;

    ARRAY_ROOM(g->row, g->n, g->cap);
    g->row[g->n++] = (struct row){
        arena_text(g->memory, f->subject->name),
        arena_text(g->memory, f->remark), f->property->name,
        f->property->title, applicable ? f->measured : NAN,
        applicable ? f->property->bound : NAN, f->verdict};
    g->count[f->verdict]++;
}

/* Adds a measured value, such as "3e-7" or "16", or "-" if the property does
 * not apply.  A failure is marked by "!". */
static void add_figure(struct grid *g, const struct row *f)
{
    char text[16], *e;

    if (f->verdict == VERDICT_NONE) {
        grid_add(g, "-");
        return;
    }
    snprintf(text, sizeof text, "%.0e", f->measured);
    e = strstr(text, "e-0");
    if (e) /* removes the leading 0 of the exponent */
        memmove(e + 2, e + 3, strlen(e + 3) + 1);
    if (f->measured == 0 || f->measured >= 0.01)
        snprintf(text, sizeof text, "%.2g", f->measured);
    grid_add(g, "%s%s", f->verdict == VERDICT_FAIL ? "!" : "", text);
}

static int applies(const struct row *r, int from, int to)
{
    for (int p = from; p < to; p++)
        if (r[p].verdict != VERDICT_NONE)
            return 1;
    return 0;
}

/* Adds the table of the properties `from` to `to` - 1, with the subjects to
 * which at least one of them applies. */
static void put_block(struct sheet *s, const struct gathered *g, int from,
                      int to)
{
    const char *head[ACROSS + 1] = {"variant"};
    char align[ACROSS + 2] = "<";

    for (int p = from; p < to; p++) {
        strcat(align, ">");
        head[1 + p - from] = properties[p]->name;
    }
    struct grid *to_grid = sheet_listing(s, align, head);
    for (const struct row *r = g->row; r < g->row + g->n; r += g->across) {
        if (!applies(r, from, to))
            continue;
        grid_add(to_grid, "%s", r->subject);
        for (int p = from; p < to; p++)
            add_figure(to_grid, &r[p]);
    }
}

/* Adds the meaning of each column, and its bound. */
static void put_legend(struct sheet *s, const struct gathered *g)
{
    struct grid *legend = sheet_listing(s, "<<", NULL);

    for (int p = 0; p < g->across; p++) {
        const struct row *f = &g->row[p];

        while (f->verdict == VERDICT_NONE && f + g->across < g->row + g->n)
            f += g->across;
        grid_add(legend, "%s", properties[p]->name);
        if (f->verdict == VERDICT_NONE)
            grid_add(legend, "%s", properties[p]->title);
        else
            grid_add(legend, "%s (at %s %.3g)", properties[p]->title,
                     properties[p]->at_least ? "least" : "most",
                     properties[p]->bound);
    }
}

/* Adds a line for a failure, or for a variant without a formula. */
static void put_remark(struct sheet *s, const struct row *r, enum verdict of)
{
    if (r->verdict != of)
        return;
    if (of == VERDICT_FAIL)
        sheet_put(s, PART_LINE, "%s: %s failed: %.3g, bound %.3g: %s",
                  r->subject, r->name, r->measured, r->bound, r->remark);
    else if (!strcmp(r->remark, property_no_formula))
        sheet_put(s, PART_LINE, "%s: %s n/a: %s", r->subject, r->name,
                  r->remark);
}

static void print_text(struct sheet *s, const struct gathered *g)
{
    static const enum verdict listed[] = {VERDICT_NONE, VERDICT_FAIL};

    sheet_put(s, PART_LINE, "%d passed, %d failed, %d not applicable",
              g->count[VERDICT_PASS], g->count[VERDICT_FAIL],
              g->count[VERDICT_NONE]);
    sheet_put(s, PART_GAP, "%s", "");
    for (int from = 0; from < g->across; from += ACROSS)
        put_block(s, g, from, from + ACROSS < g->across ? from + ACROSS
                                                        : g->across);
    put_legend(s, g);
    for (int k = 0; k < 2; k++)
        for (int i = 0; i < g->n; i++)
            put_remark(s, &g->row[i], listed[k]);
}

static int run_verify_variants(const void *given, const struct arguments *args)
{
    const struct given *g = given;
    const struct variant *only[2] = {NULL, NULL};
    OWNED(free) struct row *row = NULL;
    OWNED(sheet_close) struct sheet *s = sheet_new();
    struct gathered x = {.memory = s->memory};

    if (args->n)
        PASS(variant_find(&only[0], args->of[0]));
    while (properties[x.across])
        x.across++;
    int failed = verify_run(args->n ? only : variant_all, &backend_cpu, gather,
                            &x);

    row = x.row;
    print_text(s, &x);
    sheet_relation(s, &(struct relation){"rows", columns, row, sizeof *row,
                                         x.n});
    sheet_fact(s, "failed", json_integer(x.count[VERDICT_FAIL]));
    PASS(sheet_print(s, g->format, NULL));
    return failed > 0;
}

const struct command verify_variants = {
    .name = "variants",
    .summary = "Check every exact property of every variant, or of one",
    .args = "[VARIANT]",
    .formats = command_text_json,
    COMMAND_RUNS(run_verify_variants, 0, 1)};
