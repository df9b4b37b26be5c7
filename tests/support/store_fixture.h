/* store_fixture: an empty store in a folder of its own, for each test. */
#ifndef TESTS_STORE_FIXTURE_H
#define TESTS_STORE_FIXTURE_H

#include "harness/store/store.h"

extern char *folder;
extern struct store *store;
extern const char *id; /* of some cell */

int store_setup(void **state);
int store_teardown(void **state);

#endif
