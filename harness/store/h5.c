#include "harness/store/h5.h"

#include "harness/base/err.h"
#include "harness/base/str.h"
#include "harness/store/cell.h"
#include "harness/store/store_private.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Sizes in bytes.  A file in memory grows by GROWTH.  CONVERSION is the size of
 * the buffer for type conversions; with the default buffer, HDF5 clears 2 MB
 * for each dataset of strings, which takes longer than everything else for
 * small cells.  PART is the size of a buffer for a name or a message. */
enum { GROWTH = 256 << 10, CONVERSION = 32 << 10, PART = 512 };

/* The last error of HDF5.  HDF5 forgets it at the next call, which may be a
 * close during cleanup. */
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
    /* HDF5 then calls keep_reason instead of printing errors on stderr. */
    H5Eset_auto2(H5E_DEFAULT, keep_reason, NULL);
    OWNED(h5_close) hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    OWNED(h5_close) hid_t make = h5_make(H5P_FILE_CREATE);

    H5Pset_fapl_core(access, GROWTH, 0);
    H5Pset_libver_bounds(access, H5F_LIBVER_EARLIEST, H5F_LIBVER_V18);
    return H5Fcreate(path, H5F_ACC_TRUNC, make, access);
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
    OWNED(h5_close) hid_t make = h5_make(H5P_GROUP_CREATE);
    char name[PART];

    while (*path && group >= 0) {
        size_t n = strcspn(path, "/");
        OWNED(h5_close) hid_t parent = group;

        REQUIRE(n && n < sizeof name, "path %s", path);
        snprintf(name, sizeof name, "%.*s", (int)n, path);
        path += n + (path[n] == '/');
        group = H5Lexists(parent, name, H5P_DEFAULT) > 0
                    ? H5Gopen2(parent, name, H5P_DEFAULT)
                    : H5Gcreate2(parent, name, H5P_DEFAULT, make, H5P_DEFAULT);
    }
    return group;
}

/* Writes the attribute `units`, and also `unit_name` if UDUNITS does not
 * support the usual name (cell_units). */
static int put_units(hid_t data, const char *units)
{
    const char *known = cell_units(units);

    return h5_text(data, "units", known) ||
           (strcmp(known, units) && h5_text(data, "unit_name", units));
}

int h5_dataset(hid_t file, const char *path, const struct h5_data *d)
{
    const char *slash = strrchr(path, '/');
    OWNED(free) char *folder = str_format("%.*s", slash ? (int)(slash - path) :
                                          0, path);
    OWNED(h5_close) hid_t group = h5_group(file, folder);
    OWNED(h5_close) hid_t transfer = H5Pcreate(H5P_DATASET_XFER);
    OWNED(h5_close) hid_t space = d->rank
        ? H5Screate_simple(d->rank, d->dim, NULL) : H5Screate(H5S_SCALAR);

    if (group < 0 || H5Pset_buffer(transfer, CONVERSION, NULL, NULL) < 0)
        return -1;
    hid_t data = H5Dcreate2(group, slash ? slash + 1 : path, d->type, space,
                            H5P_DEFAULT, d->make, H5P_DEFAULT);
    int bad = data < 0 ||
              (H5Sget_simple_extent_npoints(space) > 0 &&
               H5Dwrite(data, d->type, H5S_ALL, H5S_ALL, transfer, d->x) < 0) ||
              (d->units && put_units(data, d->units));
    return (bad | (data >= 0 && H5Dclose(data) < 0)) ? -1 : 0;
}

int h5_attribute(hid_t object, const char *name, hid_t type, const void *value)
{
    if (H5Aexists(object, name) > 0 && H5Adelete(object, name) < 0)
        return -1;
    OWNED(h5_close) hid_t space = H5Screate(H5S_SCALAR);
    hid_t a = H5Acreate2(object, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
    int bad = a < 0 || H5Awrite(a, type, value) < 0;

    return (bad | (a >= 0 && H5Aclose(a) < 0)) ? -1 : 0;
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
    OWNED(h5_close) hid_t type = h5_string();

    return h5_attribute(object, name, type, &value);
}

void cell_library(char out[32])
{
    unsigned major = 0, minor = 0, release = 0;

    H5get_libversion(&major, &minor, &release);
    snprintf(out, 32, "hdf5 %u.%u.%u", major, minor, release);
}
