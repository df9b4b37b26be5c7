/*
 * wmt: reads the translation data of WMT 2014, from English.
 *
 *     NAME.en, NAME.de     one sentence per line, paired by line number;
 *                          training uses the corpora that exist, in their
 *                          fixed order
 *     dev/newstest2014-*   paired by document and segment:
 *         <doc sysid="ref" docid="abc" ...>
 *         <seg id="1">text</seg>          one per line; other lines are
 *                                         ignored
 *     *.tok.bpe.32000.*    tensor2tensor's subwords ("ha@@ ven"): passed on
 *                          both joined and unchanged
 *
 * Tags may be in either case and have blanks before them.  White space at both
 * ends of a segment is removed; &amp; &lt; &gt; &quot; &apos; are unescaped
 * once.
 *
 * A pair is skipped if a side is empty or consists of blanks only.
 * Source: Bojar et al. (WMT 2014); Vaswani et al. (NeurIPS 2017).
 */
#include "harness/base/array.h"
#include "harness/corpora/corpus.h"

#include "harness/base/arena.h"
#include "harness/base/err.h"
#include "harness/base/map.h"
#include "harness/base/text.h"
#include "harness/data/format/linefile.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

struct wmt {
    const char *language, *prefix; /* "de", "translate English to German: " */
};

struct side {
    const char *file, *text;
    long line;
    const char *tokens; /* subwords that text is joined from; or NULL */
};

/* Returns NULL if the side is usable, else the reason to skip the pair. */
static const char *refusal(const struct side *s, const char *empty,
                           const char *blank)
{
    if (!*s->text)
        return empty;
    return s->text[strspn(s->text, " \t")] ? NULL : blank;
}

static void join_subwords(struct text *out, const char *s)
{
    const char *at;

    for (; (at = strstr(s, "@@")); s = at) {
        size_t used = at[2] == ' ' ? 3 : !at[2] ? 2 : 0;

        text_add(out, s, (size_t)(at - s) + !used);
        at += used ? used : 1;
    }
    text_put(out, s);
}

static int take_pair(struct corpus_reading *x, const struct side *english,
                     const struct side *foreign)
{
    const struct wmt *w = x->corpus->detail;
    const struct side *at = english;
    const char *why = refusal(english, "empty-source", "blank-source");
    OWNED(text_free) struct text source = {0};

    if (!why) {
        at = foreign;
        why = refusal(foreign, "empty-target", "blank-target");
    }
    x->file = at->file;
    if (why)
        return corpus_skip(x, at->line, why, NULL);
    text_format(&source, "%s%s", w->prefix, english->text);
    if (!english->tokens)
        return ROW(x, TEXT("source", source.s), TEXT("target", foreign->text));
    return ROW(x, TEXT("source", source.s), TEXT("target", foreign->text),
               TEXT("source_tokens", english->tokens),
               TEXT("target_tokens", foreign->tokens));
}

/* Joins the subwords before the check for empty sides: a side may be just
 * "@@". */
static int take_subwords(struct corpus_reading *x, struct side *english,
                         struct side *foreign)
{
    OWNED(text_free) struct text source = {0}, target = {0};

    english->tokens = english->text;
    foreign->tokens = foreign->text;
    join_subwords(&source, english->text);
    join_subwords(&target, foreign->text);
    english->text = source.s;
    foreign->text = target.s;
    return take_pair(x, english, foreign);
}

/* ---- lines ---- */

/* Returns the error that two files differ in their numbers of lines.  The last
 * line read of `longer` is its first line without a counterpart. */
static int refuse_count(struct linefile *longer, const struct linefile *shorter,
                        const char *other)
{
    long first = linefile_number(longer);
    int rc = linefile_rest(longer);

    if (rc < 0)
        return rc;
    return linefile_refuse_at(longer, first, "this line has no counterpart: "
                              "there are %ld lines here and %ld in %s",
                              linefile_number(longer),
                              linefile_number(shorter), other);
}

static int read_lines(struct corpus_reading *x, const char *english,
                      const char *foreign, int subwords)
{
    char path[CORPUS_PATH], *s, *t;
    OWNED(linefile_close) struct linefile *e = NULL, *f = NULL;
    int one, two;

    PASS(corpus_path(path, x, english));
    PASS(linefile_open(&e, path));
    PASS(corpus_path(path, x, foreign));
    PASS(linefile_open(&f, path));
    linefile_allow_nul(e, x->sink->skip_nul);
    linefile_allow_nul(f, x->sink->skip_nul);
    for (;;) {
        PASS(one = linefile_next(e, &s));
        PASS(two = linefile_next(f, &t));
        if (one != two)
            return one ? refuse_count(e, f, foreign)
                       : refuse_count(f, e, english);
        if (!one)
            return OK;
        if (linefile_has_nul(e) || linefile_has_nul(f)) {
            x->file = linefile_has_nul(e) ? english : foreign;
            PASS(corpus_skip(x, linefile_number(e), CORPUS_NUL, NULL));
            continue;
        }
        struct side from = {english, s, linefile_number(e), NULL};
        struct side to = {foreign, t, linefile_number(f), NULL};
        PASS(subwords ? take_subwords(x, &from, &to) : take_pair(x, &from,
                                                                 &to));
    }
}

