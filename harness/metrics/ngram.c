/* A hash table of slices with linear probing, at most half full. */
#include "harness/metrics/ngram.h"

#include "harness/base/err.h"
#include "harness/base/hash.h"

#include <stdlib.h>
#include <string.h>

enum { FIRST_SLOTS = 256 }; /* a power of two, as every later size */

struct slot {
    const char *s; /* NULL: free */
    size_t      bytes;
    uint64_t    hash;
    long        hyp, ref;    /* ref: the most in one reference     */
    long        now, number; /* in reference `number`, the latest  */
};

struct ngrams {
    struct slot *slot;
    size_t       slots, used;
    long         number; /* of the reference that is counted now */
};

static struct slot *slots_new(size_t n)
{
    struct slot *p = calloc(n, sizeof *p);

    REQUIRE(p, "out of memory: %zu n-grams", n);
    return p;
}

struct ngrams *ngram_new(void)
{
    struct ngrams *g = malloc(sizeof *g);

    REQUIRE(g, "out of memory");
    *g = (struct ngrams){slots_new(FIRST_SLOTS), FIRST_SLOTS, 0, 0};
    return g;
}

void ngram_free(struct ngrams *g)
{
    if (g)
        free(g->slot);
    free(g);
}

void ngram_clear(struct ngrams *g)
{
    memset(g->slot, 0, g->slots * sizeof *g->slot);
    g->used = 0;
}

/* Where the slice is, or where it would go. */
static struct slot *find(const struct ngrams *g, const char *s, size_t bytes,
                         uint64_t hash)
{
    for (size_t i = hash;; i++) {
        struct slot *p = &g->slot[i & (g->slots - 1)];

        if (!p->s || (p->hash == hash && p->bytes == bytes &&
                      !memcmp(p->s, s, bytes)))
            return p;
    }
}

static void grow(struct ngrams *g)
{
    struct ngrams old = *g;

    g->slots *= 2;
    g->slot = slots_new(g->slots);
    for (size_t i = 0; i < old.slots; i++) {
        const struct slot *p = &old.slot[i];

        if (p->s)
            *find(g, p->s, p->bytes, p->hash) = *p;
    }
    free(old.slot);
}

static void count(struct ngrams *g, const char *s, size_t bytes,
                  enum ngram_side side)
{
    uint64_t hash = hash_fnv1a(s, bytes);

    if (2 * (g->used + 1) > g->slots)
        grow(g);
    struct slot *p = find(g, s, bytes, hash);
    if (!p->s) {
        *p = (struct slot){.s = s, .bytes = bytes, .hash = hash};
        g->used++;
    }
    if (side == NGRAM_HYP) {
        p->hyp++;
        return;
    }
    p->now = p->number == g->number ? p->now + 1 : 1;
    p->number = g->number;
    p->ref = p->now > p->ref ? p->now : p->ref;
}

long ngram_add(struct ngrams *g, const char *text, int n, enum ngram_side side)
{
    const char *first = text; /* word of the n-gram that ends at `end` */
    const char *end = text;
    long total = 0;

    g->number += side == NGRAM_REF;
    for (int words = 1; *end; words++) {
        end += strcspn(end, " ");
        if (words >= n) {
            count(g, first, (size_t)(end - first), side);
            total++;
            first += strcspn(first, " ");
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

    for (size_t i = 0; i < g->slots; i++) {
        const struct slot *p = &g->slot[i];

        sum += p->hyp < p->ref ? p->hyp : p->ref;
    }
    return sum;
}
