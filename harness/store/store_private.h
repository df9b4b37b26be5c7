/* store_private: what the files of this folder share. */
#ifndef STORE_STORE_PRIVATE_H
#define STORE_STORE_PRIVATE_H

#include "harness/store/store.h"

struct store {
    char *path;
};

char *cell_path(const char *store, const char *id); /* caller frees */

/* Somebody who is alive (as far as this process can tell) holds the claim. */
int claim_held(struct store *s, const char *id);

/* Removes what a dead runner of this cell left under temporary names, and
 * notes it when the finished file was removed: a new run is beginning. */
int store_prepare(struct store *s, const char *id);

#endif
