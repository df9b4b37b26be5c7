/*
 * team: coordinates the ranks that mpirun started, which train each cell
 * together.
 *
 * Rank 0 works like a process without MPI: it alone writes the store, takes
 * leases and prints messages.  For each cell that rank 0 starts, every other
 * rank starts a worker, watches it, and reports how it ended.  If a worker
 * dies, hangs, or exceeds a limit on any rank, the cell fails on all ranks, and
 * its message names that rank.  The run continues with the next cell.
 *
 * All ranks call team_open first.  Rank 0 then calls team_muster, and for each
 * cell team_begin, team_watch and team_over.  The others call team_follow.
 */
#pragma once

#include "harness/base/cores.h"
#include "harness/ranks/launch.h"
#include "harness/ranks/ranks.h"
#include "harness/run/worker.h"

/* The messages between rank 0 and another rank, each from rank 0 or to rank 0.
 * The members of struct order in parentheses are set. */
enum order_kind {
    ORDER_BYE,   /* from 0: rank 0 has ended; end, too                       */
    ORDER_HELLO, /* to 0: the facts of the rank (text, host, cores)          */
    ORDER_LOOK,  /* from 0: check plan and store (id: digest of the plan; text:
                    the name of a file in the store, then, from the second
                    line on, what the file must contain)                     */
    ORDER_READY, /* to 0: the result of ORDER_LOOK (rc, text)                */
    ORDER_TRAIN, /* from 0: train a cell (id, anew)                          */
    ORDER_STOP,  /* from 0: save and end                                     */
    ORDER_OVER,  /* from 0: the worker of rank 0 has ended                   */
    ORDER_ENDED  /* to 0: the worker has ended or could not start (rc, class,
                    text); sent once for each ORDER_TRAIN                    */
};

struct order {
    int      kind, from;
    uint32_t cell;      /* TRAIN, OVER, ENDED: serial number of the cell */
    int      rc, anew;
    int      word;      /* ENDED: 1: the worker itself reported its end  */
    int      share, shares; /* LOOK: index of this rank among the ranks that
                               were granted the same processors of the same
                               host, and the number of these ranks       */
    char     host[64], class[16], id[HASH_HEX], text[4096];
    char     cores[CORES_LIST]; /* HELLO: granted processors             */
};

/* The host of a rank, and the processors that it was granted. */
struct seat { char host[64], cores[CORES_LIST]; };

struct team {
    struct launch launch;
    uint32_t      cell;    /* serial number of the current cell            */
    int           busy;    /* rank 0: number of other ranks still training */
    int           stopped; /* rank 0: 1 after team_stop for this cell       */
    struct order  lost;    /* rank 0: the first failure of this cell       */
    double        lost_at; /* rank 0: when it was reported; 0: no failure  */
    struct seat  *seat;    /* rank 0: (launch.n) by rank                   */
    int           share, shares; /* as in struct order                     */
};

/* Sets *out to the team, or to NULL if there is only one rank.  Call it before
 * anything else, because it splits the process (ranks/launch.h).  Returns
 * ERR_USAGE if this build has no MPI (ranks other than 0 then exit), or does
 * not support the launcher. */
int  team_open(struct team **out);
void team_close(struct team *t); /* NULL is fine */
OWNER(team_close, struct team *)

/* team_me returns the rank of this process, and team_n the number of ranks; if
 * `t` is NULL, they return 0 and 1. */
int team_me(const struct team *t);
int team_n(const struct team *t);

/* team_share and team_shares return the members of struct order with these
 * names for this rank; if `t` is NULL, they return 0 and 1. */
int team_share(const struct team *t);
int team_shares(const struct team *t);

/* Called in a worker: connects it to the workers of the same cell on all ranks.
 * Returns NULL if `t` is NULL. */
struct ranks *team_join(const struct team *t, const struct ranks_life *life);

/* ---- for rank 0; these functions do nothing if t is NULL ---- */

/* Checks that all ranks are present, run the same program on the same plan, and
 * see the same store.  Returns ERR_USAGE if not; the message names the first
 * rank that fails. */
int team_muster(struct team *t, const struct plan *p);

/* Sets *share to the index of `rank` among the ranks that were granted the same
 * processors of the same host, and *shares to the number of these ranks.  Rank
 * 0 must have received ORDER_HELLO from all ranks. */
void team_divide(const struct team *t, int rank, int *share, int *shares);

/* Starts a cell on the other ranks.  Returns ERR_IO if they do not finish the
 * previous cell in time. */
int  team_begin(struct team *t, const struct cell *c);

/* Requests the workers of the other ranks to save and end. */
void team_stop(struct team *t);

/* Reports to the other ranks that the worker of rank 0 has ended. */
void team_over(struct team *t);

/* Kills `w`, the worker of rank 0, if the worker of another rank has failed.
 * Call it at every tick. */
void team_watch(struct team *t, struct worker *w);

/* ---- for the other ranks ---- */

/* Follows the orders of rank 0 until rank 0 ends.  Returns OK. */
int team_follow(struct team *t, const struct plan_of *of,
                const struct pool_options *o);

/* ---- for rank0.c and rank_n.c ---- */

/* Sets o->from to this rank and sends the order to rank `to`. */
void team_send(const struct team *t, int to, struct order *o);

/* Waits for an order and returns 1.  Returns 0 if none arrives within wait_ms
 * milliseconds, or if a signal interrupts the wait. */
int  team_receive(const struct team *t, struct order *o, int wait_ms);

/* Sets the members `text`, `host` and `cores` of `o` to those of this rank. */
void team_facts(struct order *o);

/* Sets `hex` to the SHA-256 of the ids of all cells. */
void team_digest(char hex[HASH_HEX], const struct plan *p);
