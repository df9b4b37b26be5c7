/*
 * queue: the cells of a plan that a run has to train, longest first.  A cell is
 * taken only after the cell whose weights it starts from, and after the trials
 * by which its settings are chosen.
 */
#pragma once

#include "harness/run/pool.h"

struct queue {
    const struct plan *plan;
    struct cell      **cell;  /* next .. n-1 have not been taken            */
    int                n, next;
    struct cell      **busy;  /* (result->busy) cells that other processes
                                 train                                      */
    char              *done;  /* by index in the plan; of a trial: 1 if
                                 plan_tried                                 */
    double             work;  /* estimated seconds of all cells             */
    struct pool_result *result; /* counts cells that need no training or
                                   cannot be trained                        */
};

/* Fills the queue with the selected cells of p that have to be trained, and
 * counts the others in r; requires plan_look.  Lives in arena a. */
void queue_open(struct queue *q, const struct plan *p, struct pool_result *r,
                struct arena *a);

/* Takes the next cell that can start.  Returns NULL if none can at present. */
struct cell *queue_take(struct queue *q);

/* Marks a cell as done, or as trained by another process. */
void queue_done(struct queue *q, const struct cell *c);
void queue_busy(struct queue *q, struct cell *c);

/* Returns a cell that c waits for, or NULL. */
const struct cell *queue_awaited(const struct queue *q, const struct cell *c);

/* Call it repeatedly when no cell is being trained: the cells that are left
 * cannot start.  Marks each as busy if the cell that it waits for is busy, else
 * counts it as blocked.  Returns the next blocked cell, or NULL at the end. */
const struct cell *queue_leave(struct queue *q);

/* Puts the busy cells back into the queue and returns their number. */
int queue_retry(struct queue *q);
