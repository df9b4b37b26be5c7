#include "harness/base/datadir.h"

#include "harness/base/arena.h"
#include "harness/base/err.h"
#include "harness/base/file.h"
#include "harness/base/names.h"
#include "harness/base/str.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int datadir_program(char out[PATH_MAX])
{
    ssize_t n = readlink("/proc/self/exe", out, PATH_MAX - 1);

    if (n < 0)
        return err_errno(ERR_IO, "/proc/self/exe");
    out[n] = 0;
    *strrchr(out, '/') = 0;
    return OK;
}

int datadir_find(char **out, const char *name)
{
    const char *asked = getenv("SYNTHBENCH_DATA"), *path[4] = {NULL};
    OWNED(arena_free) struct arena *a = arena_new();
    char program[PATH_MAX];

    *out = NULL;
    if (asked && *asked) {
        path[0] = arena_format(a, "%s/%s", asked, name);
    } else {
        PASS(datadir_program(program));
        path[0] = arena_format(a, "%s/../share/synthbench/%s", program, name);
        path[1] = arena_format(a, "%s/../../%s", program, name);
        path[2] = arena_format(a, "./%s", name);
    }
    for (int i = 0; path[i] && !*out; i++)
        if (file_exists(path[i]))
            *out = str_copy(path[i]);
    if (*out)
        return OK;
    OWNED(free) char *all = names_list(path);
    return err_set(ERR_DATA, "%s is missing (searched: %s); run `make "
                   "install`, or set SYNTHBENCH_DATA to the folder that "
                   "contains %s", name, all, name);
}
