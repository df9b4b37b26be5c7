/*
 * ter: counts the edits that turn a hypothesis into its reference, where the
 * shift of a block of words is one edit (Snover et al., AMTA 2006).  The search
 * for the edits is that of sacreBLEU 2.6.0.  score_ter.c calls ter_tokenize,
 * then ter_edits.
 */
#pragma once

#include <stddef.h>

/* Returns the number of edits.  Words are given as numbers; equal words have
 * equal numbers. */
long ter_edits(const int *hyp, size_t n_hyp, const int *ref, size_t n_ref);

struct ter_form { int normalized, no_punct, asian_support, case_sensitive; };

/* Returns the words of `line`, joined by single blanks.  The caller frees the
 * result. */
char *ter_tokenize(const char *line, const struct ter_form *f);
