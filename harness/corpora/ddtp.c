/*
 * ddtp: reads Debian's package descriptions (format: data/source/ddtp.h).
 *
 *     *Packages, *Translation-en, *Translation-de, *Translation-fr
 *     ddtp_ende, ddtp_enfr    short descriptions and paragraphs, paired by md5,
 *                             in the order of the translation
 *     ddtp_sum                long descriptions with their short descriptions
 *                             as summaries
 *     packages                source package and section of packages
 *
 * Descriptions are split by their source package, so that no two texts of one
 * source are in different splits.  Paragraphs are paired if both sides have the
 * same sequence of paragraphs and verbatim blocks; verbatim blocks are used
 * only for this comparison.  Repeated md5 sums are reported as skipped rows of
 * train.
 */
#include "harness/corpora/corpus.h"

#include "harness/base/err.h"
#include "harness/base/map.h"
#include "harness/base/text.h"
#include "harness/data/source/ddtp.h"

#include <stdio.h>
#include <string.h>

enum { VALID_PERCENT = 5, TEST_PERCENT = 5 };

/* The language of the translations in a corpus: the member `detail` of the
 * corpus, which is NULL if the corpus has summaries instead. */
struct language {
    const char *code, *prefix;
};

struct reader {
    struct corpus_reading *x;
    const struct language *language;
    struct ddtp all;
    struct map *seen; /* md5 sums in the current file */
    struct arena *memory;
    char file[CORPUS_PATH], field[32]; /* "Description-de" */
};

struct record {
    struct ddtp_record is;
    const char *source; /* source package */
    long line;
    int wanted; /* 1: belongs to the requested split */
};

static int find(char path[CORPUS_PATH], struct reader *r, const char *pattern)
{
    PASS(corpus_only(r->file, r->x, pattern));
    return corpus_path(path, r->x, r->file);
}

/* Reads a record.  Returns 1 if its md5 sum is new, or OK if it is a
 * repetition. */
static int read_record(struct record *out, struct reader *r,
                       const struct deb822 *d)
{
    *out = (struct record){.line = deb822_line(d)};
    PASS(ddtp_read_record(&out->is, d, r->field));
    const struct ddtp_package *p = ddtp_package(&r->all, out->is.package);
    out->source = p ? p->source : out->is.package;
    enum split split = ddtp_split(out->source, VALID_PERCENT, TEST_PERCENT);
    out->wanted = !strcmp(r->x->split->name, split_name[split]);
    if (map_add(r->seen, arena_text(r->memory, out->is.md5), 1))
        return 1;
    return strcmp(r->x->split->name, "train")
               ? OK
               : corpus_skip(r->x, out->line, "duplicate-md5", NULL);
}

/* ---- translations ---- */

static int pair(struct reader *r, const struct record *at, const char *english,
                const char *foreign, const char *kind)
{
    OWNED(text_free) struct text source = {0};

    if (!strcmp(english, foreign))
        return corpus_skip(r->x, at->line, "untranslated",
                           FIELDS(TEXT("kind", kind)));
    text_format(&source, "%s%s", r->language->prefix, english);
    return ROW(r->x, TEXT("source", source.s), TEXT("target", foreign),
               TEXT("kind", kind), TEXT("package", at->is.package),
               TEXT("origin", at->source), TEXT("md5", at->is.md5));
}

static int translate(void *reader, const struct deb822 *d)
{
    struct reader *r = reader;
    struct ddtp_text foreign;
    struct record at;
    int fresh = read_record(&at, r, d);

    if (fresh <= 0 || !at.wanted)
        return fresh < 0 ? fresh : OK;
    const struct ddtp_entry *of = ddtp_english(&r->all, at.is.md5);
    if (!of)
        return corpus_skip(r->x, at.line, "no-english", NULL);
    const struct ddtp_text *e = &of->english;
    ddtp_read_text(&foreign, at.is.value, r->memory);
    PASS(pair(r, &at, e->summary, foreign.summary, "short"));
    if (!ddtp_alike(e, &foreign))
        return corpus_skip(r->x, at.line, "structure-differs", NULL);
    for (int i = 0; i < e->n; i++)
        if (!e->block[i].verbatim)
            PASS(pair(r, &at, e->block[i].text, foreign.block[i].text,
                      "paragraph"));
    return OK;
}

