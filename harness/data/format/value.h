/*
 * value: parses JSON values (RFC 8259) with simdjson.  (With jansson, at
 * 65 MB/s, parsing a shard of C4 would take longer than all else, including
 * unpacking.)  jsonl.h and jsonarray.h call value_read and pass the values to
 * the readers of corpora.
 *
 * The parser follows the standard strictly: valid UTF-8, nothing after the
 * value, no comments, no NaN.  It also refuses \u0000 and lone surrogates,
 * which are not text; integers beyond 64 bits; values nested 1024 deep or more;
 * and values of 4 GB or more.
 */
#pragma once

#include "harness/base/arena.h"

enum value_kind {
    VALUE_NULL, VALUE_BOOLEAN, VALUE_NUMBER, VALUE_STRING, VALUE_LIST,
    VALUE_OBJECT
};

struct value {
    enum value_kind     kind;
    const char         *key;  /* for a member of an object; else NULL */
    const struct value *next; /* the next element or member, or NULL  */
    union {
        int                 boolean;
        double              number;
        const char         *string; /* ends with NUL                    */
        const struct value *first;  /* first element or member of a list or
                                       object; NULL: it is empty        */
    };
};

/* Parses text[0] to text[n - 1] and sets *out to the value, in arena `a`.  If
 * the text is not exactly one valid value, returns ERR_DATA with a message that
 * names no file or line. */
int value_read(const struct value **out, const char *text, size_t n,
               struct arena *a);

/* Returns 1 if the text is valid JSON, which may contain \u0000. */
int value_is_json(const char *text, size_t n);

/* Returns the member `key`, or the last one if the key is repeated.  Returns
 * NULL if there is no such member or `object` is not an object. */
const struct value *value_get(const struct value *object, const char *key);

/* These functions read a required member.  If the member is missing or has
 * another kind, they return ERR_DATA with a message that names no file or line:
 * "there is no key 'label'", "'label' is not a string". */
int value_string(const char **out, const struct value *object, const char *key);
int value_integer(long long *out, const struct value *object, const char *key);
int value_list(const struct value **first, const struct value *object,
               const char *key);
int value_object(const struct value **out, const struct value *object,
                 const char *key);
