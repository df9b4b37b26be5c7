/*
 * variants: what is compared.  One file a variant, variants/NAME.c, with one
 * row in variants/list.h; and mixtures of them, by name.
 */
#pragma once

#include "harness/nn/attention.h"

/* In the order of the list; ends with NULL. */
extern const struct variant *const variant_all[];

/* ERR_USAGE with the nearest name. */
int variant_find(const struct variant **out, const char *name);

/*
 * "a" or "a+b+...": the parts of a mixture, each once, at most MIX_PARTS.
 * Any order is understood; the parts are put in the order of mixture names,
 * which is that of variants/list.h backwards: random+vanilla, dense+vanilla.
 */
enum { MIX_NAME = 64 };
int mix_parse(struct mix *out, char name[MIX_NAME], const char *text);
/* The parts in the order in which they are written; and their name. */
int mix_read(struct mix *out, const char *text);
int mix_name(char name[MIX_NAME], const struct mix *m);
