/* compare_digests: prints whether two stores are bit-identical, for `compare
 * --digests STORE STORE`.  cmd_compare.c calls it. */
#pragma once

struct sheet;

/* Adds the comparison of the stores in folders `a` and `b` to the sheet.
 * Returns OK if both have the same cells with the same results, else the exit
 * code 1.  Returns the exit code 5 if a cell cannot be read, or ERR_EMPTY if
 * both stores are empty. */
int compare_digests(struct sheet *s, const char *a, const char *b);
