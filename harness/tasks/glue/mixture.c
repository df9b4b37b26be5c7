#include "harness/tasks/glue/mixture.h"

#include "harness/base/map.h"
#include "harness/base/rng.h"

#include <stdlib.h>
#include <string.h>

enum { SEED = 20210718 };

/* ---- functions that the parts call ---- */

int mixture_wants(const struct mixture *m, enum split s, int class)
{
    return m->of[s][class].n < m->part->most[s] / m->part->classes;
}

void mixture_add(struct mixture *m, enum split s, int class, struct item it)
{
    it.label = class;
    if (mixture_wants(m, s, class) && map_add(m->seen, it.source, 0))
        items_add(&m->of[s][class], it);
}

int mixture_draw(struct mixture *m, int n)
{
    struct rng_key key = {SEED, RNG_DATA, 0, hash_name(m->part->name)};

    return (int)rng_below(key, m->draws++, (uint32_t)n);
}

/* ---- all parts ---- */

/* Adds equally many examples of each existing class, in turn. */
static void deal(struct items *out, struct items class[MIXTURE_CLASSES],
                 int subtask)
{
    int least = 0;

    for (int c = 0; c < MIXTURE_CLASSES; c++)
        if (class[c].n && (!least || class[c].n < least))
            least = class[c].n;
    for (int i = 0; i < least; i++)
        for (int c = 0; c < MIXTURE_CLASSES; c++)
            if (class[c].n) {
                class[c].item[i].subtask = subtask;
                items_add(out, class[c].item[i]);
            }
}

static void make(struct items out[SPLITS], struct mixture *m,
                 const struct part *p, int subtask)
{
    m->part = p;
    m->draws = 0;
    p->make(m);
    for (int s = 0; s < SPLITS; s++) {
        deal(&out[s], m->of[s], subtask);
        for (int c = 0; c < MIXTURE_CLASSES; c++)
            free(m->of[s][c].item);
    }
    memset(m->of, 0, sizeof m->of);
}

void mixture_gather(struct items out[SPLITS], const struct texts *t,
                    const struct part *parts)
{
    OWNED(map_free) struct map *seen = map_new();
    struct mixture m = {.texts = t, .memory = t->memory, .seen = seen};

    for (int i = 0; parts[i].name; i++)
        make(out, &m, &parts[i], i);
    for (int s = 0; s < SPLITS; s++)
        items_shuffle(&out[s], split_name[s]);
}
