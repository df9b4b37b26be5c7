/* items: a list of the examples of a split as texts, before tokenisation.
 * Recipes fill the list with items_add; recipe.c reads it with items_each. */
#pragma once

#include <stddef.h>

struct item {                    /* an example before tokenisation */
    const char *source, *target; /* NULL: lacks this side */
    const char *reference;       /* for text metrics; NULL: use `target` */
    int label;
    int subtask, group; /* as in struct example (data/dataset.h) */
};

struct items { /* items of one split, in the order of use */
    int n;
    size_t cap;
    struct item *item;
};

/* Receives an example, whose texts live only during the call.  Returns OK, an
 * error, or CORPUS_ENOUGH if no more examples are needed. */
typedef int items_taker(void *to, const struct item *it);

/* Calls take(to, item) for each item until `take` does not return OK.  Returns
 * the error of `take`, or OK if there was none; CORPUS_ENOUGH is no error. */
int items_each(const struct items *s, items_taker *take, void *to);

/* Appends the item; its texts are not copied. */
void items_add(struct items *s, struct item item);
/* Shuffles the items; the order depends only on `name` and s->n. */
void items_shuffle(struct items *s, const char *name);
