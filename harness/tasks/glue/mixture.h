/*
 * mixture: a task with several subtasks that are made from the same texts.  The
 * examples of all subtasks form one training set, in proportion to their
 * numbers (T5's mixing by size).  recipe.c calls mixture_gather.
 *
 * A part adds its candidates with mixture_add.  Each split has equally many
 * examples of each class, at most `most` in all.  A source text occurs once,
 * and a source package is in one split: 2 % validation, 8 % test, all of which
 * are also validation or test for the language models (tasks/running.c).
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
    int most[SPLITS];  /* most examples; 0: none */
    void (*make)(struct mixture *m); /* makes all; or for each passage: */
    void (*each)(struct mixture *m, const struct passage *p);
    const void *of;    /* parameters of the maker */
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
    struct map *seen;        /* sources of all parts               */
    struct map *words;       /* numbers of words (tasks/overlap.h) */
    const struct facts *facts; /* NULL: not computed yet */
    struct items of[SPLITS][MIXTURE_CLASSES];
};

/* Returns 1 if the split needs more examples of this class. */
int mixture_wants(const struct mixture *m, enum split s, int class);

/* Adds an example; `source` has T5's form (mixture_text).  Ignores a source
 * that exists already and examples beyond the limit. */
void mixture_add(struct mixture *m, enum split s, int class, int group,
                 const char *source, const char *target);

/* Returns 1 if this part or another has already made this example. */
int mixture_has(const struct mixture *m, const char *source);

/* Returns "PREFIX KEY: text KEY: text"; the arguments after prefix are key,
 * text, ..., NULL. */
const char *mixture_text(struct mixture *m, const char *prefix, ...);

/* Returns a number uniform in 0 .. n-1 that depends only on the part and the
 * number of earlier draws. */
int mixture_draw(struct mixture *m, int n);

void mixture_gather(struct items out[SPLITS], const struct texts *t,
                    const struct part *parts);
