/*
 * data where: lists for each data set its origin, the files of each split, how
 * many of them are in --data-dir or the cache, and which layouts lack a split
 * that training needs.
 */
#include "harness/cmd/data_verbs.h"

#include "harness/base/err.h"
#include "harness/print/sheet.h"
#include "harness/tasks/official.h"

#include <string.h>

struct given { const char *cache, *files, *format; }; /* files: may be NULL */

static const struct opt options[] = {
    {.group = opts_cache, .at = OPT_AT(cache)},
    {.group = opts_files, .at = OPT_AT(files)},
    {.group = opts_format, .at = OPT_AT(format)},
    {.name = NULL}};

/* Sets *out to the number of files in `folder` that match the patterns of the
 * split. */
static int count(json_int_t *out, const struct corpus_split *s,
                 const char *folder)
{
    char pattern[CORPUS_PATH];
    struct files f;

    *out = 0;
    for (int i = 0; corpus_pattern(pattern, s, i); i++) {
        PASS(files_find(&f, folder, pattern));
        *out += f.n;
        files_close(&f);
    }
    return OK;
}

static int add_layout(json_t *rows, const struct corpus *c,
                      const struct corpus_layout *l, const char *folder)
{
    const char *lacks = official_lacks(c, l);
    json_int_t found;

    for (const struct corpus_split *s = l->split; s->name; s++) {
        PASS(count(&found, s, folder));
        json_array_append_new(
            rows, json_pack("{s:s, s:s, s:s, s:s*, s:s, s:s, s:s, s:I, s:I, "
                            "s:I, s:s}",
                            "task", c->name, "title", c->title, "layout",
                            l->name, "lacks", lacks, "split", s->name, "files",
                            s->files, "from", c->from, "rows",
                            (json_int_t)s->rows,
                            "earlier_rows", (json_int_t)s->earlier_rows,
                            "found", found, "folder", folder));
    }
    return OK;
}

static int add_corpus(json_t *rows, const struct corpus *c, const char *dir)
{
    char folder[CORPUS_PATH];

    PASS(corpus_folder(folder, c, dir));
    for (const struct corpus_layout *l = c->layout; l->name; l++)
        PASS(add_layout(rows, c, l, folder));
    return OK;
}

/* Adds one line for each pattern in `s`, which separates patterns by blanks. */
static void put_files(struct sheet *to, const char *s)
{
    for (size_t n; *s; s += n, s += strspn(s, " ")) {
        n = strcspn(s, " ");
        sheet_put(to, PART_LINE, "      %.*s", (int)n, s);
    }
}

static void print_text(struct sheet *to, const json_t *rows)
{
    const char *last = "";
    json_t *row;
    size_t i;

    json_array_foreach(rows, i, row) {
        long long found = data_integer(row, "found");
        long long n = data_integer(row, "rows");
        long long earlier = data_integer(row, "earlier_rows");
        const char *lacks = data_text(row, "lacks");

        if (strcmp(last, data_text(row, "task"))) {
            if (i)
                sheet_put(to, PART_GAP, "%s", "");
            sheet_put(to, PART_PARAGRAPH, "%s: %s, from %s",
                      data_text(row, "task"), data_text(row, "title"),
                      data_text(row, "from"));
        }
        last = data_text(row, "task");
        sheet_put(to, PART_LINE, "  %s, %s: %lld file%s found%s%s%s",
                  data_text(row, "layout"), data_text(row, "split"), found,
                  found == 1 ? "" : "s",
                  n ? arena_format(to->memory, "; full set: %lld rows",
                                   n) : "",
                  earlier ? arena_format(to->memory, " (first edition: "
                                         "%lld)", earlier) : "",
                  lacks ? arena_format(to->memory, "; cannot be trained on: "
                                       "this layout has no %s", lacks) : "");
        put_files(to, data_text(row, "files"));
    }
}

static int run_data_where(const void *given, const struct arguments *args)
{
    const struct given *g = given;
    OWNED(json_decref) json_t *rows = json_array();
    OWNED(sheet_close) struct sheet *s = sheet_new();
    const struct corpus *unknown;

    for (int i = 0; corpus_all[i]; i++)
        if (!args->of[0] || corpus_is(corpus_all[i], args->of[0]))
            PASS(add_corpus(rows, corpus_all[i],
                            g->files ? g->files : g->cache));
    if (!json_array_size(rows))
        PASS(corpus_find(&unknown, args->of[0]));
    print_text(s, rows);
    s->object = json_pack("{s:O}", "rows", rows);
    return sheet_print(s, g->format, NULL);
}

const struct command data_where = {
    .name = "where",
    .summary = "List the files of each data set, their origin and presence",
    .args = "[DATASET]",
    .doc = "DATASET is a data set, or `glue` or `superglue` for all of theirs.",
    .formats = command_text_json,
    COMMAND_RUNS(run_data_where, 0, 1)};
