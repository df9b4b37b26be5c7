/*
 * data check: prints the contents of the files of a data set, and whether they
 * are complete.  The state of a split follows from its number of rows:
 *
 *     rows = official    complete         rows > official    more: an error
 *     rows < official    subset           no official count  uncounted
 *
 * `rows` counts the rows that are read, and the skipped rows that the official
 * count includes.  If a data set has two editions, `official` is the count of
 * the smaller edition if that count is at least `rows`, else the count of the
 * larger edition.
 */
#include "harness/cmd/data_verbs.h"

#include "harness/base/err.h"
#include "harness/base/hash.h"
#include "harness/base/str.h"
#include "harness/print/sheet.h"

#include <math.h>
#include <string.h>
#include <sys/stat.h>

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

struct check { /* the check of a split */
    struct sink sink; /* must be first: is cast to struct check */
    const struct corpus *corpus;
    long long rows, counted, bytes;
    json_t *skipped, *labels, *files;
    struct sha256_ctx *sums; /* hash of all lines "SHA-256  FILE" */
};

static void count(json_t *of, const char *what)
{
    json_int_t n = data_integer(of, what);

    json_object_set_new(of, what, json_integer(n + 1));
}

static int count_row(struct sink *sink, const struct field *row)
{
    struct check *c = (struct check *)sink;
    char label[32];

    c->rows++;
    c->counted++;
    for (; row->key; row++) {
        if (strcmp(row->key, "label"))
            continue;
        long long n = row->kind == FIELD_REAL ? (long long)nearbyint(row->real)
                                              : row->integer;
        snprintf(label, sizeof label, "%lld", n);
        count(c->labels, label);
    }
    return OK;
}

static int count_skipped(struct sink *sink, const struct skipped *k)
{
    struct check *c = (struct check *)sink;
    const char *counted = c->corpus->counted;

    c->counted += !strcmp(k->reason, CORPUS_NUL) ||
                  (counted && !strncmp(k->reason, counted, strlen(counted)));
    count(c->skipped, k->reason);
    return OK;
}

static int add_file(struct sink *sink, const char *path, const char *file)
{
    struct check *c = (struct check *)sink;
    char sum[HASH_HEX];
    struct stat st;

    if (hash_file(path, sum) < 0)
        return err_set(ERR_DATA, "%s", err_last());
    if (stat(path, &st))
        return err_errno(ERR_DATA, "%s", path);
    c->bytes += st.st_size;
    hash_add(c->sums, sum, strlen(sum));
    hash_add(c->sums, "  ", 2);
    hash_add(c->sums, file, strlen(file));
    hash_add(c->sums, "\n", 1);
    json_t *one = json_object();
    json_object_set_new(one, "file", json_string(file));
    json_object_set_new(one, "bytes", json_integer(st.st_size));
    json_object_set_new(one, "sha256", json_string(sum));
    json_array_append_new(c->files, one);
    return OK;
}

static long long official_of(const struct corpus_split *s, long long rows)
{
    long long least = s->rows, most = s->earlier_rows;

    if (least > most) {
        least = most;
        most = s->rows;
    }
    return least && rows <= least ? least : most;
}

/* Returns the state of a split with `rows` rows (see above). */
static const char *state_of(long long rows, long long official)
{
    if (!official)
        return "uncounted";
    if (rows == official)
        return "complete";
    return rows < official ? "subset" : "more";
}

/* Adds an object for a split, and returns it. */
static json_t *add_split(json_t *splits, const struct corpus_split *s,
                         const char *state)
{
    json_t *one = json_object();

    json_object_set_new(one, "split", json_string(s->name));
    json_object_set_new(one, "state", json_string(state));
    json_array_append_new(splits, one);
    return one;
}

/* Checks a split and adds an object with the results. */
static int check_split(json_t *splits, const struct given *g,
                       const struct corpus *c, const struct corpus_split *s)
{
    struct check x = {.sink = {count_row, count_skipped, add_file, g->skip_nul},
                      .corpus = c, .skipped = json_object(),
                      .labels = json_object(), .files = json_array(),
                      .sums = hash_new()};
    char digest[HASH_HEX];

    int rc = corpus_read(c, files_of(g), s->name, &x.sink);
    hash_end(x.sums, digest);
    long long official = official_of(s, x.counted);
    json_t *one = add_split(splits, s, state_of(x.counted, official));
    json_object_set_new(one, "rows", json_integer(x.rows));
    json_object_set_new(one, "official", json_integer(official));
    json_object_set_new(one, "skipped", x.skipped);
    json_object_set_new(one, "labels", x.labels);
    json_object_set_new(one, "bytes", json_integer(x.bytes));
    json_object_set_new(one, "sha256", json_string(digest));
    json_object_set_new(one, "files", x.files);
    return rc;
}

