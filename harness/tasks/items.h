/* items: the texts of a split, before they are ids. */
#ifndef TASKS_ITEMS_H
#define TASKS_ITEMS_H

struct item {                    /* an example before it is ids */
    const char *source, *target; /* NULL: it has no such side */
    int label;
    int subtask, group; /* as in struct example */
};

struct items { /* of one split; the first ones are taken */
    int n, cap;
    struct item *item;
};

void items_add(struct items *s, struct item item);
void items_shuffle(struct items *s, const char *name); /* by a fixed seed */

#endif
