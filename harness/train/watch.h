/*
 * watch: what attention weights look like.  For each attention of the model,
 * over one batch: a histogram of log10 of the visible weights, and the mean
 * entropy of the rows in nats (ln of the number of keys: mean pooling).
 */
#pragma once

#include "harness/store/cell.h"
#include "harness/train/trainer.h"

enum {
    WATCH_DECADES = 6,                /* 1e-6 .. 1; smaller: the first bin */
    WATCH_BINS = 4 * WATCH_DECADES,
    WATCH_LAYERS = 64
};

struct watched { int64_t bin[WATCH_BINS]; double entropy; long rows; };

struct watch { struct watched place[3][WATCH_LAYERS]; };

/* The model on the validation examples of median length. */
void watch_run(struct watch *out, const struct trainer *t,
               const struct dataset *d);

/* Group attention/WHEN ("start", "end"). */
int watch_put(struct cell_writer *w, const char *when, const struct watch *x);
