/* select_variants: lists variants and mixtures, and finds them by name, for
 * tests. */
#pragma once

#include "harness/verify/attention/layer.h"

enum { NAMES = SUBJECTS };

/* Lists the names of all variants, then of mixtures, each once. Returns their
 * number. */
int named_all(const char *name[NAMES]);

/* Returns the variant of this name or, for a name such as "random+dense", the
 * mixture with its parts in this order. Aborts if a part does not exist. */
struct mix named_mix(const char *name);
struct subject named_subject(const char *name, enum mix_rule rule);
