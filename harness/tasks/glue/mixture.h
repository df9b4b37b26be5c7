/*
 * mixture: makes the examples of a task with several subtasks (parts) from the
 * same texts.  The examples of all parts form one training set, in proportion
 * to their numbers (T5's mixing by size).  recipe.c calls mixture_gather.
 *
 * Each part offers examples to the mixture by mixture_add.  A split takes
 * equally many examples of each class of a part, and at most `most` examples of
 * the part in total.  The source of an example occurs only once.  All texts of
 * a source package are in one split: 2 % of the packages in validation and 8 %
 * in test.  The tasks that train language models use the same packages for
 * validation and test (tasks/running.c).
 */
#pragma once

#include "harness/tasks/recipe.h"

enum {
    MIXTURE_CLASSES = 8,
    MIXTURE_VALID = 2,
    MIXTURE_TEST = 8, /* percent */
    PASSAGE_SENTENCES = 6
};

struct mixture;
struct passage;

struct part {
    const char *name;  /* NULL: end of the list  */
    int most[SPLITS];  /* maximum examples; 0: none */
    /* One of the two is set: `make` makes all examples, or `each` is called for
     * each passage and makes its examples. */
    void (*make)(struct mixture *m);
    void (*each)(struct mixture *m, const struct passage *p);
    const void *of;    /* parameters of `make` or `each` */
};

struct passage { /* one description per source package, in random order */
    const struct ddtp_entry *entry;
    enum split split;
    int n;
    const char *sentence[PASSAGE_SENTENCES]; /* first sentences of flowed
                                                text */
};

struct mixture {
    const struct texts *texts;
    struct arena *memory;
    int n;
    struct passage *passage;
    const struct part *part; /* part being made                    */
    uint64_t draws;          /* mixture_draw calls so far          */
    struct map *seen;        /* the sources of all examples so far */
    struct map *words;       /* number of each word (overlap.h)    */
    const struct facts *facts; /* NULL: not computed yet */
    struct items of[SPLITS][MIXTURE_CLASSES];
};

/* Returns 1 if the current part needs more examples of this class in split
 * s. */
int mixture_wants(const struct mixture *m, enum split s, int class);

/* Adds an example to split s, unless its source exists already or the split
 * needs no more examples of the class.  `source` has T5's form
 * (mixture_text). */
void mixture_add(struct mixture *m, enum split s, int class, int group,
                 const char *source, const char *target);

/* Returns 1 if any part has already added an example with this source. */
int mixture_has(const struct mixture *m, const char *source);

/* Returns "PREFIX KEY: text KEY: text ..."; the arguments after `prefix` are
 * key, text, key, text, ..., NULL. */
const char *mixture_text(struct mixture *m, const char *prefix, ...);

/* Returns a random number, uniform in 0 .. n-1, that depends only on the part
 * and on the number of earlier calls. */
int mixture_draw(struct mixture *m, int n);

/* Makes the examples of all parts and sets `out` to the items of each split. */
void mixture_gather(struct items out[SPLITS], const struct texts *t,
                    const struct part *parts);
