#define _XOPEN_SOURCE 700 /* nftw */

#include "tests/support/scratch.h"

#include "harness/base/err.h"
#include "harness/base/str.h"

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

char *scratch_make(void)
{
    const char *tmp = getenv("TMPDIR");
    char *path = str_format("%s/synthbench.XXXXXX", tmp ? tmp : "/tmp");

    REQUIRE(mkdtemp(path), "%s", path);
    return path;
}

static int drop(const char *path, const struct stat *st, int type,
                struct FTW *at)
{
    (void)st;
    (void)type;
    (void)at;
    return remove(path);
}

void scratch_remove(char *path)
{
    nftw(path, drop, 16, FTW_DEPTH | FTW_PHYS);
    free(path);
}

char *scratch_folder;

int scratch_begin(void **state)
{
    (void)state;
    scratch_folder = scratch_make();
    return 0;
}

int scratch_end(void **state)
{
    (void)state;
    scratch_remove(scratch_folder);
    return 0;
}
