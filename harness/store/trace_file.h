/*
 * trace_file: named arrays and two texts, as one HDF5 file that another
 * framework can read: the steps of a training run (verify/traces/trace.h says
 * which arrays), or the weights of a model (train/weights.h).
 */
#pragma once

#include "harness/base/arena.h"
#include "harness/base/owned.h"

enum trace_type { TRACE_FLOAT, TRACE_DOUBLE, TRACE_INT }; /* f32 f64 i32 */
enum { TRACE_DIMS = 4, TRACE_NAME = 160 };

struct trace_array {
    char            name[TRACE_NAME]; /* "steps/1/loss"        */
    enum trace_type type;
    int             nd;               /* 0: one number         */
    int             dim[TRACE_DIMS];
    void           *x;
};

/* What the arrays of names like `pattern` (fnmatch) are. */
struct trace_about {
    const char *pattern, *long_name, *units;
    const char *dimensions; /* names, separated by blanks */
};

/* docs/trainer-protocol.md describes it; files without a version have 1. */
#define TRACE_VERSION "2"

struct trace_file {
    struct arena       *memory;
    char               *config, *state; /* attributes of the root: JSON */
    char               *version; /* likewise; NULL: it has none          */
    const struct trace_about *about; /* attributes of the arrays, for
                                        writing; ends with a pattern of NULL;
                                        NULL: none                       */
    const char *const  *groups; /* there even where empty; NULL, or ends with
                                   NULL; for writing */
    int                 packed; /* 1: lists are deflated, for writing */
    int                 n;
    size_t              cap;
    struct trace_array *array;
};

void trace_file_open(struct trace_file *f); /* empty */
void trace_file_close(struct trace_file *f);
OWNER_OF_VALUE(trace_file_close, struct trace_file)

/* A new array of zeros, its name as by printf; returns its values. */
void *trace_file_add(struct trace_file *f, enum trace_type type, int nd,
                     const int dim[], const char *name, ...)
    __attribute__((format(printf, 5, 6)));
/* NULL: there is none of that name. */
const struct trace_array *trace_file_find(const struct trace_file *f,
                                          const char *name, ...)
    __attribute__((format(printf, 2, 3)));
size_t trace_array_len(const struct trace_array *a);

/* ERR_DATA: not such a file; `sealed`: or its last line is not the SHA-256 of
 * all before.  f is empty before, and closed after an error. */
int trace_file_read(struct trace_file *f, const char *path, int sealed);
/* Replaces path at once or not at all (file_output): ERR_USAGE, ERR_IO,
 * ERR_SPACE. */
int trace_file_write(const struct trace_file *f, const char *path, int sealed);
