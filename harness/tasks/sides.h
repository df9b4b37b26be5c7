/*
 * sides: the two texts of an example in T5's form (tasks/glue/mixture.h), named
 * as in inference: the hypothesis is judged, asked or compared, the premise is
 * what it is held against.
 *
 *     mrpc, stsb, wic, wnli, rte of GLUE   sentence1 | sentence2
 *     qqp                                  question1 | question2
 *     mnli, cb, rte of SuperGLUE           premise   | hypothesis
 *     qnli                                 question  | sentence
 *     boolq                                passage   | question
 *     multirc                              paragraph | answer
 *
 * Other sources, and those of generators, have none.  Where a run is too short
 * for an example, a text may end early or be missing.
 */
#pragma once

#include "harness/base/text.h"

struct sides { struct slice premise, hypothesis; }; /* n = 0: missing */

struct sides sides_of(const char *source);
