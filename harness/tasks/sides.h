/*
 * sides: finds the two texts of an example in T5's form, such as "PREFIX KEY:
 * text KEY: text".  They are named as in natural language inference.  The
 * hypothesis is the text to judge, in most subtasks the second text; the
 * premise is the text that it is compared with.  The baselines of reference.h
 * call sides_of.
 *
 *     subtasks                             premise   | hypothesis
 *     mrpc, stsb, wic, wnli, rte of GLUE   sentence1 | sentence2
 *     qqp                                  question1 | question2
 *     mnli, cb, rte of SuperGLUE           premise   | hypothesis
 *     qnli                                 question  | sentence
 *     boolq                                passage   | question
 *     multirc                              paragraph | answer
 *
 * Other sources, including those of generators, have no premise or hypothesis.
 * If the source was truncated to the length of the run, a text can be truncated
 * or missing.
 */
#pragma once

#include "harness/base/text.h"

struct sides { struct slice premise, hypothesis; }; /* n = 0: missing */

/* Returns the two texts of a source, as slices of it. */
struct sides sides_of(const char *source);
