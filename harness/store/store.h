/*
 * store: a folder of finished cells and of what is known about the others.
 *
 *     STORE/cells/ID.h5       one finished cell each (cell.h)
 *     STORE/journal.tsv       one line a finished cell (journal.h)
 *     STORE/index.h5          external links to every cell; rebuilt at will
 *     STORE/claims/ID         a runner is at work on it (lease.c)
 *     STORE/failed/ID.json    {class, message, seconds, date}
 *     STORE/weights/ID.h5     of a cell that others may start from
 *     STORE/checkpoints/ID.*  training state of unfinished cells
 *     STORE/logs/ID.log       stderr of the worker
 *     STORE/experiment.json   the experiment that it belongs to (frozen.h)
 *     STORE/lock              of that file (store_lock)
 *     STORE/tables, STORE/plots, STORE/report  what was rendered
 *
 * Several runners may work in one store at the same time.
 * Errors: ERR_STORE damaged, ERR_BUSY claimed, ERR_SPACE, ERR_IO.
 */
#pragma once

#include "harness/base/hash.h"
#include "harness/base/owned.h"

struct store;

/* CELL_REFUSED: there is no such model; CELL_BLOCKED: what it starts from is
 * not there and is not going to be.  Neither is known from a cell's own files:
 * whoever reads experiment.json tells. */
enum cell_state {
    CELL_MISSING, CELL_RUNNING, CELL_DONE, CELL_FAILED, CELL_REFUSED,
    CELL_BLOCKED, CELL_STATES
};
extern const char *const cell_state_text[]; /* "missing" ...; ends with NULL */

struct cell_status {
    enum cell_state state;
    double          seconds;      /* spent, done and failed cells         */
    char            class[16];    /* failed: timeout stalled oom signal
                                     diverged bad-data error              */
    char            message[512]; /* failed                               */
};

/* ERR_EMPTY: there is no store at path (and create is 0).  ERR_USAGE: there can
 * be none. */
int  store_open(struct store **out, const char *path, int create);
void store_close(struct store *s);
OWNER(store_close, struct store *)
const char *store_path(const struct store *s);

/* A finished cell is read whole, against its seal and its journal line; a
 * metric that is not finite makes it failed, class "diverged".  A cell whose
 * runner died between commit and store_done is completed on the way.
 * ERR_STORE: this cell is damaged, or cannot be read for whatever reason, with
 * the remedy; there are no other errors but ERR_SPACE. */
int store_status(struct store *s, const char *id, struct cell_status *out);

/* 1: of a trial, one can choose by it: it is done, or has diverged. */
int store_tried(const struct cell_status *trial);

/* Called once the cell file is committed: appends the journal line, removes
 * the failure note and the checkpoints. */
int store_done(struct store *s, const char *id, double seconds);
int store_fail(struct store *s, const char *id, const char *class,
               const char *message, double seconds);

/* A claim is the calling process's.  claim, ERR_BUSY: somebody who is alive
 * holds it (the message names host and pid), or the lock that all claims are
 * made under (store_lock).  heartbeat, at least once in 30 seconds, also by
 * a child of the one that claimed; ERR_BUSY: another host took us for dead,
 * stop. */
int  store_claim(struct store *s, const char *id);
int  store_heartbeat(struct store *s, const char *id);
void store_release(struct store *s, const char *id);

/*
 * Locks a file that one process at a time may hold, and its children never:
 * for moments; nobody waits without end, and a signal that has a handler ends
 * the waiting.  STORE/NAME, made where it is missing, is opened for reading and
 * adding; close(*fd) gives the lock back.  (So does closing any other
 * descriptor of that file: who holds the lock reads and writes through *fd.)
 * ERR_BUSY: another process has had it for ten seconds, the message names it;
 * ERR_STOPPED: a signal came while waiting; ERR_IO.
 */
int store_lock(int *fd, const char *store, const char *name);

/* As store_lock, but does not wait: ERR_BUSY if another process holds it. */
int store_try_lock(int *fd, const char *store, const char *name);

/* Removes the claims of the dead, and the temporary files that nobody writes
 * any more. */
int  store_sweep(struct store *s);

/* Every finished cell's id, sorted; they live as long as the store. */
int store_list(struct store *s, const char ***out, int *n);

/* How many finished cells have none of these n ids. */
int store_others(struct store *s, const char *const *id, int n, int *out);

int store_reindex(struct store *s);

/* ---- for proofs: what is on the disk, and nothing is written ---- */

/* store_open of a store whose journal may be damaged.  ERR_EMPTY. */
int store_look(struct store **out, const char *path);

/* index.h5.  *stale: cells came or went since.  ERR_EMPTY: there is none;
 * ERR_STORE: it is damaged. */
int store_index_check(struct store *s, int *stale);

/* failed/ID.json.  *sealed 0: an older program wrote it.  ERR_STORE. */
int store_failure_check(struct store *s, const char *id, int *sealed);

/* 1: somebody who is alive is at work on the cell. */
int store_claimed(struct store *s, const char *id);

/* How many cells somebody who is alive is at work on; who: one of them. */
int store_at_work(struct store *s, char *who, size_t bytes);

/* Does that where nobody is at work, and lets nobody begin meanwhile. */
int store_alone(struct store *s, void (*that)(void *arg), void *arg);

/* Is the temporary file FOLDER/NAME still being written? */
int store_written(struct store *s, const char *folder, const char *name);
