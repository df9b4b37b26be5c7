/*
 * evidence: what the test examples of one task say about its systems.
 *
 * A system is a variant, its examples averaged over the seeds that are done,
 * or a reference: see evidence_references.
 * Intervals are the bootstrap's over examples (base/bootstrap.h): they say how
 * far another test set would move the number, not another seed.
 */
#ifndef REPORT_EVIDENCE_H
#define REPORT_EVIDENCE_H

#include "harness/base/stats.h"
#include "harness/report/report.h"

struct evidence_reference { const char *name, *title, *what; };

extern const struct evidence_reference evidence_references[]; /* ends: {0} */

struct evidence;

struct estimate { double value; struct interval between; }; /* NAN: unknown */

/* Reads every finished cell of the task.  ERR_STORE: a cell is damaged, or two
 * were measured on different data; ERR_EMPTY: none is done. */
int  evidence_open(struct evidence **out, const struct report *r,
                   const char *task);
void evidence_close(struct evidence *e); /* NULL is fine */

int evidence_examples(const struct evidence *e); /* of the test set */

/* Where the text comes from, and whether it is fewer rows than the official
 * files have. */
const char *evidence_source(const struct evidence *e);
int evidence_subset(const struct evidence *e);

/* A metric that is a function of two sums over examples: ce, ppl, ppl_word,
 * token_accuracy, accuracy.  Others, and systems without it, are NAN. */
struct estimate evidence_of(const struct evidence *e, const char *system,
                            const char *metric);

/* Token cross-entropy of a less that of b, nats, paired by example. */
struct estimate evidence_difference(const struct evidence *e, const char *a,
                                    const char *b);

#endif
