/*
 * json: jansson, but no value is ever lost without an error.
 *
 * jansson returns NULL for text that is not UTF-8, for NULL and for numbers
 * that are not finite.  json_object_set_new then drops the key, json_pack drops
 * the whole object, and neither reports it.  The functions below replace those
 * of the same names:
 *
 *   json_string(s)    invalid UTF-8 becomes U+FFFD, and NULL null
 *   json_real(x)      null if x is not finite
 *   json_whole(x)     an integer if x is one, |x| < 2^53; else json_real(x)
 *   json_word(s)      json_string(s), but null for "", too
 *   json_pack(...)    { } [ ] s i I f b n o O, and s? o? s* o*, by these rules;
 *                     w: json_whole of a double
 *   json_object_set_new, json_object_set, json_array_append_new,
 *   json_array_append      make the key UTF-8, too; a NULL value is a bug
 *   json_dumps        never returns NULL
 *   json_dumpf        returns -1 only if writing to the file fails; writes
 *                     characters that would control a terminal or reorder a
 *                     line (text_steers) as \u
 *
 * The functions that read (json_loads, json_object_get, json_unpack_ex) are
 * jansson's own.
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

/* Reads a JSON file.  The caller calls json_decref on *out.  Returns ERR_USAGE
 * or ERR_IO if the file cannot be read, or ERR_STORE if it is not JSON or has a
 * duplicate key. */
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
