#include "harness/tasks/translation.h"

#include "harness/base/map.h"
#include "harness/data/format/pairs.h"

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

void translation_pairs(struct items out[SPLITS], const struct texts *t)
{
    struct map *english = map_new(), *both = map_new();
    struct pairs pairs;

    pairs_open(&pairs, &t->ddtp);
    for (int s = 0; s < SPLITS; s++) {
        for (int i = 0; i < pairs.n; i++) {
            const struct pair *p = &pairs.pair[i];

            if (ddtp_split(p->source, VALID, TEST) != (enum split)s)
                continue;
            int fresh = map_add(english, p->english, 0);
            if (s == SPLIT_TRAIN)
                fresh = map_add(both, joined(p, t->memory), 0);
            if (fresh)
                items_add(&out[s], (struct item){.source = p->english,
                                                 .target = p->foreign});
        }
        items_shuffle(&out[s], split_name[s]);
    }
    pairs_close(&pairs);
    map_free(english);
    map_free(both);
}
