/*
 * span: replaces spans of a text by sentinels: span corruption, T5's masked
 * language modelling (Raffel et al. 2020, section 3.1.4).  Denoising tasks call
 * span_shape, then span_corrupt for each row.
 *
 *     text    A b c D e            b c and e are noise
 *     source  A <0> D <1> eos      a sentinel replaces each span
 *     target  <0> b c <1> e eos
 *
 * 15 % of the ids are noise, in spans of mean length 3.  A text begins with
 * ids that are kept, and ends with a span of noise.  Sentinel <i> is id V - 1 -
 * i, where V is the size of the vocabulary.  The positions of the noise depend
 * only on the ids, so that every variant and seed uses the same examples.
 */
#pragma once

#include "harness/data/dataset.h"

struct span_shape { /* numbers of ids */
    int text, noise, spans;
    int source, target; /* including sentinels and eos */
};

/* Returns the shape of the longest text whose source has at most `length` ids.
 * `length` must be at least 4. */
struct span_shape span_shape(int length);

/* Writes the source (shape->source ids) and the target (shape->target ids) of
 * the text `ids` (shape->text ids); `vocab` is the size of the vocabulary. */
void span_corrupt(int *source, int *target, const int *ids,
                  const struct span_shape *shape, int vocab);
