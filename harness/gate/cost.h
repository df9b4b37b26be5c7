/*
 * cost: decides whether training steps became slower or faster and whether
 * memory grew or shrank.  The gate calls cost_probe before training and
 * cost_judge after it.  The verdicts are added to a judgement as stage "cost":
 * one for the time and one for the memory of every configuration that both
 * baselines have (seeds share one).
 *
 * With a program to compare with, fresh processes are timed in rounds and take
 * turns within hundredths of a second: the old program (A), the new one (B),
 * and the old one again (A'), which measures the noise of the same minute.  In
 * round r
 *
 *     d[r] = median over turns of log(B / sqrt(A A'))
 *     z[r] = median over turns of log(A' / A)
 *
 * and memory uses the same ratios of the peaks.  Rounds are independent, so
 * Student's t over them is valid; p is multiplied by the number m of all costs.
 * With margin e and the intervals D of mean d and Z of mean z (level
 * 1 - 0.05 / m):
 *
 *   worse, better   p < 0.05, |d| > e, and |d| beyond the bounds of Z
 *   equal           D and Z are within -e .. e
 *   undecided       else: the machine is too noisy for this margin
 *
 * Each worse or better cost is measured again, in as many rounds, and keeps its
 * verdict only if the second measurement, taken by itself, agrees: other work
 * that slows only one of the programs, or an unlucky memory placement, seldom
 * occurs twice.
 *
 * Without a program, only the times that the baseline recorded on the same
 * machine are compared: over the pairs of seeds, or, for one seed, by the
 * spread of single steps, whose intervals must not overlap.
 */
#pragma once

#include "harness/gate/judge.h"

struct cost_of {
    const struct baseline *old, *new;
    const char *against, *program; /* old and new; NULL: recorded times */
    double      margin;            /* the smallest relevant change, 0.02 */
    int         rounds;            /* 2 or more                             */
    int         threads;           /* per step                              */
    void      (*tell)(const char *cell, int done, int of, double left);
};

/* Times one step of the first cell of of->old with of->against.  Returns
 * ERR_USAGE if that fails, so that the error is known before training. */
int cost_probe(const struct cost_of *of);

/* Adds the verdicts to j.  Returns ERR_USAGE if a program cannot time steps, or
 * ERR_STOPPED. */
int cost_judge(struct judgement *j, const struct cost_of *of);
