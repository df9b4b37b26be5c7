#include "harness/base/share.h"

#include "harness/base/err.h"
#include "harness/base/file.h"
#include "harness/base/str.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The folder of the running program, without a closing slash. */
static int program_folder(char out[PATH_MAX])
{
    ssize_t n = readlink("/proc/self/exe", out, PATH_MAX - 1);

    if (n < 0)
        return err_errno(ERR_IO, "/proc/self/exe");
    out[n] = 0;
    *strrchr(out, '/') = 0;
    return OK;
}

int share_find(char **out, const char *name)
{
    static const char *const below[] = {"/../share/synthbench", "/../.."};
    const char *asked = getenv("SYNTHBENCH_DATA");
    char program[PATH_MAX], *path[3] = {NULL};
    int n = 0, rc = OK;

    *out = NULL;
    if (asked && *asked) {
        path[n++] = str_format("%s/%s", asked, name);
    } else {
        TRY(program_folder(program));
        for (int i = 0; i < 2; i++)
            path[n++] = str_format("%s%s/%s", program, below[i], name);
        path[n++] = str_format("./%s", name);
    }
    for (int i = 0; i < n && !*out; i++)
        if (file_exists(path[i]))
            *out = str_copy(path[i]);
    if (!*out)
        rc = err_set(ERR_DATA, "%s is missing; it was looked for as %s%s%s%s%s:"
                     " run `make install`, or set SYNTHBENCH_DATA to the folder"
                     " that holds %s", name, path[0], n > 1 ? ", " : "",
                     n > 1 ? path[1] : "", n > 1 ? ", " : "",
                     n > 1 ? path[2] : "", name);
out:
    for (int i = 0; i < n; i++)
        free(path[i]);
    return rc;
}
