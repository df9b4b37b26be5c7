/*
 * ranks: communication between the processes that train one cell together, one
 * per rank, each with all weights.  run calls ranks_join and ranks_leave, and
 * train the exchanges.  The data go through the MPI helper processes (wire.h).
 *
 * All ranks make all calls in the same order, as in MPI.  The loss of a rank is
 * not an error here: its runner notices it, and rank 0's runner ends the cell
 * (run/team.h).
 */
#pragma once

#include "harness/base/owned.h"

#include <stddef.h>
#include <stdint.h>

struct ranks;

struct ranks_life { /* callbacks while the process waits for others */
    double patience;               /* seconds without a byte; 0: no limit */
    /* Called repeatedly as a sign that the process is alive; or NULL. */
    void (*waits)(void *arg);
    /* Called if no byte has arrived for `patience` seconds; does not return. */
    void (*ends)(void *arg, const char *why);
    void  *arg;
};

/* Joins the ranks of a cell.  fd is the data socket.  `cell` is the same number
 * on all ranks, and greater than that of any earlier cell. */
struct ranks *ranks_join(int fd, int me, int n, uint32_t cell,
                         const struct ranks_life *life);
void ranks_leave(struct ranks *r); /* NULL is allowed */
OWNER(ranks_leave, struct ranks *)

/* Return the rank, and the number of ranks.  NULL is a single process: 0 of
 * 1. */
int ranks_me(const struct ranks *r);
int ranks_n(const struct ranks *r);

/*
 * Sends and receives all parts at the same time.  Between two ranks, bytes
 * arrive in the order in which they were sent, across exchanges and regardless
 * of the division into parts.  No part is for the rank itself.
 */
struct cargo { int rank; void *data; size_t bytes; };
void ranks_exchange(struct ranks *r, const struct cargo *out, int outs,
                    const struct cargo *in, int ins);

/*
 * The same while another thread of this rank still produces the outgoing data.
 * `ready` returns how many parts of out[], in their order, may be sent, or
 * `outs + 1` when that thread is done.  After that number may have grown, call
 * ranks_ring, from any thread.
 */
struct making { int (*ready)(void *arg); void *arg; };
void ranks_exchange_made(struct ranks *r, const struct making *m,
                         const struct cargo *out, int outs,
                         const struct cargo *in, int ins);
void ranks_ring(struct ranks *r);

/* Exchanges n blocks of `each` bytes: the rank's own block in `all` is filled
 * before the call, all are after it. */
void ranks_gather(struct ranks *r, void *all, size_t each);

/* The same for blocks of any size: block[i] has bytes[i] bytes, which all ranks
 * know. */
void ranks_share(struct ranks *r, void *const *block, const size_t *bytes);

/* Combines two flags over the ranks: each becomes 1 if it is 1 on at least one
 * rank. */
void ranks_wish(struct ranks *r, int *a, int *b);

/* Totals since ranks_join: bytes sent; those of them that were sent while this
 * rank was still producing data; and the seconds spent in these calls, without
 * the time in which it was producing. */
struct traffic { double sent, beside, seconds; };
struct traffic ranks_traffic(const struct ranks *r);
