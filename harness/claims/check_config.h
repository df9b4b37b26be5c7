/* check_config: reads the model configuration from the arguments of a check.
 * The checks of counts and costs call it. */
#pragma once

#include "harness/claims/check.h"
#include "harness/nn/attention.h"
#include "harness/train/config.h"

/* Reads the configuration of the variant that argument `who` names (default:
 * vanilla).  Argument `model` names the model: "base", one encoder layer of the
 * paper's base shape (the default), or "T5-base", the model of its Table 4.
 * Argument `settings`, such as "d=512 heads=8", changes its settings.  Returns
 * ERR_USAGE if an argument is invalid or the variant cannot be built. */
int check_config(struct config *c, struct mix *mix, const struct check_args *a,
                 const char *who);
