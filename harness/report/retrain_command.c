/* retrain_command: builds the commands that train the cells of a table and of
 * each row (again_fill, again_put).  It needs only what the table contains
 * (experiment, scale, seeds, names of rows), and therefore also works for a
 * table that was read from a file. */
#include "harness/report/result_table.h"

#include "harness/base/arena.h"
#include "harness/base/err.h"
#include "harness/base/datadir.h"
#include "harness/base/str.h"
#include "harness/base/text.h"
#include "harness/print/sheet.h"
#include "harness/report/signature.h"

#include <stdlib.h>
#include <string.h>

/* Adds the seeds of a signature to the list `all`, which has room for
 * SIGNED_SEEDS_MOST seeds. */
static void add_seeds(struct signed_seeds *all, const char *signature,
                      struct arena *a)
{
    struct signature s;

    if (signature_read(&s, signature, a) < 0)
        return; /* the row has no signature */
    for (int t = 0; t < s.tasks; t++) {
        struct signed_seeds one;

        if (signature_read_seeds(&one, s.task[t].of[SIGNED_SEEDS], a) < 0)
            continue; /* "-" */
        for (int i = 0; i < one.n; i++) {
            int at = 0;

            while (at < all->n && all->seed[at] != one.seed[i])
                at++;
            if (at == all->n && all->n < SIGNED_SEEDS_MOST)
                all->seed[all->n++] = one.seed[i];
        }
    }
}

static int by_size(const void *a, const void *b)
{
    long long x = *(const long long *)a, y = *(const long long *)b;

    return (x > y) - (x < y);
}

/* Returns the option that selects the seeds of the table: " --seeds 1..3",
 * " --seeds 1,2,4", or "" if no seed is known. */
static const char *seeds_text(const struct result_table *s)
{
    struct signed_seeds all = {
        0, arena_take(s->memory, SIGNED_SEEDS_MOST * sizeof *all.seed)};
    struct text t = {0};

    for (int i = 0; i < s->rows; i++)
        if (!s->row[i].reference)
            add_seeds(&all, s->row[i].signature, s->memory);
    if (!all.n)
        return "";
    qsort(all.seed, (size_t)all.n, sizeof *all.seed, by_size);
    long long first = all.seed[0], last = all.seed[all.n - 1];
    if (all.n == 1 && first == 1)
        return " --seeds 1";
    if (last - first == all.n - 1)
        return arena_format(s->memory, " --seeds %lld..%lld", first, last);
    text_put(&t, " --seeds ");
    for (int i = 0; i < all.n; i++)
        text_format(&t, "%s%lld", i ? "," : "", all.seed[i]);
    return text_keep(&t, s->memory);
}

static const char *in_quotes(const char *word, struct arena *a)
{
    struct text t = {0};

    text_quotes(&t, word);
    return text_keep(&t, a);
}

static const char *quoted(const char *word, struct arena *a)
{
    struct text t = {0};

    text_shell(&t, word);
    return text_keep(&t, a);
}

/* Returns 1 if an experiment named `experiment` is installed with the
 * program. */
static int is_ours(const char *experiment)
{
    OWNED(free) char *path = str_format("experiments/%s.yaml", experiment);
    OWNED(free) char *found = NULL;

    return datadir_find(&found, path) == OK;
}

/* Returns the command that trains all cells of the table, or NULL if neither
 * the store nor an experiment file that defines the cells is known. */
static const char *command(const struct result_table *s)
{
    struct arena *a = s->memory;
    const char *path = s->file;

    if (s->own)
        return arena_format(a, "synthbench run --store %s", quoted(s->own, a));
    if (!path && !is_ours(s->experiment))
        return NULL;
    if (!path)
        path = arena_format(a, "experiments/%s.yaml", s->experiment);
    if (*path == '-') /* would be read as an option */
        path = arena_format(a, "./%s", path);
    return arena_format(a, "synthbench run %s --scale %s%s%s", quoted(path, a),
                        quoted(s->scale, a), seeds_text(s),
                        s->synthetic ? " --synthetic" : "");
}

