/*
 * value: JSON values (RFC 8259), read by simdjson: jansson, at 65 MB/s, would
 * take longer for a shard of C4 than unpacking it and all the rest.
 *
 * The standard to the letter, and no more: valid UTF-8, nothing behind the
 * value, no comments, no NaN.  Refused besides: \u0000 and lone surrogates,
 * which are no text; integers beyond 64 bits; 1024 levels; 4 GB in one value.
 */
#pragma once

#include "harness/base/arena.h"

enum value_kind {
    VALUE_NULL, VALUE_BOOLEAN, VALUE_NUMBER, VALUE_STRING, VALUE_LIST,
    VALUE_OBJECT
};

struct value {
    enum value_kind     kind;
    const char         *key;  /* of a member of an object; else NULL */
    const struct value *next; /* the value after this one, or NULL   */
    union {
        int                 boolean;
        double              number;
        const char         *string; /* closed by NUL                     */
        const struct value *first;  /* of a list or object; NULL: empty  */
    };
};

/* The value that text[0..n-1] is, in memory of the arena.  ERR_DATA: what is
 * wrong, without a place. */
int value_read(const struct value **out, const char *text, size_t n,
               struct arena *a);

/* Returns true if the text is JSON, \u0000 allowed. */
int value_is_json(const char *text, size_t n);

/* A member by its name (the last one, where it is repeated), or NULL. */
const struct value *value_get(const struct value *object, const char *key);

/* Members that must be there.  ERR_DATA, without a place: "there is no key
 * 'label'", "'label' is no string". */
int value_string(const char **out, const struct value *object, const char *key);
int value_integer(long long *out, const struct value *object, const char *key);
int value_list(const struct value **first, const struct value *object,
               const char *key);
int value_object(const struct value **out, const struct value *object,
                 const char *key);
