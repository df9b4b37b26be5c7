/* store_private: what the files of this folder share. */
#pragma once

#include "harness/base/arena.h"
#include "harness/base/json.h"
#include "harness/store/cell.h"
#include "harness/store/store.h"

struct owner; /* lease.c */

struct store {
    struct arena *memory; /* of what follows, and of lists */
    char         *path;
    struct owner *me; /* who claimed cells through it; NULL: nobody yet */
};

/* ERR_USAGE: what stands at the path of a store is no folder, or may not be
 * read.  That there is nothing is OK. */
int store_place(const char *path);

char *cell_path(const char *store, const char *id); /* caller frees */

/* ERR_STORE: what is wrong with the file at a path of cell_path, and what to
 * do. */
int cell_damaged(const char *path, const char *what);

/* Returns the id in the name of a file, "ID.h5" where `end` is ".h5", or NULL
 * if somebody else named it.  The text lives in a. */
const char *store_id_of(const char *name, const char *end, struct arena *a);

/* The last line of a file of a cell or of weights, behind the bytes of HDF5,
 * which ignores it: "SHA-256 HEX" of all bytes before. */
enum { CELL_SEAL = 1 + 8 + HASH_HEX };
void cell_seal(char out[CELL_SEAL + 1], const char *bytes, size_t n);
/* -1: it has no seal, or another.  *n becomes the bytes before. */
int  cell_unseal(const char *bytes, size_t *n);

/* Of what people call a unit, "nats/token", what UDUNITS knows: "1". */
const char *cell_units(const char *units);

/* 1 to `most` letters, digits and + _ . - */
int cell_word(const char *s, size_t most);

/* What it is made of: image.h. */
struct image *cell_image(const struct cell_reader *r);

/* OK, or ERR_STORE: "/PATH: what is wrong".  `deep`: the values of datasets are
 * read too, which otherwise are when they are asked for. */
int cell_check(struct image *f, int deep);

/* Of a configuration, whose text with two versions the id hashes: keys sorted,
 * no blanks, reals with 17 digits.  ERR_STORE: a label is missing or no name.
 * Texts live in a. */
const char *cell_config_text(const json_t *config, struct arena *a);
int cell_config_labels(struct cell_labels *out, const json_t *config,
                       struct arena *a);

/* JSON whose last member tells whether it is as it was written:
 *
 *     {..., "seal": "SHA-256 of all bytes before this member"}
 *
 * The text of an object, sealed; caller frees.  NULL: it cannot be written. */
char *json_seal(const json_t *object);
/* OK, or ERR_STORE without saying where: no seal, or another's. */
int json_sealed(const char *text, size_t n);

/* Removes what a dead runner of this cell left under temporary names, and
 * notes it when the finished file was removed: a new run is beginning. */
int store_prepare(struct store *s, const char *id);
