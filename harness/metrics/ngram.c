/* A hash table with linear probing, at most half full, of indices into a dense
 * list of entries, so that clearing and summing cost what is in it. */
#include "harness/metrics/ngram.h"

#include "harness/base/err.h"
#include "harness/base/hash.h"

#include <stdlib.h>
#include <string.h>

enum { FIRST_SLOTS = 256 }; /* a power of two, as every later size */

struct entry {
    const char *s;
    size_t      bytes;
    uint64_t    hash;
    long        hyp, ref;    /* ref: the most in one reference    */
    long        now, number; /* in reference `number`, the latest */
};

struct ngrams {
    uint32_t     *slot;  /* [slots] 1 + index of an entry; 0: free  */
    struct entry *entry; /* [slots / 2]                             */
    size_t        slots, used;
    long          number; /* of the reference that is counted now   */
};

static void resize(struct ngrams *g, size_t slots)
{
    free(g->slot);
    g->slots = slots;
    g->slot = calloc(slots, sizeof *g->slot);
    g->entry = realloc(g->entry, slots / 2 * sizeof *g->entry);
}

struct ngrams *ngram_new(void)
{
    struct ngrams *g = calloc(1, sizeof *g);

    resize(g, FIRST_SLOTS);
    return g;
}

void ngram_free(struct ngrams *g)
{
    if (!g)
        return;
    free(g->slot);
    free(g->entry);
    free(g);
}

void ngram_clear(struct ngrams *g)
{
    memset(g->slot, 0, g->slots * sizeof *g->slot);
    g->used = 0;
}

/* Where the slice is, or where it would go. */
static uint32_t *find(const struct ngrams *g, const char *s, size_t bytes,
                      uint64_t hash)
{
    for (size_t i = hash;; i++) {
        uint32_t *p = &g->slot[i & (g->slots - 1)];
        const struct entry *e = *p ? &g->entry[*p - 1] : NULL;

        if (!e || (e->hash == hash && e->bytes == bytes &&
                   !memcmp(e->s, s, bytes)))
            return p;
    }
}

static void grow(struct ngrams *g)
{
    resize(g, 2 * g->slots);
    for (size_t i = 0; i < g->used; i++) {
        const struct entry *e = &g->entry[i];

        *find(g, e->s, e->bytes, e->hash) = (uint32_t)i + 1;
    }
}

static void count(struct ngrams *g, const char *s, size_t bytes,
                  enum ngram_side side)
{
    uint64_t hash = hash_fnv1a(s, bytes);

    if (g->used == g->slots / 2)
        grow(g);
    uint32_t *p = find(g, s, bytes, hash);
    if (!*p) {
        g->entry[g->used] = (struct entry){.s = s, .bytes = bytes,
                                           .hash = hash};
        *p = (uint32_t)++g->used;
    }
    struct entry *e = &g->entry[*p - 1];
    if (side == NGRAM_HYP) {
        e->hyp++;
        return;
    }
    e->now = e->number == g->number ? e->now + 1 : 1;
    e->number = g->number;
    e->ref = e->now > e->ref ? e->now : e->ref;
}

static const char *word_end(const char *s)
{
    while (*s && *s != ' ')
        s++;
    return s;
}

long ngram_add(struct ngrams *g, const char *text, int n, enum ngram_side side)
{
    const char *first = text; /* word of the n-gram that ends at `end` */
    const char *end = text;
    long total = 0;

    g->number += side == NGRAM_REF;
    for (int words = 1; *end; words++) {
        end = word_end(end);
        if (words >= n) {
            count(g, first, (size_t)(end - first), side);
            total++;
            first = word_end(first);
            first += *first == ' ';
        }
        end += *end == ' ';
    }
    return total;
}

long ngram_add_chars(struct ngrams *g, const char *text, const size_t *start,
                     size_t n_chars, int n, enum ngram_side side)
{
    long total = (long)n_chars - n + 1;

    g->number += side == NGRAM_REF;
    for (long i = 0; i < total; i++)
        count(g, text + start[i], start[i + n] - start[i], side);
    return total > 0 ? total : 0;
}

long ngram_matches(const struct ngrams *g)
{
    long sum = 0;

    for (size_t i = 0; i < g->used; i++) {
        const struct entry *e = &g->entry[i];

        sum += e->hyp < e->ref ? e->hyp : e->ref;
    }
    return sum;
}
