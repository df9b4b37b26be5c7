/*
 * filter: selects cells with an expression, the argument of -E, such as
 * 'variant~random && (task==lm1b || seed!=1)'.
 *
 *     any  = all { "||" all }
 *     all  = one { "&&" one }
 *     one  = "!" one | "(" any ")" | KEY op VALUE
 *     op   = "==" | "!=" | "~"
 *
 * KEY is any configuration key, or `id`.  == and != compare values; ~ tests
 * whether the value of KEY contains VALUE.  A VALUE ends at a blank or at one
 * of the characters ( ) & | !.
 */
#pragma once

#include "harness/train/config.h"

/* Returns 1 if the filter matches the cell, 0 if it does not, or ERR_USAGE if
 * the filter is invalid (the message has the column of the error). */
int filter_match(const char *filter, const struct config *c);
