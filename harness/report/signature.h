/*
 * signature: writes and reads signatures.  The signature of a row is one line,
 * to be quoted with the numbers of the row.  It identifies what these numbers
 * were measured on, and how.  If two rows differ in any part listed below,
 * their signatures differ.
 *
 *     SB|t:wmt14_ende;lm1b|sc:reduced|v:random+vanilla|s:1-3|
 *     m:bleu/13a/exp/5c1d,ce/41d7;ppl/0b9e|o:9f1c2a77;0d3be8b1|
 *     d:3fa90c12;b1f7de20|n:2|p:bbee9b5
 *
 *   t   tasks
 *   sc  scale
 *   v   variant: all parts of a mixture, then the varied settings:
 *       random,steps=700
 *   s   seeds that were trained: 1-3,5
 *   m   metrics.  For a count or a speed, only the name.  For other metrics,
 *       also the tokenizer, smoothing and reference tool named in the metric's
 *       signature (struct metric), and four digits of the SHA-256 of this
 *       signature
 *   o   settings: digits of the SHA-256 of a list of the cells' ids, by seed,
 *       one per line.  An id is a hash of the resolved configuration, data
 *       recipe and numerics version
 *   d   data: digits of the examples' digest (provenance/data_digest)
 *   n   numerics version
 *   p   program: the commits that trained the cells, as tables print them
 *
 * `o` and `d` have eight digits.  `;` separates tasks: a field has one value
 * for each task, or one value for all tasks.  `,` separates the values of one
 * task.  "-" is written for a value that is not recorded.  In the canonical
 * form, the fields are in this order, ranges of seeds are joined, and a value
 * that is the same for all tasks is written once.
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

/* Returns the signature in canonical form, allocated from `a`. */
const char *signature_text(const struct signature *s, struct arena *a);

/* Returns the value of one field: "bleu/13a/exp/5c1d;ppl/0b9e". */
const char *signature_value(const struct signature *s, enum signed_field f,
                            struct arena *a);

/* Reads a signature; out->task is allocated from `a`.  The text is not compared
 * with any store.  Returns ERR_USAGE if the text is not a signature in
 * canonical form, or if a field is unknown, repeated or missing. */
int signature_read(struct signature *out, const char *text, struct arena *a);

/* ---- parts of a signature ---- */

/* Returns "bleu/13a/exp/5c1d".  how: the metric's signature, or NULL if the
 * metric has none. */
const char *signature_metric(const char *name, const char *how,
                             struct arena *a);

struct signed_seeds { int n; long long *seed; }; /* ascending, each once */

enum { SIGNED_SEEDS_MOST = 10000 };

/* signature_seeds returns the seeds in the form "1-3,5".  signature_read_seeds
 * reads this form, and returns ERR_USAGE if the text has another form. */
const char *signature_seeds(const struct signed_seeds *s, struct arena *a);
int         signature_read_seeds(struct signed_seeds *out, const char *text,
                                 struct arena *a);

/* Returns the first `digits` characters of `text`, or all if `digits` is 0.
 * Each character that a signature cannot contain is replaced by `_`. */
const char *signature_plain(const char *text, int digits, struct arena *a);
