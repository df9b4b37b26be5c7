/*
 * ranks: the processes that train one cell together, one a rank, each with the
 * weights in full.  What they give each other goes through their porters
 * (wire.h).
 *
 * All calls are made by all ranks in the same order, as in MPI.  A rank that
 * is lost is no error here: its runner sees it, and rank 0's ends the cell
 * (run/team.h).
 */
#pragma once

#include "harness/base/owned.h"

#include <stddef.h>
#include <stdint.h>

struct ranks;

struct ranks_life { /* of the process, while it waits for others */
    double patience;               /* seconds without a byte; 0: any      */
    void (*waits)(void *arg);      /* now and then: it is alive; or NULL  */
    void (*ends)(void *arg, const char *why); /* patience is at its end, and
                                      does not return                     */
    void  *arg;
};

/* fd: the socket of data; cell: the same number on all ranks, greater than
 * that of any cell before. */
struct ranks *ranks_join(int fd, int me, int n, uint32_t cell,
                         const struct ranks_life *life);
void ranks_leave(struct ranks *r); /* NULL is fine */
OWNER(ranks_leave, struct ranks *)

/* NULL is one process alone: 0 of 1. */
int ranks_me(const struct ranks *r);
int ranks_n(const struct ranks *r);

/*
 * What goes out and what comes in, all at the same time.  Between two ranks,
 * bytes come in the order in which they went, whatever the exchange and
 * however they are cut into parts; none is for oneself.
 */
struct cargo { int rank; void *data; size_t bytes; };
void ranks_exchange(struct ranks *r, const struct cargo *out, int outs,
                    const struct cargo *in, int ins);

/*
 * The same while this rank still makes what goes out, in another thread.
 * ready: of out[], in their order, so many may go; outs + 1 where that work is
 * over.  Who makes them rings when it may be more, from any thread.
 */
struct making { int (*ready)(void *arg); void *arg; };
void ranks_exchange_made(struct ranks *r, const struct making *m,
                         const struct cargo *out, int outs,
                         const struct cargo *in, int ins);
void ranks_ring(struct ranks *r);

/* all: n blocks of `each` bytes, mine is filled; after it all are. */
void ranks_gather(struct ranks *r, void *all, size_t each);

/* The same of blocks of any size: block[i] of bytes[i], known to all. */
void ranks_share(struct ranks *r, void *const *block, const size_t *bytes);

/* Two questions at a time: 1 where at least one rank says 1. */
void ranks_wish(struct ranks *r, int *a, int *b);

/* Since the beginning: bytes to others; of them, those that went while this
 * rank still made some; seconds in these calls, but for those. */
struct traffic { double sent, beside, seconds; };
struct traffic ranks_traffic(const struct ranks *r);
