/* store_private: what the files of this folder share: the struct of a store,
 * the seals of files, and configurations. */
#pragma once

#include "harness/base/arena.h"
#include "harness/base/json.h"
#include "harness/store/cell.h"
#include "harness/store/store.h"

struct owner; /* lease.c */

struct store {
    struct arena *memory; /* owns the members below, and lists */
    char         *path;
    /* The process that took leases through this store; NULL: none yet. */
    struct owner *me;
};

/* Returns ERR_USAGE if the path of a store exists, but is not a folder or
 * cannot be read.  A path that does not exist is OK. */
int store_place(const char *path);

char *cell_path(const char *store, const char *id); /* the caller frees it */

/* Returns ERR_STORE, with what is wrong with the file at a path of cell_path,
 * and what to do. */
int cell_damaged(const char *path, const char *what);

/* Returns the id in the name of a file, "ID.h5" if `end` is ".h5", or NULL if
 * the name has another form.  The text is allocated from a. */
const char *store_id_of(const char *name, const char *end, struct arena *a);

/* The seal is the last line of a file of a cell or of weights, after the bytes
 * of HDF5, which ignores it: "SHA-256 HEX" of all bytes before.  cell_seal
 * writes the seal of n bytes. */
enum { CELL_SEAL = 1 + 8 + HASH_HEX };
void cell_seal(char out[CELL_SEAL + 1], const char *bytes, size_t n);
/* Returns 0 and sets *n to the number of bytes before the seal, or returns -1
 * if the seal is missing or wrong. */
int  cell_unseal(const char *bytes, size_t *n);

/* Returns the unit of UDUNITS for a usual unit: "1" for "nats/token". */
const char *cell_units(const char *units);

/* Returns 1 if s has 1 to `most` letters, digits and + _ . - */
int cell_word(const char *s, size_t most);

/* Returns the structure of the file (image.h). */
struct image *cell_image(const struct cell_reader *r);

/* Checks the contents of a cell.  Returns OK, or ERR_STORE with
 * "/PATH: what is wrong".  If `deep` is not 0, also reads the values of
 * datasets, which otherwise are read on demand. */
int cell_check(struct image *f, int deep);

/* cell_config_text returns the text of a configuration that the id hashes,
 * together with two versions: keys sorted, no blanks, reals with 17 digits.
 * cell_config_labels returns ERR_STORE if a label is missing or is not a name.
 * Texts are allocated from a. */
const char *cell_config_text(const json_t *config, struct arena *a);
int cell_config_labels(struct cell_labels *out, const json_t *config,
                       struct arena *a);

/*
 * JSON with a seal, which shows whether the text is unchanged, as its last
 * member:
 *
 *     {..., "seal": "SHA-256 of all bytes before this member"}
 *
 * Returns the sealed text of an object, or NULL if it cannot be written.  The
 * caller frees it.
 */
char *json_seal(const json_t *object);
/* Returns OK, or ERR_STORE if the seal is missing or wrong; the message lacks
 * the file. */
int json_sealed(const char *text, size_t n);

/* Prepares a new run of a cell: removes the temporary files of a dead runner,
 * and records in the journal that the finished file was removed, if it was. */
int store_prepare(struct store *s, const char *id);