/* Sets `out` to BASE.LANGUAGE, to BASE.LANGUAGE.gz, or to "" if neither
 * exists. */
static int find_side(char out[CORPUS_PATH], struct corpus_reading *x,
                     const char *base, const char *language)
{
    static const char *const tails[] = {"", ".gz"};
    struct files f;

    for (int i = 0; i < 2; i++) {
        snprintf(out, CORPUS_PATH, "%s.%s%s", base, language, tails[i]);
        PASS(files_find(&f, x->folder, out));
        int found = f.n;
        files_close(&f);
        if (found)
            return OK;
    }
    *out = 0;
    return OK;
}

/* Returns 1 if the corpus exists and was read, or 0 if it does not exist. */
static int read_base(struct corpus_reading *x, const char *base,
                     int subwords)
{
    const struct wmt *w = x->corpus->detail;
    char english[CORPUS_PATH], foreign[CORPUS_PATH];

    PASS(find_side(english, x, base, "en"));
    PASS(find_side(foreign, x, base, w->language));
    if (!*english && !*foreign)
        return 0;
    if (!*english || !*foreign)
        return err_set(ERR_DATA, "%s/%s.%s: missing, but the other side exists",
                       x->folder, base, *english ? w->language : "en");
    PASS(read_lines(x, english, foreign, subwords));
    return 1;
}

/* Reads the corpora of the split that exist.  Each pattern of the split is
 * "BASE.*". */
static int read_bases(struct corpus_reading *x, int subwords)
{
    char base[CORPUS_PATH];
    int there, n = 0;

    for (int i = 0; corpus_pattern(base, x->split, i); i++) {
        base[strlen(base) - 2] = 0;
        PASS(there = read_base(x, base, subwords));
        n += there;
    }
    if (n)
        return OK;
    corpus_pattern(base, x->split, 0);
    base[strlen(base) - 2] = 0;
    return err_set(ERR_DATA, "%s/%s.en: no such file", x->folder, base);
}

static int read_bpe(struct corpus_reading *x)
{
    return read_bases(x, 1);
}

/* ---- test sets ---- */

struct segments { /* the foreign side, by "DOCUMENT<TAB>ID" */
    struct corpus_reading *x;
    const char *english, *foreign; /* files */
    struct map *number;
    struct arena *memory;
    struct segment {
        const char *text;
        long line;
        int used;
    } *segment;
    int n;
    size_t cap;
};

static void close_segments(struct segments *all)
{
    map_free(all->number);
    arena_free(all->memory);
    free(all->segment);
}
OWNER_OF_VALUE(close_segments, struct segments)

struct sgm { /* one of the two files */
    int (*each)(struct segments *all, const struct sgm *s);
    struct segments *to;
    const struct linefile *lines;
    char document[256], key[512]; /* key: of the last segment */
    struct text text;             /* of the last segment */
    long n;                       /* segments so far */
};

static void close_sgm(struct sgm *s) { text_free(&s->text); }
OWNER_OF_VALUE(close_sgm, struct sgm)

/* Copies an attribute of the tag that ends at `end`.  Returns 1 if the tag has
 * the attribute, else 0. */
static int attribute(char *out, size_t room, const char *tag, const char *end,
                     const char *name)
{
    size_t n = strlen(name);

    for (const char *at = tag; (at = strpbrk(at, " \t")) && at < end; at++) {
        if (strncasecmp(at + 1, name, n) || at[n + 1] != '=' ||
            at[n + 2] != '"')
            continue;
        const char *from = at + n + 3, *to = strchr(from, '"');
        if (!to || to > end || (size_t)(to - from) >= room)
            return 0;
        snprintf(out, room, "%.*s", (int)(to - from), from);
        return 1;
    }
    return 0;
}

static const char *const entities[][2] = {
    {"&amp;", "&"}, {"&lt;", "<"}, {"&gt;", ">"}, {"&quot;", "\""},
    {"&apos;", "'"}, {NULL}};

/* Reads a segment from <seg to the end of the line. */
static int read_segment(struct sgm *s, char *tag)
{
    char id[128], *text = strchr(tag, '>'), *end = NULL;

    if (!text || !attribute(id, sizeof id, tag, text, "id"))
        return linefile_refuse(s->lines, "a segment without an id");
    for (char *at = text; (at = strstr(at, "</")); at += 2)
        if (!strncasecmp(at, "</seg>", 6)) {
            end = at;
            break;
        }
    if (!end || end[6 + strspn(end + 6, " \t\r\v\f")])
        return linefile_refuse(s->lines, "a segment that does not end with "
                                         "</seg> on its line");
    *end = 0;
    text_clear(&s->text);
    text_swap(&s->text, text_strip_ascii(text + 1), entities);
    snprintf(s->key, sizeof s->key, "%s\t%s", s->document, id);
    s->n++;
    return s->each(s->to, s);
}

