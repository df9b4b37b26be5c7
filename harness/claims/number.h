/*
 * number: arithmetic over published numbers.
 *
 *     sum     = product { ("+" | "-") product }
 *     product = one { ("*" | "/") one }
 *     one     = NUMBER | "[" KEY "]" | "[" KEY " @ " SOURCE "]" | "(" sum ")"
 *             | "-" one | "exp(" sum ")"
 *
 * KEY is variant/task/metric, or table|row|column as printed, in
 * experiments/published.tsv.  Without SOURCE it is the most certain value.  A
 * printed number represents all values that are rounded to it, so the result
 * has two bounds.
 */
#pragma once

#include "harness/report/published.h"
#include "harness/stats/stats.h"

struct number { double value; struct interval between; };

/* Returns ERR_USAGE if the text is invalid or a number is not published. */
int number_of(struct number *out, const char *text, const struct published *p);
