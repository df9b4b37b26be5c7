/*
 * settings_rules: which settings go together; for config's own files.
 *
 * a[n]: who wrote what, in order: the later of two that do not fit is named
 * with its FILE:LINE.  ERR_USAGE.
 */
#pragma once

#include "harness/config/settings.h"

int rules_check(const struct config *c, const struct assign *a, int n);

/* Of a task: its examples have a shortest length. */
int rules_check_length(const struct config *c, const struct assign *a, int n);
