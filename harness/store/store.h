/*
 * store: manages a folder of finished cells and of the state of unfinished
 * cells.  `run` writes stores; `report`, `plan` and the commands read them.  To
 * train cells, call store_open, then for each cell store_claim, store_done or
 * store_fail, and store_release.
 *
 *     STORE/cells/ID.h5       one finished cell each (cell.h)
 *     STORE/journal.tsv       one line per finished cell (journal.h)
 *     STORE/index.h5          external links to all cells; can be rebuilt
 *     STORE/claims/ID         lease of the process that trains it (lease.c)
 *     STORE/failed/ID.json    {class, message, seconds, date, seal}
 *     STORE/weights/ID.h5     weights of a cell, from which others can start
 *     STORE/checkpoints/ID.*  training state of unfinished cells
 *     STORE/logs/ID.log       stderr of the worker
 *     STORE/experiment.json   the experiment of the store (frozen.h)
 *     STORE/lock              the lock of experiment.json (store_lock)
 *     STORE/tables, STORE/plots, STORE/report  rendered results
 *
 * Several processes can train cells of one store at the same time.  Errors are
 * ERR_STORE (damaged), ERR_BUSY (leased or locked), ERR_SPACE and ERR_IO.
 */
#pragma once

#include "harness/base/hash.h"
#include "harness/base/owned.h"

struct store;

/* CELL_REFUSED: the cell's model is impossible.  CELL_BLOCKED: the cell whose
 * weights this cell starts from does not exist and will not be trained.  These
 * two states cannot be determined from the files of the cell; the modules that
 * read experiment.json set them. */
enum cell_state {
    CELL_MISSING, CELL_RUNNING, CELL_DONE, CELL_FAILED, CELL_REFUSED,
    CELL_BLOCKED, CELL_STATES
};
extern const char *const cell_state_text[]; /* "missing" ...; ends with NULL */

struct cell_reader;

struct cell_status {
    enum cell_state state;
    double          seconds;      /* spent on a done or failed cell       */
    char            class[16];    /* failed: timeout stalled oom signal
                                     diverged bad-data error              */
    char            message[512]; /* failed                               */
};

/* Opens a store.  If it does not exist, creates it if `create` is not 0, else
 * returns ERR_EMPTY.  Returns ERR_USAGE if no store can exist at `path`. */
int  store_open(struct store **out, const char *path, int create);
void store_close(struct store *s);
OWNER(store_close, struct store *)
const char *store_path(const struct store *s);

/* Determines the state of a cell.  The whole file of a finished cell is read
 * and checked against its seal and its journal line.  If a metric is not
 * finite, the cell is failed, with class "diverged".  A cell without a journal
 * line is done, too.  Neither function writes to the store.  Returns ERR_STORE
 * if the cell is damaged or cannot be read for any reason (the message says
 * what to do), or ERR_SPACE; there are no other errors.  store_read also sets
 * *r to the file of a finished cell, or to NULL; the caller calls cell_close.
 */
int store_status(struct store *s, const char *id, struct cell_status *out);
int store_read(struct store *s, const char *id, struct cell_status *out,
               struct cell_reader **r);

/* Returns 1 if the result of a trial (config/tuning.h) can be used for tuning:
 * the trial is done or has diverged. */
int store_tried(const struct cell_status *trial);

/* store_done is called after the cell file is committed: it appends the journal
 * line, and removes the failure note and the checkpoints.  store_fail writes
 * the failure note. */
int store_done(struct store *s, const char *id, double seconds);
int store_fail(struct store *s, const char *id, const char *class,
               const char *message, double seconds);

/* store_claim takes the lease of a cell for the calling process.  It returns
 * ERR_BUSY if a live process holds the lease (the message names host and pid),
 * or if another process holds the lock under which leases are taken
 * (store_lock).  store_heartbeat renews the lease.  The process that took the
 * lease, or a child of that process, must call it at least every 30 seconds.
 * If it returns ERR_BUSY, another process considered this one dead and took the
 * lease: the caller must stop.  store_release releases the lease. */
int  store_claim(struct store *s, const char *id);
int  store_heartbeat(struct store *s, const char *id);
void store_release(struct store *s, const char *id);

/*
 * Locks the file STORE/NAME, which is created if needed and opened for reading
 * and appending.  One process at a time can hold the lock; children do not
 * inherit it.  close(*fd) releases the lock.  Closing any other descriptor of
 * the file also releases it, so the holder must read and write through *fd.
 * Hold the lock only briefly: other processes wait at most ten seconds.
 * Returns ERR_BUSY if another process held the lock for that time (the message
 * names the process); ERR_STOPPED if a signal that has a handler arrived during
 * the wait; or ERR_IO.
 */
int store_lock(int *fd, const char *store, const char *name);

/* Locks STORE/NAME like store_lock, but returns ERR_BUSY at once if another
 * process holds the lock. */
int store_try_lock(int *fd, const char *store, const char *name);

/* Removes stale leases, and temporary files whose writers have died. */
int  store_sweep(struct store *s);

/* Does the work of store_done for each finished cell without a journal line:
 * the process that trained it died after cell_commit, or the line was damaged.
 * `kind` is the kind of all cells of the store (cell_open_kind).  Leaves out
 * damaged cells, and those that live processes have leased. */
int store_complete(struct store *s, const char *kind);

/* Sets *out to the sorted ids of the *n finished cells; the store owns the
 * list. */
int store_list(struct store *s, const char ***out, int *n);

/* Sets *out to the number of finished cells whose id is not in the list `id` of
 * `n` ids. */
int store_others(struct store *s, const char *const *id, int n, int *out);

/* Writes index.h5 with links to all finished cells. */
int store_reindex(struct store *s);

/* ---- for checks: these functions change no data of the store ---- */

/* Opens a store without reading its journal, which can be damaged.  Returns
 * ERR_EMPTY if there is no store at `path`. */
int store_look(struct store **out, const char *path);

/* Checks index.h5.  Sets *stale to 1 if cells were added or removed since the
 * file was written.  Returns ERR_EMPTY if the file is missing, or ERR_STORE if
 * it is damaged. */
int store_index_check(struct store *s, int *stale);

/* Checks failed/ID.json.  Sets *sealed to 0 if an earlier version, which did
 * not seal the file, wrote it.  Returns ERR_STORE if the file is damaged. */
int store_failure_check(struct store *s, const char *id, int *sealed);

/* Returns 1 if a live process holds the lease of the cell. */
int store_claimed(struct store *s, const char *id);

/* Returns the number of cells that live processes have leased, and, if there
 * are any, writes a description of one of these processes to `who`. */
int store_at_work(struct store *s, char *who, size_t bytes);

/* Takes the lock of the leases, so that no lease can be taken meanwhile, and
 * calls `that` if no live process has leased a cell.  Returns OK, also if
 * `that` was not called, or an error of store_lock. */
int store_alone(struct store *s, void (*that)(void *arg), void *arg);

/* Returns 1 if the writer of the temporary file FOLDER/NAME may be alive. */
int store_written(struct store *s, const char *folder, const char *name);