static int take_line(void *sgm, const struct linefile *f, char *line)
{
    struct sgm *s = sgm;

    s->lines = f;
    line += strspn(line, " \t");
    if (!strncasecmp(line, "<seg", 4) && strchr(" \t>", line[4]))
        return read_segment(s, line);
    const char *end = strchr(line, '>');
    if (!strncasecmp(line, "<doc ", 5) &&
        (!end || !attribute(s->document, sizeof s->document, line, end,
                            "docid")))
        return linefile_refuse(f, "a document without a docid");
    return OK;
}

static int read_segments(struct segments *all, const char *file,
                         int (*each)(struct segments *all, const struct sgm *s))
{
    OWNED(close_sgm) struct sgm s = {.each = each, .to = all};
    char path[CORPUS_PATH];

    PASS(corpus_path(path, all->x, file));
    PASS(linefile_each(path, take_line, &s));
    return s.n ? OK : err_set(ERR_DATA, "%s: has no segments", path);
}

static int keep_segment(struct segments *all, const struct sgm *s)
{
    ARRAY_ROOM(all->segment, all->n, all->cap);
    if (!map_add(all->number, arena_text(all->memory, s->key), all->n))
        return linefile_refuse(s->lines, "this segment appears twice");
    all->segment[all->n++] =
        (struct segment){.text = arena_text(all->memory, s->text.s),
                         .line = linefile_number(s->lines)};
    return OK;
}

static int take_segment(struct segments *all, const struct sgm *s)
{
    int i = map_get(all->number, s->key, -1);

    if (i < 0)
        return linefile_refuse(s->lines, "no such segment in %s", all->foreign);
    struct segment *g = &all->segment[i];
    if (g->used++)
        return linefile_refuse(s->lines, "this segment appears twice");
    struct side from = {all->english, s->text.s, linefile_number(s->lines),
                        NULL};
    struct side to = {all->foreign, g->text, g->line, NULL};
    return take_pair(all->x, &from, &to);
}

static int read_sgm(struct corpus_reading *x)
{
    char english[CORPUS_PATH], foreign[CORPUS_PATH];
    OWNED(close_segments) struct segments all = {
        .x = x, .english = english, .foreign = foreign, .number = map_new(),
        .memory = arena_new()};

    corpus_pattern(english, x->split, 0);
    corpus_pattern(foreign, x->split, 1);
    PASS(read_segments(&all, foreign, keep_segment));
    PASS(read_segments(&all, english, take_segment));
    for (int i = 0; i < all.n; i++)
        if (!all.segment[i].used)
            return err_set(ERR_DATA, "%s/%s:%ld: no such segment in %s",
                           x->folder, foreign, all.segment[i].line, english);
    return OK;
}

static int read_official(struct corpus_reading *x)
{
    return strcmp(x->split->name, "test") ? read_bases(x, 0) : read_sgm(x);
}

/* Defines a corpus.  `more` holds additional training patterns, `archives`
 * their archives, `bpe` the archive of tensor2tensor's set. */
#define WMT(id, code, language, short, rows, more, archives, bpe)             \
    const struct corpus corpus_wmt14_##id = {                                 \
        .name = "wmt14_" #id, .title = "WMT'14 En-" short,                    \
        .from = "WMT 2014's translation task, " language "-English "          \
                "(https://www.statmt.org/wmt14/translation-task.html): "      \
                "training-parallel-europarl-v7.tgz, "                         \
                "training-parallel-commoncrawl.tgz, "                         \
                "training-parallel-nc-v9.tgz" archives "; and dev.tgz of "    \
                "WMT 2017 "                                                   \
                "(https://www.statmt.org/wmt17/translation-task.html). "      \
                "Alternatively, the BPE'd set of tensor2tensor" bpe           \
                " (layout t2t-bpe)",                                          \
        .counted = "blank-",                                                  \
        .detail = &(const struct wmt){                                        \
            code, "translate English to " language ": "},                     \
        .layout = {{.name = "official", .read = read_official, .split = {     \
            {"train", "training/europarl-v7." code "-en.* "                   \
                      "commoncrawl." code "-en.* "                            \
                      "training/news-commentary-v9." code "-en.*" more, rows},\
            {"valid", "dev/newstest2013.*", 3000},                            \
            {"test", "dev/newstest2014-" code "en-ref.en.sgm "                \
                     "dev/newstest2014-" code "en-src." code ".sgm", 3003}}}, \
                   {.name = "t2t-bpe", .read = read_bpe, .split = {           \
            {"train", "train.tok.clean.bpe.32000.*", 0},                      \
            {"valid", "newstest2013.tok.bpe.32000.*", 3000},                  \
            {"test", "newstest2014.tok.bpe.32000.*", 3003}}}}};

WMT(ende, "de", "German", "De", 4508785, "", "", ", wmt16_en_de.tar.gz")
WMT(enfr, "fr", "French", "Fr", 40836715,
    " un/undoc.2000.fr-en.* giga-fren.release2.fixed.*",
    ", training-parallel-un.tgz, training-giga-fren.tar", "")
