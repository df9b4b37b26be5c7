/*
 * variants: the attention variants that are compared, and mixtures of them by
 * name.  Each variant is one file, variants/NAME.c, and one row in
 * variants/list.h.  Other modules find variants and parse mixtures here.
 */
#pragma once

#include "harness/nn/attention.h"

/* In the order of list.h; ends with NULL. */
extern const struct variant *const variant_all[];

/* Returns ERR_USAGE, with the nearest name in the message, if there is no such
 * variant. */
int variant_find(const struct variant **out, const char *name);

/*
 * Parses "a" or "a+b+...": the parts of a mixture, each at most once, at most
 * MIX_PARTS.  Parts may be in any order; mix_parse sorts them into that of
 * mixture names, which is the reverse of variants/list.h: random+vanilla,
 * dense+vanilla.  If text is not a mixture, mix_parse and mix_read return
 * ERR_USAGE.
 */
enum { MIX_NAME = 64 };
int mix_parse(struct mix *out, char name[MIX_NAME], const char *text);
/* mix_read keeps the parts in the order of text.  mix_name writes their name,
 * or returns ERR_USAGE if it is too long. */
int mix_read(struct mix *out, const char *text);
int mix_name(char name[MIX_NAME], const struct mix *m);
