/*
 * cell: one trained cell = one HDF5 file.  The only code that sees hdf5.h.
 *
 * A file is written under a temporary name and renamed when it is whole; it is
 * never changed afterwards.  Paths inside a file ("curves/train/loss") make
 * their groups as needed.  Every dataset of numbers carries `units`, which
 * UDUNITS knows; those that cells have are named and lie along dimension scales
 * (cell_layout.c).
 * Errors: ERR_STORE with file and path; ERR_SPACE when the disk is full.
 * HDF5 is not safe in threads: call these from one thread at a time.
 */
#pragma once

#include "harness/base/owned.h"

#include <stddef.h>
#include <stdint.h>

enum { CELL_SCHEMA = 1 }; /* root attribute schema_version */
enum { CELL_ID = 17 };    /* bytes of an id, with the closing NUL */

/* The id of a configuration (JSON, keys sorted, no blanks, reals with 17
 * digits): the first 16 digits of SHA-256 of "CONFIG data RECIPE numerics
 * NUMERICS". */
void cell_id(char id[CELL_ID], const char *config, int recipe, int numerics);

/* Returns 1 if the text has the form of an id: 16 hexadecimal digits in lower
 * case.  Names of files and lines of a journal come from anybody: no other name
 * becomes part of a path. */
int cell_is_id(const char *text);

/* What a configuration says of the cell's place among others. */
struct cell_labels {
    const char *variant, *task, *scale; /* names: cell_name_ok */
    long long   seed;
    int         synthetic;
};

/* Ends the name of the row of cells that another program trained. */
#define CELL_EXTERNAL ",trainer=external"

#define CELL_LETTERS                                                          \
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+_.-"

/* Letters, digits and + _ . - , at most 127, the first no dot or dash: safe as
 * part of a file's name and in any script. */
int cell_name_ok(const char *s);

struct cell_writer;
struct cell_reader;

/* ---- writing: begin, put ..., commit or abandon ----
 * Nothing is on disk before the commit.  commit adds those root attributes
 * that were not put: Conventions, title, source, history, date_created, id,
 * schema_version. */
int cell_begin(struct cell_writer **out, const char *store, const char *id);

/* The configuration as the id hashes it; key by key, `settings`, JSON that has
 * what it says and the defaults; the labels that follow from it; the versions.
 * The id given to cell_begin must be theirs. */
int cell_put_config(struct cell_writer *w, const char *config,
                    const char *settings, int recipe, int numerics);

/* Attributes of a group; group "" is the root.  The last put holds. */
int cell_put_text(struct cell_writer *w, const char *group, const char *name,
                  const char *value);
int cell_put_int(struct cell_writer *w, const char *group, const char *name,
                 long long value);
int cell_put_real(struct cell_writer *w, const char *group, const char *name,
                  double value);
/* Datasets, one-dimensional; reals are float64, chunked from 64 values on.
 * `units` as people say them: what UDUNITS does not know is stored as it says
 * it, and by its own name in `unit_name`. */
int cell_put_array(struct cell_writer *w, const char *path, const char *units,
                   const double *x, size_t n);
int cell_put_ints(struct cell_writer *w, const char *path, const char *units,
                  const int64_t *x, size_t n);
int cell_put_strings(struct cell_writer *w, const char *path,
                     const char *const *s, size_t n);
/* The same of several dimensions, the last of which runs fastest. */
enum { CELL_RANK = 3 };
struct cell_shape { int rank; size_t dim[CELL_RANK]; };
int cell_put_grid(struct cell_writer *w, const char *path, const char *units,
                  const double *x, const struct cell_shape *s);
int cell_put_string_grid(struct cell_writer *w, const char *path,
                         const char *const *s, const struct cell_shape *shape);
/* `long_name` of a dataset that cell_layout.c cannot name: of a metric. */
int cell_put_name(struct cell_writer *w, const char *path,
                  const char *long_name);
/* A final metric: metrics/NAME, a scalar with units, better, signature. */
int cell_put_metric(struct cell_writer *w, const char *name, const char *units,
                    int better, const char *signature, double value);

int  cell_commit(struct cell_writer *w);  /* frees w, also on failure */
void cell_abandon(struct cell_writer *w);
OWNER(cell_abandon, struct cell_writer *)

/* ---- reading ----
 * open compares the whole file with its seal (its last line, a SHA-256) and
 * its journal line, and the id with the configuration in the file.  ERR_EMPTY:
 * there is no such cell.  open_kind: of another kind than a trained cell (root
 * attribute `kind`), whose id is the caller's to check. */
int  cell_open(struct cell_reader **out, const char *store, const char *id);
int  cell_open_kind(struct cell_reader **out, const char *store,
                    const char *id, const char *kind);
/* Those of the configuration that the id hashes. */
const struct cell_labels *cell_labels_of(const struct cell_reader *r);
/* Returns r, which then takes one more cell_close. */
struct cell_reader *cell_share(struct cell_reader *r);
size_t cell_bytes(const struct cell_reader *r); /* of its file */
void cell_close(struct cell_reader *r); /* NULL is fine */
OWNER(cell_close, struct cell_reader *)
/* Caller frees *out.  ERR_EMPTY where there is no such thing. */
int  cell_get_text(struct cell_reader *r, const char *group, const char *name,
                   char **out);
int  cell_get_int(struct cell_reader *r, const char *group, const char *name,
                  long long *out);
int  cell_get_real(struct cell_reader *r, const char *group, const char *name,
                   double *out);
/* Whatever it is, as text; of a real six digits.  Caller frees *out. */
int  cell_get_shown(struct cell_reader *r, const char *group, const char *name,
                    char **out);
int  cell_get_array(struct cell_reader *r, const char *path, double **out,
                    size_t *n);
int  cell_get_strings(struct cell_reader *r, const char *path, char ***out,
                      size_t *n);
int  cell_get_metric(struct cell_reader *r, const char *name, double *out);
/* What a dataset is measured in, as people say it: "nats/token". */
int  cell_get_unit(struct cell_reader *r, const char *path, char **out);
/* Of what a cell need not have: ERR_EMPTY is OK. */
int  cell_maybe(int rc);
/* The groups and datasets in a group, as they were put: the reader's. */
int  cell_get_names(struct cell_reader *r, const char *group, const char ***out,
                    size_t *n);
void cell_free_strings(char **s, size_t n); /* NULL is fine */

/* What reads and writes them here and now: "hdf5 1.10.8". */
void cell_library(char out[32]);
