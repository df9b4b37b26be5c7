/*
 * blocks: groups package descriptions by fours, so that the makers of
 * glue_parts.h can combine texts of one package, of one section and of
 * different sections, each text equally often.
 *
 * All texts of a source package are in one split: 2 % of the packages in
 * validation and 8 % in test.  In the tasks that train language models
 * (tasks/running.c), validation and test together have the same 10 % of the
 * packages as here, so no package of their training is in validation or test
 * here.
 */
#pragma once

#include "harness/tasks/glue/mixture.h"

enum { BLOCKS_OF = 4, BLOCKS_VALID = 2, BLOCKS_TEST = 8 /* percent */ };

/* A source package: its name, its short description, and the first sentence of
 * its long description that is short enough.  No text is in two passages. */
struct passage {
    enum split split;
    const char *section, *name, *summary, *sentence;
};

/* Passages of one split: 0 and 1 are of one section, 2 and 3 of another.  So
 * passage i ^ 1 is of the section of passage i, and passage i ^ 2 is not. */
struct block { const struct passage *of[BLOCKS_OF]; };

/* Calls add(m, block) for each block.  A passage is in at most one block; the
 * first block depends on the part. */
void blocks_each(struct mixture *m,
                 void (*add)(struct mixture *m, const struct block *b));