/* ---- summaries ---- */

static int summarise(void *reader, const struct deb822 *d)
{
    struct reader *r = reader;
    OWNED(text_free) struct text source = {0};
    struct ddtp_text t;
    struct record at;
    int fresh = read_record(&at, r, d);

    if (fresh <= 0 || !at.wanted)
        return fresh < 0 ? fresh : OK;
    PASS(ddtp_check_md5(at.is.md5, at.is.value, d));
    ddtp_read_text(&t, at.is.value, r->memory);
    if (!t.n)
        return corpus_skip(r->x, at.line, "empty-article", NULL);
    text_put(&source, "summarize: ");
    for (int i = 0; i < t.n; i++)
        text_format(&source, "%s%s", i ? "\n" : "", t.block[i].text);
    return ROW(r->x, TEXT("source", source.s), TEXT("target", t.summary),
               TEXT("package", at.is.package), TEXT("origin", at.source),
               TEXT("md5", at.is.md5));
}

static void close_reader(struct reader *r)
{
    map_free(r->seen);
    ddtp_close(&r->all);
}
OWNER_OF_VALUE(close_reader, struct reader)

static int read_texts(struct corpus_reading *x)
{
    const struct language *l = x->corpus->detail;
    OWNED(close_reader) struct reader r = {.x = x, .language = l,
                                           .seen = map_new()};
    char pattern[32], path[CORPUS_PATH];

    ddtp_begin(&r.all);
    r.memory = r.all.memory;
    snprintf(r.field, sizeof r.field, "Description-%s", l ? l->code : "en");
    snprintf(pattern, sizeof pattern, "*Translation-%s", l ? l->code : "en");
    PASS(find(path, &r, "*Packages"));
    PASS(ddtp_add_packages(&r.all, path));
    if (l) {
        PASS(find(path, &r, "*Translation-en"));
        PASS(ddtp_add_english(&r.all, path));
    }
    PASS(find(path, &r, pattern));
    return deb822_each(path, l ? translate : summarise, &r);
}

/* ---- packages ---- */

static int hand_out_package(void *reader, const struct deb822 *d)
{
    struct reader *r = reader;
    struct ddtp_package p;

    PASS(ddtp_read_package(&p, d, r->memory));
    int rc = ROW(r->x, TEXT("package", p.name), TEXT("source", p.source),
                 TEXT("section", p.section));
    arena_reset(r->memory);
    return rc;
}

static int read_packages(struct corpus_reading *x)
{
    OWNED(arena_free) struct arena *a = arena_new();
    struct reader r = {.x = x, .memory = a};
    char path[CORPUS_PATH];

    PASS(find(path, &r, "*Packages"));
    return deb822_each(path, hand_out_package, &r);
}

#define FROM "Debian's package indexes (`synthbench data fetch`)"
#define APT(files)                                                            \
    {                                                                         \
        .name = "apt", .read = read_texts, .split = {                         \
            {"train", files, 0}, {"valid", files, 0}, {"test", files, 0}}     \
    }

const struct corpus corpus_ddtp_ende = {
    .name = "ddtp_ende", .title = "DDTP En-De", .from = FROM,
    .detail = &(const struct language){"de", "translate English to German: "},
    .layout = {APT("*Packages *Translation-en *Translation-de")}};

const struct corpus corpus_ddtp_enfr = {
    .name = "ddtp_enfr", .title = "DDTP En-Fr", .from = FROM,
    .detail = &(const struct language){"fr", "translate English to French: "},
    .layout = {APT("*Packages *Translation-en *Translation-fr")}};

const struct corpus corpus_ddtp_sum = {
    .name = "ddtp_sum", .title = "DDTP summaries", .from = FROM,
    .layout = {APT("*Packages *Translation-en")}};

const struct corpus corpus_packages = {
    .name = "packages", .title = "Packages", .from = FROM,
    .layout = {{.name = "apt", .read = read_packages, .split = {
        {"all", "*Packages", 0}}}}};
