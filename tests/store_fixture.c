#include "tests/store_fixture.h"

#include "tests/made.h"
#include "tests/scratch.h"

char *folder;
struct store *store;
const char *id;

int store_setup(void **state)
{
    (void)state;
    folder = scratch_make();
    id = made_id("some");
    return store_open(&store, folder, 1);
}

int store_teardown(void **state)
{
    (void)state;
    store_close(store);
    scratch_remove(folder);
    return 0;
}
