/* toy: a small data set of each task kind, which a small model learns in a
 * second. Every target id is its source id plus one; running text repeats a
 * sequence of five ids; the label depends on the first id. */
#pragma once

#include "harness/data/dataset.h"
#include "harness/train/config.h"
#include "harness/train/trainer.h"

enum {
    TOY_VOCAB = 12, TOY_LENGTH = 8, TOY_CLASSES = 3, TOY_TRAIN = 96,
    TOY_VALID = 20
};

extern struct dataset toy; /* of the kind passed to toy_open */

void toy_open(enum task_kind kind); /* close with dataset_close(&toy) */

/* Returns a configuration with six shards, four lanes, two threads, dropout and
 * label smoothing 0.1. */
struct config toy_config(enum task_kind kind);
void          toy_eager(struct config *c); /* raises the learning rate */

/* Trains steps first .. last - 1; returns the mean loss of the last five. */
double toy_train(struct trainer *t, uint64_t first, uint64_t last);

struct toy_digest { char hex[HASH_HEX]; }; /* digest of all weights */

struct toy_digest toy_digest(const struct trainer *t);
struct toy_digest toy_after(const struct config *c, uint64_t steps);
