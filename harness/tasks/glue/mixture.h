/*
 * mixture: makes the examples of a task with several subtasks (parts) from the
 * same texts.  The examples of all parts form one training set, in proportion
 * to their numbers (T5's mixing by size).  recipe.c calls mixture_gather.
 *
 * Each part offers examples to the mixture by mixture_add.  A split takes
 * equally many examples of each class of a part.  No source occurs twice in the
 * mixture.
 */
#pragma once

#include "harness/tasks/recipe.h"

enum { MIXTURE_CLASSES = 3 };

struct mixture;
struct blocks;

struct part {
    const char *name; /* NULL: end of the list */
    int classes;
    int most[SPLITS]; /* maximum examples of all classes together; 0: the part
                         has no examples in this split */
    void (*make)(struct mixture *m); /* offers all examples */
    const void *of;                  /* parameters of `make` */
};

struct mixture {
    const struct texts *texts;
    struct arena *memory;
    const struct part *part; /* the part that is being made        */
    uint64_t draws;          /* mixture_draw calls so far          */
    struct map *seen;        /* the sources of all examples so far */
    const struct blocks *blocks; /* see blocks.h; NULL: not computed yet */
    struct items of[SPLITS][MIXTURE_CLASSES];
};

/* Returns 1 if the current part needs more examples of this class in split
 * s. */
int mixture_wants(const struct mixture *m, enum split s, int class);

/* Adds an example to split s, unless its source exists already or the split
 * needs no more examples of the class.  Label and subtask of `it` are set
 * here. */
void mixture_add(struct mixture *m, enum split s, int class, struct item it);

/* Returns a random number, uniform in 0 .. n-1, that depends only on the part
 * and on the number of earlier calls. */
int mixture_draw(struct mixture *m, int n);

/* Makes the examples of all parts and sets `out` to the items of each split. */
void mixture_gather(struct items out[SPLITS], const struct texts *t,
                    const struct part *parts);
