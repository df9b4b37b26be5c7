/* data check: prints the contents of the files of a data set, and whether they
 * are complete (corpora/corpus_check.h). */
#include "harness/cmd/data_verbs.h"

#include "harness/base/err.h"
#include "harness/base/str.h"
#include "harness/corpora/corpus_check.h"
#include "harness/print/sheet.h"

enum { LISTED = 12 }; /* maximum number of files that text lists */

struct given {
    const char *cache, *files, *split, *format; /* files, split: may be NULL */
    int         skip_nul;
};

static const struct opt options[] = {
    {.group = opts_cache, .at = OPT_AT(cache)},
    {.group = opts_files, .at = OPT_AT(files)},
    {"--split", 0, "SPLIT", opt_text, OPT_AT(split),
     .doc = "Split: train, valid, test or another one of the task"},
    {"--skip-nul", 0, NULL, opt_flag, OPT_AT(skip_nul),
     .doc = "Skip lines with a NUL byte (default: they are an error)"},
    {.group = opts_format, .at = OPT_AT(format)},
    {.name = NULL}};

static const char *files_of(const struct given *g)
{
    return g->files ? g->files : g->cache;
}

/* ---- JSON ---- */

/* A split; the counts are objects, {"empty-label": 2}. */
struct row {
    struct corpus_checked_split is;
    json_t                     *skipped, *labels;
};

#define OF(member) COLUMN(struct row, is.member)
static const struct column split_columns[] = {
    {"split", NULL, OF(name)},
    {"state", NULL, COLUMN_AS(COLUMN_ENUM, struct row, is.state),
     .words = corpus_state_text},
    {.type = COLUMN_END}};

static const struct column file_columns[] = {
    {"file", NULL, COLUMN(struct corpus_file, file)},
    {"bytes", NULL, COLUMN(struct corpus_file, bytes)},
    {"sha256", NULL, COLUMN_AS(COLUMN_CHARS, struct corpus_file, sha256)},
    {.type = COLUMN_END}};

static const struct column read_columns[] = {
    {"rows", NULL, OF(rows)},
    {"official", NULL, OF(official)},
    {"skipped", NULL, COLUMN(struct row, skipped)},
    {"labels", NULL, COLUMN(struct row, labels)},
    {"bytes", NULL, OF(bytes)},
    {"sha256", NULL, COLUMN_AS(COLUMN_CHARS, struct row, is.sha256)},
    {"files", NULL, COLUMN_ROWS(struct row, is.file, is.files, file_columns)},
    {.type = COLUMN_END}};

static json_t *counts_json(const struct corpus_counts *c)
{
    json_t *object = json_object();

    for (int i = 0; i < c->n; i++)
        json_object_set_new(object, c->of[i].what,
                            json_integer(c->of[i].rows));
    return object;
}

static json_t *split_json(const struct corpus_checked_split *s,
                          struct arena *a)
{
    OWNED(json_decref) json_t *skipped = counts_json(&s->skipped);
    OWNED(json_decref) json_t *labels = counts_json(&s->labels);
    struct row row = {*s, skipped, labels};
    json_t *object = relation_object(split_columns, &row, a);

    if (s->state != CORPUS_MISSING)
        relation_put(object, read_columns, &row, a);
    return object;
}

/* ---- text ---- */

/* Adds a line of counts, such as "rows skipped", followed by "empty-label: 1,
 * missing-field: 2". */
static void put_counts(struct sheet *s, const char *what,
                       const struct corpus_counts *c)
{
    const char *all = what;

    for (int i = 0; i < c->n; i++)
        all = arena_format(s->memory, "%s%s%s: %lld", all, i ? ", " : "",
                           c->of[i].what, c->of[i].rows);
    if (c->n)
        sheet_put(s, PART_LINE, "%s", all);
}

