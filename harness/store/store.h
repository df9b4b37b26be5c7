/*
 * store: a folder of finished cells and of the state of the others.  run writes
 * stores; report, plan and the commands read them.  Call store_open, then for
 * each cell store_claim, store_done or store_fail, and store_release.
 *
 *     STORE/cells/ID.h5       one finished cell each (cell.h)
 *     STORE/journal.tsv       one line per finished cell (journal.h)
 *     STORE/index.h5          external links to all cells; can be rebuilt
 *     STORE/claims/ID         the lease of a runner on the cell (lease.c)
 *     STORE/failed/ID.json    {class, message, seconds, date, seal}
 *     STORE/weights/ID.h5     weights of a cell that others may start from
 *     STORE/checkpoints/ID.*  training state of unfinished cells
 *     STORE/logs/ID.log       stderr of the worker
 *     STORE/experiment.json   the experiment of the store (frozen.h)
 *     STORE/lock              the lock of that file (store_lock)
 *     STORE/tables, STORE/plots, STORE/report  rendered results
 *
 * Several runners may work in one store at the same time.  Errors are ERR_STORE
 * (damaged), ERR_BUSY (leased or locked), ERR_SPACE and ERR_IO.
 */
#pragma once

#include "harness/base/hash.h"
#include "harness/base/owned.h"

struct store;

/* CELL_REFUSED: there is no such model.  CELL_BLOCKED: the cell that it starts
 * from does not exist and will not.  Neither can be determined from the files
 * of the cell; the readers of experiment.json set them. */
enum cell_state {
    CELL_MISSING, CELL_RUNNING, CELL_DONE, CELL_FAILED, CELL_REFUSED,
    CELL_BLOCKED, CELL_STATES
};
extern const char *const cell_state_text[]; /* "missing" ...; ends with NULL */

struct cell_status {
    enum cell_state state;
    double          seconds;      /* spent on done or failed cells        */
    char            class[16];    /* failed: timeout stalled oom signal
                                     diverged bad-data error              */
    char            message[512]; /* failed                               */
};

/* Opens a store, and creates it if `create` is not 0.  Returns ERR_EMPTY if
 * there is none, or ERR_USAGE if there can be no store at path. */
int  store_open(struct store **out, const char *path, int create);
void store_close(struct store *s);
OWNER(store_close, struct store *)
const char *store_path(const struct store *s);

/* Determines the state of a cell.  A finished cell is read as a whole and
 * compared with its seal and its journal line.  If a metric is not finite, the
 * cell is failed, class "diverged".  If a runner died between the commit and
 * store_done, the cell is completed.  Returns ERR_STORE, with the remedy, if
 * this cell is damaged or cannot be read for any reason, or ERR_SPACE; there
 * are no other errors. */
int store_status(struct store *s, const char *id, struct cell_status *out);

/* Returns 1 if a trial can be used for tuning: it is done, or has diverged. */
int store_tried(const struct cell_status *trial);

/* store_done is called after the cell file is committed: it appends the journal
 * line, and removes the failure note and the checkpoints.  store_fail writes
 * the failure note. */
int store_done(struct store *s, const char *id, double seconds);
int store_fail(struct store *s, const char *id, const char *class,
               const char *message, double seconds);

/* A lease belongs to the calling process.  store_claim takes it.  It returns
 * ERR_BUSY if a live process holds it (the message names host and pid), or
 * holds the lock under which leases are taken (store_lock).  store_heartbeat
 * renews it, and must be called at least every 30 seconds; a child of the
 * process that took the lease may call it.  It returns ERR_BUSY if another host
 * considered this process dead and took over: the caller must stop.
 * store_release gives the lease up. */
int  store_claim(struct store *s, const char *id);
int  store_heartbeat(struct store *s, const char *id);
void store_release(struct store *s, const char *id);

/*
 * Locks a file.  One process at a time may hold the lock, and its children
 * never inherit it.  Hold it only for moments: the wait is limited, and a
 * signal that has a handler ends it.  STORE/NAME is created if needed and
 * opened for reading and appending; close(*fd) releases the lock.  (Closing any
 * other descriptor of that file releases it, too, so the holder reads and
 * writes through *fd.)  Returns ERR_BUSY if another process has held it for ten
 * seconds, with its name in the message; ERR_STOPPED if a signal came while
 * waiting; or ERR_IO.
 */
int store_lock(int *fd, const char *store, const char *name);

/* As store_lock, but does not wait: returns ERR_BUSY if another process holds
 * the lock. */
int store_try_lock(int *fd, const char *store, const char *name);

/* Removes stale leases, and temporary files that are no longer written. */
int  store_sweep(struct store *s);

/* Lists the ids of finished cells, sorted; the store owns the list. */
int store_list(struct store *s, const char ***out, int *n);

/* Counts the finished cells that have none of these n ids. */
int store_others(struct store *s, const char *const *id, int n, int *out);

/* Writes index.h5. */
int store_reindex(struct store *s);

/* ---- for checks: these functions change no data of the store ---- */

/* Opens a store whose journal may be damaged.  Returns ERR_EMPTY if there is
 * none. */
int store_look(struct store **out, const char *path);

/* Checks index.h5.  *stale is 1 if cells were added or removed since it was
 * written.  Returns ERR_EMPTY if it is missing, or ERR_STORE if it is
 * damaged. */
int store_index_check(struct store *s, int *stale);

/* Checks failed/ID.json.  *sealed is 0 if an earlier version wrote it.  Returns
 * ERR_STORE if it is damaged. */
int store_failure_check(struct store *s, const char *id, int *sealed);

/* Returns 1 if a live process holds the lease of the cell. */
int store_claimed(struct store *s, const char *id);

/* Counts the cells that are leased by live processes; `who` names one of
 * these. */
int store_at_work(struct store *s, char *who, size_t bytes);

/* Calls `that` if no cell is leased, under the lock, so that no lease can be
 * taken meanwhile. */
int store_alone(struct store *s, void (*that)(void *arg), void *arg);

/* Returns 1 if the temporary file FOLDER/NAME is still being written. */
int store_written(struct store *s, const char *folder, const char *name);
