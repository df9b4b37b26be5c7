#include "harness/report/published_print.h"

#include "harness/base/names.h"
#include "harness/base/text.h"
#include "harness/report/result_table.h"
#include "harness/report/table.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* ---- where a line is shown ---- */

static const struct { const char *table, *column, *why; } nowhere[] = {
    {"TEXT", NULL, "a statement in the text"},
    {"EXTERNAL Narang 2021", "WebQ acc", "no task here is closed-book question "
                                         "answering"},
    {"EXTERNAL LRA", NULL, "no task here is from Long Range Arena"}};

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
        int row = 0, column = 0, has_task = 0;

        for (const struct table_row *r = t->row; r && r->variant; r++)
            row |= !strcmp(r->variant, variant);
        for (const struct table_column *c = t->column; c && c->task; c++)
            column |= c->better && !strcmp(c->task, task) &&
                      !strcmp(c->metric, metric);
        for (const struct table_task *k = t->task; k && k->task; k++)
            has_task |= !strcmp(k->task, task);
        if (counted ? t->counted : timed ? t->timed && has_task : row && column)
            return arena_format(a, "table %s%s", t->name,
                                timed ? " --columns speed" : "");
    }
    return NULL;
}

/* Returns where the line `row` is shown: "table 2", "below table 4", or "no
 * table: " and the reason, or NULL if no place is known. */
