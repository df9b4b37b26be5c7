#include "harness/report/published_print.h"

#include "harness/base/names.h"

#include <ctype.h>
#include <string.h>

/* ---- lines as a table ---- */

static const struct column line_columns[] = {
    {"table", NULL, COLUMN(struct published_line, table)},
    {"row", NULL, COLUMN(struct published_line, row)},
    {"column", NULL, COLUMN(struct published_line, column)},
    {"value", NULL, COLUMN(struct published_line, text)},
    {"source", NULL, COLUMN(struct published_line, source)},
    {"confidence", NULL, COLUMN_AS(COLUMN_ENUM, struct published_line, sure),
     .words = published_sure},
    {"key", NULL, COLUMN(struct published_line, key)},
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
        if (!below || !strcmp(line[i].below, below))
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
              "The file has all values, their sources and notes. Its column "
              "confidence (low, medium, medium-high or high) rates how likely "
              "a source repeats the paper's value; wrong: an error of the "
              "source.");
    sheet_relation(to, &r);
    while (rest.n) {
        struct lines l = next_table(&rest, a);

        sheet_put(to, PART_HEADING, "%s", title_of(&l, a));
        (is_text(&l) ? put_statements : put_grid)(to, &l);
    }
    return to;
}
