/* items: the texts of a split, before they are ids. */
#pragma once

#include <stddef.h>

struct item {                    /* an example before it is ids */
    const char *source, *target; /* NULL: it has no such side */
    const char *reference;       /* of the metrics of texts; NULL: target */
    int label;
    int subtask, group; /* as in struct example */
};

struct items { /* of one split; the first ones are taken */
    int n;
    size_t cap;
    struct item *item;
};

/* Takes an example, whose texts live as long as the call.  CORPUS_ENOUGH: no
 * more are needed, which is no failure. */
typedef int items_taker(void *to, const struct item *it);

int items_each(const struct items *s, items_taker *take, void *to);

void items_add(struct items *s, struct item item);
void items_shuffle(struct items *s, const char *name); /* by a fixed seed */
