/*
 * variants: finds the attention variants by name and parses mixtures of them,
 * for all other modules.  Each variant is one file, variants/NAME.c, and one
 * row in variants/list.h.
 */
#pragma once

#include "harness/nn/attention.h"

/* All variants, in the order of list.h; ends with NULL. */
extern const struct variant *const variant_all[];

/* Sets *out to the variant of this name.  Returns OK; or, if there is no such
 * variant, ERR_USAGE with the most similar name in the message. */
int variant_find(const struct variant **out, const char *name);

/*
 * Parses a mixture "a+b+..." or a single variant "a".  A mixture has at most
 * MIX_PARTS parts, all different, in any order.  mix_parse sorts the parts into
 * the reverse order of variants/list.h (random+vanilla, dense+vanilla) and
 * writes the `name` in this order.  Returns OK, or ERR_USAGE if `text` is not a
 * mixture.
 */
enum { MIX_NAME = 64 };
int mix_parse(struct mix *out, char name[MIX_NAME], const char *text);
/* mix_read is mix_parse, but keeps the parts in the order of `text`.  mix_name
 * writes the name of a mixture, or returns ERR_USAGE if the name is too
 * long. */
int mix_read(struct mix *out, const char *text);
int mix_name(char name[MIX_NAME], const struct mix *m);
