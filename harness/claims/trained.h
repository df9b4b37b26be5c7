/*
 * trained: judges the claims that trained cells decide.  Let d be how much a is
 * better than b (report/evidence.h), and m the smallest difference that
 * matters:
 *
 *   better    holds    d is significantly above 0, and its interval above m
 *             fails    d is significantly below 0, or its interval below m
 *   as good   holds    the interval of d is above -m
 *             fails    the interval of d is below -m
 *
 * In all other cases the claim is undecided, and report/power.h estimates how
 * many more seeds would distinguish the observed d from m (for "as good", from
 * -m).
 *
 * A difference is significant if p is below 0.05, so that 0 is outside the
 * interval.  Both are corrected for all trained cases of the file, whichever
 * stores are given and whatever these can decide, so that all intervals hold
 * simultaneously with 95 % (stats/verdict.h).  If an experiment has contrasts
 * (store/contrast.h), these are its family instead, and its other rows are
 * undecided.
 *
 * Only stores of the experiments that a case names decide it.
 *
 * The following are undecided whatever the numbers: rows of a task that the
 * experiment does not compare, or on which no variant beats the model-free
 * baseline; rows with one seed; rows that have not converged
 * (report/learning.h).  But "as good" by ce is decided if the verdict stays the
 * same when the drift of the two rows is added to d or subtracted from it.
 */
#pragma once

#include "harness/claims/claims.h"

/* Judges all trained claims.  Returns ERR_STORE or ERR_DATA. */
int trained_judge(struct claims *c, const struct claims_by *by);
