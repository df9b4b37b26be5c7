/* A hash table with linear probing, at most half full; it owns the bytes. */
#include "harness/metrics/intern.h"

#include "harness/base/err.h"
#include "harness/base/hash.h"
#include "harness/base/text.h"
#include "harness/metrics/ints.h"

#include <stdlib.h>
#include <string.h>

enum { FIRST_SLOTS = 256 }; /* a power of two, as every later size */

struct slot { uint64_t hash; size_t at, bytes; int number; /* -1: free */ };

struct intern { struct slot *slot; size_t slots; int used; struct text bytes; };

static void clear(struct slot *s, size_t n)
{
    for (size_t i = 0; i < n; i++)
        s[i].number = -1;
}

static struct slot *slots_new(size_t n)
{
    struct slot *s = malloc(n * sizeof *s);

    clear(s, n);
    return s;
}

struct intern *intern_new(void)
{
    struct intern *t = malloc(sizeof *t);

    *t = (struct intern){.slot = slots_new(FIRST_SLOTS), .slots = FIRST_SLOTS};
    return t;
}

void intern_free(struct intern *t)
{
    if (!t)
        return;
    text_free(&t->bytes);
    free(t->slot);
    free(t);
}

void intern_clear(struct intern *t)
{
    clear(t->slot, t->slots);
    t->bytes.n = 0;
    t->used = 0;
}

int intern_count(const struct intern *t)
{
    return t->used;
}

/* Where the string is, or where it would go. */
static struct slot *find(const struct intern *t, const char *s, size_t bytes,
                         uint64_t hash)
{
    for (size_t i = hash;; i++) {
        struct slot *p = &t->slot[i & (t->slots - 1)];

        if (p->number < 0 || (p->hash == hash && p->bytes == bytes &&
                              !memcmp(t->bytes.s + p->at, s, bytes)))
            return p;
    }
}

static void grow(struct intern *t)
{
    struct slot *old = t->slot;
    size_t n = t->slots;

    t->slots *= 2;
    t->slot = slots_new(t->slots);
    for (size_t i = 0; i < n; i++) {
        const struct slot *s = &old[i];

        if (s->number >= 0)
            *find(t, t->bytes.s + s->at, s->bytes, s->hash) = *s;
    }
    free(old);
}

int intern_add(struct intern *t, const char *s, size_t bytes)
{
    uint64_t hash = hash_fnv1a(s, bytes);
    struct slot *p = find(t, s, bytes, hash);

    if (p->number >= 0)
        return p->number;
    if (2 * ((size_t)t->used + 1) > t->slots) {
        grow(t);
        p = find(t, s, bytes, hash);
    }
    *p = (struct slot){hash, t->bytes.n, bytes, t->used};
    text_add(&t->bytes, s, bytes);
    return t->used++;
}

int intern_find(const struct intern *t, const char *s, size_t bytes)
{
    return find(t, s, bytes, hash_fnv1a(s, bytes))->number;
}

void intern_grams(struct ints *out, struct intern *t, const char *text, int n)
{
    const char *first = text; /* word of the n-gram that ends at `end` */
    const char *end = text;

    out->n = 0;
    for (int words = 1; *end; words++) {
        end += strcspn(end, " ");
        if (words >= n) {
            ints_add(out, intern_add(t, first, (size_t)(end - first)));
            first += strcspn(first, " ");
            first += *first == ' ';
        }
        end += *end == ' ';
    }
}
