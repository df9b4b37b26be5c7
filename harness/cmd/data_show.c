/*
 * data show: prints the rows of an official split as they are read, as one JSON
 * object per line (--json) or one field per line.  --skipped prints the rows
 * that are left out instead, sorted by file and line.
 */
#include "harness/cmd/data_verbs.h"

#include "harness/base/err.h"
#include "harness/base/json.h"
#include "harness/base/str.h"
#include "harness/base/streams.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

struct given {
    const char *cache, *files, *split, *format; /* files, split: may be NULL */
    int         limit;                          /* rows; 0: all              */
    int         skipped, skip_nul;
};

static const struct opt options[] = {
    {.group = opts_cache, .at = OPT_AT(cache)},
    {.group = opts_files, .at = OPT_AT(files)},
    {"--split", 0, "SPLIT", opt_text, OPT_AT(split),
     .doc = "Split: train, valid, test or another one of the task (default: "
            "its first)"},
    {"--limit", 0, "N", opt_count, OPT_AT(limit),
     .doc = "Show the first N rows",
     .most = INT_MAX},
    {"--skipped", 0, NULL, opt_flag, OPT_AT(skipped),
     .doc = "Show the rows that are left out, and why"},
    {"--skip-nul", 0, NULL, opt_flag, OPT_AT(skip_nul),
     .doc = "Skip lines with a NUL byte (default: they are an error)"},
    {.group = opts_format, .at = OPT_AT(format)},
    {.name = NULL}};

/* ---- rows as JSON ---- */

static json_t *texts(const char *const *text)
{
    json_t *list = json_array();

    for (; *text; text++)
        json_array_append_new(list, json_string(*text));
    return list;
}

static json_t *row_json(const struct field *row);

static json_t *value(const struct field *f)
{
    switch (f->kind) {
    case FIELD_TEXT: return f->text ? json_string(f->text) : json_null();
    case FIELD_INTEGER: return json_integer(f->integer);
    case FIELD_REAL: return json_real(f->real);
    case FIELD_TEXTS: return texts(f->texts);
    case FIELD_OBJECT: return row_json(f->object);
    }
    return NULL;
}

static json_t *row_json(const struct field *row)
{
    json_t *object = json_object();

    for (; row->key; row++)
        json_object_set_new(object, row->key, value(row));
    return object;
}

/* ---- printing ---- */

struct show {
    struct sink sink; /* must be first: is cast to struct show */
    int skipped, json, limit, n;
    json_t *rows; /* rows that are left out, to be sorted */
};

static int print_row(const struct show *s, json_t *row)
{
    const char *key;
    json_t *value;

    if (s->json)
        json_dumpf(row, stdout, JSON_COMPACT);
    else
        json_object_foreach(row, key, value) {
            OWNED(free) char *text = json_dumps(value, JSON_ENCODE_ANY);

            put_harmless("%-15s %s\n", key, json_is_string(value)
                                                ? json_string_value(value)
                                                : text);
        }
    putchar('\n');
    json_decref(row);
    return ferror(stdout) ? streams_flush() : OK;
}

static int show_row(struct sink *sink, const struct field *row)
{
    struct show *s = (struct show *)sink;

    if (s->skipped)
        return OK;
    PASS(print_row(s, row_json(row)));
    return ++s->n == s->limit ? CORPUS_ENOUGH : OK;
}

static int keep_skipped(struct sink *sink, const struct skipped *k)
{
    struct show *s = (struct show *)sink;

    if (!s->skipped)
        return OK;
    json_t *object = row_json(FIELDS(TEXT("file", k->file),
                                     INTEGER("line", k->line),
                                     TEXT("reason", k->reason)));
    if (k->more)
        json_object_update_new(object, row_json(k->more));
    json_array_append_new(s->rows, object);
    return OK;
}

struct place {
    json_t     *row;
    const char *file;
    long long   line;
    size_t      at; /* orders rows that have the same line */
};

static int by_place(const void *a, const void *b)
{
    const struct place *p = a, *q = b;
    int by_file = strcmp(p->file, q->file);

    if (by_file)
        return by_file;
    return p->line != q->line ? (p->line > q->line) - (p->line < q->line)
                              : (p->at > q->at) - (p->at < q->at);
}

static int print_skipped(const struct show *s)
{
    size_t n = json_array_size(s->rows);
    OWNED(free) struct place *place = calloc(n + 1, sizeof *place);

    for (size_t i = 0; i < n; i++) {
        json_t *row = json_array_get(s->rows, i);

        place[i] = (struct place){
            row, json_string_value(json_object_get(row, "file")),
            json_integer_value(json_object_get(row, "line")), i};
    }
    qsort(place, n, sizeof *place, by_place);
    for (size_t i = 0; i < n && (!s->limit || i < (size_t)s->limit); i++)
        PASS(print_row(s, json_incref(place[i].row)));
    return OK;
}

static int run_data_show(const void *given, const struct arguments *args)
{
    const struct given *g = given;
    OWNED(json_decref) json_t *rows = json_array();
    struct show s = {.sink = {.row = show_row, .skip = keep_skipped,
                              .skip_nul = g->skip_nul},
                     .skipped = g->skipped,
                     .json = !strcmp(g->format, "json"),
                     .limit = g->limit,
                     .rows = rows};
    const struct corpus *c = NULL;

    PASS(corpus_find(&c, args->of[0]));
    PASS(corpus_read(c, g->files ? g->files : g->cache, g->split, &s.sink));
    return print_skipped(&s);
}

const struct command data_show = {
    .name = "show",
    .summary = "Show rows of a data set from its official files",
    .args = "DATASET",
    .formats = command_text_json,
    COMMAND_RUNS(run_data_show, 1, 1)};
