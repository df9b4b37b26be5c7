/*
 * cell: writes and reads one trained cell, which is one HDF5 file.  train
 * writes cells; report, gate and the commands read them.  Only harness/store
 * includes hdf5.h.
 *
 * A file is written under a temporary name, renamed when it is complete, and
 * never changed afterwards.  A path inside a file ("curves/train/loss") creates
 * its groups as needed.  Every dataset of numbers has the attribute `units`, in
 * units of UDUNITS.  The datasets of cells also have names and dimension scales
 * (cell_layout.c).
 *
 * Errors are ERR_STORE, with the file and the path in it, and ERR_SPACE if the
 * disk is full.  HDF5 is not thread-safe: call these functions from one thread
 * at a time.
 */
#pragma once

#include "harness/base/owned.h"

#include <stddef.h>
#include <stdint.h>

enum { CELL_SCHEMA = 1 }; /* the root attribute schema_version */
enum { CELL_ID = 17 };    /* bytes of an id, with the closing NUL */

/* Writes the id of a configuration (JSON, keys sorted, no blanks, reals with 17
 * digits): the first 16 hexadecimal digits of the SHA-256 of
 * "CONFIG data RECIPE numerics NUMERICS". */
void cell_id(char id[CELL_ID], const char *config, int recipe, int numerics);

/* Returns 1 if the text has the form of an id: 16 hexadecimal digits in lower
 * case.  File names and lines of a journal are not trusted: no other name
 * becomes part of a path. */
int cell_is_id(const char *text);

/* The parts of a configuration that place a cell in tables. */
struct cell_labels {
    const char *variant, *task, *scale; /* names in the sense of cell_name_ok */
    long long   seed;
    int         synthetic;
};

/* The end of the row name of cells that an external trainer produced. */
#define CELL_EXTERNAL ",trainer=external"

#define CELL_LETTERS                                                          \
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+_.-"

/* Returns 1 if s is a name: 1 to 127 letters, digits and + _ . - , of which the
 * first is neither a dot nor a dash.  Names are safe in file names and in
 * scripts. */
int cell_name_ok(const char *s);

struct cell_writer;
struct cell_reader;

/* ---- writing ----
 * Call cell_begin, cell_put_..., then cell_commit or cell_abandon.  Nothing is
 * written to disk before the commit.  The commit adds those of these root
 * attributes that were not put: Conventions, title, source, history,
 * date_created, id, schema_version. */
int cell_begin(struct cell_writer **out, const char *store, const char *id);

/* Puts the configuration as the id hashes it; each key of `settings`, which is
 * JSON with the configuration and the defaults; the labels that follow from the
 * configuration; and the versions.  The id that was given to cell_begin must
 * match them. */
int cell_put_config(struct cell_writer *w, const char *config,
                    const char *settings, int recipe, int numerics);

/* Put an attribute of a group; "" is the root.  The last value counts. */
int cell_put_text(struct cell_writer *w, const char *group, const char *name,
                  const char *value);
int cell_put_int(struct cell_writer *w, const char *group, const char *name,
                 long long value);
int cell_put_real(struct cell_writer *w, const char *group, const char *name,
                  double value);
/* Put a one-dimensional dataset of n values.  Reals are float64.  From 64
 * values on it is chunked and compressed.  `units` is the usual name,
 * "nats/token".  If UDUNITS does not know it, `units` in the file is what
 * UDUNITS knows ("1"), and the attribute `unit_name` is the usual name. */
int cell_put_array(struct cell_writer *w, const char *path, const char *units,
                   const double *x, size_t n);
int cell_put_ints(struct cell_writer *w, const char *path, const char *units,
                  const int64_t *x, size_t n);
int cell_put_strings(struct cell_writer *w, const char *path,
                     const char *const *s, size_t n);
/* The same for several dimensions, the last of which varies fastest. */
enum { CELL_RANK = 3 };
struct cell_shape { int rank; size_t dim[CELL_RANK]; };
int cell_put_grid(struct cell_writer *w, const char *path, const char *units,
                  const double *x, const struct cell_shape *s);
int cell_put_string_grid(struct cell_writer *w, const char *path,
                         const char *const *s, const struct cell_shape *shape);
/* Sets `long_name` of a dataset that cell_layout.c cannot name, such as a
 * metric. */
int cell_put_name(struct cell_writer *w, const char *path,
                  const char *long_name);
/* Puts a final metric: the scalar metrics/NAME with the attributes units,
 * better and signature.  `better` is 1 if higher is better, -1 if lower is, or
 * 0. */
int cell_put_metric(struct cell_writer *w, const char *name, const char *units,
                    int better, const char *signature, double value);

int  cell_commit(struct cell_writer *w);  /* frees w, also on failure */
void cell_abandon(struct cell_writer *w);
OWNER(cell_abandon, struct cell_writer *)

/* ---- reading ----
 * cell_open compares the whole file with its seal (its last line, a SHA-256)
 * and with its line in the journal, and the id with the configuration in the
 * file.  It returns ERR_EMPTY if there is no such cell.  cell_open_kind opens a
 * cell of another kind than a trained one (root attribute `kind`); the caller
 * checks its id. */
int  cell_open(struct cell_reader **out, const char *store, const char *id);
int  cell_open_kind(struct cell_reader **out, const char *store,
                    const char *id, const char *kind);
/* Returns the labels of the configuration that the id hashes. */
const struct cell_labels *cell_labels_of(const struct cell_reader *r);
/* Returns r, which then needs one more cell_close. */
struct cell_reader *cell_share(struct cell_reader *r);
size_t cell_bytes(const struct cell_reader *r); /* size of the file */
void cell_close(struct cell_reader *r); /* NULL is allowed */
OWNER(cell_close, struct cell_reader *)
/* Get an attribute of a group.  The caller frees the text *out.  Return
 * ERR_EMPTY if there is no such attribute or group. */
int  cell_get_text(struct cell_reader *r, const char *group, const char *name,
                   char **out);
int  cell_get_int(struct cell_reader *r, const char *group, const char *name,
                  long long *out);
int  cell_get_real(struct cell_reader *r, const char *group, const char *name,
                   double *out);
/* Gets an attribute of any type as text; a real has six digits.  The caller
 * frees *out. */
int  cell_get_shown(struct cell_reader *r, const char *group, const char *name,
                    char **out);
/* Get the n values of a dataset, or a metric.  The caller frees an array with
 * free(), and strings with cell_free_strings.  Return ERR_EMPTY if there is no
 * such dataset. */
int  cell_get_array(struct cell_reader *r, const char *path, double **out,
                    size_t *n);
int  cell_get_strings(struct cell_reader *r, const char *path, char ***out,
                      size_t *n);
int  cell_get_metric(struct cell_reader *r, const char *name, double *out);
/* Gets the usual name of a dataset's unit, "nats/token".  The caller frees
 * *out. */
int  cell_get_unit(struct cell_reader *r, const char *path, char **out);
/* Returns OK for ERR_EMPTY, or else rc: for parts that a cell may lack. */
int  cell_maybe(int rc);
/* Lists the groups and datasets in a group in the order of creation.  The
 * reader owns the list. */
int  cell_get_names(struct cell_reader *r, const char *group, const char ***out,
                    size_t *n);
void cell_free_strings(char **s, size_t n); /* NULL is allowed */

/* Writes the name and version of the library that writes cells:
 * "hdf5 1.10.8". */
void cell_library(char out[32]);
