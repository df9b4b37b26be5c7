/*
 * lcs: the longest common subsequence of a[0..m-1] and b[0..n-1].  rouge.c and
 * score_nlgeval.c use it.
 *
 *   t[i][j] = t[i-1][j-1] + 1              if a_i = b_j
 *             max(t[i-1][j], t[i][j-1])    otherwise
 */
#pragma once

#include <stddef.h>

struct arena;

size_t lcs_length(const int *a, size_t m, const int *b, size_t n,
                  struct arena *scratch);

/*
 * Sets member[i] for the a_i of one longest common subsequence and leaves the
 * other members unchanged.  If there are several subsequences, the choice is
 * part of ROUGE's definition: starting from both ends, equal words are taken;
 * otherwise b is shortened if only this keeps the length (t[i][j-1] >
 * t[i-1][j]), else a.
 */
void lcs_mark(char *member, const int *a, size_t m, const int *b, size_t n,
              struct arena *scratch);
