/*
 * number: evaluates arithmetic over published numbers, for claims of kind
 * `published`.  The grammar is
 *
 *     sum     = product { ("+" | "-") product }
 *     product = one { ("*" | "/") one }
 *     one     = NUMBER | "[" KEY "]" | "[" KEY " @ " SOURCE "]" | "(" sum ")"
 *             | "-" one | "exp(" sum ")"
 *
 * KEY names a number in experiments/published.tsv: variant/task/metric, or
 * table|row|column as printed in the source.  If several sources state the
 * number and SOURCE is not given, the most certain value is used.  A printed
 * number represents all values that are rounded to it, so the result is an
 * interval.
 */
#pragma once

#include "harness/report/published.h"
#include "harness/stats/stats.h"

struct number { double value; struct interval between; };

/* Evaluates `text`.  Returns ERR_USAGE if the text is invalid or a number is
 * not published. */
int number_of(struct number *out, const char *text, const struct published *p);