/* Adds a line of counts, such as "rows skipped", followed by "empty-label: 1,
 * missing-field: 2". */
static void put_counts(struct sheet *s, const char *what, json_t *of)
{
    const char *key, *all = NULL;
    json_t *n;

    json_object_foreach(of, key, n)
        all = arena_format(s->memory, "%s%s%s: %lld", all ? all : what,
                           all ? ", " : "", key,
                           (long long)json_integer_value(n));
    if (all)
        sheet_put(s, PART_LINE, "%s", all);
}

static void put_split(struct sheet *to, const json_t *s)
{
    json_t *files = json_object_get(s, "files"), *file;
    size_t i, n = json_array_size(files);
    const char *of = "";

    if (!json_object_get(s, "rows")) {
        sheet_put(to, PART_LINE, "%-17s %s", data_text(s, "split"),
                  data_text(s, "state"));
        return;
    }
    if (data_integer(s, "official"))
        of = arena_format(to->memory, " of %lld", data_integer(s, "official"));
    sheet_put(to, PART_LINE, "%-17s %s: %lld rows%s, %zu file%s, %lld bytes",
              data_text(s, "split"), data_text(s, "state"),
              data_integer(s, "rows"), of, n, n == 1 ? "" : "s",
              data_integer(s, "bytes"));
    put_counts(to, "  rows skipped   ", json_object_get(s, "skipped"));
    put_counts(to, "  rows by label  ", json_object_get(s, "labels"));
    if (n > LISTED)
        sheet_put(to, PART_LINE, "  %s  all files (SHA-256 of their sums)",
                  data_text(s, "sha256"));
    else
        json_array_foreach(files, i, file)
            sheet_put(to, PART_LINE, "  %s  %s, %lld bytes",
                      data_text(file, "sha256"), data_text(file, "file"),
                      data_integer(file, "bytes"));
}

static void put(struct sheet *to, json_t *all, const struct corpus *c,
                const char *folder, const char *layout, json_t *splits)
{
    json_t *one = json_object(), *s;
    size_t i;

    if (json_array_size(all))
        sheet_put(to, PART_GAP, "%s", "");
    sheet_put(to, PART_LINE, "%s (%s) in %s", c->name, layout, folder);
    json_array_foreach(splits, i, s)
        put_split(to, s);
    json_object_set_new(one, "task", json_string(c->name));
    json_object_set_new(one, "layout", json_string(layout));
    json_object_set_new(one, "folder", json_string(folder));
    json_object_set(one, "splits", splits);
    json_array_append_new(all, one);
}

static int check_splits(json_t *splits, const struct given *g,
                        const struct corpus *c, const struct corpus_layout *l,
                        const char *folder)
{
    int found = 0;

    for (const struct corpus_split *s = l->split; s->name; s++) {
        if (g->split && strcmp(g->split, s->name))
            continue;
        int rc = corpus_present(s, folder);
        PASS(rc);
        found |= rc;
        if (rc || g->split)
            PASS(check_split(splits, g, c, s));
        else
            add_split(splits, s, "missing");
    }
    if (g->split && !corpus_split_of(l, g->split))
        return err_set(ERR_USAGE, "%s has no split '%s'", c->name, g->split);
    return found ? OK : corpus_absent(c, folder, g->split);
}

/* Returns an error if the splits have different layouts; `run` refuses them,
 * too. */
static int refuse_mixed(const struct corpus *c, const char *dir)
{
    struct corpus_reading x, first = {.layout = NULL};
    int there;

    for (const struct corpus_layout *l = c->layout; l->name; l++)
        for (const struct corpus_split *s = l->split; s->name; s++) {
            PASS(corpus_locate(&x, c, dir, s->name));
            PASS(there = x.split ? corpus_present(x.split, x.folder) : 0);
            if (there)
                PASS(corpus_agree(&first, &x));
        }
    return OK;
}

static int check(struct sheet *to, json_t *all, const struct given *g,
                 const struct corpus *c)
{
    const struct corpus_layout *l = NULL;
    OWNED(json_decref) json_t *splits = json_array();
    char folder[CORPUS_PATH];
    json_t *s;
    size_t i;

    PASS(corpus_folder(folder, c, files_of(g)));
    PASS(corpus_choose(&l, c, folder, g->split));
    PASS(check_splits(splits, g, c, l, folder));
    put(to, all, c, folder, l->name, splits);
    json_array_foreach(splits, i, s)
        if (!strcmp(data_text(s, "state"), "more"))
            return err_set(ERR_DATA, "%s, %s: more rows than the distribution "
                           "has", c->name, data_text(s, "split"));
    return refuse_mixed(c, files_of(g));
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
