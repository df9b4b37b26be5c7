/*
 * rows: writes the items of one split as examples to a prepared file.  recipe.c
 * calls rows_make for each split.
 *
 *     translation     a pair with a side that is too long is dropped
 *     with `cut`      the source is truncated; a target that is too long is
 *                     dropped in training, else truncated
 *     classification  the text is truncated, in every split
 *     language model  rows of exactly `length` ids, eos after each sentence
 *     denoising       rows whose text with gaps has `length` ids (span.h)
 *
 * The calling thread reads items into lots of 256 KiB of text.  All threads
 * process them, several lots at a time:
 *
 *     cut     texts become ids                      any thread
 *     choose  examples are selected; running text   in the order of the lots
 *             is divided into rows
 *     pack    gaps, words; a block of the file      any thread
 *     write                                         in the order of the lots
 *
 * A lot depends only on the items, so the file, its errors and the number of
 * items taken are the same for any number of threads.  Memory is that of four
 * lots per thread, about 3 MB each, for any number of items.
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
    const struct task_opts *o;      /* including the number of threads */
    const struct tokenizer *tokenizer;
    struct packing *to;
    enum split split;
    int most; /* number of examples; 0: all */
    int skip; /* examples still to be skipped before them */

    /* Passes the items to `take`, in this thread.  Ends if `take` returns a
     * negative value; CORPUS_ENOUGH is not an error. */
    int (*each)(void *of, items_taker *take, void *to);
    void *of;
    /* rows that `each` has read; at the end, the rows that a single thread
     * would have read */
    struct official_count *count;
};

/* Returns 1 if examples are cut from running text. */
int rows_run(enum task_kind kind);

/* Returns the number of sentinels, the ids above the pieces, for the longest
 * sequence. */
int rows_sentinels(enum task_kind kind, int length);

/* Packs the examples of all items.  Returns OK, or the first error in the order
 * of the items. */
int rows_make(struct rows *r);
