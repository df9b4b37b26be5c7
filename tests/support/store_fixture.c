#include "tests/support/store_fixture.h"

#include "tests/support/untrained_cells.h"
#include "tests/support/scratch.h"

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
