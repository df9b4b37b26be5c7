/*
 * variants: finds the attention variants by name and parses mixtures of them,
 * for all other modules.  A file variants/NAME.c has one variant, or several
 * that share code; each variant has a row in variants/list.h.
 *
 * The opening comments of these files use the symbols of the paper (Tay et al.
 * 2021): a sentence X (n,d) has n tokens of width d, and n is at most N; there
 * are h heads of width k, in general k = d/h.  As an index, h is the number of
 * one head, which has the scores B_h (n,n) and the values V_h; X_h (n,k) is the
 * head's slice of X.  Each file states the reach and the maximum of a logit;
 * train/watch.h defines both, and mu.
 */
#pragma once

#include "harness/nn/attention.h"

/* All variants, in the order of list.h; ends with NULL. */
extern const struct variant *const variant_all[];

/* Sets *out to the variant called `name`.  Returns OK; or, if there is no such
 * variant, ERR_USAGE with the most similar name in the message. */
int variant_find(const struct variant **out, const char *name);

/*
 * Parses a mixture "a+b+..." or a single variant "a".  A mixture has at most
 * MIX_PARTS parts, all different.  They can be in any order.  mix_parse sorts
 * the parts into the reverse order of variants/list.h (random+vanilla,
 * dense+vanilla) and writes the name of the sorted mixture to `name`.  Returns
 * OK, or ERR_USAGE if `text` is not a mixture.
 */
enum { MIX_NAME = 64 };
int mix_parse(struct mix *out, char name[MIX_NAME], const char *text);
/* mix_read parses `text` like mix_parse, but keeps the parts in the order of
 * `text`.  mix_name writes the name of a mixture, or returns ERR_USAGE if the
 * name is too long. */
int mix_read(struct mix *out, const char *text);
int mix_name(char name[MIX_NAME], const struct mix *m);
