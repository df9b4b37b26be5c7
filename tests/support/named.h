/* named: what the tests pick by name from the program's own list. */
#pragma once

#include "harness/verify/attention/layer.h"

enum { NAMES = SUBJECTS };

/* Every variant, then mixtures, each once; returns how many. */
int named_all(const char *name[NAMES]);

/* "random+dense", in this order; aborts at a part that does not exist. */
struct mix named_mix(const char *name);
struct subject named_subject(const char *name, enum mix_rule rule);
