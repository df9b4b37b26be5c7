/*
 * digests: compare --digests STORE STORE: have two stores the same bits?
 *
 * Cells are matched by id; those left over by variant, task, scale and seed
 * where these name one cell on either side.
 */
#pragma once

struct sheet;

/* Adds the comparison of the stores in folders a and b to the sheet.  Returns
 * OK if they have the same cells with the same results, the exit code 1 if
 * not or 5 if one cannot be read, or ERR_EMPTY if both are empty. */
int compare_digests(struct sheet *s, const char *a, const char *b);
