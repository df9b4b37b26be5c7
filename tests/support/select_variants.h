/* select_variants: variants and mixtures that tests select by name. */
#pragma once

#include "harness/verify/attention/layer.h"

enum { NAMES = SUBJECTS };

/* Lists every variant, then mixtures, each once; returns their number. */
int named_all(const char *name[NAMES]);

/* Return the mixture "random+dense" with its parts in this order; abort if a
 * part does not exist. */
struct mix named_mix(const char *name);
struct subject named_subject(const char *name, enum mix_rule rule);
