#include "harness/ranks/ranks.h"

#include "harness/base/array.h"
#include "harness/base/clock.h"
#include "harness/base/err.h"
#include "harness/base/str.h"
#include "harness/ranks/wire.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

enum { LOOK_MS = 500 };

/* Data from one rank that arrived before this rank requested it, because the
 * other rank may be one exchange ahead. */
struct early { char *data; size_t n, room, taken; };

struct ranks {
    int               fd, me, n;
    int               bell; /* eventfd of ranks_ring */
    uint32_t          cell;
    struct ranks_life life;
    struct early     *early; /* (n) */
    struct traffic    traffic;
    struct packet     packet;
};

struct ranks *ranks_join(int fd, int me, int n, uint32_t cell,
                         const struct ranks_life *life)
{
    struct ranks *r = calloc(1, sizeof *r);

    REQUIRE(n > 1 && me >= 0 && me < n, "rank %d of %d", me, n);
    r->fd = fd;
    r->bell = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    REQUIRE(r->bell >= 0, "cannot create an eventfd: %s", strerror(errno));
    r->me = me;
    r->n = n;
    r->cell = cell;
    r->life = *life;
    r->early = calloc((size_t)n, sizeof *r->early);
    return r;
}

void ranks_leave(struct ranks *r)
{
    for (int i = 0; r && i < r->n; i++)
        free(r->early[i].data);
    if (r) {
        free(r->early);
        close(r->bell);
    }
    free(r);
}

int ranks_me(const struct ranks *r) { return r ? r->me : 0; }
int ranks_n(const struct ranks *r) { return r ? r->n : 1; }

struct traffic ranks_traffic(const struct ranks *r)
{
    return r->traffic;
}

/* ---- one exchange ---- */

struct exchange {
    struct ranks      *r;
    const struct making *making; /* or NULL */
    const struct cargo *out, *in;
    int                outs, ins;
    int                ready; /* parts of `out` that may be sent  */
    int                at;    /* part of `out` that is being sent */
    size_t             sent;  /* bytes of this part already sent  */
    size_t            *received; /* (ins) bytes of each part of `in` */
    int                open;  /* parts of `in` not yet complete   */
    double             moved; /* time of the last transfer        */
};

/* Copies `n` bytes, received from rank `from`, into the parts of x->in that
 * expect data from this rank.  Returns how many of the bytes were used. */
static size_t fill(struct exchange *x, int from, const char *data, size_t n)
{
    size_t taken = 0;

    for (int i = 0; i < x->ins && taken < n; i++) {
        const struct cargo *p = &x->in[i];
        size_t left = p->rank == from ? p->bytes - x->received[i] : 0;

        left = left < n - taken ? left : n - taken;
        if (!left)
            continue;
        memcpy((char *)p->data + x->received[i], data + taken, left);
        x->received[i] += left;
        taken += left;
        x->open -= x->received[i] == p->bytes;
    }
    return taken;
}

static void keep(struct early *e, const char *data, size_t n)
{
    if (!n)
        return;
    ARRAY_MORE(e->data, e->n, e->room, n);
    memcpy(e->data + e->n, data, n);
    e->n += n;
}

static void use_early(struct exchange *x)
{
    for (int i = 0; i < x->r->n; i++) {
        struct early *e = &x->r->early[i];

        e->taken += fill(x, i, e->data + e->taken, e->n - e->taken);
        if (e->taken == e->n)
            e->taken = e->n = 0;
    }
}

/* Receives one packet.  Drops packets of earlier cells. */
static void receive_packet(struct exchange *x)
{
    struct ranks *r = x->r;
    struct packet *k = &r->packet;
    ssize_t got = recv(r->fd, k, sizeof *k, MSG_DONTWAIT);

    if (got < 0 && (errno == EAGAIN || errno == EINTR))
        return;
    if (got <= 0)
        r->life.ends(r->life.arg, "the MPI helper process of this rank has "
                     "ended");
    if (k->cell != r->cell)
        return;
    REQUIRE(got >= PACKET_HEAD && (size_t)got == PACKET_HEAD + k->bytes &&
            k->from >= 0 && k->from < r->n, "a packet of %zd bytes", got);
    size_t used = fill(x, k->from, k->data, k->bytes);
    keep(&r->early[k->from], k->data + used, k->bytes - used);
    x->moved = clock_seconds();
}

static void skip_sent(struct exchange *x)
{
    while (x->at < x->outs && x->sent == x->out[x->at].bytes) {
        x->at++;
        x->sent = 0;
    }
}

/* Sends one packet, if the MPI helper process accepts it. */
static void give(struct exchange *x)
{
    const struct cargo *p = &x->out[x->at];
    struct ranks *r = x->r;
    struct packet *k = &r->packet;
    size_t n = p->bytes - x->sent;

    n = n < PACKET_ROOM ? n : PACKET_ROOM;
    k->channel = CHANNEL_DATA;
    k->from = r->me;
    k->to = p->rank;
    k->cell = r->cell;
    k->bytes = (uint32_t)n;
    memcpy(k->data, (const char *)p->data + x->sent, n);
    if (send(r->fd, k, PACKET_HEAD + n, MSG_DONTWAIT | MSG_NOSIGNAL) < 0) {
        if (errno != EAGAIN && errno != EINTR && errno != ENOBUFS)
            r->life.ends(r->life.arg, "the MPI helper process of this rank has "
                         "ended");
        return;
    }
    x->sent += n;
    r->traffic.sent += (double)n;
    x->moved = clock_seconds();
    skip_sent(x);
}

