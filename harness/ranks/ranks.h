/*
 * ranks: exchanges data between the processes that train one cell together.
 * Each rank has one such process, with all weights.  The module `run` calls
 * ranks_join and ranks_leave; `train` calls the functions that exchange data.
 * The data pass through the MPI helper processes (wire.h).
 *
 * All ranks must make the same calls in the same order, as in MPI.  These
 * functions do not report the loss of a rank: the runner (the process of `run`)
 * of that rank notices it, and the runner of rank 0 ends the cell (run/team.h).
 */
#pragma once

#include "harness/base/owned.h"

#include <stddef.h>
#include <stdint.h>

struct ranks;

struct ranks_life { /* callbacks while the process waits for others */
    double patience;               /* seconds without a byte; 0: no limit */
    /* If not NULL, called repeatedly to show that the process is alive. */
    void (*waits)(void *arg);
    /* Called if no byte has arrived for `patience` seconds; does not return. */
    void (*ends)(void *arg, const char *why);
    void  *arg;
};

/* Connects this process to the other ranks of a cell.  `fd` is the data socket
 * (wire.h).  `cell` is the serial number of the cell: the same on all ranks,
 * and greater than the number of any earlier cell. */
struct ranks *ranks_join(int fd, int me, int n, uint32_t cell,
                         const struct ranks_life *life);
void ranks_leave(struct ranks *r); /* NULL is allowed */
OWNER(ranks_leave, struct ranks *)

/* ranks_me returns the rank, and ranks_n the number of ranks.  If `r` is NULL,
 * the process is the only one, and they return 0 and 1. */
int ranks_me(const struct ranks *r);
int ranks_n(const struct ranks *r);

/* A part of an exchange: data to send to a rank, or to receive from it. */
struct cargo { int rank; void *data; size_t bytes; };

/*
 * Sends the parts `out` and receives the parts `in` at the same time.  Between
 * two ranks, bytes arrive in the order in which they were sent, across
 * exchanges and regardless of the division into parts.  The rank of a part must
 * not be this rank.
 */
void ranks_exchange(struct ranks *r, const struct cargo *out, int outs,
                    const struct cargo *in, int ins);

/*
 * Does the same as ranks_exchange while another thread of this rank still
 * produces the outgoing data.  `ready` returns the number of parts, counted
 * from out[0], that are complete, or `outs` + 1 when that thread is done.
 * After every change that can increase the result of `ready`, ranks_ring must
 * be called, from any thread.
 */
struct making { int (*ready)(void *arg); void *arg; };
void ranks_exchange_made(struct ranks *r, const struct making *m,
                         const struct cargo *out, int outs,
                         const struct cargo *in, int ins);
void ranks_ring(struct ranks *r);

/* Distributes one block of `each` bytes per rank.  `all` has the blocks of all
 * ranks in order.  Before the call, this rank's block is filled; after it, all
 * blocks are. */
void ranks_gather(struct ranks *r, void *all, size_t each);

/* Like ranks_gather, but for blocks of different sizes: block[i], the block of
 * rank i, has bytes[i] bytes.  All ranks must pass the same sizes. */
void ranks_share(struct ranks *r, void *const *block, const size_t *bytes);

/* Combines two flags over all ranks: *a becomes 1 on all ranks if it is 1 on at
 * least one rank; *b likewise. */
void ranks_wish(struct ranks *r, int *a, int *b);

/* Totals since ranks_join.  `sent` is the number of bytes sent, and
 * `overlapped` the part of them that was sent while this rank still produced
 * data.  `seconds` is the time spent in the functions that exchange data,
 * without the time during which this rank produced data. */
struct traffic { double sent, overlapped, seconds; };
struct traffic ranks_traffic(const struct ranks *r);
