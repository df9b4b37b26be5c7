/*
 * cost: decides whether training steps became slower or faster and whether they
 * need more or less memory.  The gate calls cost_probe before training and
 * cost_judge after it.  The verdicts are added to a judgement (judge.h) as
 * stage "cost": one for the time and one for the memory of every configuration
 * that both baselines have.  Cells that differ only in their seeds share a
 * configuration.
 *
 * In each round, three new processes are timed: the old program (A), the new
 * program (B), and the old program again (A'), which measures the noise at the
 * same time.  They take turns within hundredths of a second.  In round r
 *
 *     d[r] = median over turns of log(B / sqrt(A A'))
 *     z[r] = median over turns of log(A' / A)
 *
 * where A, B and A' are step times or, for memory, peaks of the memory in use.
 * Rounds are independent, so Student's t over rounds is valid; p is multiplied
 * by the number m of all costs.  Let e be the margin, d and z the means over
 * rounds, and D and Z their intervals of level 1 - 0.05 / m.  The verdict is
 *
 *   worse, better   if p < 0.05, |d| > e, and |d| is greater than the absolute
 *                   values of both bounds of Z
 *   equal           if D and Z are within -e to e
 *   undecided       otherwise: the machine is too noisy for this margin
 *
 * Each worse or better cost is measured again, in as many rounds, and keeps its
 * verdict only if the second measurement, taken by itself, agrees.  Other work
 * that slows only one of the programs, or an unlucky memory placement, seldom
 * occurs twice.
 */
#pragma once

#include "harness/gate/judge.h"

struct cost_of {
    const struct baseline *old, *new;
    const char *against, *program; /* old and new program              */
    double      margin;            /* smallest relevant change; 0.02: 2 % */
    int         rounds;            /* 2 or more                             */
    int         threads;           /* per step                              */
    /* Called when the configuration of a cell has been timed: `done` of `of`
     * configurations are timed, and about `left` seconds remain.  May be
     * NULL. */
    void      (*progress)(const char *cell, int done, int of, double left);
};

/* Times one step of the first cell of of->old with the old program,
 * of->against, so that an error is found before training.  Returns ERR_USAGE if
 * the timing fails. */
int cost_probe(const struct cost_of *of);

/* Adds the verdicts to `j`.  Returns ERR_USAGE if a program cannot time steps,
 * or ERR_STOPPED if a signal was caught. */
int cost_judge(struct judgement *j, const struct cost_of *of);
