/*
 * span: span corruption, T5's masked language modelling (Raffel et al. 2020,
 * section 3.1.4).  Denoising tasks call span_shape, then span_corrupt for each
 * row.
 *
 *     text    A b c D e F          b c and e are noise
 *     source  A <0> D <1> F eos    a sentinel replaces each span
 *     target  <0> b c <1> e eos
 *
 * 15 % of the ids are noise, in spans of mean length 3.  A text begins with
 * kept ids and ends with noise.  Sentinel <i> is id V - 1 - i, at the top of
 * the vocabulary.  The positions of noise depend only on the ids, so that every
 * variant and seed uses the same examples.
 */
#pragma once

#include "harness/data/dataset.h"

struct span_shape { /* numbers of ids */
    int text, noise, spans;
    int source, target; /* including sentinels and eos */
};

/* Returns the shape of the longest text whose source has at most `length` ids;
 * length >= 4. */
struct span_shape span_shape(int length);

/* Fills source and target, whose lengths the shape gives, from ids
 * (shape->text). */
void span_corrupt(int *source, int *target, const int *ids,
                  const struct span_shape *shape, int vocab);
