/*
 * lock: one of those who work in a store goes on, the others wait.
 *
 * A lock is a file below the store, locked for the process by the system,
 * which frees it when its holder dies.
 */
#ifndef STORE_LOCK_H
#define STORE_LOCK_H

struct store_lock { int fd; };

#define STORE_UNLOCKED ((struct store_lock){-1})

/* STORE/lock, of experiment.json.  ERR_BUSY: held for long. */
int  store_lock(struct store_lock *out, const char *store);
void store_unlock(struct store_lock *l); /* STORE_UNLOCKED is fine */

#endif
