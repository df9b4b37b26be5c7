#include "harness/slurm/batch.h"

#include "harness/run/queue.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MARGIN_TIME 3.0
#define MARGIN_MEMORY 1.5
enum {
    MORE_MINUTES = 10,
    MORE_MEGABYTES = 256,
    YEAR = 366 * 24 * 60, /* minutes: more than any cluster grants */
    MOST_MEMORY = 1 << 30 /* megabytes                            */
};

struct batch_need batch_need(const struct cell *c)
{
    const struct config *g = &c->config;
    double minutes = ceil(MARGIN_TIME * c->seconds / 60) + MORE_MINUTES;
    double megabytes = ceil(MARGIN_MEMORY * c->cost.bytes / (1 << 20)) +
                       MORE_MEGABYTES;

    return (struct batch_need){
        .cores = g->threads < g->lanes ? g->threads : g->lanes,
        .gpus = g->device != DEVICE_CPU,
        .minutes = (int)fmin(minutes, YEAR),
        .megabytes = (int)fmin(megabytes, MOST_MEMORY)};
}

/* ---- selection of cells, and their levels ---- */

enum { LEFT = -1, UNKNOWN = -2 };

struct making {
    struct batch      *out;
    const struct plan *plan;
    const struct queue *queue;
    /* For each cell of the plan: its level (level_of), LEFT if it is not
     * submitted, or UNKNOWN if its level has not been computed yet. */
    int               *level;
    /* For each cell of the plan: the index of its array. */
    int               *array;
};

static int index_of(const struct making *m, const struct cell *c)
{
    return (int)(c - m->plan->cell);
}

/* Returns the cell with index `i` among the cells on which `c` depends (its
 * parent, then its trials), or NULL if there are at most `i` such cells. */
static const struct cell *before(const struct cell *c, int i)
{
    if (c->parent && i-- == 0)
        return c->parent;
    return i < c->trials ? c->trial[i] : NULL;
}

static int is_done(const struct making *m, const struct cell *c)
{
    return m->queue->done[index_of(m, c)];
}

/* Returns the level of a cell.  The level is 0 if all cells on which the cell
 * depends are finished.  Otherwise it is one more than the highest level of
 * those that are not finished; a queued cell has level 0.  Returns LEFT if the
 * cell depends on an unfinished cell that is neither queued nor submitted. */
static int level_of(struct making *m, const struct cell *c)
{
    int *level = &m->level[index_of(m, c)];
    const struct cell *first;

    if (*level != UNKNOWN)
        return *level;
    *level = 0; /* plan_identify ensures that there are no cycles */
    for (int i = 0; (first = before(c, i)); i++) {
        int other = is_done(m, first)      ? LEFT
                    : first->queued.job    ? 0
                                           : level_of(m, first);

        if (!is_done(m, first) && other == LEFT)
            return *level = LEFT; /* a runner outside of Slurm trains `first` */
        *level = *level > other + 1 ? *level : other + 1;
    }
    return *level;
}

/* Sets the levels of all cells, and counts those that are queued or busy.
 * Returns the number of cells to submit. */
static int sort_out(struct making *m)
{
    struct batch *b = m->out;
    int n = 0;

    for (int i = 0; i < m->plan->n; i++)
        m->level[i] = LEFT;
    for (int i = 0; i < m->queue->n; i++) {
        const struct cell *c = m->queue->cell[i];

        if (c->queued.job)
            b->queued++;
        else if (c->status.state == CELL_RUNNING)
            b->busy++;
        else
            m->level[index_of(m, c)] = UNKNOWN;
    }
    for (int i = 0; i < m->queue->n; i++) {
        const struct cell *c = m->queue->cell[i];

        if (m->level[index_of(m, c)] == LEFT)
            continue;
        if (level_of(m, c) == LEFT)
            b->busy++;
        else
            n++;
    }
    return n;
}

/* ---- arrays ---- */

struct sent {
    const struct cell *cell;
    struct batch_need  need;
    /* `place` is the index in the queue, which has the longest cells first. */
    int                level, place;
};

static int class_of(int n) { return ilogb(n); }

static int by_array(const void *a, const void *b)
{
    const struct sent *x = a, *y = b;
    int by = x->level - y->level;

    by = by ? by : class_of(y->need.minutes) - class_of(x->need.minutes);
    by = by ? by : class_of(y->need.megabytes) - class_of(x->need.megabytes);
    by = by ? by : y->need.cores - x->need.cores;
    by = by ? by : y->need.gpus - x->need.gpus;
    return by ? by : x->place - y->place;
}

