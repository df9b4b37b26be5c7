/*
 * data where: lists which data sets are in --data-dir or the cache, with their
 * size and licence.  For one data set, lists its origin, the files of each
 * split, how many of them were found, and which layouts lack a split that
 * training needs.
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
    struct corpus_terms         terms;
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
    {"download_bytes", NULL, COLUMN(struct row, terms.bytes)},
    {"licence", NULL, COLUMN(struct row, terms.licence)},
    {"folder", NULL, COLUMN_AS(COLUMN_CHARS, struct row, folder)},
    {.type = COLUMN_END}};

/* Counts the files of a split that match its patterns. */
static int find_files(struct row *r)
{
    char pattern[CORPUS_PATH];
    struct files f;

    r->found = 0;
    for (int i = 0; corpus_pattern(pattern, r->split, i); i++) {
        PASS(files_find(&f, r->folder, pattern));
        r->found += f.n;
        files_close(&f);
    }
    return OK;
}

static void put_split(struct sheet *to, const struct row *r)
{
    const struct corpus_split *split = r->split;
    OWNED(text_free) struct text line = {0};

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
}

static void put_corpus(struct sheet *to, const struct row *r)
{
    char size[32];

    sheet_put(to, PART_GAP, "%s", "");
    sheet_put(to, PART_PARAGRAPH, "%s: %s, from %s", r->corpus->name,
              r->corpus->title, r->corpus->from);
    sheet_put(to, PART_LINE, "  download: %s%s; licence: %s",
              r->terms.bytes > 0 ? "about " : "",
              r->terms.bytes > 0
                  ? grid_count(r->terms.bytes, "B", size) : "of unknown size",
              r->terms.licence ? r->terms.licence : "see that page");
    sheet_put(to, PART_LINE, "  files below %s:", r->folder);
}

/* ---- all data sets ---- */

/* A line of the overview: a data set, or a family of them. */
struct line {
    const char *name;
    int         sets, complete, some; /* data sets; with all files, with some */
    double      bytes;
    const char *licence;
};

struct where {
    struct sheet *sheet;
    json_t       *rows;
    int           detail; /* 1: a data set or family was named */
    struct line  *line;
    int           lines;
};

static void add_line(struct where *w, const struct corpus *c, int complete,
                     int some)
{
    const char *name = c->family ? c->family : c->name;
    struct corpus_terms terms = corpus_terms(c);
    int i = 0;

    while (i < w->lines && strcmp(w->line[i].name, name))
        i++;
    struct line *l = &w->line[i];
    if (i == w->lines)
        w->line[w->lines++] = (struct line){.name = name};
    l->sets++;
    l->complete += complete;
    l->some += some && !complete;
    l->bytes += terms.bytes;
    l->licence = terms.licence;
}

static const char *state(const struct line *l, struct arena *a)
{
    if (l->complete == l->sets)
        return "found";
    if (l->complete || l->some)
        return l->sets == 1 ? "some files missing"
                            : arena_format(a, "%d of %d found", l->complete,
                                           l->sets);
    return "missing";
}

static void put_lines(const struct where *w, const char *dir)
{
    static const char *const head[] = {"data set", "files", "about",
                                       "licence", NULL};
    struct sheet *s = w->sheet;
    int sets = 0, complete = 0;
    char size[32];

    for (int i = 0; i < w->lines; i++) {
        sets += w->line[i].sets;
        complete += w->line[i].complete;
    }
    sheet_put(s, PART_LINE, "%d of %d data sets found in %s", complete, sets,
              dir);
    struct grid *g = sheet_listing(s, "<<><", head);
    for (int i = 0; i < w->lines; i++) {
        const struct line *l = &w->line[i];

        grid_add(g, "%s\t%s\t%s\t%s", l->name, state(l, s->memory),
                 l->bytes > 0 ? grid_count(l->bytes, "B", size) : "?",
                 l->licence ? l->licence : "see its page");
    }
    sheet_put(s, PART_PARAGRAPH, "`synthbench data where NAME` lists the page, "
              "the archives and the folders of a data set; --data-dir is the "
              "folder into which they are unpacked. Only the full scale needs "
              "them: `synthbench data fetch` gets the text of the other "
              "scales.");
}

/* Adds a data set.  It is complete if every split of a layout that can be
 * trained on has files. */
static int add_corpus(struct where *w, const struct corpus *c, const char *dir)
{
    struct row r = {.corpus = c, .terms = corpus_terms(c)};
    int complete = 0, some = 0;

    PASS(corpus_folder(r.folder, c, dir));
    if (w->detail)
        put_corpus(w->sheet, &r);
    for (r.layout = c->layout; r.layout->name; r.layout++) {
        int all = 1;

        r.lacks = official_lacks(c, r.layout);
        for (r.split = r.layout->split; r.split->name; r.split++) {
            PASS(find_files(&r));
            all &= r.found > 0;
            some |= r.found > 0;
            if (w->detail)
                put_split(w->sheet, &r);
            json_array_append_new(w->rows, relation_object(columns, &r,
                                                           w->sheet->memory));
        }
        complete |= all && !r.lacks;
    }
    add_line(w, c, complete, some);
    return OK;
}

static int run_data_where(const void *given, const struct arguments *args)
{
    const struct given *g = given;
    OWNED(sheet_close) struct sheet *s = sheet_new();
    struct where w = {.sheet = s, .rows = json_array(),
                      .detail = args->of[0] != NULL};
    const char *dir = g->files ? g->files : g->cache;
    const struct corpus *unknown;
    size_t n = 0;

    sheet_fact(s, "rows", w.rows);
    while (corpus_all[n])
        n++;
    w.line = arena_zero(s->memory, n * sizeof *w.line);
    for (size_t i = 0; i < n; i++)
        if (!w.detail || corpus_is(corpus_all[i], args->of[0]))
            PASS(add_corpus(&w, corpus_all[i], dir));
    if (!w.lines)
        PASS(corpus_find(&unknown, args->of[0]));
    if (!w.detail)
        put_lines(&w, dir);
    return sheet_print(s, g->format, NULL);
}

const struct command data_where = {
    .name = "where",
    .summary = "List the files of each data set, their origin and presence",
    .args = "[DATASET]",
    .doc = "Without DATASET, lists which data sets are complete, their size "
           "and their licence. DATASET is a data set, or `glue` or `superglue` "
           "for all of theirs.",
    .formats = command_text_json,
    COMMAND_RUNS(run_data_where, 0, 1)};
