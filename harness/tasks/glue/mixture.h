/*
 * mixture: a task of several subtasks, each made of the same texts; examples of
 * all of them in one training set, each as often as it has examples (T5's
 * mixing by size).
 *
 * A part hands its candidates over with mixture_add; of each class there are
 * as many in a split, at most `most` in all.  A source text comes once, and a
 * source package is in one split: 2 % validation, 8 % test, all of which are
 * validation or test to the language models (tasks/running.c).
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
    const char *name;  /* NULL: the end of the list */
    int most[SPLITS];  /* examples; 0: none          */
    void (*make)(struct mixture *m); /* or, of each passage: */
    void (*each)(struct mixture *m, const struct passage *p);
    const void *of;    /* what the maker reads       */
};

struct passage { /* one description of each source package, in random order */
    const struct ddtp_entry *entry;
    enum split split;
    int n;
    const char *sentence[PASSAGE_SENTENCES]; /* the first ones, flowed text */
};

struct mixture {
    const struct texts *texts;
    struct arena *memory;
    int n;
    struct passage *passage;
    const struct part *part; /* the one that is being made */
    uint64_t draws;          /* of mixture_draw, so far    */
    struct map *seen;        /* the sources of all parts   */
    struct map *words;       /* their numbers, of tasks/overlap.h */
    const struct facts *facts; /* NULL: nobody has asked for them */
    struct items of[SPLITS][MIXTURE_CLASSES];
};

/* 1: the split needs more of this class. */
int mixture_wants(const struct mixture *m, enum split s, int class);

/* source: T5's form of the example; see mixture_text.  What came before, or is
 * one too many, is not taken. */
void mixture_add(struct mixture *m, enum split s, int class, int group,
                 const char *source, const char *target);

/* 1: there is such an example by now, of this part or another. */
int mixture_has(const struct mixture *m, const char *source);

/* "PREFIX KEY: text KEY: text"; what follows prefix is key, text, ..., NULL. */
const char *mixture_text(struct mixture *m, const char *prefix, ...);

/* Uniform in 0 .. n-1; a function of the part and of the draws before. */
int mixture_draw(struct mixture *m, int n);

void mixture_gather(struct items out[SPLITS], const struct texts *t,
                    const struct part *parts);
