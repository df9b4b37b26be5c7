/*
 * ter: how many edits, shifts of a block counted as one, turn a hypothesis into
 * its reference (Snover et al., AMTA 2006), searched as sacreBLEU 2.6.0 does.
 */
#pragma once

#include <stddef.h>

/* Words are numbers; equal words have equal ones. */
long ter_edits(const int *hyp, size_t n_hyp, const int *ref, size_t n_ref);

struct ter_form { int normalized, no_punct, asian_support, case_sensitive; };

/* The words of a line, joined by single blanks; the caller frees. */
char *ter_tokenize(const char *line, const struct ter_form *f);
