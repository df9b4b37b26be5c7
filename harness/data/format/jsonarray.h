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
#pragma once

#include "harness/data/format/value.h"

/* Every element goes through `take`, until it answers less than 0; its message
 * of ERR_DATA gets "FILE:LINE: " in front.  a: of the element's memory.  key
 * NULL: the file is the list. */
int jsonarray_each(const char *path, const char *key,
                   int (*take)(void *to, const struct value *v,
                               struct arena *a),
                   void *to);
