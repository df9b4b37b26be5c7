#include "harness/train/relay.h"

#include "harness/base/err.h"

#include <pthread.h>

/* Pieces of cargo (ranks.h), and the slice that each piece belongs to. */
struct load { int n; struct cargo *cargo; int *slice; };

struct relay {
    const struct zero1 *share;
    real *const        *grad;
    void              (*sum)(void *arg, const struct slice *x);
    void               *arg;
    struct load         out, in, lane; /* `lane`: pieces from stint.before */
    int                *whole;   /* (stints) first complete slice */
    int                 ready;   /* pieces of `out` to send now   */
    int                 summed;  /* first summed slice            */
    pthread_mutex_t     lock;    /* protects `whole`, `runs`      */
    int                 runs;
    pthread_t           thread;
};

/* ---- what is sent and received ---- */

static struct load load_of(size_t room, struct arena *a)
{
    struct load l = {0, arena_zero(a, room * sizeof *l.cargo),
                     arena_zero(a, room * sizeof *l.slice)};

    return l;
}

static void load_slice(struct relay *r, struct load *l, int rank, int lane,
                       int slice)
{
    l->cargo[l->n] = zero1_cargo(rank, r->grad[lane],
                                 &r->share->slice[slice]);
    l->slice[l->n++] = slice;
}

/* Appends the cargo of one slice to the lists of what this rank sends and
 * receives.  Heads are sent to the owner of the slice; the sum of an incomplete
 * lane is sent to the next rank of that lane. */
static void add_slice(struct relay *r, int slice)
{
    const struct zero1 *s = r->share;
    int owner = s->slice[slice].rank;

    for (int i = 0; i < s->stints; i++) {
        const struct stint *st = &s->stint[i];

        if (st->before >= 0)
            load_slice(r, &r->lane, st->before, st->lane, slice);
        if (st->after >= 0)
            load_slice(r, &r->out, st->after, st->lane, slice);
    }
    for (int i = 0; i < s->heads; i++) {
        const struct head *h = &s->head[i];

        if (h->rank == s->me && owner != s->me)
            load_slice(r, &r->out, owner, h->lane, slice);
        if (h->rank != s->me && owner == s->me)
            load_slice(r, &r->in, h->rank, h->lane, slice);
    }
}

struct relay *relay_new(const struct zero1 *s, real *const *grad,
                        void (*sum)(void *arg, const struct slice *x),
                        void *arg, struct arena *a)
{
    struct relay *r = arena_zero(a, sizeof *r);
    size_t room = (size_t)s->slices * (size_t)(s->heads + s->stints);

    *r = (struct relay){.share = s, .grad = grad, .sum = sum, .arg = arg,
                        .out = load_of(room, a), .in = load_of(room, a),
                        .lane = load_of(room, a),
                        .lock = PTHREAD_MUTEX_INITIALIZER};
    r->whole = arena_zero(a, (size_t)s->stints * sizeof *r->whole);
    for (int i = s->slices - 1; i >= 0; i--)
        add_slice(r, i);
    return r;
}

/* ---- a step ---- */

void relay_begin(struct relay *r)
{
    for (int i = 0; i < r->share->stints; i++)
        r->whole[i] = r->share->slices;
    r->summed = r->share->slices;
    r->ready = r->runs = 0;
}

/* Sums the slices that are complete.  Returns how many pieces of `out` may be
 * sent (ranks.h). */
static int ready(void *arg)
{
    struct relay *r = arg;
    int whole = 0;

    pthread_mutex_lock(&r->lock);
    for (int i = 0; i < r->share->stints; i++)
        if (whole < r->whole[i])
            whole = r->whole[i];
    pthread_mutex_unlock(&r->lock);
    for (; r->ready < r->out.n && r->out.slice[r->ready] >= whole; r->ready++)
        if (r->summed > r->out.slice[r->ready]) {
            r->summed = r->out.slice[r->ready];
            r->sum(r->arg, &r->share->slice[r->summed]);
        }
    return whole ? r->ready : r->out.n + 1;
}

static void *carry(void *arg)
{
    struct relay *r = arg;
    struct making m = {ready, r};

    ranks_exchange_made(r->share->ranks, &m, r->out.cargo, r->out.n,
                        r->in.cargo, r->in.n);
    return NULL;
}

void relay_take(struct relay *r, int stint)
{
    if (r->share->stint[stint].before >= 0)
        ranks_exchange(r->share->ranks, NULL, 0, r->lane.cargo, r->lane.n);
}

/* The first complete slice of a step starts the thread.  Before that there is
 * nothing to send, and relay_take may exchange data, which only one thread may
 * do at a time. */
void relay_whole(struct relay *r, int stint, size_t at)
{
    const struct zero1 *s = r->share;
    int from = r->whole[stint];

    while (from > 0 && s->slice[from - 1].at >= at)
        from--;
    if (s->n == 1 || from == r->whole[stint])
        return;
    pthread_mutex_lock(&r->lock);
    r->whole[stint] = from;
    if (!r->runs)
        REQUIRE(!pthread_create(&r->thread, NULL, carry, r),
                "cannot create a thread");
    r->runs = 1;
    pthread_mutex_unlock(&r->lock);
    ranks_ring(s->ranks);
}

void relay_end(struct relay *r)
{
    if (r->runs)
        pthread_join(r->thread, NULL);
}
