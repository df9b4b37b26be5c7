/*
 * key: describes one setting, and implements the types of settings.  A type
 * parses text into a field of a struct and prints the field; reading what it
 * printed yields the same bits.  config and the knobs of variants (nn/knob.h)
 * declare keys.
 */
#pragma once

#include <stddef.h>

struct key;

/* `of` is the struct that contains the field; offsets count from its start. */
struct key_type {
    /* Parses text into the field.  Returns ERR_USAGE if it has the wrong type,
     * is out of range or not among the choices. */
    int (*set)(const struct key *k, void *of, const char *text);
    /* Returns the field as a JSON value (text with its quotes); the caller
     * frees it. */
    char *(*json)(const struct key *k, const void *of);
};

extern const struct key_type key_int; /* int, or uint64_t if its size is 8 */
extern const struct key_type key_real, key_bool;
extern const struct key_type key_word;   /* char[], one of `choices`      */
extern const struct key_type key_enum;   /* the index in `choices`        */
extern const struct key_type key_widths; /* struct widths: 7, or "3,7,15" */

enum { WIDTHS = 32 };
struct widths { int n, at[WIDTHS]; }; /* one per layer; the last repeats */

enum key_role {
    /* Affects what a training step does: part of the id, and of traces. */
    KEY_TRACED,
    /* Part of the id only: the source of the data, the length, decoding. */
    KEY_HASHED,
    KEY_AXIS,   /* names a cell: variant, task, scale, seed                  */
    KEY_RUNTIME /* not part of the id: changes no result                     */
};

struct key {
    const char            *name;
    const struct key_type *type;
    size_t                 offset, size; /* of the field                  */
    enum key_role          role;
    /* The default, as text.  A configuration without the key means this value,
     * so it never changes; defaults that may change are in key_customs. */
    const char            *initial;
    double                 low, high;    /* numbers: the range            */
    const char *const     *choices;      /* words: ends with NULL         */
    const char            *help;
};

/* Returns the allowed values, "1 to 256", "layer, rms" or "false, true", or ""
 * if only the help text describes them.  The caller frees it. */
char *key_range(const struct key *k);

/* For types that other modules define.  key_wrong and key_outside return
 * ERR_USAGE with the usual message.  key_put and key_text_json write and print
 * a char[]. */
int   key_wrong(const struct key *k, const char *text, const char *want);
int   key_outside(const struct key *k, const char *text);
int   key_put(const struct key *k, void *of, const char *text);
char *key_text_json(const struct key *k, const void *of);
