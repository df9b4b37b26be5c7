/*
 * translation: from English, on sentence pairs of package descriptions.  Splits
 * by source package: 5 % validation, 5 % test.  Templates ("This package
 * contains the documentation for ...") cross packages, so a validation or test
 * pair whose English side occurred before, in training above all, is left out.
 */
#include "harness/base/map.h"
#include "harness/data/format/pairs.h"
#include "harness/tasks/gen/gen.h"
#include "harness/tasks/official.h"
#include "harness/tasks/recipe.h"

enum { VALID = 5, TEST = 5 }; /* percent */

/* The source is English, the target is the foreign text. */
static void gather(struct items out[SPLITS], const struct texts *t)
{
    OWNED(map_free) struct map *english = map_new(), *both = map_new();
    OWNED(pairs_close) struct pairs pairs = {.n = 0};

    pairs_open(&pairs, &t->ddtp);
    for (int s = 0; s < SPLITS; s++) {
        for (int i = 0; i < pairs.n; i++) {
            const struct pair *p = &pairs.pair[i];

            if (ddtp_split(p->source, VALID, TEST) != (enum split)s)
                continue;
            int fresh = map_add(english, p->english, 0);
            if (s == SPLIT_TRAIN)
                fresh = map_add(both, arena_format(t->memory, "%s\n%s",
                                                   p->english, p->foreign), 0);
            if (fresh)
                items_add(&out[s], (struct item){.source = p->english,
                                                 .target = p->foreign});
        }
        items_shuffle(&out[s], split_name[s]);
    }
}

#define TRANSLATION(id, code, short, foreign, more, rows, ids)                \
    const struct task task_##id = {                                           \
        .name = #id,                                                          \
        .title = "WMT'14 En" short,                                           \
        .cite = "Table 2, newstest2014",                                      \
        .source = "Debian package descriptions, English-" foreign             \
                  " sentence pairs",                                          \
        .generator = "the source in a fixed order of positions",              \
        .official = "training/{europarl-v7,commoncrawl,news-commentary-v9}."  \
                    code "-en.{" code ",en}, " more                           \
                    "dev/newstest2013 and newstest2014",                      \
        .recipe = &(const struct recipe){                                     \
            .subject = "English-" foreign, .language = code,                  \
            .needs = 1u << SOURCE_APT, .gather = gather},                     \
        .files = &(const struct official){.part = {                           \
            {.corpus = #id, .split = {"train", "valid", "test"},              \
             .source = "source", .target = "target",                          \
             .prefix = "translate English to " foreign ": "}}},               \
        .kind = TASK_TRANSDUCE,                                               \
        .metrics = NAMES("ce", "token_accuracy", "bleu"),                     \
        .generate = gen_permutation,                                          \
        .text = {rows, ids},                                                  \
    };

TRANSLATION(wmt14_ende, "de", "De", "German", "", 18743, 977518)
TRANSLATION(wmt14_enfr, "fr", "Fr", "French",
            "un/undoc.2000.fr-en.{fr,en}, "
            "giga-fren.release2.fixed.{fr,en}.gz, ", 33975, 1704000)
