#include "harness/run/place.h"

#include "harness/base/cores.h"
#include "harness/base/owned.h"
#include "harness/base/str.h"

/* Of a cell of the selection. */
static int most_threads(const struct plan *p)
{
    int most = 1;

    for (int i = 0; i < p->n; i++) {
        const struct cell *c = &p->cell[i];

        if (c->selected && c->config.threads > most)
            most = c->config.threads;
    }
    return most;
}

int place_jobs(int cores, const struct plan *p)
{
    int n = cores / most_threads(p);

    return n < 1 ? 1 : n > WORKERS_MAX ? WORKERS_MAX : n;
}

static void limit(struct pool_options *o, const struct plan *p,
                  const struct cores *c)
{
    OWNED(free) char *text = cores_text(c);

    if (o->jobs > c->n) {
        say("-j %d: %d cell%s at a time, on %s", o->jobs, c->n,
            c->n == 1 ? "" : "s", text);
        o->jobs = c->n;
    }
    o->threads = c->n / o->jobs;
    if (most_threads(p) > o->threads)
        say("threads %d: %d a cell, on %s", most_threads(p), o->threads, text);
}

void place_workers(struct pool_options *o, const struct plan *p)
{
    struct cores c;

    cores_granted(&c);
    if (o->team)
        o->jobs = 1;
    else if (!o->jobs)
        o->jobs = place_jobs(c.n, p);
    if (c.by && !o->exact)
        limit(o, p, &c);
}
