/*
 * digests: compare --digests STORE STORE: have two stores the same bits?
 *
 * Cells are matched by id; those left over by variant, task, scale and seed
 * where these name one cell on either side.
 */
#pragma once

/* Of two folders; format: text or json.  OK: the same cells with the same
 * results; exit code 1: not; 5: one of them cannot be read.  ERR_EMPTY: both
 * are empty. */
int digests_compare(const char *a, const char *b, const char *format);
