#include "harness/report/published_print.h"

#include "harness/base/json.h"
#include "harness/base/names.h"
#include "harness/base/text.h"
#include "harness/report/result_table.h"
#include "harness/report/table.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- where a line is shown ---- */

static const struct { const char *table, *column, *why; } nowhere[] = {
    {"TEXT", NULL, "a statement in the text: `table --reference-check` "
                   "compares it with the numbers"},
    {"EXTERNAL Narang 2021", "WebQ acc", "no task here is closed-book question "
                                         "answering"},
    {"EXTERNAL LRA", NULL, "no task here is from Long Range Arena"}};

static int has_row(const struct table *t, const char *variant)
{
    const struct table_row *r = t->row;

    while (r && r->variant && strcmp(r->variant, variant))
        r++;
    return r && r->variant;
}

static int has_column(const struct table *t, const char *task,
                      const char *metric)
{
    const struct table_column *c = t->column;

    while (c && c->task &&
           (strcmp(c->task, task) || strcmp(c->metric, metric) || !c->better))
        c++;
    return c && c->task;
}

static int has_task(const struct table *t, const char *task)
{
    const struct table_task *x = t->task;

    while (x && x->task && strcmp(x->task, task))
        x++;
    return x && x->task;
}

/* Returns the place where the value of a key is shown, or NULL.  Parameter
 * counts are in the table that is computed from the models, and speeds are in
 * the speed columns of the task's table. */
static const char *place_of_key(const char *variant, const char *task,
                                const char *metric, struct arena *a)
{
    int counted = !strcmp(metric, "params");
    int timed = names_index(NAMES("steps_per_s", "steps_per_s_narang",
                                  "tflops"), metric) >= 0;

    for (int i = 0; table_all[i]; i++) {
        const struct table *t = table_all[i];

        if (counted ? t->counted
            : timed ? t->timed && has_task(t, task)
                    : has_row(t, variant) && has_column(t, task, metric))
            return arena_format(a, "table %s%s", t->name,
                                timed ? " --columns speed" : "");
    }
    return NULL;
}

const char *place_of(const struct published_line *l, struct arena *a)
{
    char *rest = arena_text(a, l->key), *variant, *task, *metric;

    if (*l->beside)
        return arena_format(a, "below table %s", l->beside);
    variant = strsep(&rest, "/");
    task = rest ? strsep(&rest, "/") : NULL;
    metric = rest ? strsep(&rest, "/") : NULL;
    if (metric)
        return place_of_key(variant, task, metric, a);
    for (size_t i = 0; i < sizeof nowhere / sizeof *nowhere; i++)
        if (!strcmp(nowhere[i].table, l->table) &&
            (!nowhere[i].column || !strcmp(nowhere[i].column, l->column)))
            return arena_format(a, "no table: %s", nowhere[i].why);
    return NULL;
}

/* ---- lines as a table ---- */

/* The lines of the published table `table`.  If `below` is not NULL, only the
 * lines that are shown below our table named `below`. */
struct lines {
    const struct published_line *line;
    int                          n;
    const char                  *table, *below;
};

static int is_of(const struct lines *l, int i)
{
    return !strcmp(l->line[i].table, l->table) &&
           (!l->below || !strcmp(l->line[i].beside, l->below));
}

typedef const char *field(const struct published_line *l);
static const char *row(const struct published_line *l) { return l->row; }
static const char *column(const struct published_line *l) { return l->column; }

/* Returns the distinct values of the field `of`, in the order of the lines,
 * ending with NULL. */
static const char **distinct(const struct lines *l, field *of, struct arena *a)
{
    const char **all = arena_zero(a, ((size_t)l->n + 1) * sizeof *all);
    int n = 0;

    for (int i = 0; i < l->n; i++)
        if (is_of(l, i) && names_index(all, of(&l->line[i])) < 0)
            all[n++] = of(&l->line[i]);
    return all;
}

static int differ(const struct published_line *a,
                  const struct published_line *b)
{
    return isnan(a->value) || isnan(b->value) ? strcmp(a->text, b->text) != 0
                                              : a->value != b->value;
}

/* Returns the distinct sources of the lines, ending with NULL.  A line with the
 * source "A; B" has two sources. */
static const char **sources(const struct lines *l, struct arena *a)
{
    const char **all = arena_zero(a, (4 * (size_t)l->n + 1) * sizeof *all);
    int n = 0;

    for (int i = 0; i < l->n; i++) {
        char *rest = is_of(l, i) ? arena_text(a, l->line[i].source) : NULL;

        for (char *one; n < 4 * l->n && rest && (one = strsep(&rest, ";"));) {
            one += *one == ' ';
            if (names_index(all, one) < 0)
                all[n++] = one;
        }
    }
    return all;
}

/* Adds the value in row `r` and column `c` from the most confident source,
 * followed by `!` if other sources have a different value. */
