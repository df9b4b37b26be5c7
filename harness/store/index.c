/* Writes and checks STORE/index.h5, an HDF5 file in which /cells/ID is an
 * external link to cells/ID.h5.  The file is sealed like a cell, with a last
 * line that HDF5 ignores.  Commands that add cells call store_reindex. */
#include "harness/base/err.h"
#include "harness/base/file.h"
#include "harness/base/str.h"
#include "harness/store/h5.h"
#include "harness/store/store_private.h"

#include <stdlib.h>
#include <string.h>

static int link_cells(hid_t file, const char *path, const char *const *id,
                      int n)
{
    OWNED(h5_close) hid_t root = h5_group(file, "");
    OWNED(h5_close) hid_t cells = h5_group(file, "cells");
    int bad = root < 0 || cells < 0 ||
              h5_text(root, "Conventions", "CF-1.8, ACDD-1.3") ||
              h5_text(root, "title", "synthbench: the finished cells");

    for (int i = 0; i < n && !bad; i++) {
        OWNED(free) char *target = str_format("cells/%s.h5", id[i]);

        bad = H5Lcreate_external(target, "/", cells, id[i], H5P_DEFAULT,
                                 H5P_DEFAULT) < 0;
    }
    return bad ? h5_fail(path, "cells") : OK;
}

/* Sets *out to the *n bytes of the sealed index, which depend only on the ids
 * of the cells.  `path` is for messages. */
static int make(struct store *s, const char *path, char **out, size_t *n)
{
    OWNED(h5_close) hid_t file = H5I_INVALID_HID;
    const char **id;
    int cells;

    *out = NULL;
    PASS(store_list(s, &id, &cells));
    file = h5_create(path);
    if (file < 0)
        return h5_fail(path, "");
    PASS(link_cells(file, path, id, cells));
    PASS(h5_bytes(file, path, out, n));
    cell_seal(*out + *n, *out, *n);
    *n += CELL_SEAL;
    return OK;
}

int store_reindex(struct store *s)
{
    OWNED(free) char *path = str_format("%s/index.h5", s->path), *image = NULL;
    size_t n;

    PASS(make(s, path, &image, &n));
    return file_write(path, image, n);
}

/* Compares the file with the bytes that store_reindex would write.  The file is
 * not trusted, so HDF5 does not read it. */
int store_index_check(struct store *s, int *stale)
{
    OWNED(free) char *path = str_format("%s/index.h5", s->path), *own = NULL;
    OWNED(free) char *now = NULL;
    size_t n, m, whole;

    *stale = 0;
    if (!file_exists(path))
        return err_set(ERR_EMPTY, "%s: is missing", path);
    PASS(file_read(&own, &n, path));
    whole = n;
    if (cell_unseal(own, &whole, NULL))
        return err_set(ERR_STORE, "%s: is damaged, or was written by an "
                       "earlier version of synthbench, which did not seal it",
                       path);
    PASS(make(s, path, &now, &m));
    *stale = n != m || memcmp(own, now, n);
    return OK;
}
