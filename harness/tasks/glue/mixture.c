#include "harness/tasks/glue/mixture.h"

#include "harness/base/map.h"
#include "harness/base/rng.h"
#include "harness/base/text.h"
#include "harness/data/sentence.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { SEED = 20210718, SITE_ORDER = 128 };

/* ---- functions that the parts call ---- */

int mixture_wants(const struct mixture *m, enum split s, int class)
{
    return m->of[s][class].n < m->part->most[s];
}

void mixture_add(struct mixture *m, enum split s, int class, int group,
                 const char *source, const char *target)
{
    if (mixture_wants(m, s, class) && map_add(m->seen, source, 0))
        items_add(&m->of[s][class], (struct item){.source = source,
                                                  .target = target,
                                                  .label = class,
                                                  .group = group});
}

int mixture_has(const struct mixture *m, const char *source)
{
    return map_get(m->seen, source, -1) >= 0;
}

const char *mixture_text(struct mixture *m, const char *prefix, ...)
{
    struct text out = {0};
    const char *key;
    va_list ap;

    text_put(&out, prefix);
    va_start(ap, prefix);
    while ((key = va_arg(ap, const char *)))
        text_format(&out, " %s: %s", key, va_arg(ap, const char *));
    va_end(ap);
    return text_keep(&out, m->memory);
}

int mixture_draw(struct mixture *m, int n)
{
    struct rng_key key = {SEED, RNG_DATA, 0, hash_name(m->part->name)};

    return (int)rng_below(key, m->draws++, (uint32_t)n);
}

/* ---- passages ---- */

static void read_passage(struct passage *p, const struct ddtp_entry *e,
                         struct arena *a)
{
    *p = (struct passage){
        .entry = e,
        .split = ddtp_split(e->source, MIXTURE_VALID, MIXTURE_TEST)};
    for (int i = 0; i < e->english.n; i++) {
        const char *text = e->english.block[i].text;

        while (!e->english.block[i].verbatim && *text &&
               p->n < PASSAGE_SENTENCES)
            p->sentence[p->n++] = sentence_take(&text, a);
    }
}

/* Reads one package of each source package, one with tags if possible. */
static void read_passages(struct mixture *m, const struct ddtp *d)
{
    OWNED(map_free) struct map *seen = map_new();
    OWNED(free) int *order = malloc((size_t)(d->n + 1) * sizeof *order);

    m->passage = arena_take(m->memory, (size_t)(d->n + 1) * sizeof *m->passage);
    rng_shuffle((struct rng_key){SEED, RNG_DATA, 0, SITE_ORDER}, d->n, order);
    for (int tagged = 1; tagged >= 0; tagged--)
        for (int i = 0; i < d->n; i++) {
            const struct ddtp_entry *e = &d->entry[order[i]];

            if ((e->tags || !tagged) && map_add(seen, e->source, 0))
                read_passage(&m->passage[m->n++], e, m->memory);
        }
    rng_shuffle_rows((struct rng_key){SEED, RNG_DATA, 1, SITE_ORDER}, m->n,
                     m->passage, sizeof *m->passage);
}

/* ---- all parts ---- */

/* Adds equally many examples of each existing class, in turn, and at most
 * `most` in total.  If there is only one class, adds all of its examples. */
static void deal(struct items *out, struct items class[MIXTURE_CLASSES],
                 int most, int subtask)
{
    int least = most, before = out->n;

    for (int c = 0; c < MIXTURE_CLASSES; c++)
        if (class[c].n && class[c].n < least)
            least = class[c].n;
    for (int i = 0; i < least; i++)
        for (int c = 0; c < MIXTURE_CLASSES; c++)
            if (class[c].n && out->n - before < most) {
                class[c].item[i].subtask = subtask;
                items_add(out, class[c].item[i]);
            }
}

static void make(struct items out[SPLITS], struct mixture *m,
                 const struct part *p, int subtask)
{
    m->part = p;
    m->draws = 0;
    if (p->make)
        p->make(m);
    for (int i = 0; p->each && i < m->n; i++)
        p->each(m, &m->passage[i]);
    for (int s = 0; s < SPLITS; s++) {
        deal(&out[s], m->of[s], p->most[s], subtask);
        for (int c = 0; c < MIXTURE_CLASSES; c++)
            free(m->of[s][c].item);
    }
    memset(m->of, 0, sizeof m->of);
}

void mixture_gather(struct items out[SPLITS], const struct texts *t,
                    const struct part *parts)
{
    OWNED(map_free) struct map *words = map_of_copies(), *seen = map_new();
    struct mixture m = {
        .texts = t, .memory = t->memory, .seen = seen, .words = words};

    read_passages(&m, &t->ddtp);
    for (int i = 0; parts[i].name; i++)
        make(out, &m, &parts[i], i);
    for (int s = 0; s < SPLITS; s++)
        items_shuffle(&out[s], split_name[s]);
}
