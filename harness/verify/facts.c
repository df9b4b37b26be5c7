#include "harness/verify/facts.h"

#include "harness/base/arena.h"
#include "harness/base/array.h"
#include "harness/base/err.h"
#include "harness/print/sheet.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct fact_row {
    enum verdict verdict;
    const char  *subject, *property, *remark;
    double       measured, bound;
};

const char *const verdict_text[] = {"pass", "fail", "n/a"};

enum { PROPERTIES = 64 };

struct facts {
    struct arena    *memory;
    struct fact_row *row;
    int              n, properties;
    size_t           cap;
    const char      *property[PROPERTIES]; /* in order of occurrence */
    int              count[PROPERTIES][3];
};

struct facts *facts_new(void)
{
    struct arena *a = arena_new();
    struct facts *f = arena_zero(a, sizeof *f);

    f->memory = a;
    return f;
}

void facts_close(struct facts *f)
{
    if (!f)
        return;
    free(f->row);
    arena_free(f->memory);
}

static int property_index(struct facts *f, const char *name)
{
    int i = 0;

    while (i < f->properties && strcmp(f->property[i], name))
        i++;
    REQUIRE(i < PROPERTIES, "more than %d properties", PROPERTIES);
    if (i == f->properties)
        f->property[f->properties++] = arena_text(f->memory, name);
    return i;
}

void facts_add(struct facts *f, enum verdict v, const char *subject,
               const char *property, double measured, double bound,
               const char *remark, ...)
{
    int at = property_index(f, property);
    va_list ap;

    va_start(ap, remark);
    const char *text = arena_vformat(f->memory, remark, ap);
    va_end(ap);
    ARRAY_ROOM(f->row, f->n, f->cap);
    f->row[f->n++] = (struct fact_row){
        v, arena_text(f->memory, subject), f->property[at], text, measured,
        bound};
    f->count[at][v]++;
}

int facts_count(const struct facts *f, enum verdict v)
{
    int n = 0;

    for (int i = 0; i < f->properties; i++)
        n += f->count[i][v];
    return n;
}

static const struct column columns[] = {
    {"subject", NULL, COLUMN(struct fact_row, subject)},
    {"property", NULL, COLUMN(struct fact_row, property)},
    {"measured", NULL, COLUMN(struct fact_row, measured)},
    {"bound", NULL, COLUMN(struct fact_row, bound)},
    {"verdict", NULL, COLUMN_AS(COLUMN_ENUM, struct fact_row, verdict),
     .words = verdict_text},
    {"remark", NULL, COLUMN(struct fact_row, remark)},
    {.type = COLUMN_END}};

static void put_remarks(struct sheet *s, const struct facts *f, enum verdict v)
{
    for (int i = 0; i < f->n; i++) {
        const struct fact_row *r = &f->row[i];

        if (r->verdict == v && *r->remark)
            sheet_put(s, PART_LINE, "%s: %s %s: %s", r->subject, r->property,
                      verdict_text[v], r->remark);
    }
}

static void print_text(struct sheet *s, const struct facts *f)
{
    static const char *const head[] = {"property", "passed", "failed", "n/a"};
    struct grid *g;

    sheet_put(s, PART_LINE, "%d passed, %d failed, %d not applicable",
              facts_count(f, VERDICT_PASS), facts_count(f, VERDICT_FAIL),
              facts_count(f, VERDICT_NONE));
    sheet_put(s, PART_GAP, "%s", "");
    g = sheet_listing(s, "<>>>", head);
    for (int i = 0; i < f->properties; i++)
        grid_add(g, "%s\t%d\t%d\t%d", f->property[i],
                 f->count[i][VERDICT_PASS], f->count[i][VERDICT_FAIL],
                 f->count[i][VERDICT_NONE]);
    put_remarks(s, f, VERDICT_NONE);
    put_remarks(s, f, VERDICT_PASS);
    put_remarks(s, f, VERDICT_FAIL);
}

int facts_print(const struct facts *f, const char *format)
{
    OWNED(sheet_close) struct sheet *s = sheet_new();

    print_text(s, f);
    sheet_relation(s, &(struct relation){"rows", columns, f->row,
                                         sizeof *f->row, f->n});
    sheet_fact(s, "failed", json_integer(facts_count(f, VERDICT_FAIL)));
    return sheet_print(s, format, NULL);
}
