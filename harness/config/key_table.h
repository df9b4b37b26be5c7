/*
 * key_table: every configuration key.  Defaults are those of preset t2t for a
 * small model; names are the ones the field's tools use.  To add a key: its
 * field in train/config.h, its row here; one of a single variant is a knob of
 * that variant (nn/knob.h).  No id of a cell changes by it.
 */
#pragma once

#include "harness/base/key.h"
#include "harness/nn/attention.h"

/* Key number i, or NULL behind the last: those of every cell, whose fields are
 * in struct config, the knobs of all variants, and score_rate.PART for each
 * variant that can be a part of a mixture; *by: the variant that declares it as
 * a knob, or NULL. */
const struct key *key_at(int i, const struct variant **by);

/* What a preset, a scale and a kind of task say, before anybody else does. */
enum { KEY_ANY = -1 };

struct key_custom {
    const char *preset, *scale; /* NULL: any           */
    int         kind;           /* enum task_kind, or KEY_ANY */
    const char *key, *value;
};

extern const struct key_custom key_customs[]; /* ends with a key of NULL */