static void put_value(struct grid *g, const struct lines *l, const char *r,
                      const char *c)
{
    const struct published_line *best = NULL;
    int disputed = 0;

    for (int i = 0; i < l->n; i++) {
        const struct published_line *x = &l->line[i];

        if (!is_of(l, i) || strcmp(x->row, r) || strcmp(x->column, c))
            continue;
        disputed |= best && differ(best, x);
        if (!best || x->sure > best->sure)
            best = x;
    }
    grid_add(g, "%s%s", best ? best->text : "", disputed ? "!" : "");
}

static int is_external(const struct lines *l)
{
    return !strncmp(l->table, "EXTERNAL ", strlen("EXTERNAL "));
}

static int is_text(const struct lines *l) { return !strcmp(l->table, "TEXT"); }

/* Returns "Table 2 of the paper", or the source of a table that is not of the
 * paper. */
static const char *title_of(const struct lines *l, struct arena *a)
{
    OWNED(free) char *who = names_list(sources(l, a));

    if (is_external(l))
        return arena_text(a, who);
    if (is_text(l))
        return "Statements in the text";
    return l->table[0] == 'T' && isdigit((unsigned char)l->table[1])
               ? arena_format(a, "Table %s of the paper", l->table + 1)
               : l->table;
}

/* Explanations of words in the printed names of rows and columns. */
static const struct { const char *word, *what; } printed[] = {
    {"|theta|", "number of parameters"},
    {"dagger", "as reported in the paper named"},
    {" plus", "mixed with dot products"},
    {" alpha", "mixed with learned weights alpha"}};

static void put_words(struct sheet *to, const struct lines *l)
{
    for (size_t k = 0; k < sizeof printed / sizeof *printed; k++) {
        int i = 0;

        while (i < l->n && !(is_of(l, i) &&
                             (strstr(l->line[i].row, printed[k].word) ||
                              strstr(l->line[i].column, printed[k].word))))
            i++;
        if (i < l->n)
            sheet_put(to, PART_ITEM, "%s: %s", printed[k].word +
                      (*printed[k].word == ' '), printed[k].what);
    }
}

/* Adds "A against B: 0.4 less: KEY than KEY (SOURCE)" for each statement. */
static void put_statements(struct sheet *to, const struct lines *l)
{
    for (int i = 0; i < l->n; i++)
        if (is_of(l, i))
            sheet_put(to, PART_ITEM, "%s: %s %s (%s)", l->line[i].row,
                      l->line[i].text, l->line[i].column, l->line[i].source);
}

static void put_grid(struct sheet *to, const struct lines *l)
{
    struct arena *a = to->memory;
    OWNED(free) char *who = names_list(sources(l, a));
    const char **r = distinct(l, row, a), **c = distinct(l, column, a);
    struct grid_column *head = arena_zero(a, ((size_t)l->n + 2) * sizeof *head);
    int n = 0;

    head[n++] = (struct grid_column){"", "Row", "", 1, 0};
    for (int i = 0; c[i]; i++)
        head[n++] = (struct grid_column){"", c[i], "", 0, 0};
    struct grid *g = sheet_grid(to, head, n);
    for (int i = 0; r[i]; i++) {
        grid_add(g, "%s", r[i]);
        for (int k = 0; c[k]; k++)
            put_value(g, l, r[i], c[k]);
    }
    if (!is_external(l))
        sheet_put(to, PART_ITEM, "sources: %s", who);
    put_words(to, l);
}

static json_t *line_json(const struct published_line *l, struct arena *a)
{
    return json_pack("{s:s, s:s, s:s, s:s, s:s, s:s, s:s, s:s, s:s}", "table",
                     l->table, "row", l->row, "column", l->column, "value",
                     l->text, "source", l->source, "confidence",
                     published_sure[l->sure], "key", l->key, "place",
                     place_of(l, a), "note", l->note);
}

static const char *table_of(const struct published_line *l)
{
    return l->table;
}

/* Returns the names of the published tables of all lines or, if l->below is not
 * NULL, of the lines below that table of ours.  Ends with NULL.  Changes
 * l->table. */
static const char **tables(struct lines *l, struct arena *a)
{
    const char **all = arena_zero(a, ((size_t)l->n + 1) * sizeof *all);
    int n = 0;

    for (int i = 0; i < l->n; i++) {
        l->table = table_of(&l->line[i]);
        if (is_of(l, i) && names_index(all, l->table) < 0)
            all[n++] = l->table;
    }
    return all;
}

