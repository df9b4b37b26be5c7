#include "harness/metrics/ngram.h"

#include "harness/base/array.h"
#include "harness/base/map.h"
#include "harness/metrics/ints.h"

#include <stdlib.h>
#include <string.h>

struct count {
    long hyp, ref;    /* ref: the most in one reference    */
    long now, number; /* in reference `number`, the latest */
};

struct ngrams {
    struct map   *map;
    struct count *count; /* by an n-gram's number              */
    int           n;
    size_t        cap;
    struct ints   text;   /* what is counted now               */
    long          number; /* of the reference that is counted  */
};

struct ngrams *ngram_new(void)
{
    struct ngrams *g = calloc(1, sizeof *g);

    g->map = map_new();
    return g;
}

void ngram_free(struct ngrams *g)
{
    if (!g)
        return;
    map_free(g->map);
    ints_free(&g->text);
    free(g->count);
    free(g);
}

void ngram_clear(struct ngrams *g)
{
    map_clear(g->map);
    g->n = 0;
}

static void count_ref(struct count *c, long number)
{
    c->now = c->number == number ? c->now + 1 : 1;
    c->number = number;
    c->ref = c->now > c->ref ? c->now : c->ref;
}

static long count(struct ngrams *g, enum ngram_side side)
{
    int new = map_count(g->map) - g->n;

    if (new > 0) {
        ARRAY_MORE(g->count, g->n, g->cap, (size_t)new);
        memset(g->count + g->n, 0, (size_t)new * sizeof *g->count);
        g->n += new;
    }
    if (side == NGRAM_HYP)
        for (size_t i = 0; i < g->text.n; i++)
            g->count[g->text.v[i]].hyp++;
    g->number += side == NGRAM_REF;
    if (side == NGRAM_REF)
        for (size_t i = 0; i < g->text.n; i++)
            count_ref(&g->count[g->text.v[i]], g->number);
    return (long)g->text.n;
}

static const char *word_end(const char *s)
{
    while (*s && *s != ' ')
        s++;
    return s;
}

void ngram_numbers(struct ints *out, struct map *m, const char *text, int n)
{
    const char *first = text; /* word of the n-gram that ends at `end` */
    const char *end = text;

    out->n = 0;
    for (int words = 1; *end; words++) {
        end = word_end(end);
        if (words >= n) {
            ints_add(out, map_number(m, first, (size_t)(end - first)));
            first = word_end(first);
            first += *first == ' ';
        }
        end += *end == ' ';
    }
}

long ngram_add(struct ngrams *g, const char *text, int n, enum ngram_side side)
{
    ngram_numbers(&g->text, g->map, text, n);
    return count(g, side);
}

long ngram_add_chars(struct ngrams *g, const char *text, const size_t *start,
                     size_t n_chars, int n, enum ngram_side side)
{
    g->text.n = 0;
    for (size_t i = 0; i + (size_t)n <= n_chars; i++)
        ints_add(&g->text, map_number(g->map, text + start[i],
                                      start[i + (size_t)n] - start[i]));
    return count(g, side);
}

long ngram_matches(const struct ngrams *g)
{
    long sum = 0;

    for (int i = 0; i < g->n; i++) {
        const struct count *c = &g->count[i];

        sum += c->hyp < c->ref ? c->hyp : c->ref;
    }
    return sum;
}
