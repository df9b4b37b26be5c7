/*
 * filter: -E 'variant~random && (task==lm1b || seed!=1)'
 *
 *     any  = all { "||" all }
 *     all  = one { "&&" one }
 *     one  = "!" one | "(" any ")" | KEY op VALUE
 *     op   = "==" | "!=" | "~"
 *
 * KEY is any configuration key, or id; ~ means that its value holds VALUE as a
 * part.  A value ends at a blank or one of ( ) & | !.
 */
#pragma once

#include "harness/train/config.h"

/* 1: the cell is wanted; 0; ERR_USAGE with the column. */
int filter_match(const char *filter, const struct config *c);
