/*
 * cost: is a training step as fast, and the memory as small, as before?
 * Verdicts are added to those of a judge, stage "cost", one of the time and one
 * of the memory of every configuration that a cell of both has (seeds share
 * one).
 *
 * Against a program, in rounds of fresh processes, in turns within hundredths
 * of a second: the old one (A), the new one (B), and the old one once more
 * (A'), which says what chance does in the same minute.  Of round r
 *
 *     d[r] = median over turns of log(B / sqrt(A A'))
 *     z[r] = median over turns of log(A' / A)
 *
 * and of memory the same of the peaks.  Rounds are independent, so Student's t
 * over them holds; p is multiplied by the number m of all costs.  With margin e
 * and the intervals D of mean d, Z of mean z (level 1 - 0.05 / m):
 *
 *   worse, better   p < 0.05, |d| > e, and |d| beyond the bounds of Z
 *   equal           D and Z are within -e .. e
 *   undecided       else: the machine is too noisy for that margin
 *
 * What is worse or better is measured once more, in as many rounds, and stays
 * so if they say the same by themselves: a minute in which other work came to
 * one program alone, or an unlucky place in memory, seldom comes twice.
 *
 * Without a program the times that the baseline recorded are all there is, of
 * the same machine alone: over the pairs of seeds, else the spread of single
 * steps, whose intervals must not meet.
 */
#pragma once

#include "harness/gate/judge.h"

struct cost_of {
    const struct baseline *old, *new;
    const char *against, *program; /* old and new one; NULL: recorded times */
    double      margin;            /* the smallest change that matters, 0.02 */
    int         rounds;            /* 2 or more                             */
    int         threads;           /* of a step                             */
    void      (*tell)(const char *cell, int done, int of, double left);
};

/* ERR_USAGE: of->against times no step of the first cell of of->old: better
 * known before anything is trained. */
int cost_probe(const struct cost_of *of);

/* ERR_USAGE: a program times no steps; ERR_STOPPED. */
int cost_judge(struct judgement *j, const struct cost_of *of);
