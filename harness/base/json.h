/*
 * json: jansson without its ways to lose a value.
 *
 * jansson answers NULL to text that is not UTF-8, to a NULL and to a number
 * that is not finite; json_object_set_new drops the key of such a NULL, and
 * json_pack the whole object, and nobody hears of it.  Under the names below,
 * which are jansson's, nothing can be lost:
 *
 *   json_string(s)    bytes that are no UTF-8 become U+FFFD; NULL is null
 *   json_real(x)      null where x is not finite
 *   json_whole(x)     an integer where x is one, below 2^53; else json_real(x)
 *   json_word(s)      json_string(s), but "" is null too
 *   json_pack(...)    { } [ ] s i I f b n o O, and s? o? s* o*, by these rules;
 *                     w: json_whole of a double
 *   json_object_set_new, json_object_set, json_array_append_new,
 *   json_array_append      a key too is made UTF-8; a NULL value is a bug
 *   json_dumps        never NULL
 *   json_dumpf        -1 when the file refuses, nothing else; writes what would
 *                     steer a terminal or reorder a line (text_steers) as \u
 *
 * What reads (json_loads, json_object_get, json_unpack_ex) is jansson's own.
 */
#pragma once

#include "harness/base/owned.h"

#include <jansson.h>

OWNER(json_decref, json_t *)

json_t *json_sure_string(const char *s);
json_t *json_sure_real(double x);
json_t *json_whole(double x);
json_t *json_word(const char *s);
json_t *json_sure_pack(const char *fmt, ...);
int     json_sure_set(json_t *object, const char *key, json_t *value);
int     json_sure_append(json_t *array, json_t *value);
char   *json_sure_dumps(const json_t *j, size_t flags);
int     json_sure_dumpf(const json_t *j, FILE *out, size_t flags);

/* The file's; the caller json_decrefs.  ERR_USAGE, ERR_IO: it cannot be read;
 * ERR_STORE: it is no JSON, or has a key twice. */
int json_read(json_t **out, const char *path);

#define json_string           json_sure_string
#define json_real             json_sure_real
#define json_pack             json_sure_pack
#define json_object_set_new   json_sure_set
#define json_object_set(o, key, j) json_sure_set(o, key, json_incref(j))
#define json_array_append_new json_sure_append
#define json_array_append(a, j) json_sure_append(a, json_incref(j))
#define json_dumps            json_sure_dumps
#define json_dumpf            json_sure_dumpf
