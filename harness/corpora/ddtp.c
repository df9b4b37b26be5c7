/*
 * ddtp: Debian's package descriptions (data/source/ddtp.h has their format).
 *
 *     *Packages, *Translation-en, *Translation-de, *Translation-fr
 *     ddtp_ende, ddtp_enfr    short descriptions and paragraphs, paired by md5,
 *                             in the order of the translation
 *     ddtp_sum                the long description to the short one
 *     packages                source package, section and debtags
 *
 * Descriptions are split by their source package, so that no two texts of one
 * source are in different splits.  Paragraphs pair where both sides have the
 * same sequence of paragraphs and verbatim blocks; verbatim blocks are only
 * compared for that.  Repeated sums are listed with train.
 */
#include "harness/corpora/corpus.h"

#include "harness/base/array.h"
#include "harness/base/err.h"
#include "harness/base/map.h"
#include "harness/base/text.h"
#include "harness/data/source/ddtp.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { VALID_PERCENT = 5, TEST_PERCENT = 5 };

struct language { /* of a translation; NULL: of summaries */
    const char *code, *prefix;
};

struct table { /* of texts, by their names */
    struct map *index;
    void *row;
    int n;
    size_t cap;
};

struct reader {
    struct corpus_reading *x;
    const struct language *language;
    struct table source;  /* (const char *) by package    */
    struct table english; /* (struct ddtp_text) by md5    */
    struct map *seen;     /* md5 sums of the present file */
    struct arena *memory;
    char file[CORPUS_PATH], field[32]; /* "Description-de" */
};

struct record {
    char md5[MD5_HEX];
    const char *package, *source, *value;
    long line;
    int wanted; /* the split asked for has it */
};

/* Room for one row more; NULL: there was one of this name. */
static void *add(struct table *t, const char *name, size_t bytes)
{
    t->row = array_more(t->row, (size_t)t->n, &t->cap, 1, bytes, INT_MAX);
    if (!map_add(t->index, name, t->n))
        return NULL;
    return (char *)t->row + (size_t)t->n++ * bytes;
}

static int each(struct reader *r, const char *pattern,
                int (*row)(void *reader, const struct deb822 *d))
{
    char path[CORPUS_PATH];

    PASS(corpus_only(r->file, r->x, pattern));
    PASS(corpus_path(path, r->x, r->file));
    return deb822_each(path, row, r);
}

static int keep_source(void *reader, const struct deb822 *d)
{
    struct reader *r = reader;
    struct ddtp_package p;

    PASS(ddtp_read_package(&p, d, r->memory));
    const char **source = add(&r->source, p.name, sizeof *source);
    if (source)
        *source = p.source;
    return OK;
}

static int keep_english(void *reader, const struct deb822 *d)
{
    struct reader *r = reader;
    const char *value;
    char md5[MD5_HEX];

    PASS(ddtp_read_md5(md5, d));
    PASS(deb822_need(&value, d, "Description-en"));
    if (map_get(r->english.index, md5, -1) >= 0)
        return OK;
    PASS(ddtp_check_md5(md5, value, d));
    struct ddtp_text *t =
        add(&r->english, arena_text(r->memory, md5), sizeof *t);
    ddtp_read_text(t, value, r->memory);
    return OK;
}

/* 1: a record whose sum is there for the first time. */
static int read_record(struct record *out, struct reader *r,
                       const struct deb822 *d)
{
    int rc;

    *out = (struct record){.line = deb822_line(d)};
    TRY(deb822_need(&out->package, d, "Package"));
    TRY(ddtp_read_md5(out->md5, d));
    TRY(deb822_need(&out->value, d, r->field));
    int at = map_get(r->source.index, out->package, -1);
    out->source = at < 0 ? out->package : ((const char **)r->source.row)[at];
    enum split split = ddtp_split(out->source, VALID_PERCENT, TEST_PERCENT);
    out->wanted = !strcmp(r->x->split->name, split_name[split]);
    if (map_add(r->seen, arena_text(r->memory, out->md5), 1))
        return 1;
    if (!strcmp(r->x->split->name, "train"))
        rc = corpus_skip(r->x, out->line, "duplicate-md5", NULL);
out:
    return rc;
}

/* ---- translations ---- */

static int pair(struct reader *r, const struct record *at, const char *english,
                const char *foreign, const char *kind)
{
    struct text source = {0};

    if (!strcmp(english, foreign))
        return corpus_skip(r->x, at->line, "untranslated",
                           FIELDS(TEXT("kind", kind)));
    text_put(&source, r->language->prefix);
    text_put(&source, english);
    int rc = ROW(r->x, TEXT("source", source.s), TEXT("target", foreign),
                 TEXT("kind", kind), TEXT("package", at->package),
                 TEXT("origin", at->source), TEXT("md5", at->md5));
    text_free(&source);
    return rc;
}

