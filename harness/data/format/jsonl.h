/*
 * jsonl: one JSON object a line.  Empty lines are left out; lines as
 * linefile.h has them.
 */
#ifndef DATA_FORMAT_JSONL_H
#define DATA_FORMAT_JSONL_H

#include "harness/data/format/linefile.h"
#include "harness/data/format/value.h"

struct jsonl {
    struct linefile   *lines;
    struct arena      *memory; /* of the present object */
    const struct value *object;
    long               n;      /* objects so far */
};

int  jsonl_open(struct jsonl *j, const char *path);
void jsonl_close(struct jsonl *j);

/* 1: the next object, valid until the next one; 0: the end.  A file without
 * any object is an error, unless it is packed. */
int jsonl_next(struct jsonl *j);

/* rc; the message of ERR_DATA gets "FILE:LINE: " in front. */
int jsonl_place(const struct jsonl *j, int rc);

#endif
