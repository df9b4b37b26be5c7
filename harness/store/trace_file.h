/*
 * trace_file: reads and writes named arrays and two texts as one HDF5 file that
 * other frameworks can read: the steps of a training run (verify/traces/trace.h
 * defines the arrays), or the weights of a model (train/weights.h).  To write,
 * call trace_file_open, trace_file_add, trace_file_write and trace_file_close.
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

/* Describes the arrays whose names match `pattern` (fnmatch). */
struct trace_about {
    const char *pattern, *long_name, *units;
    const char *dimensions; /* names, separated by blanks */
};

/* The version of the format (docs/trainer-protocol.md); files without one have
 * version 1. */
#define TRACE_VERSION "2"

struct trace_file {
    struct arena       *memory;
    char               *config, *state; /* root attributes with JSON */
    char               *version; /* root attribute, or NULL              */
    /* For writing: the attributes of the arrays; ends with a pattern of NULL.
     * NULL: none. */
    const struct trace_about *about;
    /* For writing: groups that exist even if they are empty; ends with NULL.
     * NULL: none. */
    const char *const  *groups;
    int                 packed; /* for writing; 1: deflate lists */
    int                 n;
    size_t              cap;
    struct trace_array *array;
};

void trace_file_open(struct trace_file *f); /* sets f to empty */
void trace_file_close(struct trace_file *f);
OWNER_OF_VALUE(trace_file_close, struct trace_file)

/* Adds an array of zeros, whose name is formatted as by printf, and returns its
 * values. */
void *trace_file_add(struct trace_file *f, enum trace_type type, int nd,
                     const int dim[], const char *name, ...)
    __attribute__((format(printf, 5, 6)));
/* Returns the array of that name, or NULL if there is none. */
const struct trace_array *trace_file_find(const struct trace_file *f,
                                          const char *name, ...)
    __attribute__((format(printf, 2, 3)));
size_t trace_array_len(const struct trace_array *a);

/* Reads a file.  Returns ERR_DATA if it is not such a file or, if `sealed` is
 * not 0, if its last line is not the SHA-256 of all bytes before it.  f is
 * empty before the call, and closed after an error. */
int trace_file_read(struct trace_file *f, const char *path, int sealed);
/* Writes a file, atomically.  If `sealed` is not 0, appends the seal. Otherwise
 * path is an output of the user (file_output).  Returns ERR_USAGE, ERR_IO or
 * ERR_SPACE if it cannot be written. */
int trace_file_write(const struct trace_file *f, const char *path, int sealed);
