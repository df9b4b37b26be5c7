/*
 * cell: writes and reads one trained cell (one training run), which is one HDF5
 * file.  `train` writes cells; `report`, `gate` and the commands read them.
 * Only files in harness/store include hdf5.h.
 *
 * A file is written under a temporary name, renamed when it is complete, and
 * never changed afterwards.  Putting a dataset at a path inside the file, such
 * as "curves/train/loss", creates its groups as needed.  Every dataset of
 * numbers has the attribute `units`, a unit of the UDUNITS library.  The
 * datasets also have names and dimension scales (cell_layout.c).
 *
 * Errors are ERR_STORE, whose message names the file and the path inside the
 * file, and ERR_SPACE if the disk is full.  HDF5 is not thread-safe: call these
 * functions from one thread at a time.
 */
#pragma once

#include "harness/base/arena.h"
#include "harness/base/owned.h"

#include <stddef.h>
#include <stdint.h>

enum { CELL_SCHEMA = 1 }; /* the root attribute schema_version */
enum { CELL_ID = 17 };    /* bytes of an id, with the closing NUL */

/* Writes the id of a cell: the first 16 hexadecimal digits of the SHA-256 of
 * "CONFIG data RECIPE numerics NUMERICS".  `config` is the configuration as
 * JSON with sorted keys, without blanks, and with reals of 17 digits; `recipe`
 * is the version of the data, and `numerics` the version of the computation. */
void cell_id(char id[CELL_ID], const char *config, int recipe, int numerics);

/* Returns 1 if the text has the form of an id: 16 hexadecimal digits in lower
 * case.  File names and journal lines (journal.h) are not trusted, so only text
 * of this form can become part of a path. */
int cell_is_id(const char *text);

/* The parts of a configuration that place a cell in tables. */
struct cell_labels {
    const char *variant, *task, *scale; /* names in the sense of cell_name_ok */
    long long   seed;
    int         synthetic;
};

/* If an external trainer produced a cell, its row name ends with this text. */
#define CELL_EXTERNAL ",trainer=external"

#define CELL_LETTERS                                                          \
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+_.-"

/* Returns 1 if `s` is a name: 1 to 127 characters of CELL_LETTERS, the first of
 * which is neither a dot nor a dash.  Names are safe in file names and in
 * scripts. */
int cell_name_ok(const char *s);

/* Returns the name of a cell in baselines and comparisons of stores,
 * "random/lm1b/smoke/1".  row: its name in tables. */
const char *cell_name(struct arena *a, const char *row, const char *task,
                      const char *scale, long long seed);

struct cell_writer;
struct cell_reader;

/* ---- writing ----
 * Call cell_begin, cell_put_..., then cell_commit or cell_abandon.  Nothing is
 * written to disk before cell_commit.  cell_commit adds the root attributes
 * Conventions, title, source, history, date_created, id and schema_version,
 * unless they were put before. */
int cell_begin(struct cell_writer **out, const char *store, const char *id);

/* Puts the configuration `config` (the same text as for cell_id), its labels,
 * each key of `settings`, and the versions `recipe` and `numerics` (cell_id).
 * `settings` is JSON with all keys of the configuration, including those that
 * have their default value.  cell_begin must have been called with the id of
 * this configuration. */
int cell_put_config(struct cell_writer *w, const char *config,
                    const char *settings, int recipe, int numerics);

/* cell_put_text, cell_put_int and cell_put_real put an attribute of the group
 * at the path `group`; "" is the root group.  If the same attribute is put
 * several times, its last value is written. */
int cell_put_text(struct cell_writer *w, const char *group, const char *name,
                  const char *value);
int cell_put_int(struct cell_writer *w, const char *group, const char *name,
                 long long value);
int cell_put_real(struct cell_writer *w, const char *group, const char *name,
                  double value);
/* cell_put_array, cell_put_ints and cell_put_strings put a one-dimensional
 * dataset of `n` values.  Reals are stored as float64.  Datasets of 64 values
 * or more are chunked and compressed.  The argument `units` is the usual name
 * of the unit, such as "nats/token".  If UDUNITS does not support that name,
 * the attribute `units` is the corresponding unit of UDUNITS ("1"), and the
 * attribute `unit_name` is the usual name. */
