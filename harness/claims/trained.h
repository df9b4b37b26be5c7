/*
 * trained: claims that trained cells decide.  With d, by how much a is better
 * than b (report/evidence.h), and m, the smallest difference that matters:
 *
 *   better    holds    the sign of d is told, and d is surely above m
 *             fails    a is told to be worse, or d is surely below m
 *   as good   holds    d is surely above -m
 *             fails    d is surely below -m
 *
 * A sign is told if p is below 0.05 and so 0 is outside the interval; both are
 * corrected for all trained cases of the file, whichever stores are named and
 * whatever they can answer, so that all intervals hold at once with 95 %
 * (stats/verdict.h).  If an experiment has contrasts (store/contrast.h), these
 * are its family instead, and its other rows are undecided.  d is surely where
 * its interval is.  Else a case is undecided, and report/power.h says how many
 * more seeds would tell the d that was seen from m; of "as good", from -m.
 *
 * Only stores of the experiments that a case names decide it.
 *
 * Undecided, too, whatever the numbers are: rows of a task that the experiment
 * does not compare, or where no variant passes what needs no model, of one
 * seed, or that are unsettled (report/learning.h).  But "as good" by ce is
 * decided if it would be the same with the drift of the two added to d or taken
 * from it.
 */
#pragma once

#include "harness/claims/claims.h"

/* ERR_STORE; ERR_DATA. */
int trained_judge(struct claims *c, const struct claims_by *by);
