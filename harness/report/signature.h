/*
 * signature: what the numbers of a row are of, in one line to quote beside
 * them.  Two rows that differ in any of it have other signatures.
 *
 *     SB|t:wmt14_ende;lm1b|sc:reduced|v:random+vanilla|s:1-3|
 *     m:bleu/13a/exp/5c1d,ce/41d7;ppl/0b9e|o:9f1c2a77;0d3be8b1|
 *     d:3fa90c12;b1f7de20|n:2|p:bbee9b5
 *
 *   t   tasks
 *   sc  scale
 *   v   variant; of a mixture all its parts; behind it what is varied:
 *       random,steps=700
 *   s   seeds that were trained: 1-3,5
 *   m   metrics: the name, then of how it is computed (struct metric,
 *       `signature`) tokenizer, smoothing and whose tool it follows, and four
 *       digits of the SHA-256 of all of it; of a count or a speed the name
 *   o   settings: of the SHA-256 of the cells' ids, line by line, by seed; an
 *       id hashes the resolved configuration, data recipe and numerics version
 *   d   data: of the digest of the examples (provenance/data_digest)
 *   n   numerics version
 *   p   program: the commits that trained the cells, as a table names them
 *
 * o and d have eight digits.  `;` stands between tasks: a field has a value for
 * each, or one that is all tasks'.  `,` stands between the values of one task.
 * What is not recorded is "-".  There is one way to write a signature: fields
 * in this order, seeds and equal values drawn together.
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

/* Of one field: "bleu/13a/exp/5c1d;ppl/0b9e". */
const char *signature_value(const struct signature *s, enum signed_field f,
                            struct arena *a);

/* ERR_USAGE: it is none, of another form, a field is unknown, twice or not
 * there, or it is not written in the one way.  What it says need not be. */
int signature_read(struct signature *out, const char *text, struct arena *a);

/* ---- the parts of it ---- */

/* "bleu/13a/exp/5c1d"; how: the metric's own signature, NULL: it has none. */
const char *signature_metric(const char *name, const char *how,
                             struct arena *a);

struct signed_seeds { int n; long long *seed; }; /* ascending, each once */

enum { SIGNED_SEEDS_MOST = 10000 };

const char *signature_seeds(const struct signed_seeds *s, struct arena *a);
int         signature_read_seeds(struct signed_seeds *out, const char *text,
                                 struct arena *a); /* ERR_USAGE */

/* The first digits of a digest, or all of a name, such as may stand in one. */
const char *signature_plain(const char *text, int digits, struct arena *a);
