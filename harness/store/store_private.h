/* store_private: what the files of this folder share. */
#ifndef STORE_STORE_PRIVATE_H
#define STORE_STORE_PRIVATE_H

#include "harness/store/store.h"

struct store {
    char *path;
};

char *cell_path(const char *store, const char *id); /* caller frees */

/* The last line of a cell file, behind the bytes of HDF5, which ignores it:
 * "SHA-256 HEX" of all bytes before.  HDF5 may crash on damaged bytes, so it
 * gets to see no others than these. */
enum { CELL_SEAL = 1 + 8 + HASH_HEX };
void cell_seal(char out[CELL_SEAL + 1], const char *bytes, size_t n);

/* Somebody who is alive (as far as this process can tell) holds the claim. */
int claim_held(struct store *s, const char *id);

/* Removes what a dead runner of this cell left under temporary names, and
 * notes it when the finished file was removed: a new run is beginning. */
int store_prepare(struct store *s, const char *id);

#endif
