/* store_private: declarations that the files of harness/store share: struct
 * store, the seals of files, and checks of cells and configurations. */
#pragma once

#include "harness/base/arena.h"
#include "harness/base/json.h"
#include "harness/store/cell.h"
#include "harness/store/store.h"

struct owner; /* lease.c */

struct store {
    struct arena *memory; /* owns the members below, and the lists of
                             store_list                              */
    char         *path;
    /* The process that takes leases through this struct; NULL before its first
     * lease. */
    struct owner *me;
};

/* Returns ERR_USAGE if the path of a store exists, but is not a folder or
 * cannot be read.  A path that does not exist is OK. */
int store_place(const char *path);

char *cell_path(const char *store, const char *id); /* the caller frees it */

/* Returns ERR_STORE.  The message says that `what` is wrong with the cell file
 * at `path` (from cell_path), and what to do. */
int cell_damaged(const char *path, const char *what);

/* Returns ID, allocated from arena `a`, if `name` is ID followed by `end`, such
 * as "ID.h5" for ".h5".  Otherwise returns NULL. */
const char *store_id_of(const char *name, const char *end, struct arena *a);

/* The seal is the last line of a cell or weights file, "SHA-256 HEX", where HEX
 * is the digest of all bytes before it.  HDF5 ignores it.  cell_seal writes the
 * seal of `n` bytes to `out`. */
enum { CELL_SEAL = 1 + 8 + HASH_HEX };
#define CELL_SEAL_TEXT "\nSHA-256 %s\n"
void cell_seal(char out[CELL_SEAL + 1], const char *bytes, size_t n);
/* Checks the seal of the *n bytes of a file.  Returns 0 and sets *n to the
 * number of bytes before the seal, or returns -1 if the seal is missing or
 * wrong.  In both cases writes the digest of all bytes to `hex`, unless it is
 * NULL. */
int  cell_unseal(const char *bytes, size_t *n, char hex[HASH_HEX]);

/* Returns the unit of UDUNITS that corresponds to the usual name of a unit,
 * such as "1" for "nats/token". */
const char *cell_units(const char *units);

/* Returns 1 if `s` consists of 1 to `most` characters of CELL_LETTERS. */
int cell_word(const char *s, size_t most);

/* Returns 1 if both files have the same bytes. */
int cell_is_same(const struct cell_reader *a, const struct cell_reader *b);

/* Returns the structure of the file (image.h). */
struct image *cell_image(const struct cell_reader *r);

/* Checks the contents of a cell.  Returns OK, or ERR_STORE with the message
 * "/PATH: what is wrong".  If `deep` is not 0, also checks the values of
 * datasets, which are otherwise read only on demand. */
int cell_check(struct image *f, int deep);

/* cell_config_text returns the text of a configuration in the form that cell_id
 * takes.  cell_config_labels sets *out to the labels of a configuration, and
 * returns ERR_STORE if a label is missing or is not a name.  Texts are
 * allocated from arena `a`. */
const char *cell_config_text(const json_t *config, struct arena *a);
int cell_config_labels(struct cell_labels *out, const json_t *config,
                       struct arena *a);

/*
 * Returns the text of a JSON object with a seal as its last member, which shows
 * whether the text was changed:
 *
 *     {..., "seal": "SHA-256 of all bytes before this member"}
 *
 * Returns NULL if the object cannot be written as text.  The caller frees the
 * text.
 */
char *json_seal(const json_t *object);
/* Checks the seal of a text of `n` bytes.  Returns OK, or ERR_STORE if the seal
 * is missing or wrong; the caller adds the file to the message. */
int json_sealed(const char *text, size_t n);

/* Prepares a new run of a cell: removes the temporary files of processes that
 * have died.  If the cell is in the journal but its file was removed, records
 * the removal in the journal. */
int store_prepare(struct store *s, const char *id);
