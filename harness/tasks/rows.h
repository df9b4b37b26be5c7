/*
 * rows: converts the items of one split to examples and writes these to a
 * prepared file.  recipe.c calls rows_make for each split.  The kind of task
 * and its member `cut` determine what happens to items longer than o->length:
 *
 *     translation     a pair is dropped if one of its sides is too long
 *     task with `cut` a source that is too long is truncated; a target that is
 *                     too long is truncated, but in training its pair is
 *                     dropped
 *     classification  a text that is too long is truncated, in every split
 *     language model  the running text, with eos after each sentence, is cut
 *                     into rows of exactly o->length ids
 *     denoising       running text is cut into rows such that each, with gaps,
 *                     has o->length ids (span.h)
 *
 * The calling thread reads items into lots of 256 KiB of text.  All threads
 * process the lots, several at a time, in four steps:
 *
 *     cut     converts texts to ids                 any thread
 *     choose  selects examples; divides running     in the order of the lots
 *             text into rows
 *     pack    makes gaps and counts words; makes    any thread
 *             a block of the file
 *     write   writes the block                      in the order of the lots
 *
 * A lot depends only on the items, so the file, its errors and the number of
 * items read are the same for any number of threads.  Memory is bounded by four
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
    int most; /* number of examples to write; 0: all */
    int skip; /* number of examples still to skip before the first one */

    /* rows_make calls each(of, take, to), which must call take(to, item) for
     * every item, in the calling thread.  If `take` returns a negative value,
     * `each` must return it at once; CORPUS_ENOUGH is not an error. */
    int (*each)(void *of, items_taker *take, void *to);
    void *of;
    /* The number of rows that `each` has read.  After rows_make, this is the
     * number of rows that a single thread would have read. */
    struct official_count *count;
};

/* Returns 1 if examples of tasks of that kind are cut from running text, that
 * is, for language models and denoising. */
int rows_run(enum task_kind kind);

/* Returns the number of sentinels (ids above the tokenizer's pieces) that an
 * example of `length` ids needs; 0 unless `kind` is TASK_DENOISE. */
int rows_sentinels(enum task_kind kind, int length);

/* Writes the examples of all items to r->to.  If several items have errors,
 * returns the error of the first such item. */
int rows_make(struct rows *r);
