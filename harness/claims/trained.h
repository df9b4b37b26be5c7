/*
 * trained: judges claims of kind `trained`.  claims_judge calls trained_judge.
 * Let d be the amount by which row a is better than row b (report/evidence.h),
 * and m the `margin` of the case, the smallest difference that matters:
 *
 *   better    holds    d is significantly above 0, and its interval above m
 *             fails    d is significantly below 0, or its interval below m
 *   as good   holds    the interval of d is above -m
 *             fails    the interval of d is below -m
 *
 * Otherwise the claim is undecided, and report/power.h estimates how many more
 * seeds would distinguish the observed d from m (for "as good": from -m).
 *
 * A difference is significant if p is below 0.05, so that 0 is outside the
 * interval.  p and the interval are corrected for the number of all trained
 * cases in the file, whichever stores are given and whichever cases they can
 * decide.  So all intervals hold jointly with 95 % confidence
 * (stats/verdict.h).  If an experiment has contrasts (store/contrast.h), these
 * are the family of its tests instead, and claims about other pairs of its rows
 * are undecided.
 *
 * A case is decided only by stores of the experiments that it names.
 *
 * Whatever its numbers, a case is undecided if the experiment does not compare
 * rows on the case's task, or if no variant beats the model-free baseline on
 * the task.  It is also undecided if a row has one seed or has not converged
 * (report/learning.h).  There is one exception to convergence.  Let the drift
 * be the amount by which another tenth of training would change d.  "As good"
 * by ce (cross-entropy) is decided, even if a row has not converged, if adding
 * or subtracting the drift changes no verdict.
 */
#pragma once

#include "harness/claims/claims.h"

/* Judges all trained claims.  Returns ERR_STORE or ERR_DATA. */
int trained_judge(struct claims *c, const struct claims_by *by);