static void put_split(struct sheet *to, const struct corpus_checked_split *s)
{
    const char *state = corpus_state_text[s->state], *of = "";

    if (s->state == CORPUS_MISSING) {
        sheet_put(to, PART_LINE, "%-17s %s", s->name, state);
        return;
    }
    if (s->official)
        of = arena_format(to->memory, " of %lld", s->official);
    sheet_put(to, PART_LINE, "%-17s %s: %lld rows%s, %d file%s, %lld bytes",
              s->name, state, s->rows, of, s->files, s->files == 1 ? "" : "s",
              s->bytes);
    put_counts(to, "  rows skipped   ", &s->skipped);
    put_counts(to, "  rows by label  ", &s->labels);
    if (s->files > LISTED)
        sheet_put(to, PART_LINE, "  %s  all files (SHA-256 of their sums)",
                  s->sha256);
    else
        for (int i = 0; i < s->files; i++)
            sheet_put(to, PART_LINE, "  %s  %s, %lld bytes", s->file[i].sha256,
                      s->file[i].file, s->file[i].bytes);
}

/* A data set, for programs. */
struct data_set {
    const struct corpus        *corpus;
    const struct corpus_layout *layout;
    const char                 *folder;
    json_t                     *splits;
};

static const struct column set_columns[] = {
    {"task", NULL, COLUMN_VIA(struct data_set, corpus),
     COLUMN(struct corpus, name)},
    {"layout", NULL, COLUMN_VIA(struct data_set, layout),
     COLUMN(struct corpus_layout, name)},
    {"folder", NULL, COLUMN(struct data_set, folder)},
    {"splits", NULL, COLUMN(struct data_set, splits)},
    {.type = COLUMN_END}};

/* Adds a data set to the sheet, and to the list `all`. */
static void put(struct sheet *to, json_t *all, const struct corpus_checked *c)
{
    OWNED(json_decref) json_t *splits = json_array();
    struct data_set row = {c->corpus, c->layout, c->folder, splits};

    if (json_array_size(all))
        sheet_put(to, PART_GAP, "%s", "");
    sheet_put(to, PART_LINE, "%s (%s) in %s", c->corpus->name, c->layout->name,
              c->folder);
    for (int i = 0; i < c->splits; i++) {
        put_split(to, &c->split[i]);
        json_array_append_new(splits, split_json(&c->split[i], to->memory));
    }
    json_array_append_new(all, relation_object(set_columns, &row, to->memory));
}

static int check(struct sheet *to, json_t *all, const struct given *g,
                 const struct corpus *c)
{
    OWNED(corpus_check_close) struct corpus_checked k;

    PASS(corpus_check(&k, c, files_of(g), g->split, g->skip_nul));
    put(to, all, &k);
    return corpus_check_fault(&k, files_of(g));
}

/* Checks all data sets of a family.  Reports each failure immediately. */
static int check_family(struct sheet *to, json_t *all, const struct given *g,
                        const char *family)
{
    int n = 0, failed = 0;

    for (int i = 0; corpus_all[i]; i++) {
        const struct corpus *c = corpus_all[i];

        if (!corpus_is(c, family))
            continue;
        n++;
        if (check(to, all, g, c) < 0) {
            say("%s", err_last());
            failed++;
        }
    }
    return failed ? err_set(ERR_DATA, "%s: %d of %d data sets failed the check",
                            family, failed, n) : OK;
}

static int run_data_check(const void *given, const struct arguments *args)
{
    const struct given *g = given;
    const struct corpus *c;
    OWNED(json_decref) json_t *all = json_array();
    OWNED(sheet_close) struct sheet *s = sheet_new();
    int family = corpus_family(args->of[0]), rc;

    if (!family)
        PASS(corpus_find(&c, args->of[0]));
    rc = family ? check_family(s, all, g, args->of[0]) : check(s, all, g, c);
    OWNED(free) char *why = str_copy(err_last());
    if (family)
        sheet_fact(s, "data_sets", json_incref(all));
    else
        s->object = json_incref(json_array_get(all, 0));
    if (json_array_size(all))
        PASS(sheet_print(s, g->format, NULL));
    return rc < 0 ? err_set(rc, "%s", why) : OK;
}

const struct command data_check = {
    .name = "check",
    .summary = "Check whether the files of a data set are complete",
    .args = "DATASET",
    .doc = "DATASET is a data set, or `glue` or `superglue` for all of theirs. "
           "Prints bytes, SHA-256, rows, skipped rows and labels. A data set "
           "with the published number of rows is `complete`, with fewer a "
           "`subset`, without a published number `uncounted`; more rows are "
           "an error, and so are splits in different layouts.",
    .formats = command_text_json,
    COMMAND_RUNS(run_data_check, 1, 1)};
