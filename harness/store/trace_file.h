/*
 * trace_file: reads and writes an HDF5 file of named arrays and two JSON texts,
 * which other frameworks can read.  The file stores either the steps of a
 * training run (verify/traces/trace.h defines the arrays) or the weights of a
 * model (train/weights.h).  To write a file, call trace_file_open,
 * trace_file_add for each array, trace_file_write and trace_file_close.
 */
#pragma once

#include "harness/base/arena.h"
#include "harness/base/owned.h"

enum trace_type { TRACE_FLOAT, TRACE_DOUBLE, TRACE_INT }; /* f32 f64 i32 */
enum { TRACE_DIMS = 4, TRACE_NAME = 160 };

struct trace_array {
    char            name[TRACE_NAME]; /* "steps/1/loss"        */
    enum trace_type type;
    int             nd;               /* 0: a single number    */
    int             dim[TRACE_DIMS];
    void           *x;
};

/* Attributes of the arrays whose names match `pattern` (fnmatch). */
struct trace_about {
    const char *pattern, *long_name, *units;
    const char *dimensions; /* names, separated by blanks */
};

/* The version of the format (docs/trainer-protocol.md).  Files that state no
 * version have version 1. */
#define TRACE_VERSION "2"

struct trace_file {
    struct arena       *memory;
    char               *config, *state; /* root attributes, JSON; never NULL
                                           in a file that was read */
    char               *version; /* root attribute, or NULL              */
    /* For writing: the attributes of the arrays, or NULL; ends with a pattern
     * of NULL. */
    const struct trace_about *about;
    /* For writing: groups to create even if they are empty, or NULL; ends with
     * NULL. */
    const char *const  *groups;
    int                 packed; /* for writing; 1: compress long 1-d arrays */
    int                 n;
    size_t              cap;
    struct trace_array *array;
};

void trace_file_open(struct trace_file *f); /* makes `f` empty */
void trace_file_close(struct trace_file *f);
OWNER_OF_VALUE(trace_file_close, struct trace_file)

/* Appends an array of zeros to the file and returns its values.  The name is
 * formatted as by printf. */
void *trace_file_add(struct trace_file *f, enum trace_type type, int nd,
                     const int dim[], const char *name, ...)
    __attribute__((format(printf, 5, 6)));
/* Returns the array with the formatted name, or NULL if there is none. */
const struct trace_array *trace_file_find(const struct trace_file *f,
                                          const char *name, ...)
    __attribute__((format(printf, 2, 3)));
size_t trace_array_len(const struct trace_array *a);

/* Reads a file into `f`, which must be empty.  Returns ERR_DATA if the file
 * does not have this format or, if `sealed` is not 0, if its last line is not
 * the SHA-256 of all bytes before it.  On error, closes `f`. */
int trace_file_read(struct trace_file *f, const char *path, int sealed);
/* Writes a file atomically.  If `sealed` is not 0, appends a line with the
 * SHA-256 of all bytes.  Otherwise `path` is an output that the user named
 * (file_output).  Returns ERR_USAGE, ERR_IO or ERR_SPACE if the file cannot be
 * written. */
int trace_file_write(const struct trace_file *f, const char *path, int sealed);
