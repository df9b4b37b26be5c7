#include "harness/tasks/glue/deal.h"

#include "harness/base/arena.h"

#include <string.h>

struct wording deal_wording(struct mixture *m, const char *text)
{
    struct slice all = {text, strlen(text)};

    return (struct wording){text, word_set_of(m->words, all, m->memory)};
}

struct pair deal_pair(struct mixture *m, const struct passage *p,
                      const char *premise, const char *hypothesis)
{
    struct wording *h = arena_take(m->memory, sizeof *h);

    *h = deal_wording(m, hypothesis);
    return (struct pair){.split = p->split,
                         .premise = deal_wording(m, premise),
                         .hypothesis = h,
                         .wordings = 1,
                         .of = p};
}

const struct wording *deal_worded(const struct pair *x,
                                  const struct pair *const *of, int n)
{
    for (int k = 0; k < x->wordings; k++) {
        const struct wording *h =
            &x->hypothesis[(x->first + k) % x->wordings];
        int tenth = overlap_tenth(x->premise.words, h->words), same = 1;

        for (int i = 0; i < n; i++)
            same &= overlap_tenth(of[i]->premise.words, h->words) == tenth;
        if (same)
            return h;
    }
    return NULL;
}

/* Combines `a` with `b` if possible.  Returns 1 on success, else 0. */
static int deal_with(struct mixture *m, const struct dealing *how,
                     struct pair *a, struct pair *b)
{
    const struct pair *const two[2] = {a, b}, *const back[1] = {a};

    if (b->dealt || b->split != a->split || b->key != a->key ||
        b->class != a->class || !how->crosses(a, b))
        return 0;
    const struct wording *h = deal_worded(a, two + 1, 1);
    const struct wording *g = h ? deal_worded(b, back, 1) : NULL;
    if (!g)
        return 0;
    how->add(m, two, (const char *const[2]){h->text, g->text});
    return a->dealt = b->dealt = 1;
}

void deal_pairs(struct mixture *m, const struct dealing *how, struct pair *pair,
                int n)
{
    for (int i = 0; i < n; i++)
        for (int j = i + 1; j < n && !pair[i].dealt &&
                            mixture_wants(m, pair[i].split, pair[i].class);
             j++)
            deal_with(m, how, &pair[i], &pair[j]);
}

void deal_four(struct mixture *m, const struct pair *const two[2],
               const char *const h[2],
               void (*add_one)(struct mixture *m, const struct pair *premise,
                               const char *hypothesis, int holds))
{
    for (int k = 0; k < 2; k++)
        for (int holds = 1; holds >= 0; holds--)
            add_one(m, two[holds ? k : 1 - k], h[k], holds);
}
