#include "harness/cmd/facts.h"

#include "harness/base/arena.h"
#include "harness/base/array.h"
#include "harness/base/err.h"
#include "harness/base/json.h"
#include "harness/cmd/columns.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct fact_row {
    enum verdict verdict;
    const char  *subject, *property, *remark;
    double       measured, bound;
};

enum { PROPERTIES = 64 };

struct facts {
    struct arena    *memory;
    struct fact_row *row;
    int              n, properties;
    size_t           cap;
    const char      *property[PROPERTIES]; /* in the order they came */
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
    char text[2048];
    va_list ap;
    int at = property_index(f, property);

    va_start(ap, remark);
    vsnprintf(text, sizeof text, remark, ap);
    va_end(ap);
    ARRAY_ROOM(f->row, f->n, f->cap);
    f->row[f->n++] = (struct fact_row){
        v, arena_text(f->memory, subject), f->property[at],
        *text ? arena_text(f->memory, text) : "", measured, bound};
    f->count[at][v]++;
}

int facts_count(const struct facts *f, enum verdict v)
{
    int n = 0;

    for (int i = 0; i < f->properties; i++)
        n += f->count[i][v];
    return n;
}

static int print_json(const struct facts *f)
{
    json_t *rows = json_array(), *all;
    int bad;

    for (int i = 0; i < f->n; i++) {
        const struct fact_row *r = &f->row[i];
        json_t *j = json_pack("{s:s, s:s, s:f, s:f, s:s}", "subject",
                              r->subject, "property", r->property, "measured",
                              r->measured, "bound", r->bound, "verdict",
                              verdict_text[r->verdict]);

        json_object_set_new(j, "remark", json_string(r->remark));
        json_array_append_new(rows, j);
    }
    all = json_pack("{s:i, s:o, s:i}", "schema_version", 1, "rows", rows,
                    "failed", facts_count(f, VERDICT_FAIL));
    bad = !all || json_dumpf(all, stdout, JSON_INDENT(1)) ||
          putchar('\n') == EOF;
    json_decref(all);
    return bad ? err_errno(ERR_IO, "stdout") : OK;
}

static void print_remarks(const struct facts *f, enum verdict v)
{
    for (int i = 0; i < f->n; i++) {
        const struct fact_row *r = &f->row[i];

        if (r->verdict == v && *r->remark)
            printf("%s: %s %s: %s\n", r->subject, r->property, verdict_text[v],
                   r->remark);
    }
}

static void print_text(const struct facts *f)
{
    struct columns *t = columns_new("<>>>");

    columns_add(t, "property");
    columns_add(t, "passed");
    columns_add(t, "failed");
    columns_add(t, "n/a");
    for (int i = 0; i < f->properties; i++) {
        columns_add(t, "%s", f->property[i]);
        columns_add(t, "%d", f->count[i][VERDICT_PASS]);
        columns_add(t, "%d", f->count[i][VERDICT_FAIL]);
        columns_add(t, "%d", f->count[i][VERDICT_NONE]);
    }
    columns_print(t, stdout);
    putchar('\n');
    print_remarks(f, VERDICT_NONE);
    print_remarks(f, VERDICT_PASS);
    print_remarks(f, VERDICT_FAIL);
    printf("%d passed, %d failed, %d do not apply\n",
           facts_count(f, VERDICT_PASS), facts_count(f, VERDICT_FAIL),
           facts_count(f, VERDICT_NONE));
}

int facts_print(const struct facts *f, const char *format)
{
    if (!strcmp(format, "json"))
        return print_json(f);
    print_text(f);
    return OK;
}
