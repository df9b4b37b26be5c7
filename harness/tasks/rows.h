/*
 * rows: the items of one split as examples in a prepared file.
 *
 *     translation     a pair with a side that is too long is left out
 *     with `cut`      the beginning of the source; a target that is too long is
 *                     left out in training, else its beginning
 *     classification  the beginning of the text, in every split
 *     language model  rows of exactly `length` ids, eos after each sentence
 *     denoising       rows whose text with holes is `length` ids (span.h)
 *
 * The calling thread reads items and fills lots of 256 KiB of text.  All
 * threads work on them, several lots at a time:
 *
 *     cut     texts become ids                      any thread
 *     choose  which examples stay; running text is  in the order of the lots
 *             divided into rows
 *     pack    holes, words; a block of the file     any thread
 *     write                                         in the order of the lots
 *
 * A lot depends on the items alone, so the file, its errors and the number of
 * items taken are the same for any number of threads.  Memory is that of four
 * lots per thread, about 3 MB each, however many items there are.
 */
#pragma once

#include "harness/data/pack.h"
#include "harness/data/tokenizer.h"
#include "harness/tasks/items.h"
#include "harness/tasks/span.h"
#include "harness/tasks/task.h"

struct official_count;

struct rows {
    const struct task *task;
    const struct task_opts *o;      /* with the number of threads */
    const struct tokenizer *tokenizer;
    struct packing *to;
    enum split split;
    int most; /* examples; 0: all */
    int skip; /* examples still to be left out before them */

    /* Hands out the items, in this thread; ends if `take` returns less than 0.
     * CORPUS_ENOUGH is no failure. */
    int (*each)(void *of, items_taker *take, void *to);
    void *of;
    struct official_count *count; /* of what `each` has read: afterwards of what
                                     one thread would have read */
};

/* 1: examples are cut from running text. */
int rows_run(enum task_kind kind);

/* The ids above the pieces, of the longest sequence: sentinels. */
int rows_sentinels(enum task_kind kind, int length);

/* Packs the examples of all items.  Returns OK or the error that comes first in
 * the order of the items. */
int rows_make(struct rows *r);
