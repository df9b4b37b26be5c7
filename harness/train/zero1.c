#include "harness/train/zero1.h"

#include "harness/base/err.h"

/* ---- shards ---- */

/* Returns the number of shards of lane `l`. */
static int shards_of(const struct config *c, int l)
{
    return c->shards / c->lanes + (l < c->shards % c->lanes);
}

/* Returns the index of the first item of rank `r` if `n` ranks divide `all`
 * items evenly. */
static int cut(int all, int r, int n)
{
    return (int)((long)all * r / n);
}

static void whole_lanes(struct zero1 *s, const struct config *c)
{
    for (int l = cut(c->lanes, s->me, s->n); l < cut(c->lanes, s->me + 1, s->n);
         l++)
        s->stint[s->stints++] =
            (struct stint){l, 0, shards_of(c, l), -1, -1};
}

/* If there are more ranks than lanes (n > c->lanes), returns the lane of rank
 * `r`.  Ranks *from to *to - 1 share this lane. */
static int lane_of(const struct config *c, int n, int r, int *from, int *to)
{
    int l = 0;

    while (cut(n, l + 1, c->lanes) <= r)
        l++;
    *from = cut(n, l, c->lanes);
    *to = cut(n, l + 1, c->lanes);
    return l;
}

static void part_of_lane(struct zero1 *s, const struct config *c)
{
    int from, to, l = lane_of(c, s->n, s->me, &from, &to);
    int all = shards_of(c, l), i = s->me - from, n = to - from;

    s->stint[s->stints++] = (struct stint){
        l, cut(all, i, n), cut(all, i + 1, n), i ? s->me - 1 : -1,
        i + 1 < n ? s->me + 1 : -1};
}

/* ---- heads ---- */

/* Sets *from and *to so that rank `r` has the complete gradients of lanes *from
 * to *to - 1. */
static void lanes_of(const struct config *c, int n, int r, int *from, int *to)
{
    if (n <= c->lanes) {
        *from = cut(c->lanes, r, n);
        *to = cut(c->lanes, r + 1, n);
        return;
    }
    int a, b, l = lane_of(c, n, r, &a, &b);
    *from = l;
    *to = l + (r == b - 1);
}

/* Adds the heads of rank `r`, which has lanes `from` to `to` - 1.  The heads
 * are the largest nodes of the tree within these lanes. */
static void add_heads(struct zero1 *s, int r, int from, int to, int lanes)
{
    while (from < to) {
        int size = 1;

        while (from + size < to && from % (2 * size) == 0 &&
               (from + 2 * size <= to || to == lanes))
            size *= 2;
        s->head[s->heads++] = (struct head){from, size, r};
        from += size;
    }
}

/* ---- slices ---- */

enum { SLICES = 8 }; /* approximate number per rank */

static void add_slice(struct zero1 *s, const struct optim *o, int first,
                      int last)
{
    size_t end = last < o->units ? o->unit[last].at : o->ps->learned;

    if (first < last)
        s->slice[s->slices++] = (struct slice){
            .first = first, .last = last, .at = o->unit[first].at, .end = end};
}

/* Divides the flat array into `parts` equal parts, and makes a slice of the
 * units that begin in each part. */
static void make_slices(struct zero1 *s, const struct optim *o, int parts)
{
    int u = 0, first;

    for (int i = 0; i < parts; i++) {
        size_t end = o->ps->learned * ((size_t)i + 1) / (size_t)parts;

        for (first = u; u < o->units && o->unit[u].at < end;)
            u++;
        add_slice(s, o, first, u);
    }
}

/* Assigns each slice, from the last to the first, to the rank that has the
 * fewest weights so far. */
static void give_slices(struct zero1 *s)
{
    OWNED(free) size_t *has = calloc((size_t)s->n, sizeof *has);

    for (int i = s->slices - 1; i >= 0; i--) {
        struct slice *x = &s->slice[i];

        for (int r = 1; r < s->n; r++)
            if (has[r] < has[x->rank])
                x->rank = r;
        has[x->rank] += x->end - x->at;
        for (int u = x->first; u < x->last; u++)
            s->owner[u] = x->rank;
    }
}

