/*
 * confusion: counts how often each label is predicted for each correct label,
 * and computes scores from these counts.  All scores lie in [0,1], except mcc,
 * which lies in [-1,1].  Scorers call confusion_labels, then confusion_make.
 */
#pragma once

#include "harness/base/owned.h"
#include "harness/metrics/scorer.h"

struct confusion {
    size_t n;     /* number of labels, correct or predicted        */
    long  *label; /* [n], ascending                                */
    long  *count; /* (n,n) row-major: rows gold, columns predicted */
};

enum { CONFUSION_LABELS = 1000 }; /* maximum */

/* Counts n pairs of labels.  Returns ERR_USAGE if there are more than
 * CONFUSION_LABELS different labels. */
int  confusion_make(struct confusion *out, const long *gold, const long *pred,
                    size_t n);
void confusion_free(struct confusion *c);
OWNER_OF_VALUE(confusion_free, struct confusion)

/* Reads pred and gold [in->hyp->n] from files with one integer per line.  If a
 * line is not an integer, or if `binary` is 1 and a line is neither 0 nor 1,
 * returns ERR_DATA with the file and line. */
int confusion_labels(long *pred, long *gold, const struct score_input *in,
                     int binary);

double confusion_accuracy(const struct confusion *c);
/* confusion_f1 returns F1 of label 1; confusion_macro_f1 returns the mean of F1
 * over the labels that occur, except labels below 0 (no answer).  F1 and mcc
 * are 0 if they are undefined. */
double confusion_f1(const struct confusion *c);
double confusion_macro_f1(const struct confusion *c);
double confusion_mcc(const struct confusion *c);
