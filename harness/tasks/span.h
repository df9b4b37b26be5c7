/*
 * span: span corruption, T5's masked language modelling (Raffel et al. 2020,
 * section 3.1.4)
 *
 *     text    A b c D e F          b c and e are noise
 *     source  A <0> D <1> F eos    a sentinel in place of each span
 *     target  <0> b c <1> e eos
 *
 * 15 % of the ids are noise, in spans of mean length 3; a text begins with what
 * stays and ends with noise.  Sentinel <i> is id V - 1 - i: the top of the
 * vocabulary.  Where the noise is depends on the ids alone, so that every
 * variant and seed sees the same examples.
 */
#pragma once

#include "harness/data/dataset.h"

struct span_shape { /* how many ids */
    int text, noise, spans;
    int source, target; /* sentinels and eos counted */
};

/* The longest text whose source is at most `length` ids; length >= 4. */
struct span_shape span_shape(int length);

/* Fills source and target, as long as the shape says; ids (shape->text). */
void span_corrupt(int *source, int *target, const int *ids,
                  const struct span_shape *shape, int vocab);
