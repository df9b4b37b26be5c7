/*
 * running: makes English running text for language models (running_text of
 * recipe.h).  Source packages come in random order, each with the sentences of
 * its long descriptions in order; every sentence occurs once.  All texts of a
 * source package are in one split: 5 % of the packages in validation, 5 % in
 * test.  A sentence that occurs in several splits is kept only in the first of
 * them (training, validation, test).
 */
#include "harness/tasks/recipe.h"

#include "harness/base/map.h"
#include "harness/base/rng.h"
#include "harness/data/sentence.h"

#include <stdlib.h>

enum { VALID = 5, TEST = 5, SEED = 20210718 }; /* percent */

/* Linked lists of the entries of each source package s: first[s],
 * next[first[s]], and so on until -1.  `order` is a random order of the
 * packages. */
struct sources {
    int n;
    int *first, *next, *order;
};

static int *take_ints(int n) { return malloc((size_t)n * sizeof(int)); }

static void sources_open(struct sources *x, const struct ddtp *d)
{
    OWNED(map_free) struct map *index = map_new();

    *x = (struct sources){0, take_ints(d->n), take_ints(d->n), take_ints(d->n)};
    for (int i = d->n - 1; i >= 0; i--) { /* backwards, so that the lists go
                                             forward */
        if (map_add(index, d->entry[i].source, x->n))
            x->first[x->n++] = -1;
        int s = map_get(index, d->entry[i].source, -1);
        x->next[i] = x->first[s];
        x->first[s] = i;
    }
    rng_shuffle((struct rng_key){SEED, RNG_DATA, 0, 0}, x->n, x->order);
}

static void sources_close(struct sources *x)
{
    free(x->first);
    free(x->next);
    free(x->order);
}
OWNER_OF_VALUE(sources_close, struct sources)

static void add_entry(struct items *out, const struct ddtp_entry *e,
                      struct map *seen, struct arena *a)
{
    for (int i = 0; i < e->english.n; i++) {
        const char *text = e->english.block[i].text;

        while (*text && !e->english.block[i].verbatim) {
            const char *sentence = sentence_take(&text, a);

            if (map_add(seen, sentence, 0))
                items_add(out, (struct item){.target = sentence});
        }
    }
}

void running_text(struct items out[SPLITS], const struct texts *t)
{
    const struct ddtp *d = &t->ddtp;
    OWNED(map_free) struct map *seen = map_new();
    OWNED(sources_close) struct sources x = {.n = 0};

    sources_open(&x, d);
    for (int s = 0; s < SPLITS; s++)
        for (int k = 0; k < x.n; k++) {
            int i = x.first[x.order[k]];

            if (ddtp_split(d->entry[i].source, VALID, TEST) == (enum split)s)
                for (; i >= 0; i = x.next[i])
                    add_entry(&out[s], &d->entry[i], seen, t->memory);
        }
}
