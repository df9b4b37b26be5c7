/*
 * settings_rules: checks the rules between settings; private to harness/config.
 *
 * `a` has the `n` assignments of a configuration in order.  If two settings
 * conflict, the functions return ERR_USAGE, and the message has FILE:LINE of
 * the later assignment.
 */
#pragma once

#include "harness/config/settings.h"

int rules_check(const struct config *c, const struct assign *a, int n);

/* Checks that c->length is at least LENGTH_MIN, the length of the shortest
 * example of any task. */
int rules_check_length(const struct config *c, const struct assign *a, int n);
