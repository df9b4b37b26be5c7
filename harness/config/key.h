/*
 * key: one configuration key, and the types a key can have.  A type reads the
 * text that people write into a field of struct config and prints the field
 * again; what it prints, it reads back to the same bits.
 */
#ifndef CONFIG_KEY_H
#define CONFIG_KEY_H

#include "harness/train/config.h"

#include <stddef.h>

struct key;

struct key_type {
    int (*set)(const struct key *k, struct config *c, const char *text);
    /* The field as a word of JSON (text with its quotes); caller frees. */
    char *(*json)(const struct key *k, const struct config *c);
};

extern const struct key_type key_int, key_seed, key_real, key_bool;
extern const struct key_type key_word;    /* char[], one of `choices`   */
extern const struct key_type key_enum;    /* its index in `choices`     */
extern const struct key_type key_heads;   /* 8, "code", "equal", 8:code */
extern const struct key_type key_widths;  /* "3,7,15"                   */
extern const struct key_type key_variant; /* char[], see mix_parse      */
extern const struct key_type key_task;    /* char[], see task_find  */
extern const struct key_type key_r_init;  /* normal:S or glorot         */
extern const struct key_type key_pretrained; /* none, task or cell id   */

int key_is_id(const char *text); /* of a cell: 16 hexadecimal digits */

enum key_role { KEY_AXIS, KEY_HASHED, KEY_RUNTIME };

struct key {
    const char            *name;
    const struct key_type *type;
    size_t                 offset, size; /* of the field in struct config */
    enum key_role          role;
    const char            *initial;      /* the default, as text: what a
                                            text without the key says, so it
                                            never changes (key_customs can) */
    double                 low, high;    /* numbers: the range            */
    const char *const     *choices;      /* words: ends with NULL         */
    const char            *help;
};

#endif
