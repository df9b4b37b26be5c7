/* items: the examples of a split as texts, before tokenisation.  Recipes fill
 * them with items_add; recipe.c reads them with items_each. */
#pragma once

#include <stddef.h>

struct item {                    /* an example before tokenisation */
    const char *source, *target; /* NULL: no such side */
    const char *reference;       /* for text metrics; NULL: target */
    int label;
    int subtask, group; /* as in struct example */
};

struct items { /* of one split, in the order in which they are used */
    int n;
    size_t cap;
    struct item *item;
};

/* Takes an example; its texts live only during the call.  Returns CORPUS_ENOUGH
 * if no more examples are needed, which is not an error. */
typedef int items_taker(void *to, const struct item *it);

int items_each(const struct items *s, items_taker *take, void *to);

void items_add(struct items *s, struct item item);
void items_shuffle(struct items *s, const char *name); /* with a fixed seed */
