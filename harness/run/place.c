#include "harness/run/place.h"

#include "harness/base/arena.h"
#include "harness/base/err.h"
#include "harness/base/str.h"
#include "harness/base/text.h"
#include "harness/run/team.h"

#include <stdarg.h>
#include <stdio.h>

/* ---- number of cells and threads ---- */

/* Returns the largest number of threads of a selected cell. */
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

/* Reduces the cores to the share of this rank, if several ranks were granted
 * the same cores. */
static void divide(struct cores *c, const struct team *t)
{
    if (team_shares(t) < 2)
        return;
    c->n = c->n < team_shares(t) ? 1 : c->n / team_shares(t);
    c->by = "a share among ranks";
}

static void limit(struct pool_options *o, const struct plan *p,
                  const struct cores *c)
{
    OWNED(free) char *text = cores_text(c);
    int said = team_me(o->team) == 0;

    if (o->jobs > c->n) {
        if (said)
            say("-j %d: %d cell%s at a time, on %s", o->jobs, c->n,
                c->n == 1 ? "" : "s", text);
        o->jobs = c->n;
    }
    o->threads = c->n / o->jobs;
    if (most_threads(p) > o->threads && said)
        say("threads %d: %d per cell, on %s", most_threads(p), o->threads,
            text);
}

void place_open(struct place *out, struct pool_options *o,
                const struct plan *p)
{
    struct cores all, c;
    int limited = o->jobs && !o->team;

    cores_granted(&all);
    c = all;
    divide(&c, o->team);
    if (o->team)
        o->jobs = 1;
    else if (!o->jobs)
        o->jobs = place_jobs(c.n, p);
    if (c.by && !o->exact)
        limit(o, p, &c);
    int threads = most_threads(p), ranks = team_shares(o->team);
    struct nodes *nodes = nodes_open(NULL, NULL);

    *out = (struct place){
        .granted = all, .cores = c, .cells = o->team ? ranks : o->jobs,
        .threads = o->threads && o->threads < threads ? o->threads : threads};
    out->preparing = out->cells * out->threads;
    if (!limited || out->preparing > c.n)
        out->preparing = c.n;
    place_fill(out, nodes, ranks > 1 || !nodes ? 0 : nodes->here);
    o->place = out;
    o->slot = team_share(o->team);
}

void place_close(struct place *p)
{
    nodes_close(p->nodes);
    free(p->on);
}

/* ---- binding ---- */

/* Returns the name of the environment variable with which the user binds
 * threads, or NULL. */
static const char *bound_by_user(void)
{
    static const char *const all[] = {"OMP_PLACES", "OMP_PROC_BIND",
                                      "GOMP_CPU_AFFINITY", "KMP_AFFINITY"};

    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (getenv(all[i]))
            return all[i];
    return NULL;
}

static int loose(struct place *p, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

static int loose(struct place *p, const char *fmt, ...)
{
    va_list ap;

    va_start(ap, fmt);
    vsnprintf(p->loose, sizeof p->loose, fmt, ap);
    va_end(ap);
    return 1;
}

/* Returns 1 if no cell is to be bound, and sets p->loose to the reason. */
static int is_loose(struct place *p)
{
    const struct nodes *n = p->nodes;
    const char *user = bound_by_user();

    if (!n)
        return loose(p, "the NUMA nodes are unknown");
    if (n->of.nodes < 2)
        return loose(p, "one NUMA node");
    if (user)
        return loose(p, "%s is set", user);
    if (n->n < 2)
        return loose(p, "only one NUMA node is granted");
    if (p->granted.n < n->granted)
        return loose(p, "%s sets how many processors, not which",
                     p->granted.by);
    if (p->cells * p->threads > n->granted)
        return loose(p, "more threads than processors");
    return 0;
}

void place_fill(struct place *p, struct nodes *nodes, int from)
{
    int fit = 0;

    p->nodes = nodes;
    p->on = calloc((size_t)p->cells, sizeof *p->on);
    if (is_loose(p)) {
        for (int i = 0; i < p->cells; i++)
            p->on[i] = -1;
        return;
    }
    nodes_assign(p->on, nodes, p->cells, p->threads, from);
    for (int i = 0; i < p->cells; i++)
        fit += p->on[i] >= 0;
    if (!fit)
        loose(p, "no node has room for %d threads", p->threads);
}

/* If the system refuses to bind the process, the results do not change.  If
 * OpenMP binds threads, it puts the first threads of all cells on the same
 * place; cores_unbind removes this binding. */
void place_take(struct placement *out, const struct place *p, int slot)
{
    int on = p->on[slot];
    char *bound = out->bound;

    if (p->cells > 1)
        cores_unbind();
    *out = (struct placement){.cores = p->cores, .nodes = p->nodes};
    if (on < 0)
        snprintf(bound, sizeof out->bound, "no: %s",
                 *p->loose ? p->loose : "no node has room for it");
    else if (nodes_bind(p->nodes, on) < 0)
        snprintf(bound, sizeof out->bound, "no: %.80s", err_last());
    else
        snprintf(bound, sizeof out->bound, "to node %d",
                 p->nodes->node[on].id);
}

int place_cells(const struct place *p, int node)
{
    int n = 0;

    for (int i = 0; i < p->cells; i++)
        n += p->on[i] == node;
    return n;
}

const char *place_text(const struct place *p, struct arena *a)
{
    struct text t = {0};

    if (*p->loose)
        return arena_format(a, "cells are not bound to a node (%s)", p->loose);
    for (int i = 0; i < p->nodes->n; i++) {
        const struct numa *x = &p->nodes->node[i];
        int cells = place_cells(p, i);

        if (cells)
            text_format(&t, "%s%d cell%s on node %d (%s)", t.n ? ", " : "",
                        cells, cells == 1 ? "" : "s", x->id, x->list);
    }
    if (place_cells(p, -1))
        text_format(&t, ", %d not bound", place_cells(p, -1));
    return text_keep(&t, a);
}
