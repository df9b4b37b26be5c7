/*
 * queue: the cells of a plan that a run has to train, long ones first, and
 * none before the cell whose weights it starts from, or before the trials that
 * its settings are chosen by.
 */
#pragma once

#include "harness/run/pool.h"

struct queue {
    const struct plan *plan;
    struct cell      **cell;  /* next .. n-1 are still to come              */
    int                n, next;
    struct cell      **busy;  /* another runner is at work on them; there
                                 are result->busy                           */
    char              *done;  /* by index in the plan; a trial: plan_tried  */
    double             work;  /* expected seconds of all                    */
    struct pool_result *result; /* of what needs no training, or cannot be
                                   trained, the numbers                     */
};

/* The plan has been looked at.  Lives in arena a. */
void queue_open(struct queue *q, const struct plan *p, struct pool_result *r,
                struct arena *a);

/* The next cell that can begin; NULL: none now. */
struct cell *queue_take(struct queue *q);

void queue_done(struct queue *q, const struct cell *c);
void queue_busy(struct queue *q, struct cell *c);

/* The cell for which c waits, or NULL. */
const struct cell *queue_awaited(const struct queue *q, const struct cell *c);

/* Nothing is being trained any more, and what still waits waits in vain: it is
 * busy where that is for which it waits, else blocked.  Returns one such cell
 * of the latter kind, and NULL when there are no more. */
const struct cell *queue_leave(struct queue *q);

/* The busy ones come again; how many. */
int queue_retry(struct queue *q);
