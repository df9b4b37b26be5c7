/*
 * signature: signs the rows and numbers of a table.  A signature is one line,
 * to be quoted with the numbers.  It identifies what these numbers were
 * measured on, and how.  If two rows differ in any part listed below, their
 * signatures differ.
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
 * for each task, or one value for all tasks if they have the same.  `,`
 * separates the values of one task.  "-" is written for a value that is not
 * recorded.
 *
 * A signature is verified by signing the cells that it names again
 * (signature_again), and comparing the two signatures field by field.
 */
#pragma once

#include "harness/report/builds.h"
#include "harness/report/report.h"

enum signed_field {
    SIGNED_TASK, SIGNED_SCALE, SIGNED_VARIANT, SIGNED_SEEDS, SIGNED_METRICS,
    SIGNED_SETTINGS, SIGNED_DATA, SIGNED_NUMERICS, SIGNED_PROGRAM,
    SIGNED_FIELDS
};

extern const struct signed_word { const char *key, *what; } signed_word[];

struct signed_task { const char *of[SIGNED_FIELDS]; };

struct signature { int tasks; struct signed_task *task; };

/* Returns the signature as text, allocated from `a`. */
const char *signature_text(const struct signature *s, struct arena *a);

/* Returns the value of one field: "bleu/13a/exp/5c1d;ppl/0b9e". */
const char *signature_value(const struct signature *s, enum signed_field f,
                            struct arena *a);

/* Splits a signature into its values; out->task is allocated from `a`.  The
 * values are not checked: an invalid one differs from that of any store.
 * Returns ERR_USAGE if the text lacks a field, if a field has neither one value
 * nor one for each task, or if a character cannot be in a signature. */
int signature_read(struct signature *out, const char *text, struct arena *a);

/* Returns "bleu/13a/exp/5c1d".  how: the metric's signature, or NULL if the
 * metric has none. */
const char *signature_metric(const char *name, const char *how,
                             struct arena *a);

/* Signs n > 0 finished cells of one row and task, which are sorted by seed.
 * metric: the names of metrics, ending with NULL.  The field of the metrics has
 * those that any of the cells has, or "-".  If `part` is not NULL, part[i] is
 * set to the part of this field for metric[i], or to NULL.  Adds the builds of
 * the cells to `builds`, unless it is NULL.  Returns ERR_STORE if a cell is
 * damaged. */
int signature_of(struct signed_task *out, const struct report *r,
                 const struct report_cell **cell, int n,
                 const char *const metric[], const char **part,
                 struct builds *builds, struct arena *a);

/*
 * Finds the cells of `r` that correspond to each task of the signature `says`,
 * and signs them: the cells with its task, scale, variant and seeds, or else
 * those with its task, scale and variant and any seeds.  A task without such
 * cells gets "-" in all fields.  Returns ERR_EMPTY if no task has such cells,
 * or ERR_STORE if a cell is damaged.
 */
int signature_again(struct signature *out, const struct signature *says,
                    const struct report *r, struct arena *a);
