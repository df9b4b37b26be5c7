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
    {.group = opts_format, .at = OPT_AT(format)},
    {.name = NULL}};

enum { ACROSS = 10, MOST = 64 }; /* properties per table; in total */

/* The findings about a subject (a variant or mixture), in the order of
 * `properties`. */
struct row {
    char           subject[64];
    struct finding finding[MOST];
};

struct gathered {
    json_t     *rows;
    struct row *row;
    int         n, at; /* rows; the next property */
    size_t      cap;
    int         count[3];
};

static void gather(void *arg, const struct finding *f)
{
    struct gathered *g = arg;
    int said = f->verdict != VERDICT_NONE;

    if (g->at == 0) {
        ARRAY_ROOM(g->row, g->n, g->cap);
        strcpy(g->row[g->n++].subject, f->subject->name);
    }
    struct row *r = &g->row[g->n - 1];
    REQUIRE(g->at < MOST, "more than %d properties", MOST);
    r->finding[g->at++] = *f;
    if (!properties[g->at])
        g->at = 0;
    g->count[f->verdict]++;
    json_array_append_new(
        g->rows,
        json_pack("{s:s, s:s, s:s, s:f, s:f, s:s, s:s}", "subject",
                  f->subject->name, "property", f->property->name, "title",
                  f->property->title, "measured", said ? f->measured : NAN,
                  "bound", said ? f->property->bound : NAN, "verdict",
                  verdict_text[f->verdict], "remark", f->remark));
}

/* Adds a measured value, such as "3e-7" or "16", or "-" if the property does
 * not apply.  A failure is marked by "!". */
static void add_figure(struct grid *g, const struct finding *f)
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
        if (r->finding[p].verdict != VERDICT_NONE)
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
    for (int i = 0; i < g->n; i++) {
        if (!applies(&g->row[i], from, to))
            continue;
        grid_add(to_grid, "%s", g->row[i].subject);
        for (int p = from; p < to; p++)
            add_figure(to_grid, &g->row[i].finding[p]);
    }
}

/* Adds the meaning of each column, and its bound. */
static void put_legend(struct sheet *s, const struct gathered *g)
{
    struct grid *legend = sheet_listing(s, "<<", NULL);

    for (int p = 0; properties[p]; p++) {
        const struct finding *f = &g->row[0].finding[p];

        for (int i = 1; i < g->n && f->verdict == VERDICT_NONE; i++)
            f = &g->row[i].finding[p];
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
static void put_remark(struct sheet *s, const struct finding *f,
                       enum verdict of)
{
    const char *subject = f->subject->name, *name = f->property->name;

    if (f->verdict != of)
        return;
    if (of == VERDICT_FAIL)
        sheet_put(s, PART_LINE, "%s: %s failed: %.3g, bound %.3g: %s", subject,
                  name, f->measured, f->property->bound, f->remark);
    else if (!strcmp(f->remark, property_no_formula))
        sheet_put(s, PART_LINE, "%s: %s n/a: %s", subject, name, f->remark);
}

static void print_text(struct sheet *s, const struct gathered *g)
{
    static const enum verdict told[] = {VERDICT_NONE, VERDICT_FAIL};
    int n = 0;

    while (properties[n])
        n++;
    sheet_put(s, PART_LINE, "%d passed, %d failed, %d not applicable",
              g->count[VERDICT_PASS], g->count[VERDICT_FAIL],
              g->count[VERDICT_NONE]);
    sheet_put(s, PART_GAP, "%s", "");
    for (int from = 0; from < n; from += ACROSS)
        put_block(s, g, from, from + ACROSS < n ? from + ACROSS : n);
    put_legend(s, g);
    for (int k = 0; k < 2; k++)
        for (int i = 0; i < g->n; i++)
            for (int p = 0; p < n; p++)
                put_remark(s, &g->row[i].finding[p], told[k]);
}

static int run_verify_variants(const void *given, const struct arguments *args)
{
    const struct given *g = given;
    const struct variant *only[2] = {NULL, NULL};
    struct gathered x = {.rows = NULL};
    OWNED(free) struct row *row = NULL;
    OWNED(sheet_close) struct sheet *s = sheet_new();

    if (args->n)
        PASS(variant_find(&only[0], args->of[0]));
    x.rows = json_array();
    int failed = verify_run(args->n ? only : variant_all, &backend_cpu, gather,
                            &x);

    row = x.row;
    print_text(s, &x);
    s->object = json_pack("{s:o, s:i}", "rows", x.rows, "failed",
                          x.count[VERDICT_FAIL]);
    PASS(sheet_print(s, g->format, NULL));
    return failed > 0;
}

const struct command verify_variants = {
    .name = "variants",
    .summary = "Check every exact property of every variant, or of one",
    .args = "[VARIANT]",
    .formats = command_text_json,
    COMMAND_RUNS(run_verify_variants, 0, 1)};