void published_below(struct sheet *to, const struct published *p,
                  const char *table)
{
    struct lines l = {.below = table};
    OWNED(json_decref) json_t *all = json_array();

    l.line = published_lines(p, &l.n);
    const char **of = tables(&l, to->memory);
    for (; *of; of++) {
        l.table = *of;
        sheet_put(to, PART_HEADING, "Published values without a row or column "
                  "above: %s", title_of(&l, to->memory));
        put_grid(to, &l);
    }
    for (int i = 0; i < l.n; i++)
        if (!strcmp(l.line[i].beside, table))
            json_array_append_new(all, line_json(&l.line[i], to->memory));
    if (to->object)
        json_object_set(to->object, "beside", all);
}

/* ---- all lines ---- */

static const char confidence[] =
    "Confidence (low, medium, medium-high or high) rates how likely a source "
    "repeats the paper's value; wrong: an error of the source.";

static void put_places(struct sheet *to, const struct lines *l)
{
    const char **all = arena_zero(to->memory,
                                  ((size_t)l->n + 1) * sizeof *all);
    int n = 0;

    for (int i = 0; i < l->n; i++) {
        const char *place = is_of(l, i) ? place_of(&l->line[i], to->memory)
                                        : NULL;

        if (place && names_index(all, place) < 0)
            all[n++] = place;
    }
    OWNED(free) char *list = names_list(all);
    sheet_put(to, PART_ITEM, "shown in: %s", list);
}

struct sheet *published_sheet(const struct published *p)
{
    struct sheet *to = sheet_new();
    struct lines l = {.below = NULL};
    json_t *rows = json_array();

    l.line = published_lines(p, &l.n);
    sheet_put(to, PART_TITLE, "Published values, as printed "
              "(experiments/published.tsv)");
    sheet_put(to, PART_PARAGRAPH, "Each value is from the source with the "
              "highest confidence; ! marks a value on which sources disagree. "
              "`table N --sources` and `table --reference-check` list all "
              "values. %s", confidence);
    for (const char **of = tables(&l, to->memory); *of; of++) {
        l.table = *of;
        sheet_put(to, PART_HEADING, "%s",
                  title_of(&l, to->memory));
        (is_text(&l) ? put_statements : put_grid)(to, &l);
        put_places(to, &l);
    }
    for (int i = 0; i < l.n; i++)
        json_array_append_new(rows, line_json(&l.line[i], to->memory));
    to->records = rows;
    to->object = json_pack("{s:O}", "rows", rows);
    return to;
}

/* ---- sources of the published values in a table ---- */

/* Returns the published numbers of a key with their sources, each number once:
 * "23.89 in transcription of v3 (medium-high), Chinese report (high); 27.27 in
 * ...".  Returns NULL if no source has the key. */
static const char *said(const struct published_number *v, int n,
                        const char *key, struct arena *a)
{
    struct text t = {0};

    for (int i = 0; i < n; i++) {
        int first = i;

        while (first > 0 && (strcmp(v[first - 1].key, key) ||
                             v[first - 1].number != v[i].number))
            first--;
        if (strcmp(v[i].key, key) || first)
            continue;
        text_format(&t, "%s%s", t.n ? "; " : "", v[i].text);
        for (int k = i; k < n; k++)
            if (!strcmp(v[k].key, key) && v[k].number == v[i].number)
                text_format(&t, "%s%s (%s)", k == i ? " in " : ", ",
                            v[k].of->source, published_sure[v[k].of->sure]);
    }
    return t.s ? text_keep(&t, a) : NULL;
}

static void add_said(json_t *all, const struct published_number *v, int n,
                     const char *key)
{
    for (int i = 0; i < n; i++)
        if (!strcmp(v[i].key, key))
            json_array_append_new(all, json_pack(
                "{s:s, s:f, s:s, s:s, s:s, s:s}", "key", key, "value",
                v[i].number, "printed", v[i].text, "source", v[i].of->source,
                "confidence", published_sure[v[i].of->sure], "note",
                v[i].of->note));
}

void published_sources(struct sheet *to, const struct published *p,
                    const struct result_table *s)
{
    int n, found = 0;
    const struct published_number *v = published_numbers(p, &n);
    json_t *all = json_array();

    for (int i = 0; i < s->rows; i++)
        for (int c = 0; c < s->columns; c++) {
            const struct result_row *r = &s->row[i];
            const char *key = arena_format(
                s->memory, "%s/%s/%s", r->published ? r->published : r->variant,
                s->column[c]->task, s->column[c]->metric);
            const char *text = said(v, n, key, s->memory);

            if (!text)
                continue;
            if (!found++)
                sheet_put(to, PART_HEADING, "Sources of the published values");
            sheet_put(to, PART_ITEM, "%s, %s %s: %s%s", r->title,
                      result_task_of(s, c)->label, s->column[c]->title, text,
                      r->cell[c].dispute ? "; disputed" : "");
            add_said(all, v, n, key);
        }
    if (found)
        sheet_put(to, PART_PARAGRAPH, "%s", confidence);
    json_object_set_new(to->object, "sources", all);
}
