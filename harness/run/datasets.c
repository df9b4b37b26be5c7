#include "harness/run/datasets.h"

#include "harness/base/err.h"
#include "harness/base/str.h"

#include <poll.h>
#include <stdio.h>
#include <stdlib.h>

int datasets_same(const struct cell *a, const struct cell *b)
{
    const struct config *x = &a->config, *y = &b->config;

    return a->task == b->task && x->synthetic == y->synthetic &&
           x->model.N == y->model.N && x->length == y->length &&
           x->vocab == y->vocab && x->train == y->train &&
           x->valid == y->valid && x->test == y->test;
}

static int is_known(const struct datasets *d, const struct cell *c)
{
    for (int i = 0; i < d->n; i++)
        if (datasets_same(c, d->of[i].cell))
            return 1;
    return c->config.synthetic; /* drawn, not read */
}

static void list(struct datasets *d, const struct queue *q, struct arena *a)
{
    d->n = 0;
    d->of = arena_zero(a, (size_t)(q->n + 1) * sizeof *d->of);
    for (int i = 0; i < q->n; i++)
        if (!is_known(d, q->cell[i]))
            d->of[d->n++].cell = q->cell[i];
}

static int start(struct datasets *d, struct worker *w, const struct cell *c)
{
    int rc = worker_start(w, c, d->plan, d->o, NULL, WORKER_DATA);

    if (rc == OK)
        snprintf(w->last.phase, sizeof w->last.phase, "data");
    return rc;
}

static struct opened *opened_by(struct datasets *d, const struct worker *w)
{
    struct opened *x = d->of;

    while (x->cell != w->cell)
        x++;
    return x;
}

/* The worker is at its end. */
static int finish(struct datasets *d, struct worker *w, struct arena *a)
{
    struct opened *x = opened_by(d, w);
    const char *class;
    int rc = worker_end(w, &class);

    if (*d->stop)
        return OK;
    x->rc = rc;
    if (rc == ERR_DATA)
        x->message = arena_text(a, err_last());
    return rc == ERR_DATA ? OK : rc;
}

/* How many are at work, after a tick or as soon as one speaks; or why the run
 * ends. */
static int attend(struct datasets *d, struct arena *a)
{
    struct pollfd fd[WORKERS_MAX];
    struct worker *of[WORKERS_MAX];
    int n = 0;

    for (int i = 0; i < d->workers; i++)
        if (d->worker[i].pid) {
            if (*d->stop)
                kill(d->worker[i].pid, SIGKILL); /* nothing worth keeping */
            fd[n] = (struct pollfd){.fd = d->worker[i].pipe, .events = POLLIN};
            of[n++] = &d->worker[i];
        }
    if (n && poll(fd, (nfds_t)n, TICK_MS) > 0)
        for (int i = 0; i < n; i++)
            if (fd[i].revents && worker_read(of[i]))
                PASS(finish(d, of[i], a));
    return n;
}

static void kill_all(struct datasets *d)
{
    const char *class;

    for (int i = 0; i < d->workers; i++)
        if (d->worker[i].pid) {
            kill(d->worker[i].pid, SIGKILL);
            worker_end(&d->worker[i], &class);
        }
}

int datasets_open(struct datasets *d, const struct queue *q, struct arena *a)
{
    int next = 0, rc;

    list(d, q, a);
    do {
        for (int i = 0; i < d->workers && next < d->n && !*d->stop; i++)
            if (!d->worker[i].pid)
                TRY(start(d, &d->worker[i], d->of[next++].cell));
        d->draw(d->arg);
        TRY(attend(d, a));
    } while (rc > 0);
out:
    if (rc < 0) {
        char *why = str_copy(err_last());

        kill_all(d);
        err_set(rc, "%s", why);
        free(why);
    }
    return rc < 0 ? rc : OK;
}
