/*
 * settings_rules: rules between settings, for the files of harness/config only.
 *
 * a[n] are the assignments in order.  If two settings conflict, the functions
 * return ERR_USAGE; the message has FILE:LINE of the later assignment.
 */
#pragma once

#include "harness/config/settings.h"

int rules_check(const struct config *c, const struct assign *a, int n);

/* Checks that `length` is not below the shortest example of any task. */
int rules_check_length(const struct config *c, const struct assign *a, int n);
