/*
 * jsonarray: the elements of one list in a JSON file, one after another, in
 * memory that does not grow with the list.  Readers of corpora call
 * jsonarray_each for a file.
 *
 *     [element, ...]                  without a key
 *     {"KEY": [element, ...], ...}    other members are skipped
 *
 * Elements are objects or lists.  A byte order mark at the start is dropped.
 * Errors are ERR_DATA and name FILE:LINE; for an element, LINE is its first
 * line.
 */
#pragma once

#include "harness/data/format/value.h"

/* Passes each element to `take` until that returns a negative value; if this is
 * ERR_DATA, "FILE:LINE: " is put in front of its message.  Arena a holds the
 * element.  If key is NULL, the file itself is the list. */
int jsonarray_each(const char *path, const char *key,
                   int (*take)(void *to, const struct value *v,
                               struct arena *a),
                   void *to);
