/*
 * rows: examples as texts, of one split, on their way to a prepared file.
 *
 *     translation     a pair with a side that is too long is left out
 *     with `cut`      the beginning of the source; a target that is too long is
 *                     left out in training, else its beginning
 *     classification  the beginning of the text, in every split
 *     language model  rows of exactly `length` ids, eos after each sentence
 *     denoising       rows whose text with holes is `length` ids (span.h)
 */
#pragma once

#include "harness/data/pack.h"
#include "harness/data/tokenizer.h"
#include "harness/tasks/items.h"
#include "harness/tasks/span.h"
#include "harness/tasks/task.h"

struct rows {
    const struct task *task;
    const struct task_opts *o;
    const struct tokenizer *tokenizer;
    struct packing *to;
    enum split split;
    int most; /* examples; 0: all */
    int skip; /* examples still to be left out before them */
    struct span_shape span;
    struct arena *scratch; /* of one example */
    int *ids;              /* running text that is not yet a row */
    size_t n, cap;
};

/* 1: examples are cut from running text. */
int rows_run(enum task_kind kind);

/* The ids above the pieces, of the longest sequence: sentinels. */
int rows_sentinels(enum task_kind kind, int length);

/* Reads task, o, tokenizer, to, split, most and skip of r. */
void rows_begin(struct rows *r);
int  rows_take(void *rows, const struct item *it); /* an items_taker */
void rows_end(struct rows *r);
