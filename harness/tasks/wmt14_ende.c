/*
 * wmt14_ende: English to German, sentence pairs of package descriptions.
 * Splits by source package: 5 % validation, 5 % test.  Templates ("This package
 * contains the documentation for ...") cross packages, so a validation or test
 * pair whose English side occurred before, in training above all, is left out.
 */
#include "harness/data/map.h"
#include "harness/data/pairs.h"
#include "harness/tasks/gen.h"
#include "harness/tasks/recipe.h"

#include <stdio.h>
#include <string.h>

enum { VALID = 5, TEST = 5 }; /* percent */

static const char *joined(const struct pair *p, struct arena *a)
{
    size_t n = strlen(p->english) + strlen(p->foreign) + 2;
    char *s = arena_take(a, n);

    snprintf(s, n, "%s\n%s", p->english, p->foreign);
    return s;
}

static void gather(struct items out[SPLITS], const struct ddtp *d)
{
    struct map *english = map_new(), *both = map_new();
    struct pairs pairs;

    pairs_open(&pairs, d);
    for (int s = 0; s < SPLITS; s++) {
        for (int i = 0; i < pairs.n; i++) {
            const struct pair *p = &pairs.pair[i];

            if (ddtp_split(p->source, VALID, TEST) != (enum split)s)
                continue;
            int fresh = map_add(english, p->english, 0);
            if (s == SPLIT_TRAIN)
                fresh = map_add(both, joined(p, d->memory), 0);
            if (fresh)
                items_add(&out[s], (struct item){p->english, p->foreign, 0});
        }
        items_shuffle(&out[s], split_name[s]);
    }
    pairs_close(&pairs);
    map_free(english);
    map_free(both);
}

static int open_task(struct dataset *out, const struct task_opts *o)
{
    static const struct recipe recipe = {.name = "wmt14_ende",
                                         .subject = "English-German",
                                         .language = "de",
                                         .kind = TASK_TRANSDUCE,
                                         .gather = gather};

    return o->synthetic ? gen_permutation(out, o)
                        : recipe_open(out, &recipe, o);
}

static const char *const metrics[] = {"ce", "token_accuracy", "bleu", NULL};

const struct task task_wmt14_ende = {
    .name = "wmt14_ende",
    .title = "WMT'14 EnDe",
    .cite = "Table 2, newstest2014",
    .source = "Debian package descriptions, English-German sentence pairs",
    .generator = "the source in a fixed order of positions",
    .official = "training/{europarl-v7,commoncrawl,news-commentary-v9}.de-en."
                "{de,en}, dev/newstest2013 and newstest2014",
    .kind = TASK_TRANSDUCE,
    .metrics = metrics,
    .open = open_task,
    .text = {18743, 977518},
};
