/*
 * referent: whether a text names the thing that a pronoun means (WSC in the
 * simple form of T5, Raffel et al., JMLR 2020, 2.4).
 *
 * Lower case, determiners left out; the words of one text must all be words of
 * the other ("the old keeper", "keeper"), and both or neither must have an
 * apostrophe.
 */
#ifndef METRICS_LABELS_REFERENT_H
#define METRICS_LABELS_REFERENT_H

/* 1 or 0; -1: the answer is empty, which is neither. */
int referent_same(const char *answer, const char *referent);

#endif