/* Returns the rank whose data are missing, or the one to which data cannot be
 * sent. */
static int waits_for(const struct exchange *x)
{
    for (int i = 0; i < x->ins; i++)
        if (x->received[i] < x->in[i].bytes)
            return x->in[i].rank;
    return x->out[x->at].rank;
}

static void be_patient(struct exchange *x)
{
    const struct ranks_life *life = &x->r->life;
    double waited = clock_seconds() - x->moved;

    if (life->waits)
        life->waits(life->arg);
    if (life->patience <= 0 || waited < life->patience)
        return;
    OWNED(free) char *why = str_format("received nothing from rank %d for %.0f "
                                       "s; use --stall SECONDS to wait longer, "
                                       "0 for no limit", waits_for(x), waited);
    life->ends(life->arg, why);
}

/* Returns 1 while this rank still produces data of `out`.  Meanwhile the time
 * does not count as waiting for other ranks. */
static int makes(struct exchange *x)
{
    eventfd_t unused;

    if (!x->making)
        return 0;
    eventfd_read(x->r->bell, &unused);
    x->ready = x->making->ready(x->making->arg);
    return x->ready <= x->outs;
}

static void move(struct exchange *x)
{
    short sends = x->at < x->outs && x->at < x->ready ? POLLOUT : 0;
    struct pollfd at[2] = {{x->r->fd, POLLIN | sends, 0},
                           {x->r->bell, POLLIN, 0}};

    if (poll(at, x->making ? 2 : 1, LOOK_MS) == 0 && x->ready > x->outs)
        be_patient(x);
    if (at[0].revents & (POLLIN | POLLHUP | POLLERR))
        receive_packet(x);
    if (sends && at[0].revents & POLLOUT)
        give(x);
}

static void exchange(struct exchange *x)
{
    struct traffic *t = &x->r->traffic;
    double began = clock_seconds();

    x->moved = began;
    for (int i = 0; i < x->ins; i++)
        x->open += x->in[i].bytes > 0;
    skip_sent(x);
    use_early(x);
    while (x->open || x->at < x->outs) {
        double sent = t->sent;
        int making = makes(x);

        move(x);
        if (making) {
            t->overlapped += t->sent - sent;
            began = x->moved = clock_seconds();
        }
    }
    t->seconds += clock_seconds() - began;
}

void ranks_exchange_made(struct ranks *r, const struct making *m,
                         const struct cargo *out, int outs,
                         const struct cargo *in, int ins)
{
    OWNED(free) size_t *received = calloc((size_t)ins + 1, sizeof *received);
    struct exchange x = {.r = r, .making = m, .out = out, .in = in,
                         .outs = outs, .ins = ins, .received = received,
                         .ready = m ? 0 : outs + 1};

    exchange(&x);
}

void ranks_exchange(struct ranks *r, const struct cargo *out, int outs,
                    const struct cargo *in, int ins)
{
    ranks_exchange_made(r, NULL, out, outs, in, ins);
}

void ranks_ring(struct ranks *r) { eventfd_write(r->bell, 1); }

/* ---- collective operations ---- */

void ranks_share(struct ranks *r, void *const *block, const size_t *bytes)
{
    if (!r)
        return;
    OWNED(free) struct cargo *out = calloc((size_t)r->n, 2 * sizeof *out);
    struct cargo *in = out + r->n;
    int n = 0;

    /* Each rank sends to its successor first, so that the ranks do not all send
     * to the same rank at once. */
    for (int i = 1; i < r->n; i++, n++) {
        int to = (r->me + i) % r->n, from = (r->me + r->n - i) % r->n;

        out[n] = (struct cargo){to, block[r->me], bytes[r->me]};
        in[n] = (struct cargo){from, block[from], bytes[from]};
    }
    ranks_exchange(r, out, n, in, n);
}

void ranks_gather(struct ranks *r, void *all, size_t each)
{
    int n = ranks_n(r);
    OWNED(free) void **block = calloc((size_t)n, sizeof *block);
    OWNED(free) size_t *bytes = calloc((size_t)n, sizeof *bytes);

    for (int i = 0; i < n; i++) {
        block[i] = (char *)all + (size_t)i * each;
        bytes[i] = each;
    }
    ranks_share(r, block, bytes);
}

void ranks_wish(struct ranks *r, int *a, int *b)
{
    int n = ranks_n(r);
    OWNED(free) char *says = calloc((size_t)n, 1);

    says[ranks_me(r)] = (char)(!!*a + 2 * !!*b);
    ranks_gather(r, says, 1);
    for (int i = 0; i < n; i++) {
        *a |= says[i] & 1;
        *b |= says[i] >> 1;
    }
}
