/*
 * confusion: which label was guessed where which one was right, and the scores
 * that are functions of those counts.  All lie in [0,1] but mcc in [-1,1].
 */
#pragma once

#include "harness/base/owned.h"
#include "harness/metrics/scorer.h"

struct confusion {
    size_t n;     /* labels, of either side                      */
    long  *label; /* [n], rising                                 */
    long  *count; /* (n,n) row-major: rows gold, columns guessed */
};

enum { CONFUSION_LABELS = 1000 }; /* at most */

/* ERR_USAGE: more labels than that. */
int  confusion_make(struct confusion *out, const long *gold, const long *pred,
                    size_t n);
void confusion_free(struct confusion *c);
OWNER_OF_VALUE(confusion_free, struct confusion)

/* Into pred and gold [in->hyp->n] from files of one integer a line.  ERR_DATA,
 * with file and line: a line is no integer, or, where `binary`, neither 0 nor
 * 1. */
int confusion_labels(long *pred, long *gold, const struct score_input *in,
                     int binary);

double confusion_accuracy(const struct confusion *c);
/* 0 where undefined; f1: of label 1; macro: the mean over the labels that there
 * are, of which one below 0, no answer, is none. */
double confusion_f1(const struct confusion *c);
double confusion_macro_f1(const struct confusion *c);
double confusion_mcc(const struct confusion *c);
