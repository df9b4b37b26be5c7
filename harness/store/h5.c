#include "harness/store/h5.h"

#include "harness/base/err.h"
#include "harness/store/cell.h"
#include "harness/store/store_private.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { GROWTH = 256 << 10, PART = 512 };

/* What the library said last.  It forgets at its next call, and that may well
 * be a close on the way out. */
static char reason[PART];

static herr_t innermost(unsigned n, const H5E_error2_t *e, void *unused)
{
    (void)unused;
    if (n == 0)
        snprintf(reason, sizeof reason, "%s", e->desc);
    return 0;
}

static herr_t keep_reason(hid_t stack, void *unused)
{
    return H5Ewalk2(stack, H5E_WALK_UPWARD, innermost, unused);
}

int h5_fail(const char *file, const char *path)
{
    return err_set(ERR_STORE, "%s:/%s: HDF5: %s", file, path, reason);
}

hid_t h5_make(hid_t class)
{
    unsigned order = H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED;
    hid_t make = H5Pcreate(class);

    if (class != H5P_DATASET_CREATE)
        H5Pset_link_creation_order(make, order);
    H5Pset_attr_creation_order(make, order);
    H5Pset_obj_track_times(make, 0);
    return make;
}

hid_t h5_create(const char *path)
{
    H5Eset_auto2(H5E_DEFAULT, keep_reason, NULL); /* and nothing on stderr */
    hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    hid_t make = h5_make(H5P_FILE_CREATE);

    H5Pset_fapl_core(access, GROWTH, 0);
    H5Pset_libver_bounds(access, H5F_LIBVER_EARLIEST, H5F_LIBVER_V18);
    hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, make, access);
    H5Pclose(make);
    H5Pclose(access);
    return file;
}

int h5_bytes(hid_t file, const char *path, char **image, size_t *n)
{
    ssize_t size = -1;

    *image = NULL;
    if (H5Fflush(file, H5F_SCOPE_LOCAL) >= 0)
        size = H5Fget_file_image(file, NULL, 0);
    if (size < 0)
        return h5_fail(path, "");
    *n = (size_t)size;
    *image = malloc(*n + CELL_SEAL + 1);
    if (H5Fget_file_image(file, *image, *n) == size)
        return OK;
    free(*image);
    *image = NULL;
    return h5_fail(path, "");
}

hid_t h5_group(hid_t file, const char *path)
{
    hid_t group = H5Gopen2(file, "/", H5P_DEFAULT);
    hid_t make = h5_make(H5P_GROUP_CREATE);
    char name[PART];

    while (*path && group >= 0) {
        size_t n = strcspn(path, "/");
        hid_t parent = group;

        REQUIRE(n && n < sizeof name, "path %s", path);
        snprintf(name, sizeof name, "%.*s", (int)n, path);
        path += n + (path[n] == '/');
        group = H5Lexists(parent, name, H5P_DEFAULT) > 0
                    ? H5Gopen2(parent, name, H5P_DEFAULT)
                    : H5Gcreate2(parent, name, H5P_DEFAULT, make, H5P_DEFAULT);
        H5Gclose(parent);
    }
    H5Pclose(make);
    return group;
}

int h5_attribute(hid_t object, const char *name, hid_t type, const void *value)
{
    if (H5Aexists(object, name) > 0 && H5Adelete(object, name) < 0)
        return -1;
    hid_t space = H5Screate(H5S_SCALAR);
    hid_t a = H5Acreate2(object, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
    int bad = a < 0 || H5Awrite(a, type, value) < 0;

    if (a >= 0)
        bad |= H5Aclose(a) < 0;
    H5Sclose(space);
    return bad ? -1 : 0;
}

hid_t h5_string(void)
{
    hid_t type = H5Tcopy(H5T_C_S1);

    H5Tset_size(type, H5T_VARIABLE);
    H5Tset_cset(type, H5T_CSET_UTF8);
    return type;
}

int h5_text(hid_t object, const char *name, const char *value)
{
    hid_t type = h5_string();
    int bad = h5_attribute(object, name, type, &value);

    H5Tclose(type);
    return bad;
}

void cell_library(char out[32])
{
    unsigned major = 0, minor = 0, release = 0;

    H5get_libversion(&major, &minor, &release);
    snprintf(out, 32, "hdf5 %u.%u.%u", major, minor, release);
}
