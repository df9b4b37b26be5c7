/*
 * key_table: every configuration key.  Defaults are those of preset t2t for a
 * small model; names are the ones the field's tools use.  To add a key: its
 * field in train/config.h, its row here.  No id of a cell changes by it.
 */
#ifndef CONFIG_KEY_TABLE_H
#define CONFIG_KEY_TABLE_H

#include "harness/config/key.h"

enum { KEY_COUNT_MAX = 96, KEY_ANY = -1 };

extern const struct key key_table[]; /* ends with a name of NULL */

/* What a preset, a scale and a kind of task say, before anybody else does. */
struct key_custom {
    const char *preset, *scale; /* NULL: any           */
    int         kind;           /* enum task_kind, or KEY_ANY */
    const char *key, *value;
};

extern const struct key_custom key_customs[]; /* ends with a key of NULL */

#endif
