/*
 * jsonl: files with one JSON object per line.  Empty lines are skipped; lines
 * are those of linefile.h.  Readers of corpora call jsonl_each for a file.
 */
#pragma once

#include "harness/data/format/linefile.h"
#include "harness/data/format/value.h"

struct jsonl {
    struct linefile   *lines;
    struct arena      *memory; /* of the current object */
    const struct value *object; /* NULL: the line has a NUL */
    long               n;      /* objects so far */
};

typedef int jsonl_taker(void *to, const struct jsonl *j);

/* Passes each object to `take` until that returns a negative value; if this is
 * ERR_DATA, "FILE:LINE: " is put in front of its message.  A file without
 * objects is an error, unless it is packed.  If a line has a NUL byte or
 * \u0000, calls `nul` without an object; if `nul` is NULL, such a line is an
 * error. */
int jsonl_each(const char *path, jsonl_taker *take, jsonl_taker *nul, void *to);
