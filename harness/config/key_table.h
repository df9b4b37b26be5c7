/*
 * key_table: lists every configuration key; settings.h uses the list.  The
 * defaults are those of the preset `t2t` (Tensor2Tensor) for a small model.
 * The names are those of common training tools.  To add a key, add its field to
 * train/config.h and its row to key_table.c.  A key of a single variant is a
 * knob of that variant instead (nn/knob.h).  A new key changes no cell id.
 */
#pragma once

#include "harness/base/key.h"
#include "harness/nn/attention.h"

/* Returns key number `i`, or NULL after the last one.  The keys whose fields
 * are in struct config come first, then the knobs of all variants, then
 * score_rate.PART for each variant PART that can be part of a mixture.  Sets
 * *by to the variant that declares the key as a knob, or to NULL. */
const struct key *key_at(int i, const struct variant **by);

enum { KEY_ANY = -1 };

/* A value that a preset, a scale or a kind of task sets in place of a key's
 * default.  An assignment in a file or option overrides it. */
struct key_custom {
    const char *preset, *scale; /* NULL: any                  */
    int         kind;           /* enum task_kind, or KEY_ANY */
    const char *key, *value;
};

extern const struct key_custom key_customs[]; /* ends with a key of NULL */