static const char *place_of(const void *row, struct arena *a)
{
    const struct published_line *l = row;
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

#define CONFIDENCE(row, member)                                               \
    {"confidence", NULL, COLUMN_AS(COLUMN_ENUM, row, member),                 \
     .words = published_sure}

static const struct column line_columns[] = {
    {"table", NULL, COLUMN(struct published_line, table)},
    {"row", NULL, COLUMN(struct published_line, row)},
    {"column", NULL, COLUMN(struct published_line, column)},
    {"value", NULL, COLUMN(struct published_line, text)},
    {"source", NULL, COLUMN(struct published_line, source)},
    CONFIDENCE(struct published_line, sure),
    {"key", NULL, COLUMN(struct published_line, key)},
    {"place", NULL, COLUMN_SHOWN, .show = place_of},
    {"note", NULL, COLUMN(struct published_line, note)},
    {.type = COLUMN_END}};

/* Some lines of one published table. */
struct lines { const char *table; int n; const struct published_line **line; };

/* Returns all lines or, if `below` is not NULL, those that are shown below our
 * table named `below`. */
static struct lines lines_of(const struct published *p, const char *below,
                             struct arena *a)
{
    int all;
    const struct published_line *line = published_lines(p, &all);
    struct lines l = {.line = arena_zero(a, ((size_t)all + 1) *
                                                sizeof *l.line)};

    for (int i = 0; i < all; i++)
        if (!below || !strcmp(line[i].beside, below))
            l.line[l.n++] = &line[i];
    return l;
}

static struct relation relation_of(const char *name, const struct lines *l)
{
    return (struct relation){name, line_columns, l->line, 0, l->n};
}

/* Returns the lines of the published table that has the first of the lines
 * `rest`, and removes them from `rest`. */
static struct lines next_table(struct lines *rest, struct arena *a)
{
    struct lines l = {.table = rest->line[0]->table,
                      .line = arena_zero(a, ((size_t)rest->n + 1) *
                                                sizeof *l.line)};
    int left = 0;

    for (int i = 0; i < rest->n; i++)
        if (!strcmp(rest->line[i]->table, l.table))
            l.line[l.n++] = rest->line[i];
        else
            rest->line[left++] = rest->line[i];
    rest->n = left;
    return l;
}

/* Returns the distinct values of the column `name`, ending with NULL.  A value
 * "A; B" counts as two. */
static const char **distinct(const struct lines *l, const char *name,
                             struct arena *a)
{
    size_t most = 4 * (size_t)l->n, n = 0;
    const char **all = arena_zero(a, (most + 1) * sizeof *all);
    const struct column *c = line_columns;

    while (strcmp(c->name, name))
        c++;
    for (int i = 0; i < l->n; i++) {
        const char *text = relation_text(c, l->line[i], a);
        char *rest = *text ? arena_text(a, text) : NULL;

        while (n < most && rest) {
            char *one = strsep(&rest, ";");

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
        const struct published_line *x = l->line[i];

        if (strcmp(x->row, r) || strcmp(x->column, c))
            continue;
        disputed |= best && published_differ(best, x);
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
    if (is_text(l))
        return "Statements in the text";
    if (l->table[0] == 'T' && isdigit((unsigned char)l->table[1]))
        return arena_format(a, "Table %s of the paper", l->table + 1);
    if (!is_external(l))
        return l->table;
    OWNED(free) char *who = names_list(distinct(l, "source", a));
    return arena_text(a, who);
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
        const char *word = printed[k].word;
        int i = 0;

        while (i < l->n && !strstr(l->line[i]->row, word) &&
               !strstr(l->line[i]->column, word))
            i++;
        if (i < l->n)
            sheet_put(to, PART_ITEM, "%s: %s", word + (*word == ' '),
                      printed[k].what);
    }
}

/* Adds "A against B: 0.4 less: KEY than KEY (SOURCE)" for each statement. */
static void put_statements(struct sheet *to, const struct lines *l)
{
    for (int i = 0; i < l->n; i++)
        sheet_put(to, PART_ITEM, "%s: %s %s (%s)", l->line[i]->row,
                  l->line[i]->text, l->line[i]->column, l->line[i]->source);
}

static void put_grid(struct sheet *to, const struct lines *l)
{
    struct arena *a = to->memory;
    const char **r = distinct(l, "row", a);
    const char **c = distinct(l, "column", a);
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
    OWNED(free) char *who = names_list(distinct(l, "source", a));
    if (!is_external(l))
        sheet_put(to, PART_ITEM, "sources: %s", who);
    put_words(to, l);
}

void published_below(struct sheet *to, const struct published *p,
                     const char *table)
{
    struct arena *a = to->memory;
    struct lines rest = lines_of(p, table, a);
    struct relation r = relation_of("beside", &rest);

    if (to->object)
        sheet_fact(to, r.name, relation_json(&r, a));
    while (rest.n) {
        struct lines l = next_table(&rest, a);

        sheet_put(to, PART_HEADING, "Published values without a row or column "
                  "above: %s", title_of(&l, a));
        put_grid(to, &l);
    }
}

/* ---- all lines ---- */

static const char confidence[] =
    "Confidence (low, medium, medium-high or high) rates how likely a source "
    "repeats the paper's value; wrong: an error of the source.";

struct sheet *published_sheet(const struct published *p)
{
    struct sheet *to = sheet_new();
    struct arena *a = to->memory;
    struct lines rest = lines_of(p, NULL, a);
    struct relation r = relation_of("rows", &rest);

    sheet_put(to, PART_TITLE, "Published values, as printed "
              "(experiments/published.tsv)");
    sheet_put(to, PART_PARAGRAPH, "Each value is from the source with the "
              "highest confidence; ! marks a value on which sources disagree. "
              "`table N --sources` lists all values of a table. %s",
              confidence);
    sheet_relation(to, &r);
    while (rest.n) {
        struct lines l = next_table(&rest, a);

        sheet_put(to, PART_HEADING, "%s", title_of(&l, a));
        (is_text(&l) ? put_statements : put_grid)(to, &l);
        OWNED(free) char *places = names_list(distinct(&l, "place", a));
        sheet_put(to, PART_ITEM, "shown in: %s", places);
    }
    return to;
}

/* ---- sources of the published values in a table ---- */

static const struct column number_columns[] = {
    {"key", NULL, COLUMN(struct published_number, key)},
    {"value", NULL, COLUMN(struct published_number, number)},
    {"printed", NULL, COLUMN(struct published_number, text)},
    {"source", NULL, COLUMN(struct published_number, of.source)},
    CONFIDENCE(struct published_number, of.sure),
    {"note", NULL, COLUMN(struct published_number, of.note)},
    {.type = COLUMN_END}};

static int same(const struct published_number *a,
                const struct published_number *b)
{
    return !strcmp(a->key, b->key) && a->number == b->number;
}

/* Returns the published numbers of a key with their sources, each number once:
 * "23.89 in transcription of v3 (medium-high), Chinese report (high); 27.27 in
 * ...".  Returns NULL if no source has the key.  Adds the numbers to `all`. */
static const char *said(json_t *all, const struct published_number *v, int n,
                        const char *key, struct arena *a)
{
    struct text t = {0};

    for (int i = 0; i < n; i++) {
        int first = 0;

        if (strcmp(v[i].key, key))
            continue;
        json_array_append_new(all, relation_object(number_columns, &v[i], a));
        while (!same(&v[first], &v[i]))
            first++;
        if (first < i)
            continue;
        text_format(&t, "%s%s", t.n ? "; " : "", v[i].text);
        for (int k = i; k < n; k++)
            if (same(&v[k], &v[i]))
                text_format(&t, "%s%s (%s)", k == i ? " in " : ", ",
                            v[k].of.source, published_sure[v[k].of.sure]);
    }
    return t.s ? text_keep(&t, a) : NULL;
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
            const char *text = said(all, v, n, key, s->memory);

            if (!text)
                continue;
            if (!found++)
                sheet_put(to, PART_HEADING, "Sources of the published values");
            sheet_put(to, PART_ITEM, "%s, %s %s: %s%s", r->title,
                      result_task_of(s, c)->label, s->column[c]->title, text,
                      r->cell[c].dispute ? "; disputed" : "");
        }
    if (found)
        sheet_put(to, PART_PARAGRAPH, "%s", confidence);
    sheet_fact(to, "sources", all);
}
