/* store_fixture: gives each test an empty store in a new folder. */
#pragma once

#include "harness/store/store.h"

extern char *folder;
extern struct store *store;
extern const char *id; /* id of an arbitrary cell */

int store_setup(void **state);
int store_teardown(void **state);
