/*
 * lcs: finds the longest common subsequence of two sequences of words: `a` of m
 * words and `b` of n words.  rouge.c calls lcs_length and lcs_mark,
 * score_nlgeval.c calls lcs_length.  The length t[i][j] for the first i words
 * of `a` and the first j words of `b` is
 *
 *   t[i][j] = t[i-1][j-1] + 1              if word i of `a` is word j of `b`
 *             max(t[i-1][j], t[i][j-1])    otherwise
 *
 * Both functions take temporary memory from `scratch`.
 */
#pragma once

#include <stddef.h>

struct arena;

size_t lcs_length(const int *a, size_t m, const int *b, size_t n,
                  struct arena *scratch);

/*
 * Sets member[i] to 1 for each word a[i] of one longest common subsequence and
 * leaves the other elements unchanged.  If there are several such subsequences,
 * the choice is that of ROUGE's definition: the search starts with i = m and
 * j = n.  If word i of `a` equals word j of `b`, it belongs to the subsequence
 * and both i and j decrease by 1.  Otherwise, j decreases by 1 if t[i][j-1] >
 * t[i-1][j], and i decreases by 1 if not.
 */
void lcs_mark(char *member, const int *a, size_t m, const int *b, size_t n,
              struct arena *scratch);
