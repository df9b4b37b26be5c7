#include "harness/run/queue.h"

#include "harness/base/str.h"

#include <stdlib.h>
#include <string.h>

static int longest_first(const void *a, const void *b)
{
    const struct cell *x = *(struct cell *const *)a;
    const struct cell *y = *(struct cell *const *)b;

    if (x->seconds != y->seconds)
        return x->seconds < y->seconds ? 1 : -1;
    return x < y ? -1 : x > y;
}

/* Returns 1 if the cell needs no training.  This includes a trial that has
 * diverged, because its result is known. */
static int settled(const struct cell *c)
{
    return plan_is_trial(c) ? plan_tried(c) : c->status.state == CELL_DONE;
}

static void add_cell(struct queue *q, struct cell *c)
{
    if (c->refused) {
        q->result->refused++;
    } else if (c->blocked) {
        say("%s/%s/%llu is blocked: %s", c->row, c->config.task,
            (unsigned long long)c->config.seed, c->blocked);
        q->result->blocked++;
    } else if (c->damage && !c->anew) {
        say("%s", c->damage);
        q->result->damaged++;
    } else if (settled(c) && (!c->anew || plan_is_external(c))) {
        q->result->before++;
    } else {
        q->cell[q->n++] = c;
        q->work += c->seconds;
    }
}

void queue_open(struct queue *q, const struct plan *p, struct pool_result *r,
                struct arena *a)
{
    size_t n = (size_t)p->n + 1;

    *q = (struct queue){.plan = p,
                        .cell = arena_zero(a, n * sizeof *q->cell),
                        .busy = arena_zero(a, n * sizeof *q->busy),
                        .done = arena_zero(a, n),
                        .result = r};
    for (int i = 0; i < p->n; i++) {
        struct cell *c = &p->cell[i];

        if (settled(c) && !c->damage && !(c->anew && c->selected))
            queue_done(q, c);
        if (c->selected)
            add_cell(q, c);
    }
    qsort(q->cell, (size_t)q->n, sizeof *q->cell, longest_first);
}

static int is_done(const struct queue *q, const struct cell *c)
{
    return q->done[c - q->plan->cell];
}

const struct cell *queue_awaited(const struct queue *q, const struct cell *c)
{
    if (c->parent && !is_done(q, c->parent))
        return c->parent;
    for (int i = 0; i < c->trials; i++)
        if (!is_done(q, c->trial[i]))
            return c->trial[i];
    return NULL;
}

struct cell *queue_take(struct queue *q)
{
    int i = q->next;

    while (i < q->n && queue_awaited(q, q->cell[i]))
        i++;
    if (i == q->n)
        return NULL;
    struct cell *c = q->cell[i];
    memmove(q->cell + q->next + 1, q->cell + q->next,
            (size_t)(i - q->next) * sizeof *q->cell);
    q->cell[q->next++] = c;
    return c;
}

void queue_done(struct queue *q, const struct cell *c)
{
    q->done[c - q->plan->cell] = 1;
}

void queue_busy(struct queue *q, struct cell *c)
{
    q->busy[q->result->busy++] = c;
}

static int is_busy(const struct queue *q, const struct cell *c)
{
    for (int i = 0; i < q->result->busy; i++)
        if (q->busy[i] == c)
            return 1;
    return 0;
}

const struct cell *queue_leave(struct queue *q)
{
    while (q->next < q->n) {
        struct cell *c = q->cell[q->next++];

        if (!is_busy(q, queue_awaited(q, c))) {
            q->result->blocked++;
            return c;
        }
        queue_busy(q, c);
    }
    return NULL;
}

int queue_retry(struct queue *q)
{
    q->n = q->result->busy;
    q->next = q->result->busy = 0;
    memcpy(q->cell, q->busy, (size_t)q->n * sizeof *q->cell);
    return q->n;
}
