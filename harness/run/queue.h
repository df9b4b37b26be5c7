/*
 * queue: determines the order in which a run trains the cells of a plan:
 * longest first.  pool.c takes cells from the queue.  A cell is taken only when
 * the cell whose weights it starts from, and the trials by which its settings
 * are chosen, are done.
 */
#pragma once

#include "harness/run/pool.h"

struct queue {
    const struct plan *plan;
    struct cell      **cell;  /* cells `next` to n - 1 have not been taken  */
    int                n, next;
    struct cell      **busy;  /* (result->busy) cells that other processes
                                 train                                      */
    char              *done;  /* by index in the plan: 1 if the cell is done
                                 (for a trial: plan_tried)                  */
    double             work;  /* estimated seconds of all cells             */
    struct pool_result *result; /* counts cells that need no training or
                                   cannot be trained                        */
};

/* Fills the queue with the selected cells of `p` that have to be trained, and
 * counts the other selected cells in `r`.  Call plan_look before.  The lists
 * live in arena `a`. */
void queue_open(struct queue *q, const struct plan *p, struct pool_result *r,
                struct arena *a);

/* Takes the next cell that can start.  Returns NULL if no cell can start at
 * present. */
struct cell *queue_take(struct queue *q);

/* queue_done marks a cell as done; queue_busy marks it as trained by another
 * process. */
void queue_done(struct queue *q, const struct cell *c);
void queue_busy(struct queue *q, struct cell *c);

/* Returns a cell that must be done before `c` can start, or NULL. */
const struct cell *queue_awaited(const struct queue *q, const struct cell *c);

/* Removes the cells that are left in the queue but cannot start.  Call it when
 * no cell is being trained, until it returns NULL.  If such a cell waits for a
 * busy cell, marks the waiting cell as busy, too, and continues with the next
 * one; otherwise counts the cell as blocked and returns it. */
const struct cell *queue_leave(struct queue *q);

/* Puts the busy cells back into the queue and returns their number. */
int queue_retry(struct queue *q);
