#include "harness/data/format/pairs.h"

#include "harness/base/array.h"
#include "harness/data/sentence.h"

#include <stdlib.h>
#include <string.h>

enum { TOKENS_MIN = 3, TOKENS_MAX = 60, RATIO_MAX = 2 };

static int flowed(const struct ddtp_text *t)
{
    int n = 0;

    for (int i = 0; i < t->n; i++)
        n += !t->block[i].verbatim;
    return n;
}

static int fits(const char *english, const char *foreign)
{
    int e = sentence_tokens(english), f = sentence_tokens(foreign);

    return strcmp(english, foreign) && e >= TOKENS_MIN && f >= TOKENS_MIN &&
           e <= TOKENS_MAX && f <= TOKENS_MAX && e <= RATIO_MAX * f &&
           f <= RATIO_MAX * e;
}

static void add(struct pairs *p, const struct ddtp_entry *of,
                const char *english, const char *foreign)
{
    if (!fits(english, foreign))
        return;
    ARRAY_ROOM(p->pair, p->n, p->cap);
    p->pair[p->n++] = (struct pair){of->source, english, foreign};
}

static void add_block(struct pairs *p, const struct ddtp_entry *of,
                      const char *english, const char *foreign, struct arena *a)
{
    if (!strcmp(english, foreign)) /* nobody translated it */
        return;
    if (sentence_count(english) != sentence_count(foreign)) {
        add(p, of, english, foreign);
        return;
    }
    while (*english)
        add(p, of, sentence_take(&english, a), sentence_take(&foreign, a));
}

static void add_entry(struct pairs *p, const struct ddtp_entry *e,
                      struct arena *a)
{
    const struct ddtp_text *x = &e->english, *y = &e->foreign;

    if (flowed(x) != flowed(y))
        return;
    int all = ddtp_alike(x, y), i = 0, j = 0;
    for (;; i++, j++) {
        while (!all && i < x->n && x->block[i].verbatim)
            i++;
        while (!all && j < y->n && y->block[j].verbatim)
            j++;
        if (i >= x->n || j >= y->n)
            break;
        add_block(p, e, x->block[i].text, y->block[j].text, a);
    }
}

void pairs_open(struct pairs *p, const struct ddtp *d)
{
    *p = (struct pairs){.n = 0};
    for (int i = 0; i < d->n; i++)
        if (d->entry[i].foreign.summary)
            add_entry(p, &d->entry[i], d->memory);
}

void pairs_close(struct pairs *p)
{
    free(p->pair);
    *p = (struct pairs){.n = 0};
}
