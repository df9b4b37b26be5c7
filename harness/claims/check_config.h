/* check_config: the configuration that a check's arguments spell. */
#pragma once

#include "harness/claims/check.h"
#include "harness/nn/attention.h"
#include "harness/train/config.h"

/* The variant that argument `who` names (else vanilla), with the keys of
 * argument `settings`, "d=512 heads=8", in the model that argument `model`
 * names: "base", one layer of the paper's base shape, an encoder (so without
 * it), or "T5-base", Table 4's.  ERR_USAGE. */
int check_config(struct config *c, struct mix *mix, const struct check_args *a,
                 const char *who);
