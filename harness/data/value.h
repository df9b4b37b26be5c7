/*
 * value: JSON values (RFC 8259), read in place at some hundred megabytes a
 * second: texts of corpora are long, and a library that reads byte by byte
 * would be the slowest part of reading them.
 *
 * The standard to the letter, and no more: nothing behind the value, no
 * comments, no NaN.  Refused besides: \u0000 and lone surrogates, which are no
 * text, and more than 64 levels.
 */
#ifndef DATA_VALUE_H
#define DATA_VALUE_H

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

/* text[0..n-1], valid UTF-8 and closed by NUL, is written into and must stay.
 * ERR_DATA: what is wrong, without a place; *lines is the number of line feeds
 * before it. */
int value_read(const struct value **out, char *text, size_t n,
               struct arena *a, long *lines);

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

#endif