/* Returns the filter that selects the cells of the row `row`: for
 * "random,steps=700", returns "variant==random && steps==700". */
static const char *filter(const char *row, struct arena *a)
{
    char *rest = arena_text(a, row);
    const char *all = arena_format(a, "variant==%s", strsep(&rest, ","));

    for (char *word; rest && (word = strsep(&rest, ","));) {
        char *equals = strchr(word, '=');

        if (equals) /* else it is "tuned" */
            all = arena_format(a, "%s && %.*s==%s", all, (int)(equals - word),
                               word, equals + 1);
    }
    return all;
}

static int is_asked(const struct result_table *s, const struct result_row *row)
{
    for (int c = 0; c < s->columns; c++)
        if (row->cell[c].asked || row->cell[c].state != CELL_MISSING)
            return !row->reference && !result_external(row);
    return 0;
}

/* Returns the command, or NULL if it has characters that are not printable. */
static const char *shown(const char *command)
{
    return command && str_is_harmless(command) ? command : NULL;
}

void again_fill(struct result_table *s)
{
    const struct report *r = s->report;

    if (r) { /* else the table was read with these members from a file */
        s->file = r->file;
        s->own = r->own || (!r->file && !is_ours(r->name))
                     ? arena_text(s->memory, r->store) : NULL;
    }
    s->command = shown(command(s));
    for (int i = 0; i < s->rows && s->command; i++) {
        struct result_row *row = &s->row[i];

        if (is_asked(s, row))
            row->command = shown(arena_format(
                s->memory, "%s -E %s", s->command,
                in_quotes(filter(row->variant, s->memory), s->memory)));
    }
}

/* Returns 1 if the row is titled with its name.  Readers can then write the -E
 * filter themselves, so it is not printed. */
static int is_plain(const struct result_row *row)
{
    return !strcmp(row->title, row->variant);
}

/* Adds one item with the filters of all rows whose title differs from their
 * name: "FILTER: 'variant==vanilla' for Transformer; ...". */
static void put_filters(struct sheet *to, const struct result_table *s)
{
    OWNED(text_free) struct text t = {0};
    int plain = 0, tuned = 0;

    for (int i = 0; i < s->rows; i++) {
        const struct result_row *row = &s->row[i];

        if (!row->command)
            continue;
        plain |= is_plain(row);
        tuned |= str_ends(row->variant, ",tuned");
        if (!is_plain(row))
            text_format(&t, "%s%s for %s", t.n ? "; " : "",
                        in_quotes(filter(row->variant, s->memory), s->memory),
                        row->title);
    }
    if (t.n)
        sheet_put(to, PART_ITEM, "FILTER: %s", t.s);
    if (plain)
        sheet_put(to, PART_ITEM, "FILTER for a row VARIANT,KEY=VALUE: "
                  "'variant==VARIANT && KEY==VALUE'");
    if (tuned)
        sheet_put(to, PART_ITEM, "The filters of tuned rows leave `tuned` out "
                  "because they must select the trials, too");
}

/* Returns 1 if no earlier row has the same command. */
static int is_first(const struct result_table *s, int i)
{
    for (int k = 0; k < i; k++)
        if (s->row[k].command &&
            !strcmp(s->row[k].command, s->row[i].command))
            return 0;
    return 1;
}

void again_put(struct sheet *to, const struct result_table *s)
{
    if (!s->command)
        return;
    sheet_put(to, PART_HEADING, "Commands that reproduce a row");
    sheet_put(to, PART_CODE, "%s -E FILTER", s->command);
    if (s->own)
        sheet_put(to, PART_ITEM, "This command trains the cells that the "
                                 "store lacks. Their settings are recorded in "
                                 "the store (experiment.json); no experiment "
                                 "file has all of them");
    put_filters(to, s);
    for (int i = 0; i < s->rows; i++)
        if (s->row[i].command && is_first(s, i))
            sheet_put(to, PART_FULL, "%s", s->row[i].command);
}
