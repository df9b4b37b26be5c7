/*
 * jsonarray: the elements of one list in a JSON file, one after another, in
 * bounded memory however long the list is.
 *
 *     [element, ...]                  without a key
 *     {"KEY": [element, ...], ...}    members of other names are passed over
 *
 * Elements are objects or lists.  A byte order mark at the start is dropped.
 * Errors are ERR_DATA and name FILE:LINE, of an element its first one.
 */
#ifndef DATA_FORMAT_JSONARRAY_H
#define DATA_FORMAT_JSONARRAY_H

#include "harness/data/format/value.h"

struct jsonarray;

/* key NULL: the file is the list. */
int  jsonarray_open(struct jsonarray **out, const char *path, const char *key);
void jsonarray_close(struct jsonarray *a); /* NULL is fine */

/* 1: *v is the next element, valid until the next call; 0: the end of a file
 * that is whole. */
int jsonarray_next(struct jsonarray *a, const struct value **v);

struct arena *jsonarray_memory(const struct jsonarray *a); /* the element's */

/* rc; the message of ERR_DATA gets "FILE:LINE: " of the element in front. */
int jsonarray_place(const struct jsonarray *a, int rc);

#endif
