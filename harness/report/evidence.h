/*
 * evidence: what the cells of one task say about its systems, and whether one
 * is better than another.
 *
 * A system is a variant or a reference (evidence_references).  Of a variant
 * with one finished cell, and of references, the test examples tell
 * (report/outcomes.h): intervals are the bootstrap's, how far another test set
 * would move the number, not another seed.  Of a variant with several cells the
 * seeds tell, together with the examples where these tell the metric
 * (report/seeds.h).  The verdict is stats/verdict.h's.  Between systems that
 * were tested on different data there is none; only rows that vary something
 * may be.
 */
#pragma once

#include "harness/base/owned.h"
#include "harness/report/learning.h"
#include "harness/report/report.h"
#include "harness/stats/verdict.h"

struct evidence_reference {
    const char *name, *title, *what;
    int         bound; /* 1: what no model passes, and no answer of any */
};

extern const struct evidence_reference evidence_references[]; /* ends: {0} */

struct evidence;
struct metric;

struct estimate { double value; struct interval between; }; /* NAN: unknown */

struct contrast {             /* of a less b; NAN: unknown                  */
    double         difference;
    struct verdict verdict;
    size_t         seeds;     /* that both have, or the fewer; 0: one each  */
    size_t         examples;  /* 0: they take no part                       */
    size_t         more;      /* seeds missing to decide anything           */
    struct two_way mean;      /* the difference, of several seeds           */
    int            unsettled; /* 1: they still learn (report/learning.h)    */
    double         drift;     /* nats that another tenth of training may add
                                 to their gap in ce, or take from it        */
};

/* Reads every finished cell of the task, or returns what the report keeps of
 * that task and these metrics: drawing resamples is slow.  ERR_STORE: a cell is
 * damaged, or two that vary alike were measured on different data
 * (dataset_match.h); ERR_EMPTY: none is done.  metrics: those that can be
 * taken apart, ends with NULL; or NULL. */
int  evidence_open(struct evidence **out, const struct report *r,
                   const char *task, const struct metric *const *metrics);
void evidence_close(struct evidence *e); /* NULL is fine */
OWNER(evidence_close, struct evidence *)
void evidence_forget(struct evidence *kept); /* the list of a report */

struct evidence_data {
    size_t      examples; /* of the test set                             */
    const char *source;   /* where the text comes from                   */
    int         subset;   /* 1: fewer rows than the official files have  */
    int         sets;     /* how many, by what rows vary; the first is above.
                             Of several there are no references          */
};
const struct evidence_data *evidence_data(const struct evidence *e);

/* Which of these sets of data a system was tested on, from 0; -1: no cell of it
 * is done. */
int evidence_set(const struct evidence *e, const char *system);

/* Of the examples of a system, and of its seeds where it has several; NAN where
 * the examples do not tell the metric, or are all alike.  ERR_STORE: they do
 * not give what is stored. */
int evidence_of(struct estimate *out, struct evidence *e, const char *system,
                const char *metric);

/* What its cells still learned at their end; a reference learns nothing. */
int evidence_learning(struct learning *out, struct evidence *e,
                      const char *system);

/* a against b, one of m tests; a perplexity is decided as ce is. */
int evidence_contrast(struct contrast *out, struct evidence *e, const char *a,
                      const char *b, const char *metric, size_t m);
