#include "harness/run/datasets.h"

#include "harness/base/err.h"
#include "harness/base/signals.h"
#include "harness/base/str.h"
#include "harness/run/place.h"

#include <signal.h>
#include <stdio.h>

static int is_known(const struct datasets *d, const struct cell *c)
{
    for (int i = 0; i < d->n; i++)
        if (train_same_data(&c->config, &d->of[i].cell->config))
            return 1;
    return c->config.synthetic; /* generated, not read */
}

static void list(struct datasets *d, const struct queue *q)
{
    d->n = 0;
    d->of = arena_zero(d->memory, (size_t)(q->n + 1) * sizeof *d->of);
    for (int i = 0; i < q->n; i++)
        if (!is_known(d, q->cell[i]))
            d->of[d->n++].cell = q->cell[i];
}

/* Starts a worker that prepares the data of c.  Data sets that are prepared at
 * the same time share the threads. */
static int start(struct datasets *d, struct worker *w, const struct cell *c)
{
    int at_a_time = d->n < d->crew->workers ? d->n : d->crew->workers;
    struct pool_options o = *d->o;

    o.preparing = o.place->preparing / at_a_time;
    int rc = worker_start(w, c, d->plan, &o, NULL, WORKER_DATA);

    if (rc == OK)
        snprintf(w->last.phase, sizeof w->last.phase, "data");
    return rc;
}

/* Notes the result of a worker that has ended. */
static int finish(void *datasets, struct worker *w)
{
    struct datasets *d = datasets;
    struct opened *x = d->of;
    const char *class;

    while (x->cell != w->cell)
        x++;
    int rc = worker_end(w, &class);
    if (signals_caught())
        return OK;
    x->rc = rc;
    if (rc == ERR_DATA)
        x->message = arena_text(d->memory, err_last());
    return rc == ERR_DATA ? OK : rc;
}

int datasets_open(struct datasets *d, const struct queue *q)
{
    struct workers *c = d->crew;
    const char *class;
    int next = 0, rc;

    list(d, q);
    do {
        for (int i = 0; i < c->workers && next < d->n && !signals_caught(); i++)
            if (!c->worker[i].pid)
                GOTO_IF_ERR(start(d, &c->worker[i], d->of[next++].cell));
        d->draw(d->arg);
        GOTO_IF_ERR(workers_attend(c, finish, d));
    } while (rc > 0 && !signals_caught());
out:;
    OWNED(free) char *why = str_copy(err_last());
    EACH_AT_WORK(w, c) { /* these workers have no state to save */
        kill(w->pid, SIGKILL);
        worker_end(w, &class);
    }
    return rc < 0 ? err_set(rc, "%s", why) : OK;
}
