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
    const struct value *object;
    long               n;      /* objects so far */
};

/* Every object goes through `take`, until it answers less than 0; its message
 * of ERR_DATA gets "FILE:LINE: " in front.  A file without any object is an
 * error, unless it is packed. */
int jsonl_each(const char *path, int (*take)(void *to, const struct jsonl *j),
               void *to);
