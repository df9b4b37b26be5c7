/*
 * team: the runners of the ranks that mpirun started.
 *
 * Rank 0's is a runner as ever: it alone writes the store, claims cells, and
 * says what happens.  The others follow: for each cell that it begins they
 * start a worker too, watch it, and tell how it ended.  A worker that dies,
 * hangs, or takes too much on any rank ends the cell on all, failed, with that
 * rank's name; the next cell then begins.
 */
#pragma once

#include "harness/base/cores.h"
#include "harness/ranks/launch.h"
#include "harness/ranks/ranks.h"
#include "harness/run/worker.h"

enum order_kind {
    ORDER_BYE,   /* rank 0 is gone: the end                                  */
    ORDER_HELLO, /* to 0: what this rank is; text: facts                     */
    ORDER_LOOK,  /* from 0: plan and store; text: a file's name, id: digest  */
    ORDER_READY, /* to 0: rc, text: what came of it                          */
    ORDER_TRAIN, /* from 0: id, anew                                         */
    ORDER_STOP,  /* from 0: save and end                                     */
    ORDER_OVER,  /* from 0: the cell is at its end                           */
    ORDER_ENDED  /* to 0: of a worker: rc, class, text; and for each TRAIN   */
};

struct order {
    int      kind, from;
    uint32_t cell;      /* TRAIN, OVER, ENDED: the how manieth */
    int      rc, anew;
    int      word;      /* ENDED: the worker said so itself    */
    int      share, shares; /* LOOK: which of how many ranks that were granted
                               the same processors of the same host      */
    char     host[64], class[16], id[HASH_HEX], text[4096];
    char     cores[CORES_LIST]; /* HELLO: those that it was granted      */
};

struct seat { char host[64], cores[CORES_LIST]; }; /* of a rank */

struct team {
    struct launch launch;
    uint32_t      cell;
    int           busy;  /* rank 0: others that still train    */
    int           stopped;
    struct order  lost;  /* rank 0: the first that failed      */
    double        lost_at; /* 0: none                          */
    struct seat  *seat;    /* rank 0: (n)                      */
    int           share, shares; /* see struct order           */
};

/* *out NULL: alone.  Call it first of all.  ERR_USAGE: no MPI here. */
int  team_open(struct team **out);
void team_close(struct team *t); /* NULL is fine */
OWNER(team_close, struct team *)

int team_me(const struct team *t); /* 0 of NULL */
int team_n(const struct team *t);  /* 1 of NULL */
int team_share(const struct team *t);  /* 0 of NULL */
int team_shares(const struct team *t); /* 1 of NULL */

/* In a worker: the other workers of its cell. */
struct ranks *team_join(const struct team *t, const struct ranks_life *life);

/* ---- of rank 0; of NULL they do nothing ---- */

/* Are all ranks here, the same program on the same plan, and do they see this
 * store?  ERR_USAGE names the first that is not or does not. */
int team_muster(struct team *t, const struct plan *p);

/* Which of the ranks that were granted the same processors of the same host a
 * rank is, and of how many, once all have said who they are. */
void team_divide(const struct team *t, int rank, int *share, int *shares);

int  team_begin(struct team *t, const struct cell *c); /* ERR_IO */
void team_stop(struct team *t);  /* the workers save and end        */
void team_over(struct team *t);
/* Now and then: kills w where another rank's worker has failed. */
void team_watch(struct team *t, struct worker *w);

/* ---- of the others: all that they do ---- */

int team_follow(struct team *t, const struct plan_of *of,
                const struct pool_options *o);

/* ---- what they have in common ---- */

void team_send(const struct team *t, int to, struct order *o);
/* 1: one came; 0: none in so many milliseconds, or a signal. */
int  team_receive(const struct team *t, struct order *o, int wait_ms);
void team_facts(struct order *o);
void team_digest(char hex[HASH_HEX], const struct plan *p);