void zero1_make(struct zero1 *s, struct ranks *r, const struct config *c,
                const struct optim *o, struct arena *a)
{
    int lanes = c->lanes, from, to;
    int parts = ranks_n(r) > 1 ? SLICES * ranks_n(r) : 1;

    *s = (struct zero1){.ranks = r, .me = ranks_me(r), .n = ranks_n(r)};
    s->stint = arena_zero(a, (size_t)lanes * sizeof *s->stint);
    s->head = arena_zero(a, (size_t)lanes * sizeof *s->head);
    s->slice = arena_zero(a, (size_t)parts * sizeof *s->slice);
    s->owner = arena_zero(a, (size_t)o->units * sizeof *s->owner);
    if (s->n <= lanes)
        whole_lanes(s, c);
    else
        part_of_lane(s, c);
    for (int i = 0; i < s->n; i++) {
        lanes_of(c, s->n, i, &from, &to);
        add_heads(s, i, from, to, lanes);
    }
    make_slices(s, o, parts);
    give_slices(s);
}

int zero1_check(const struct config *c, int ranks)
{
    return ranks <= c->shards
               ? OK
               : err_set(ERR_USAGE, "%d ranks are more than the %d shards of a "
                         "step: start at most %d ranks, or raise 'shards', "
                         "which defines another cell", ranks, c->shards,
                         c->shards);
}

/* ---- communication ---- */

struct cargo zero1_cargo(int rank, real *flat, const struct slice *x)
{
    return (struct cargo){rank, flat + x->at, (x->end - x->at) * sizeof *flat};
}

void zero1_count(struct zero1 *s, const struct traffic *before, double time,
                 size_t learned)
{
    struct traffic now = ranks_traffic(s->ranks);
    double all = (double)learned * sizeof(real);

    s->steps++;
    s->time += time;
    s->sent += now.sent - before->sent;
    s->overlapped += now.overlapped - before->overlapped;
    s->seconds += now.seconds - before->seconds;
    s->ring += 2.0 * (s->n - 1) / s->n * all;
}

void zero1_weights(const struct zero1 *s, real *flat)
{
    size_t room = (size_t)s->slices * (size_t)s->n;
    int outs = 0, ins = 0;

    if (!s->ranks)
        return;
    OWNED(free) struct cargo *out = calloc(room, sizeof *out);
    OWNED(free) struct cargo *in = calloc(room, sizeof *in);
    /* Each rank sends to the next rank first, so that the ranks do not all send
     * to the same rank. */
    for (int d = 1; d < s->n; d++)
        for (int i = 0; i < s->slices; i++) {
            const struct slice *x = &s->slice[i];

            if (x->rank == s->me)
                out[outs++] = zero1_cargo((s->me + d) % s->n, flat, x);
            else if (x->rank == (s->me + s->n - d) % s->n)
                in[ins++] = zero1_cargo(x->rank, flat, x);
        }
    ranks_exchange(s->ranks, out, outs, in, ins);
}

void zero1_state(const struct zero1 *s, const struct optim *o)
{
    size_t room = OPTIM_PIECES * (size_t)s->slices;

    if (!s->ranks)
        return;
    OWNED(free) struct cargo *part = calloc(room, sizeof *part);
    int n = 0;

    for (int j = 0; j < s->slices; j++) {
        const struct slice *x = &s->slice[j];
        struct optim_piece piece[OPTIM_PIECES];
        int pieces = optim_pieces(o, x->first, x->last, piece);

        if (x->rank == 0 || (s->me && s->me != x->rank))
            continue;
        for (int i = 0; i < pieces; i++)
            part[n++] = (struct cargo){s->me ? 0 : x->rank,
                                       o->state + piece[i].at,
                                       piece[i].n * sizeof *o->state};
    }
    ranks_exchange(s->ranks, part, s->me ? n : 0, part, s->me ? 0 : n);
}

void zero1_thin(const struct zero1 *s, const struct optim *o)
{
    struct optim_piece piece[OPTIM_PIECES];

    for (int j = 0; j < s->slices; j++) {
        const struct slice *x = &s->slice[j];
        int pieces = optim_pieces(o, x->first, x->last, piece);

        for (int i = 0; i < pieces && x->rank != s->me; i++)
            backend_clear(o->ps->be, o->state + piece[i].at,
                          piece[i].n * sizeof *o->state);
    }
}

void zero1_sum(const struct zero1 *s, double *x, size_t n)
{
    if (!s->ranks)
        return;
    OWNED(free) double *all = calloc((size_t)s->n * n + 1, sizeof *all);

    memcpy(all + (size_t)s->me * n, x, n * sizeof *x);
    ranks_gather(s->ranks, all, n * sizeof *all);
    for (size_t i = 0; i < n; i++) {
        x[i] = 0;
        for (size_t r = 0; r < (size_t)s->n; r++)
            x[i] += all[r * n + i];
    }
}
