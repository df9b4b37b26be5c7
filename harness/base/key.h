/*
 * key: describes one setting, and implements the types of settings.  A type
 * parses text into a field of a struct and prints the field; parsing the
 * printed text yields a bit-identical field.  Keys are declared in
 * config/key_table.c and, as the knobs of single variants (nn/knob.h), in the
 * variants' files.
 */
#pragma once

#include <stddef.h>

struct key;

/* In both functions, `of` is the struct that contains the field, at the offset
 * k->offset. */
struct key_type {
    /* Parses `text` into the field.  Returns ERR_USAGE if the text has the
     * wrong type, is out of range or is not among the choices. */
    int (*set)(const struct key *k, void *of, const char *text);
    /* Returns the field as a JSON value (text with its quotes); the caller
     * frees it. */
    char *(*json)(const struct key *k, const void *of);
};

extern const struct key_type key_int; /* int, or uint64_t if `size` is 8 */
extern const struct key_type key_real, key_bool;
extern const struct key_type key_word;   /* char[], one of `choices`      */
/* const char *, any text.  `set` keeps the pointer, so the text must outlive
 * the field; there is no `json`. */
extern const struct key_type key_text;
extern const struct key_type key_enum;   /* the index in `choices`        */
extern const struct key_type key_widths; /* struct widths: 7, or "3,7,15" */

enum { WIDTHS = 32 };
/* The width of layer i is at[i] if i < n, else at[n-1]. */
struct widths { int n, at[WIDTHS]; };

enum key_role {
    /* Affects what a training step does.  Part of the cell id and of the files
     * that `trace` writes. */
    KEY_TRACED,
    /* Part of the cell id only: source of the data, length, decoding. */
    KEY_HASHED,
    KEY_AXIS,   /* variant, task, scale or seed: together they name a cell   */
    KEY_RUNTIME /* changes no result and is not part of the cell id          */
};

struct key {
    const char            *name;
    const struct key_type *type;
    size_t                 offset, size; /* of the field                  */
    enum key_role          role;
    /* The default, as text.  It must never change, because configurations omit
     * keys that have their default.  Defaults that may change are in
     * key_customs (config/key_table.h). */
    const char            *initial;
    double                 low, high;    /* the range of a number         */
    const char *const     *choices;      /* the words; ends with NULL     */
    const char            *help;
};

/* Returns 1 if both structs have the same bytes in the field of `k`, and its
 * type is one of the types above, so that its value is the same. */
int key_alike(const struct key *k, const void *a, const void *b);

/* Returns the allowed values, such as "1 to 256", "layer, rms" or
 * "false, true", or "" if only the help text describes them.  The caller frees
 * the text. */
char *key_range(const struct key *k);

/* Helpers for types that other modules define.  key_wrong and key_outside
 * return ERR_USAGE; their messages say that `text` has the wrong type (`want`
 * is expected) or is out of range.  key_put and key_text_json are the functions
 * `set` and `json` for a field that is a char[]. */
int   key_wrong(const struct key *k, const char *text, const char *want);
int   key_outside(const struct key *k, const char *text);
int   key_put(const struct key *k, void *of, const char *text);
char *key_text_json(const struct key *k, const void *of);
