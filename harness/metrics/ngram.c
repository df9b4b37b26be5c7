#include "harness/metrics/ngram.h"

#include "harness/base/map.h"
#include "harness/metrics/ints.h"

#include <stdlib.h>

struct ngrams {
    struct map *map;
    struct ints text;     /* n-grams being counted */
    struct ints hyp, ref; /* sorted; ref: union of the references */
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
    ints_free(&g->hyp);
    ints_free(&g->ref);
    free(g);
}

void ngram_clear(struct ngrams *g)
{
    map_clear(g->map);
    g->hyp.n = g->ref.n = 0;
}

static const char *word_end(const char *s)
{
    while (*s && *s != ' ')
        s++;
    return s;
}

void ngram_numbers(struct ints *out, struct map *m, const char *text, int n)
{
    const char *first = text; /* first word of the n-gram ending at `end` */
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
    ints_sort(&g->text);
    ints_unite(side == NGRAM_HYP ? &g->hyp : &g->ref, &g->text);
    return (long)g->text.n;
}

long ngram_matches(const struct ngrams *g)
{
    return (long)ints_common(&g->hyp, &g->ref);
}
