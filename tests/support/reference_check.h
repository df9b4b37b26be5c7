/*
 * reference_check: checks the arithmetic of the published numbers, from
 * published.tsv only.  A printed number represents all values that round to it;
 * two numbers agree if these ranges overlap.  The checks are:
 *
 *   conflict   sources report different values for one number
 *   average    a printed mean over tasks equals the mean of the scores of these
 *              tasks in the same row
 *   sum        parameter counts add up: |A + B| = |A| + |B| - |no scores|, |X|
 *              being the parameters of variant X; fixed random scores have none
 *   statement  a comparison in words ("60 % faster") agrees with the two
 *              printed numbers that it compares
 */
#pragma once

#include "harness/report/published.h"

/* Returns the findings, each as a line "kind:1:sentence", or "kind:0:sentence"
 * if the numbers do not agree.  The caller frees the text. */
char *reference_check(const struct published *p);
