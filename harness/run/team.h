/*
 * team: the ranks that mpirun started, which train each cell together.
 *
 * Rank 0 works like a process without MPI: it alone writes the store, takes
 * leases and prints messages.  The other ranks follow: for each cell that it
 * starts, they start a worker, watch it, and report how it ended.  If a worker
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

enum order_kind {
    ORDER_BYE,   /* rank 0 has ended: end, too                               */
    ORDER_HELLO, /* to 0: the facts of this rank (text, host, cores)         */
    ORDER_LOOK,  /* from 0: check plan and store; id: digest of the plan; text:
                    what a file in the store must contain, the first line is
                    its name                                                 */
    ORDER_READY, /* to 0: the result of LOOK: rc, text                       */
    ORDER_TRAIN, /* from 0: train cell `id`; anew                            */
    ORDER_STOP,  /* from 0: save and end                                     */
    ORDER_OVER,  /* from 0: its worker of the cell has ended                 */
    ORDER_ENDED  /* to 0: the worker has ended, or could not start: rc, class,
                    text; one for each TRAIN                                 */
};

struct order {
    int      kind, from;
    uint32_t cell;      /* TRAIN, OVER, ENDED: serial number of the cell */
    int      rc, anew;
    int      word;      /* ENDED: 1: the worker itself reported it       */
    int      share, shares; /* LOOK: index and number of this rank among those
                               that were granted the same processors of the
                               same host                                 */
    char     host[64], class[16], id[HASH_HEX], text[4096];
    char     cores[CORES_LIST]; /* HELLO: granted processors             */
};

/* The host of a rank, and the processors that it was granted. */
struct seat { char host[64], cores[CORES_LIST]; };

struct team {
    struct launch launch;
    uint32_t      cell;    /* serial number                                */
    int           busy;    /* rank 0: other ranks that still train         */
    int           stopped;
    struct order  lost;    /* rank 0: the first failure of this cell       */
    double        lost_at; /* rank 0: when it was reported; 0: no failure  */
    struct seat  *seat;    /* rank 0: (n)                                  */
    int           share, shares; /* as in struct order                     */
};

/* Sets *out to the team, or to NULL if there is only one rank.  Splits the
 * process (ranks/launch.h), so it must be called before anything else.  Returns
 * ERR_USAGE if this build has no MPI (then the other ranks exit), or does not
 * support the launcher. */
int  team_open(struct team **out);
void team_close(struct team *t); /* NULL is fine */
OWNER(team_close, struct team *)

/* Return the rank and the number of ranks; 0 and 1 if t is NULL. */
int team_me(const struct team *t);
int team_n(const struct team *t);

/* Return share and shares (struct order); 0 and 1 if t is NULL. */
int team_share(const struct team *t);
int team_shares(const struct team *t);

/* Called in a worker: joins the workers of its cell on all ranks.  Returns NULL
 * if t is NULL. */
struct ranks *team_join(const struct team *t, const struct ranks_life *life);

/* ---- for rank 0; they do nothing if t is NULL ---- */

/* Checks that all ranks are present, run the same program on the same plan, and
 * see this store.  Returns ERR_USAGE if not; the message names the first rank
 * that fails. */
int team_muster(struct team *t, const struct plan *p);

/* Sets *share to the index of a rank among those that were granted the same
 * processors of the same host, and *shares to their number.  Requires the facts
 * of all ranks. */
void team_divide(const struct team *t, int rank, int *share, int *shares);

/* Starts a cell on the other ranks.  Returns ERR_IO if they do not finish the
 * previous one in time. */
int  team_begin(struct team *t, const struct cell *c);

/* Makes the workers of the other ranks save and end. */
void team_stop(struct team *t);

/* Reports to the other ranks that the worker of rank 0 has ended. */
void team_over(struct team *t);

/* Call it at every tick: kills w if the worker of another rank has failed. */
void team_watch(struct team *t, struct worker *w);

/* ---- for the other ranks ---- */

/* Follows the orders of rank 0 until it ends.  Returns OK. */
int team_follow(struct team *t, const struct plan_of *of,
                const struct pool_options *o);

/* ---- for rank0.c and rank_n.c ---- */

/* Sends an order to a rank; sets o->from. */
void team_send(const struct team *t, int to, struct order *o);

/* Returns 1 if an order was received, or 0 if none arrived within wait_ms
 * milliseconds or a signal interrupted the wait. */
int  team_receive(const struct team *t, struct order *o, int wait_ms);

/* Sets text, host and cores of o to the facts of this rank. */
void team_facts(struct order *o);

/* Sets hex to the SHA-256 of the ids of all cells. */
void team_digest(char hex[HASH_HEX], const struct plan *p);
