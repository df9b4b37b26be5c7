/*
 * value: JSON values (RFC 8259), parsed by simdjson.  jansson, at 65 MB/s,
 * would take longer for a shard of C4 than unpacking and everything else.
 * jsonl.h and jsonarray.h pass such values to the readers of corpora.
 *
 * The parser accepts exactly the standard: valid UTF-8, nothing after the
 * value, no comments, no NaN.  It also refuses \u0000 and lone surrogates,
 * which are not text; integers beyond 64 bits; 1024 levels; 4 GB in one value.
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
        const struct value *first;  /* of a list or object; NULL: empty */
    };
};

/* Parses text[0..n-1] as one value, in memory of arena a.  Returns ERR_DATA
 * with a message that names no file or line. */
int value_read(const struct value **out, const char *text, size_t n,
               struct arena *a);

/* Returns 1 if the text is JSON; \u0000 is allowed. */
int value_is_json(const char *text, size_t n);

/* Returns a member by its name (the last one if it is repeated), or NULL. */
const struct value *value_get(const struct value *object, const char *key);

/* Read a member that is required.  Return ERR_DATA with a message that names no
 * file or line: "there is no key 'label'", "'label' is not a string". */
int value_string(const char **out, const struct value *object, const char *key);
int value_integer(long long *out, const struct value *object, const char *key);
int value_list(const struct value **first, const struct value *object,
               const char *key);
int value_object(const struct value **out, const struct value *object,
                 const char *key);
