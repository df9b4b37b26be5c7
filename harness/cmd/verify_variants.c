/* verify variants: every exact property of every variant and of mixtures, as
 * tables of subjects by properties. */
#include "harness/base/json.h"
#include "harness/cmd/verify.h"

#include "harness/base/array.h"
#include "harness/base/err.h"
#include "harness/base/text.h"
#include "harness/cmd/columns.h"
#include "harness/verify/verify.h"
#include "variants/variants.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct given { const char *format; };

static const struct opt options[] = {
    {.group = opts_format, .at = OPT_AT(format)},
    {.name = NULL}};

enum { ACROSS = 10, MOST = 64 }; /* properties side by side; in all */

/* A row of all properties for each subject, in the order they come. */
struct row {
    char           subject[64];
    struct finding finding[MOST];
};

struct gathered {
    json_t     *rows;
    struct row *row;
    int         n, at; /* rows, and the property that comes next */
    size_t      cap;
    int         count[3];
    struct text failures, notes;
};

/* What a reader must not overlook. */
static void talk(struct gathered *g, const struct finding *f)
{
    const char *subject = f->subject->name, *name = f->property->name;

    if (f->verdict == VERDICT_FAIL)
        text_format(&g->failures, "%s: %s failed: %.3g, bound %.3g: %s\n",
                    subject, name, f->measured, f->bound, f->remark);
    if (f->verdict == VERDICT_NONE && !strcmp(f->remark, property_no_formula))
        text_format(&g->notes, "%s: %s n/a: %s\n", subject, name, f->remark);
}

/* A number that JSON has, or null. */
static json_t *number(double x, int is)
{
    json_t *y = is ? json_real(x) : NULL;

    return y ? y : json_null();
}

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
    talk(g, f);
    json_array_append_new(
        g->rows,
        json_pack("{s:s, s:s, s:s, s:o, s:o, s:s, s:s}", "subject",
                  f->subject->name, "property", f->property->name, "title",
                  f->property->title, "measured", number(f->measured, said),
                  "bound", number(f->bound, said), "verdict",
                  verdict_text[f->verdict], "remark", f->remark));
}

/* "3e-7", "16"; "-" where it does not apply; a failure is marked. */
static void figure(char out[16], const struct finding *f)
{
    char text[16], *e;

    if (f->verdict == VERDICT_NONE) {
        strcpy(out, "-");
        return;
    }
    snprintf(text, sizeof text, "%.0e", f->measured);
    e = strstr(text, "e-0");
    if (e) /* one digit of the exponent is enough */
        memmove(e + 2, e + 3, strlen(e + 3) + 1);
    if (f->measured == 0 || f->measured >= 0.01)
        snprintf(text, sizeof text, "%.2g", f->measured);
    snprintf(out, 16, "%s%.14s", f->verdict == VERDICT_FAIL ? "!" : "", text);
}

static int applies(const struct row *r, int from, int to)
{
    for (int p = from; p < to; p++)
        if (r->finding[p].verdict != VERDICT_NONE)
            return 1;
    return 0;
}

/* Properties from .. to - 1, and the subjects that any of them is about. */
static void print_block(const struct gathered *g, int from, int to)
{
    char align[ACROSS + 2] = "<", text[16];
    struct columns *t;

    for (int p = from; p < to; p++)
        strcat(align, ">");
    t = columns_new(align);
    columns_add(t, "subject");
    for (int p = from; p < to; p++)
        columns_add(t, "%s", properties[p]->name);
    for (int i = 0; i < g->n; i++) {
        if (!applies(&g->row[i], from, to))
            continue;
        columns_add(t, "%s", g->row[i].subject);
        for (int p = from; p < to; p++) {
            figure(text, &g->row[i].finding[p]);
            columns_add(t, "%s", text);
        }
    }
    columns_print(t, stdout);
    putchar('\n');
}

/* What the columns say, and the bounds. */
static void print_legend(const struct gathered *g)
{
    for (int p = 0; properties[p]; p++) {
        const struct finding *f = &g->row[0].finding[p];

        for (int i = 1; i < g->n && f->verdict == VERDICT_NONE; i++)
            f = &g->row[i].finding[p];
        printf("%-8s%s", properties[p]->name, properties[p]->title);
        if (f->verdict != VERDICT_NONE)
            printf(" (at %s %.3g)", f->at_least ? "least" : "most", f->bound);
        putchar('\n');
    }
}

static void print_text(const struct gathered *g)
{
    int n = 0;

    while (properties[n])
        n++;
    for (int from = 0; from < n; from += ACROSS)
        print_block(g, from, from + ACROSS < n ? from + ACROSS : n);
    print_legend(g);
    printf("\n%s%s%s%d passed, %d failed, %d do not apply\n", g->notes.s,
           g->failures.s, g->notes.n || g->failures.n ? "\n" : "",
           g->count[VERDICT_PASS],
           g->count[VERDICT_FAIL], g->count[VERDICT_NONE]);
}

static int print_json(const struct gathered *g)
{
    json_t *all = json_pack("{s:i, s:O, s:i}", "schema_version", 1, "rows",
                            g->rows, "failed", g->count[VERDICT_FAIL]);
    int bad = !all || json_dumpf(all, stdout, JSON_INDENT(1)) ||
              putchar('\n') == EOF;

    json_decref(all);
    return bad ? err_errno(ERR_IO, "stdout") : OK;
}

static int run(const void *given, const struct arguments *args)
{
    const struct given *g = given;
    struct gathered x = {.rows = json_array()};
    int failed = verify_run(variant_all, &backend_cpu, gather, &x);
    int rc = OK;

    (void)args;
    text_put(&x.failures, "");
    text_put(&x.notes, "");
    if (!strcmp(g->format, "json"))
        TRY(print_json(&x));
    else
        print_text(&x);
    rc = failed ? 1 : OK;
out:
    free(x.row);
    text_free(&x.failures);
    text_free(&x.notes);
    json_decref(x.rows);
    return rc;
}

const struct command verify_variants = {
    .name = "variants",
    .summary = "Every exact property of every variant",
    .args = "",
    .options = options,
    .bytes = sizeof(struct given),
    .least = 0,
    .most = 0,
    .formats = command_text_json,
    .run = run};
