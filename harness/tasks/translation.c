/*
 * translation: the tasks wmt14_ende and wmt14_enfr, translation from English
 * into German or French.  Their reduced data are sentence pairs from package
 * descriptions.  All pairs of a source package are in one split: 5 % of the
 * packages in validation, 5 % in test.  Templates ("This package contains the
 * documentation for ...") occur in several packages, so a validation or test
 * pair is dropped if its English side already occurred in any split; most such
 * repeats are in training.
 *
 * Two descriptions are paired if they have the same number of flowed
 * paragraphs.  Their verbatim blocks are paired, too, if both have the same
 * sequence of flowed and verbatim blocks; otherwise these blocks are dropped.
 * The sentences of a block are paired one to one if their numbers agree;
 * otherwise the block is one pair.  A pair is dropped if its sides are equal
 * (untranslated), if a side has fewer than 3 or more than 60 tokens, or if a
 * side has more than twice the tokens of the other.
 */
#include "harness/base/map.h"
#include "harness/data/sentence.h"
#include "harness/tasks/gen/gen.h"
#include "harness/tasks/official.h"
#include "harness/tasks/recipe.h"

#include <string.h>

enum { VALID = 5, TEST = 5 /* percent */,
       TOKENS_MIN = 3, TOKENS_MAX = 60, RATIO_MAX = 2 };

struct gathering { /* for one split */
    struct items *out;
    struct map *english, *both; /* English sides, and pairs, seen so far;
                                   `both` is NULL except in training */
    struct arena *memory;
};

static int flowed(const struct ddtp_text *t)
{
    int n = 0;

    for (int i = 0; i < t->n; i++)
        n += !t->block[i].verbatim;
    return n;
}

static int fits(const char *english, const char *foreign)
{
    int e = sentence_tokens(english), f = sentence_tokens(foreign);

    return strcmp(english, foreign) && e >= TOKENS_MIN && f >= TOKENS_MIN &&
           e <= TOKENS_MAX && f <= TOKENS_MAX && e <= RATIO_MAX * f &&
           f <= RATIO_MAX * e;
}

/* Adds a pair, whose source is English, if it fits and is not a duplicate. */
static void add_pair(struct gathering *g, const char *english,
                     const char *foreign)
{
    if (!fits(english, foreign))
        return;
    int fresh = map_add(g->english, english, 0);
    if (g->both)
        fresh = map_add(g->both, arena_format(g->memory, "%s\n%s", english,
                                              foreign), 0);
    if (fresh)
        items_add(g->out, (struct item){.source = english, .target = foreign});
}

static void add_block(struct gathering *g, const char *english,
                      const char *foreign)
{
    if (!strcmp(english, foreign)) /* untranslated */
        return;
    if (sentence_count(english) != sentence_count(foreign)) {
        add_pair(g, english, foreign);
        return;
    }
    while (*english)
        add_pair(g, sentence_take(&english, g->memory),
                 sentence_take(&foreign, g->memory));
}

static void add_entry(struct gathering *g, const struct ddtp_entry *e)
{
    const struct ddtp_text *x = &e->english, *y = &e->foreign;

    if (flowed(x) != flowed(y))
        return;
    int all = ddtp_alike(x, y), i = 0, j = 0;
    for (;; i++, j++) {
        while (!all && i < x->n && x->block[i].verbatim)
            i++;
        while (!all && j < y->n && y->block[j].verbatim)
            j++;
        if (i >= x->n || j >= y->n)
            break;
        add_block(g, x->block[i].text, y->block[j].text);
    }
}

static void gather(struct items out[SPLITS], const struct texts *t)
{
    const struct ddtp *d = &t->ddtp;
    OWNED(map_free) struct map *english = map_new(), *both = map_new();

    for (int s = 0; s < SPLITS; s++) {
        struct gathering g = {&out[s], english, s == SPLIT_TRAIN ? both : NULL,
                              t->memory};

        for (int i = 0; i < d->n; i++)
            if (d->entry[i].foreign.summary &&
                ddtp_split(d->entry[i].source, VALID, TEST) == (enum split)s)
                add_entry(&g, &d->entry[i]);
        items_shuffle(&out[s], split_name[s]);
    }
}

#define TRANSLATION(id, code, short, foreign, more, rows, ids, ...)           \
    const struct task task_##id = {                                           \
        .name = #id,                                                          \
        .title = "WMT'14 En" short,                                           \
        .cite = "Table 2, newstest2014",                                      \
        .source = "Debian package descriptions, English-" foreign             \
                  " sentence pairs",                                          \
        .generator = "the source in a fixed permutation",                     \
        .official = "training/{europarl-v7,commoncrawl,news-commentary-v9}."  \
                    code "-en.{" code ",en}, " more                           \
                    "dev/newstest2013 and newstest2014",                      \
        .recipe = &(const struct recipe){                                     \
            .subject = "English-" foreign, .language = code,                  \
            .needs = 1u << SOURCE_APT, .gather = gather},                     \
        .files = &(const struct official){.typical = {__VA_ARGS__}, .part = { \
            {.corpus = #id, .split = {"train", "valid", "test"},              \
             .source = "source", .target = "target",                          \
             .prefix = "translate English to " foreign ": "}}},               \
        .kind = TASK_TRANSDUCE,                                               \
        .metrics = NAMES("ce", "token_accuracy", "bleu"),                     \
        .generate = gen_permutation,                                          \
        .text = {rows, ids},                                                  \
    };

TRANSLATION(wmt14_ende, "de", "De", "German", "", 18743, 977518,
            116. / 4.5, 110. / 4.5, "116M English and 110M German words in "
            "4.5M pairs (Luong et al. 2015, section 4.1)")
TRANSLATION(wmt14_enfr, "fr", "Fr", "French",
            "un/undoc.2000.fr-en.{fr,en}, "
            "giga-fren.release2.fixed.{fr,en}.gz, ", 33975, 1704000,
            304. / 12, 348. / 12, "304M English and 348M French words in 12M "
            "of the pairs (Sutskever et al. 2014, section 3.1)")
