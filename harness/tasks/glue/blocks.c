#include "harness/tasks/glue/blocks.h"

#include "harness/base/map.h"
#include "harness/base/rng.h"
#include "harness/data/sentence.h"

#include <stdlib.h>
#include <string.h>

/* The lengths of a text, in tokens, let most examples fit in 64 pieces of the
 * tokenizer.  The maximum length of a name, in bytes, lets it fit in 16
 * pieces. */
enum { TOKENS_MIN = 3, TOKENS_MAX = 12, NAME_BYTES = 12, SEED = 20210718 };

struct blocks { int n; struct block *block; };

/* ---- passages ---- */

static int is_short(const char *text)
{
    int n = sentence_tokens(text);

    return n >= TOKENS_MIN && n <= TOKENS_MAX;
}

/* Returns 1 if the package has the texts of a passage, else 0. */
static int read_passage(struct passage *p, const struct ddtp_entry *e,
                        struct arena *a)
{
    *p = (struct passage){
        .split = ddtp_split(e->source, BLOCKS_VALID, BLOCKS_TEST),
        .section = e->section, .name = e->source,
        .summary = e->english.summary};
    if (!p->section || strlen(p->name) > NAME_BYTES || !is_short(p->summary))
        return 0;
    for (int i = 0; i < e->english.n; i++) {
        const char *text = e->english.block[i].text;

        while (!e->english.block[i].verbatim && *text) {
            p->sentence = sentence_take(&text, a);
            if (is_short(p->sentence))
                return 1;
        }
    }
    return 0;
}

static int by_section(const void *a, const void *b)
{
    const struct passage *x = a, *y = b;
    int c = (x->split > y->split) - (x->split < y->split);

    c = c ? c : strcmp(x->section, y->section);
    return c ? c : strcmp(x->name, y->name);
}

/* Reads one package of each source package, in the order of splits, sections
 * and names, and sets n[s] to the number of them that belong to split s. */
static struct passage *read_passages(int n[SPLITS], const struct ddtp *d,
                                     struct arena *a)
{
    OWNED(map_free) struct map *seen = map_new();
    struct passage *all = arena_take(a, (size_t)(d->n + 1) * sizeof *all), *p;

    p = all;
    for (int i = 0; i < d->n; i++)
        if (read_passage(p, &d->entry[i], a) && map_add(seen, p->name, 0) &&
            map_add(seen, p->summary, 0) && map_add(seen, p->sentence, 0))
            n[p++->split]++;
    qsort(all, (size_t)(p - all), sizeof *all, by_section);
    return all;
}

/* ---- blocks ---- */

/* Combines neighbours among the first half of the n passages of a split with
 * neighbours among the second half. */
static void add_blocks(struct blocks *out, const struct passage *p, int n)
{
    const struct passage *q = p + n / 2;

    for (int i = 0; i + 1 < n / 2; i += 2)
        if (!strcmp(p[i].section, p[i + 1].section) &&
            !strcmp(q[i].section, q[i + 1].section) &&
            strcmp(p[i].section, q[i].section))
            out->block[out->n++] =
                (struct block){{&p[i], &p[i + 1], &q[i], &q[i + 1]}};
}

static const struct blocks *find_blocks(const struct ddtp *d, struct arena *a)
{
    struct blocks *out = arena_zero(a, sizeof *out);
    int n[SPLITS] = {0};
    const struct passage *p = read_passages(n, d, a);

    out->block = arena_take(a, ((size_t)d->n + 1) * sizeof *out->block);
    for (int s = 0; s < SPLITS; p += n[s++])
        add_blocks(out, p, n[s]);
    rng_shuffle_rows((struct rng_key){SEED, RNG_DATA, 0, 0}, out->n,
                     out->block, sizeof *out->block);
    return out;
}

void blocks_each(struct mixture *m,
                 void (*add)(struct mixture *m, const struct block *b))
{
    if (!m->blocks)
        m->blocks = find_blocks(&m->texts->ddtp, m->memory);
    int n = m->blocks->n, from = n ? mixture_draw(m, n) : 0;

    for (int i = 0; i < n; i++)
        add(m, &m->blocks->block[(from + i) % n]);
}
