/*
 * jsonl: one JSON object a line.  Empty lines are left out; lines as
 * linefile.h has them.
 */
#pragma once

#include "harness/data/format/linefile.h"
#include "harness/data/format/value.h"

struct jsonl {
    struct linefile   *lines;
    struct arena      *memory; /* of the present object */
    const struct value *object; /* NULL: the line has a NUL */
    long               n;      /* objects so far */
};

typedef int jsonl_taker(void *to, const struct jsonl *j);

/* Passes every object to `take` until that returns less than 0; its message of
 * ERR_DATA gets "FILE:LINE: " in front.  A file without any object is an error,
 * unless it is packed.  A line with a NUL byte or with \u0000 in it goes to
 * `nul`, which sees no object; if `nul` is NULL, such a line is an error. */
int jsonl_each(const char *path, jsonl_taker *take, jsonl_taker *nul, void *to);
