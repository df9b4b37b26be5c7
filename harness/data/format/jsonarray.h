/*
 * jsonarray: reads the elements of one list in a JSON file, one after another,
 * in memory that does not grow with the list.  Readers of corpora call
 * jsonarray_each for each file.
 *
 *     [element, ...]                  the file is a list
 *     {"KEY": [element, ...], ...}    the list is member KEY of an object,
 *                                     whose other members are skipped
 *
 * Elements are objects or lists.  A byte order mark at the start is dropped.
 * Errors are ERR_DATA and name FILE:LINE; for an element, LINE is its first
 * line.
 */
#pragma once

#include "harness/data/format/value.h"

/* Passes each element, in arena `a`, to `take` until `take` returns a negative
 * value; if this is ERR_DATA, puts "FILE:LINE: " in front of the message.  If
 * `key` is NULL, the file itself is the list. */
int jsonarray_each(const char *path, const char *key,
                   int (*take)(void *to, const struct value *v,
                               struct arena *a),
                   void *to);
