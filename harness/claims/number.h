/*
 * number: arithmetic over published numbers.
 *
 *     sum     = product { ("+" | "-") product }
 *     product = one { ("*" | "/") one }
 *     one     = NUMBER | "[" KEY "]" | "[" KEY " @ " SOURCE "]" | "(" sum ")"
 *             | "-" one | "exp(" sum ")"
 *
 * KEY is variant/task/metric, or table|row|column as printed, in
 * experiments/published.tsv; without a source its surest value.  A printed
 * number stands for all that are rounded to it, and so what is computed lies
 * between two bounds.
 */
#pragma once

#include "harness/report/published.h"
#include "harness/stats/stats.h"

struct number { double value; struct interval between; };

/* ERR_USAGE: what is wrong with the text, or no such number. */
int number_of(struct number *out, const char *text, const struct published *p);
