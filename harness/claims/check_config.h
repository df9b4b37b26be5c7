/* check_config: reads the model configuration from the arguments of a check.
 * The checks of counts and costs call it. */
#pragma once

#include "harness/claims/check.h"
#include "harness/nn/attention.h"
#include "harness/train/config.h"

/* Sets *c to the configuration and *mix to the attention of a variant.  The
 * check's argument whose name is `who` states the variant; the default is
 * vanilla.  The check's argument `model` is "base" (the default), one encoder
 * layer of the Synthesizer paper's base shape, or "T5-base", the model of the
 * paper's Table 4.  The check's argument `settings`, such as "d=512 heads=8",
 * changes settings of the model.  Returns ERR_USAGE if an argument is invalid
 * or the variant cannot be built. */
int check_config(struct config *c, struct mix *mix, const struct check_args *a,
                 const char *who);
