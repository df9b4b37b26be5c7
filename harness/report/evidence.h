/*
 * evidence: computes confidence intervals for the results of one task, and
 * tests differences between the systems of the task.  Tables, figures and
 * claims call it.
 *
 * A system is a variant, or a reference: a model-free baseline or a bound
 * (evidence_references).  For a reference or a variant with one finished cell,
 * intervals are bootstrap intervals over the test examples (report/outcomes.h):
 * they cover the variation over test sets, not over seeds.  For a variant with
 * several cells, the seeds are the samples, together with the test examples if
 * the metric is computed per example (report/seeds.h).  Verdicts follow
 * stats/verdict.h.  Systems that were tested on different data are not
 * compared; only rows that vary a setting may have different data.
 *
 * The caller opens a task with evidence_open, calls evidence_of for estimates
 * and evidence_contrast for tests, and calls evidence_close.
 */
#pragma once

#include "harness/base/owned.h"
#include "harness/report/learning.h"
#include "harness/report/report.h"
#include "harness/stats/verdict.h"

struct evidence_reference {
    const char *name, *title, *what;
    int         bound; /* 1: a bound that no model can pass, not a model-free
                          baseline */
};

/* The list ends with {0}. */
extern const struct evidence_reference evidence_references[];

struct arena;
struct evidence;
struct metric;

/* The values of two systems for a seed; NAN: not finished or not measured. */
struct result_by_seed { long long seed; double a, b; };

struct estimate { double value; struct interval between; }; /* NAN: unknown */

struct contrast {             /* of systems a and b; NAN: unknown */
    double         difference; /* a minus b                                   */
    struct verdict verdict;
    size_t         seeds;     /* number of seeds that both sides have; if they
                                 have no common seed, of the side with fewer
                                 seeds; 0: each side has one cell             */
    size_t         examples;  /* 0: the test examples are not samples         */
    size_t         more;      /* more seeds that each side needs before a
                                 verdict is possible                          */
    struct two_way mean;      /* the difference, if there are several seeds   */
    int            unsettled; /* 1: not converged (report/learning.h)         */
    double         drift;     /* nats by which another tenth of training might
                                 change the gap of a and b in ce              */
};

/* Reads every finished cell of the task.  Because resampling is slow, the
 * report can keep evidence (report.evidence).  If it has kept the evidence of
 * this task and these metrics, sets *out to it.  metrics: the metrics that can
 * be resampled, ending with NULL; or NULL.  Returns ERR_EMPTY if no cell is
 * finished, or ERR_STORE if a cell is damaged or if two cells with the same
 * varied settings were measured on different data (dataset_match.h). */
int  evidence_open(struct evidence **out, const struct report *r,
                   const char *task, const struct metric *const *metrics);
void evidence_close(struct evidence *e); /* NULL is allowed */
OWNER(evidence_close, struct evidence *)
/* Frees the list of evidence that a report keeps. */
void evidence_forget(struct evidence *kept);

struct evidence_data {
    size_t      examples; /* in the test set                       */
    const char *source;   /* origin of the text                    */
    int         subset;   /* 1: fewer rows than the official files */
    int         sets;     /* number of different data sets among the rows; the
                             members above describe the first set.  If there
                             are several, there are no references  */
};
const struct evidence_data *evidence_data(const struct evidence *e);

/* Returns the number, from 0, of the data set that a system was tested on, or
 * -1 if none of its cells is finished. */
int evidence_set(const struct evidence *e, const char *system);

/* Estimates a metric of a system from the test examples and, if the system has
 * several seeds, from the seeds.  If the metric is not computed per example,
 * the value is NAN.  If all resamples are equal, the interval is NAN.  Returns
 * ERR_STORE if the examples contradict the stored value. */
int evidence_of(struct estimate *out, struct evidence *e, const char *system,
                const char *metric);

/* Sets *out to the gain of a system's cells at the end of training
 * (learning.h).  The gain of a reference is unknown. */
int evidence_learning(struct learning *out, struct evidence *e,
                      const char *system);

/* Tests system `a` against system `b`, as one of m tests.  Perplexity gets the
 * verdict of ce.  The contrast is unknown if one of the systems has no finished
 * cell, or if they were tested on different data. */
int evidence_contrast(struct contrast *out, struct evidence *e, const char *a,
                      const char *b, const char *metric, size_t m);

/* Lists the values of a metric of systems `a` and `b` for each seed that one of
 * them has, sorted by seed, in arena `memory`, and returns their number.  A
 * reference has no seeds. */
int evidence_by_seed(struct result_by_seed **out, const struct evidence *e,
                     const char *a, const char *b, const char *metric,
                     struct arena *memory);