static int same_structure(const struct ddtp_text *a, const struct ddtp_text *b)
{
    for (int i = 0; a->n == b->n && i < a->n; i++)
        if (a->block[i].verbatim != b->block[i].verbatim)
            return 0;
    return a->n == b->n;
}

static int translate(void *reader, const struct deb822 *d)
{
    struct reader *r = reader;
    struct ddtp_text foreign;
    struct record at;
    int rc;

    TRY(read_record(&at, r, d));
    if (!rc || !at.wanted)
        return OK;
    int i = map_get(r->english.index, at.md5, -1);
    if (i < 0)
        return corpus_skip(r->x, at.line, "no-english", NULL);
    const struct ddtp_text *e = (struct ddtp_text *)r->english.row + i;
    ddtp_read_text(&foreign, at.value, r->memory);
    TRY(pair(r, &at, e->summary, foreign.summary, "short"));
    if (!same_structure(e, &foreign))
        return corpus_skip(r->x, at.line, "structure-differs", NULL);
    for (i = 0; i < e->n; i++)
        if (!e->block[i].verbatim)
            TRY(pair(r, &at, e->block[i].text, foreign.block[i].text,
                     "paragraph"));
out:
    return rc;
}

/* ---- summaries ---- */

static int summarise(void *reader, const struct deb822 *d)
{
    struct reader *r = reader;
    struct text source = {0};
    struct ddtp_text t;
    struct record at;
    int rc;

    TRY(read_record(&at, r, d));
    if (!rc || !at.wanted)
        return OK;
    TRY(ddtp_check_md5(at.md5, at.value, d));
    ddtp_read_text(&t, at.value, r->memory);
    if (!t.n)
        return corpus_skip(r->x, at.line, "empty-article", NULL);
    text_put(&source, "summarize: ");
    for (int i = 0; i < t.n; i++) {
        text_put(&source, i ? "\n" : "");
        text_put(&source, t.block[i].text);
    }
    rc = ROW(r->x, TEXT("source", source.s), TEXT("target", t.summary),
             TEXT("package", at.package), TEXT("origin", at.source),
             TEXT("md5", at.md5));
out:
    text_free(&source);
    return rc;
}

static int read_texts(struct corpus_reading *x)
{
    const struct language *l = x->corpus->detail;
    struct reader r = {.x = x, .language = l, .source.index = map_new(),
                       .english.index = map_new(), .seen = map_new(),
                       .memory = arena_new()};
    char pattern[32];
    int rc;

    snprintf(r.field, sizeof r.field, "Description-%s", l ? l->code : "en");
    snprintf(pattern, sizeof pattern, "*Translation-%s", l ? l->code : "en");
    TRY(each(&r, "*Packages", keep_source));
    if (l)
        TRY(each(&r, "*Translation-en", keep_english));
    rc = each(&r, pattern, l ? translate : summarise);
out:
    map_free(r.source.index);
    map_free(r.english.index);
    map_free(r.seen);
    free(r.source.row);
    free(r.english.row);
    arena_free(r.memory);
    return rc;
}

/* ---- packages ---- */

enum { TAGS = 512 };

static int hand_out_package(void *reader, const struct deb822 *d)
{
    struct reader *r = reader;
    const char *tags = deb822_get(d, "Tag"), *list[TAGS + 1];
    char *rest = arena_text(r->memory, tags ? tags : "");
    struct ddtp_package p;
    int rc, n = 0;

    TRY(ddtp_read_package(&p, d, r->memory));
    for (char *tag; *rest && n < TAGS;) {
        tag = rest;
        rest += strcspn(rest, ",");
        if (*rest)
            *rest++ = 0;
        tag = text_strip_ascii(tag);
        if (*tag)
            list[n++] = tag;
    }
    if (*rest)
        return deb822_refuse(d, "Tag", "more than 512 tags");
    list[n] = NULL;
    rc = ROW(r->x, TEXT("package", p.name), TEXT("source", p.source),
             TEXT("section", p.section), TEXTS("tags", list));
    arena_reset(r->memory);
out:
    return rc;
}

static int read_packages(struct corpus_reading *x)
{
    struct reader r = {.x = x, .memory = arena_new()};
    int rc = each(&r, "*Packages", hand_out_package);

    arena_free(r.memory);
    return rc;
}

#define FROM "Debian's indexes of packages (`synthbench data fetch')"
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
