/*
 * key: one setting, and the types that settings have.  A type reads the text
 * that people write into a field of a struct, and prints the field again; what
 * it prints, it reads back to the same bits.
 */
#pragma once

#include <stddef.h>

struct key;

/* `of` is the struct whose field the key fills: offsets count from there. */
struct key_type {
    /* ERR_USAGE: wrong type, out of range, not among the choices. */
    int (*set)(const struct key *k, void *of, const char *text);
    /* The field as a word of JSON (text with its quotes); caller frees. */
    char *(*json)(const struct key *k, const void *of);
};

extern const struct key_type key_int; /* an int, or a uint64_t: by the size */
extern const struct key_type key_real, key_bool;
extern const struct key_type key_word;   /* char[], one of `choices`      */
extern const struct key_type key_enum;   /* its index in `choices`        */
extern const struct key_type key_widths; /* struct widths: 7, or "3,7,15" */

enum { WIDTHS = 32 };
struct widths { int n, at[WIDTHS]; }; /* one a layer; the last one repeats */

enum key_role {
    KEY_TRACED, /* decides what a step does: in the id, and in traces        */
    KEY_HASHED, /* in the id alone: where data come from, how long, decoding */
    KEY_AXIS,   /* names a cell: variant, task, scale, seed                  */
    KEY_RUNTIME /* not in the id: changes no number                          */
};

struct key {
    const char            *name;
    const struct key_type *type;
    size_t                 offset, size; /* of the field                  */
    enum key_role          role;
    const char            *initial;      /* the default, as text: what a
                                            text without the key says, so it
                                            never changes (key_customs can) */
    double                 low, high;    /* numbers: the range            */
    const char *const     *choices;      /* words: ends with NULL         */
    const char            *help;
};

/* "1 to 256", "layer, rms", "false, true"; "" where the help must say it.
 * Caller frees. */
char *key_range(const struct key *k);

/* For types of one's own: ERR_USAGE in the words of all, and a char[]. */
int   key_wrong(const struct key *k, const char *text, const char *want);
int   key_outside(const struct key *k, const char *text);
int   key_put(const struct key *k, void *of, const char *text);
char *key_text_json(const struct key *k, const void *of);
