/*
 * sides: the two texts of an example in T5's form (tasks/glue/mixture.h), named
 * as in inference.  The hypothesis is the text that is judged, asked or
 * compared; the premise is the text that it is compared with.  The baselines of
 * reference.h use it.
 *
 *     mrpc, stsb, wic, wnli, rte of GLUE   sentence1 | sentence2
 *     qqp                                  question1 | question2
 *     mnli, cb, rte of SuperGLUE           premise   | hypothesis
 *     qnli                                 question  | sentence
 *     boolq                                passage   | question
 *     multirc                              paragraph | answer
 *
 * Other sources, including those of generators, have no sides.  If a run is too
 * short for an example, a text may be truncated or missing.
 */
#pragma once

#include "harness/base/text.h"

struct sides { struct slice premise, hypothesis; }; /* n = 0: missing */

struct sides sides_of(const char *source);
