/*
 * data where: lists for each data set its origin, the files of each split, how
 * many of them are in --data-dir or the cache, and which layouts lack a split
 * that training needs.
 */
#include "harness/cmd/data_verbs.h"

#include "harness/base/err.h"
#include "harness/base/text.h"
#include "harness/print/sheet.h"
#include "harness/tasks/official.h"

#include <string.h>

struct given { const char *cache, *files, *format; }; /* files: may be NULL */

static const struct opt options[] = {
    {.group = opts_cache, .at = OPT_AT(cache)},
    {.group = opts_files, .at = OPT_AT(files)},
    {.group = opts_format, .at = OPT_AT(format)},
    {.name = NULL}};

/* A split of a layout. */
struct row {
    const struct corpus        *corpus;
    const struct corpus_layout *layout;
    const struct corpus_split  *split;
    const char                 *lacks; /* split that training needs, or NULL */
    long long                   found; /* files */
    char                        folder[CORPUS_PATH];
};

#define CORPUS COLUMN_VIA(struct row, corpus)
#define SPLIT  COLUMN_VIA(struct row, split)

static const struct column columns[] = {
    {"task", NULL, CORPUS, COLUMN(struct corpus, name)},
    {"title", NULL, CORPUS, COLUMN(struct corpus, title)},
    {"layout", NULL, COLUMN_VIA(struct row, layout),
     COLUMN(struct corpus_layout, name)},
    {"lacks", NULL, COLUMN(struct row, lacks), .flags = COLUMN_SPARSE},
    {"split", NULL, SPLIT, COLUMN(struct corpus_split, name)},
    {"files", NULL, SPLIT, COLUMN(struct corpus_split, files)},
    {"from", NULL, CORPUS, COLUMN(struct corpus, from)},
    {"rows", NULL, SPLIT, COLUMN(struct corpus_split, rows)},
    {"earlier_rows", NULL, SPLIT, COLUMN(struct corpus_split, earlier_rows)},
    {"found", NULL, COLUMN(struct row, found)},
    {"folder", NULL, COLUMN_AS(COLUMN_CHARS, struct row, folder)},
    {.type = COLUMN_END}};

/* Adds a split, with the number of files that match its patterns. */
static int add_split(struct sheet *to, json_t *rows, struct row *r)
{
    const struct corpus_split *split = r->split;
    OWNED(text_free) struct text line = {0};
    char pattern[CORPUS_PATH];
    struct files f;

    r->found = 0;
    for (int i = 0; corpus_pattern(pattern, split, i); i++) {
        PASS(files_find(&f, r->folder, pattern));
        r->found += f.n;
        files_close(&f);
    }
    text_format(&line, "  %s, %s: %lld file%s found", r->layout->name,
                split->name, r->found, r->found == 1 ? "" : "s");
    if (split->rows)
        text_format(&line, "; full set: %lld rows", split->rows);
    if (split->earlier_rows)
        text_format(&line, " (first edition: %lld)", split->earlier_rows);
    if (r->lacks)
        text_format(&line, "; cannot be trained on: this layout has no %s",
                    r->lacks);
    sheet_put(to, PART_LINE, "%s", line.s);
    for (const char *s = split->files; *s; s += strspn(s, " ")) {
        size_t n = strcspn(s, " ");

        sheet_put(to, PART_LINE, "      %.*s", (int)n, s);
        s += n;
    }
    json_array_append_new(rows, relation_object(columns, r, to->memory));
    return OK;
}

static int add_corpus(struct sheet *to, json_t *rows, const struct corpus *c,
                      const char *dir)
{
    struct row r = {.corpus = c};

    PASS(corpus_folder(r.folder, c, dir));
    if (json_array_size(rows))
        sheet_put(to, PART_GAP, "%s", "");
    sheet_put(to, PART_PARAGRAPH, "%s: %s, from %s", c->name, c->title,
              c->from);
    for (r.layout = c->layout; r.layout->name; r.layout++) {
        r.lacks = official_lacks(c, r.layout);
        for (r.split = r.layout->split; r.split->name; r.split++)
            PASS(add_split(to, rows, &r));
    }
    return OK;
}

static int run_data_where(const void *given, const struct arguments *args)
{
    const struct given *g = given;
    OWNED(sheet_close) struct sheet *s = sheet_new();
    json_t *rows = json_array();
    const struct corpus *unknown;

    sheet_fact(s, "rows", rows);
    for (int i = 0; corpus_all[i]; i++)
        if (!args->of[0] || corpus_is(corpus_all[i], args->of[0]))
            PASS(add_corpus(s, rows, corpus_all[i],
                            g->files ? g->files : g->cache));
    if (!json_array_size(rows))
        PASS(corpus_find(&unknown, args->of[0]));
    return sheet_print(s, g->format, NULL);
}

const struct command data_where = {
    .name = "where",
    .summary = "List the files of each data set, their origin and presence",
    .args = "[DATASET]",
    .doc = "DATASET is a data set, or `glue` or `superglue` for all of theirs.",
    .formats = command_text_json,
    COMMAND_RUNS(run_data_where, 0, 1)};
