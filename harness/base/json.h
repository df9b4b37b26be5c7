/*
 * json: replaces functions of jansson, the JSON library, by versions that lose
 * no value silently.  Modules that use JSON include this file.
 *
 * jansson's constructors return NULL for text that is not UTF-8, for a NULL
 * pointer and for numbers that are not finite.  As a consequence,
 * json_object_set_new drops the key and json_pack drops the whole object, and
 * neither reports it.  The macros at the end give these functions the names of
 * jansson's:
 *
 *   json_string(s)    replaces invalid UTF-8 by U+FFFD; returns null for NULL
 *   json_real(x)      returns null if `x` is not finite
 *   json_whole(x)     returns a JSON integer if the double `x` is whole and
 *                     |x| < 2^53, else json_real(x)
 *   json_word(s)      returns json_string(s), but null for "", too
 *   json_pack(...)    supports the formats { } [ ] s i I f b n o O and s? o? s*
 *                     o* with the rules above, and w: json_whole of a double
 *   json_object_set_new, json_object_set, json_array_append_new,
 *   json_array_append abort if the value is NULL; replace invalid UTF-8 in the
 *                     key
 *   json_dumps        never returns NULL
 *   json_dumpf        returns -1 only if writing to the file fails; writes
 *                     characters that would control a terminal or reorder a
 *                     line (text_steers, text.h) as \u escapes
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
