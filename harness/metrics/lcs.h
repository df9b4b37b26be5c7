/*
 * lcs: finds the longest common subsequence of two sequences of words, `a` (m)
 * and `b` (n).  rouge.c calls lcs_length and lcs_mark, score_nlgeval.c calls
 * lcs_length.  The length t[i][j] for the first i words of `a` and the first j
 * words of `b` is
 *
 *   t[i][j] = t[i-1][j-1] + 1              if word i of `a` is word j of `b`
 *             max(t[i-1][j], t[i][j-1])    otherwise
 */
#pragma once

#include <stddef.h>

struct arena;

size_t lcs_length(const int *a, size_t m, const int *b, size_t n,
                  struct arena *scratch);

/*
 * Sets member[i] to 1 for each word a[i] of one longest common subsequence and
 * leaves the other elements unchanged.  If there are several such subsequences,
 * ROUGE's definition determines the choice.  The search starts at the ends of
 * both sequences.  If the last words are equal, they belong to the subsequence
 * and both sequences lose them.  Otherwise, if t[i][j-1] > t[i-1][j], `b` loses
 * its last word, else `a` does.
 */
void lcs_mark(char *member, const int *a, size_t m, const int *b, size_t n,
              struct arena *scratch);