static int together(const struct sent *x, const struct sent *y)
{
    return x->level == y->level &&
           class_of(x->need.minutes) == class_of(y->need.minutes) &&
           class_of(x->need.megabytes) == class_of(y->need.megabytes) &&
           x->need.cores == y->need.cores && x->need.gpus == y->need.gpus;
}

static int most(int a, int b) { return a > b ? a : b; }

static void fill(struct making *m, int number, const struct sent *s, int n)
{
    struct batch_array *a = &m->out->array[number];
    struct arena *memory = m->out->memory;

    *a = (struct batch_array){.n = n, .need = s->need};
    a->cell = arena_take(memory, (size_t)n * sizeof *a->cell);
    for (int i = 0; i < n; i++) {
        a->cell[i] = s[i].cell;
        a->need.minutes = most(a->need.minutes, s[i].need.minutes);
        a->need.megabytes = most(a->need.megabytes, s[i].need.megabytes);
        m->array[index_of(m, s[i].cell)] = number;
    }
}

static int has_waits(const struct batch_array *a, const char *job)
{
    for (int i = 0; i < a->waiting; i++)
        if (!strcmp(a->waits[i], job))
            return 1;
    return 0;
}

static int has_after(const struct batch_array *a, int number)
{
    for (int i = 0; i < a->afters; i++)
        if (a->after[i] == number)
            return 1;
    return 0;
}

static void wait_for(struct making *m, struct batch_array *a,
                     const struct cell *first)
{
    if (is_done(m, first))
        return;
    if (first->queued.job) {
        if (!has_waits(a, first->queued.job))
            a->waits[a->waiting++] = first->queued.job;
    } else if (!has_after(a, m->array[index_of(m, first)])) {
        a->after[a->afters++] = m->array[index_of(m, first)];
    }
}

static void link_array(struct making *m, struct batch_array *a)
{
    struct arena *memory = m->out->memory;
    size_t waits = 1;

    for (int i = 0; i < a->n; i++)
        waits += 1 + (size_t)a->cell[i]->trials;
    a->waits = arena_take(memory, waits * sizeof *a->waits);
    a->after = arena_take(memory, ((size_t)m->out->n + 1) * sizeof *a->after);
    for (int i = 0; i < a->n; i++) {
        const struct cell *first;

        for (int k = 0; (first = before(a->cell[i], k)); k++)
            wait_for(m, a, first);
    }
}

static void cut(struct making *m, struct sent *s, int n, int size)
{
    struct batch *b = m->out;

    qsort(s, (size_t)n, sizeof *s, by_array);
    b->array = arena_zero(b->memory, ((size_t)n + 1) * sizeof *b->array);
    for (int i = 0, k; i < n; i = k) {
        for (k = i + 1; k < n && k - i < size && together(&s[i], &s[k]); k++)
            ;
        fill(m, b->n++, s + i, k - i);
    }
    for (int i = 0; i < b->n; i++)
        link_array(m, &b->array[i]);
}

static void count(struct batch *b, const struct pool_result *r)
{
    b->done = r->before;
    b->refused = r->refused;
    b->blocked = r->blocked;
    b->damaged = r->damaged;
}

void batch_make(struct batch *out, const struct plan *p, int size)
{
    struct pool_result r = {0};
    struct queue q;
    size_t cells = (size_t)p->n + 1;
    struct making m = {.out = out, .plan = p, .queue = &q};
    int n = 0;

    *out = (struct batch){.memory = p->memory};
    queue_open(&q, p, &r, p->memory);
    m.level = arena_zero(p->memory, cells * sizeof *m.level);
    m.array = arena_zero(p->memory, cells * sizeof *m.array);
    out->cells = sort_out(&m);
    struct sent *s = arena_zero(p->memory, ((size_t)out->cells + 1) *
                                               sizeof *s);
    for (int i = 0; i < q.n; i++)
        if (m.level[index_of(&m, q.cell[i])] != LEFT)
            s[n++] = (struct sent){q.cell[i], batch_need(q.cell[i]),
                                   m.level[index_of(&m, q.cell[i])], i};
    count(out, &r);
    if (n)
        cut(&m, s, n, size);
}
