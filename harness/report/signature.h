/*
 * signature: states in one line what the numbers of a row were measured on and
 * how, to be quoted with them.  If two rows differ in any of this, their
 * signatures differ.
 *
 *     SB|t:wmt14_ende;lm1b|sc:reduced|v:random+vanilla|s:1-3|
 *     m:bleu/13a/exp/5c1d,ce/41d7;ppl/0b9e|o:9f1c2a77;0d3be8b1|
 *     d:3fa90c12;b1f7de20|n:2|p:bbee9b5
 *
 *   t   tasks
 *   sc  scale
 *   v   variant: all parts of a mixture, then the settings that vary:
 *       random,steps=700
 *   s   seeds that were trained: 1-3,5
 *   m   metrics: the name; then, from the way it is computed (struct metric,
 *       `signature`), tokenizer, smoothing and reference tool, and four digits
 *       of its SHA-256; only the name for a count or a speed
 *   o   settings: from the SHA-256 of the ids of the cells, one per line, by
 *       seed; an id hashes the resolved configuration, data recipe and numerics
 *       version
 *   d   data: from the digest of the examples (provenance/data_digest)
 *   n   numerics version
 *   p   program: the commits that trained the cells, as tables print them
 *
 * o and d have eight digits.  `;` separates tasks: a field has a value for each
 * task, or one value for all.  `,` separates the values of one task.  A value
 * that is not recorded is "-".  A signature has one canonical form: fields in
 * this order, ranges of seeds joined, and equal values of all tasks written
 * once.
 */
#pragma once

#include "harness/base/arena.h"

enum signed_field {
    SIGNED_TASK, SIGNED_SCALE, SIGNED_VARIANT, SIGNED_SEEDS, SIGNED_METRICS,
    SIGNED_SETTINGS, SIGNED_DATA, SIGNED_NUMERICS, SIGNED_PROGRAM,
    SIGNED_FIELDS
};

extern const struct signed_word { const char *key, *what; } signed_word[];

struct signed_task { const char *of[SIGNED_FIELDS]; };

struct signature { int tasks; struct signed_task *task; };

const char *signature_text(const struct signature *s, struct arena *a);

/* Returns the value of one field: "bleu/13a/exp/5c1d;ppl/0b9e". */
const char *signature_value(const struct signature *s, enum signed_field f,
                            struct arena *a);

/* Reads a signature; out->task is allocated from a.  The text is not compared
 * with any store.  Returns ERR_USAGE if the text is not a signature, has
 * another form, has an unknown field, has a field twice or lacks one, or is not
 * in canonical form. */
int signature_read(struct signature *out, const char *text, struct arena *a);

/* ---- parts of a signature ---- */

/* Returns "bleu/13a/exp/5c1d".  how: the signature of the metric, or NULL if it
 * has none. */
const char *signature_metric(const char *name, const char *how,
                             struct arena *a);

struct signed_seeds { int n; long long *seed; }; /* ascending, each once */

enum { SIGNED_SEEDS_MOST = 10000 };

/* signature_seeds returns the seeds as 1-3,5.  signature_read_seeds reads this
 * form, and returns ERR_USAGE if the text does not have it. */
const char *signature_seeds(const struct signed_seeds *s, struct arena *a);
int         signature_read_seeds(struct signed_seeds *out, const char *text,
                                 struct arena *a);

/* Returns the first digits of a digest, or a whole name if `digits` is 0, with
 * `_` for characters that a signature cannot contain. */
const char *signature_plain(const char *text, int digits, struct arena *a);