int cell_put_array(struct cell_writer *w, const char *path, const char *units,
                   const double *x, size_t n);
int cell_put_ints(struct cell_writer *w, const char *path, const char *units,
                  const int64_t *x, size_t n);
int cell_put_strings(struct cell_writer *w, const char *path,
                     const char *const *s, size_t n);
/* cell_put_grid and cell_put_string_grid put a dataset of several dimensions,
 * the last of which varies fastest. */
enum { CELL_RANK = 3 };
struct cell_shape { int rank; size_t dim[CELL_RANK]; };
int cell_put_grid(struct cell_writer *w, const char *path, const char *units,
                  const double *x, const struct cell_shape *s);
int cell_put_string_grid(struct cell_writer *w, const char *path,
                         const char *const *s, const struct cell_shape *shape);
/* Sets the attribute `long_name` of a dataset that has no name in
 * cell_layout.c, such as a metric. */
int cell_put_name(struct cell_writer *w, const char *path,
                  const char *long_name);
/* Puts a final metric: the scalar dataset metrics/NAME with the attributes
 * units, better and signature.  `better` is 1 if higher values are better, -1
 * if lower values are better, or 0 if neither.  `signature` describes how the
 * metric is computed. */
int cell_put_metric(struct cell_writer *w, const char *name, const char *units,
                    int better, const char *signature, double value);

int  cell_commit(struct cell_writer *w);  /* frees w, also on failure */
void cell_abandon(struct cell_writer *w);
OWNER(cell_abandon, struct cell_writer *)

/* ---- reading ----
 * cell_open opens a trained cell.  It checks the whole file against its seal
 * (the last line, a SHA-256) and its line in the journal, and the id against
 * the configuration in the file.  It returns ERR_EMPTY if there is no such
 * cell.  cell_open_kind opens a cell that was not trained, such as a timing
 * (kind "speed"): the root attribute `kind` must have the given value, and the
 * caller checks the id. */
int  cell_open(struct cell_reader **out, const char *store, const char *id);
int  cell_open_kind(struct cell_reader **out, const char *store,
                    const char *id, const char *kind);
/* Returns the labels of the cell's configuration. */
const struct cell_labels *cell_labels_of(const struct cell_reader *r);
/* Returns `r`, for which cell_close must then be called once more. */
struct cell_reader *cell_share(struct cell_reader *r);
size_t cell_bytes(const struct cell_reader *r); /* size of the file */
void cell_close(struct cell_reader *r); /* NULL is allowed */
OWNER(cell_close, struct cell_reader *)
/* cell_get_text, cell_get_int and cell_get_real set *out to an attribute of a
 * group.  The caller frees a text.  They return ERR_EMPTY if there is no such
 * attribute or group. */
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
/* cell_get_array and cell_get_strings get the *n values of a dataset;
 * cell_get_metric gets the value of a metric.  The caller frees an array with
 * free(), and strings with cell_free_strings.  All three return ERR_EMPTY if
 * there is no such dataset. */
int  cell_get_array(struct cell_reader *r, const char *path, double **out,
                    size_t *n);
int  cell_get_strings(struct cell_reader *r, const char *path, char ***out,
                      size_t *n);
int  cell_get_metric(struct cell_reader *r, const char *name, double *out);
/* Gets the usual name of a dataset's unit, such as "nats/token".  The caller
 * frees *out. */
int  cell_get_unit(struct cell_reader *r, const char *path, char **out);
/* Returns OK if `rc` is ERR_EMPTY, else `rc`.  Use it to read a part of a cell
 * that can be missing. */
int  cell_maybe(int rc);
/* Lists the groups and datasets in a group in the order of creation.  The
 * reader owns the list. */
int  cell_get_names(struct cell_reader *r, const char *group, const char ***out,
                    size_t *n);
void cell_free_strings(char **s, size_t n); /* NULL is allowed */

/* Writes the name and version of the HDF5 library, such as "hdf5 1.10.8". */
void cell_library(char out[32]);
