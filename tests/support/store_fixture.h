/* store_fixture: an empty store in a folder of its own, for each test. */
#pragma once

#include "harness/store/store.h"

extern char *folder;
extern struct store *store;
extern const char *id; /* of some cell */

int store_setup(void **state);
int store_teardown(void **state);
