/*
 * match: which cells of two baselines belong together: those of one id; else
 * those of one name (variant/task/scale/seed), where either side has a single
 * one of it that no id has matched.
 */
#pragma once

#include "harness/gate/baseline.h"

struct matched { const struct baseline_cell *a, *b; }; /* NULL: there is none */

/* Every cell of both, once, those of a first; in arena m. */
int match_baselines(struct matched **out, const struct baseline *a,
                const struct baseline *b, struct arena *m);

/* 1: another bit decides: digests of results, or weights, or the id itself is
 * another. */
int match_moved(const struct matched *m);

/* Names of cells that differ in their seeds alone: the length of
 * "random/lm1b/smoke/" in "random/lm1b/smoke/1"; 1: it is the same; all of
 * them: that and a star. */
size_t      match_group(const char *name);
int         match_same_group(const char *x, const char *y);
const char *match_all_seeds(const char *name, struct arena *a);
