/* STORE/index.h5: /cells/ID is an external link to cells/ID.h5. */
#include "harness/base/clock.h"
#include "harness/base/err.h"
#include "harness/base/file.h"
#include "harness/base/str.h"
#include "harness/store/h5.h"
#include "harness/store/store_private.h"

#include <stdlib.h>

static int link_cells(hid_t file, const char *path, char *const *id, int n)
{
    char now[32];
    hid_t root = h5_group(file, ""), cells = h5_group(file, "cells");
    int bad = root < 0 || cells < 0 ||
              h5_text(root, "Conventions", "CF-1.8, ACDD-1.3") ||
              h5_text(root, "title", "synthbench: the finished cells") ||
              h5_text(root, "date_created", clock_iso(now));

    for (int i = 0; i < n && !bad; i++) {
        char *target = str_format("cells/%s.h5", id[i]);

        bad = H5Lcreate_external(target, "/", cells, id[i], H5P_DEFAULT,
                                 H5P_DEFAULT) < 0;
        free(target);
    }
    if (cells >= 0)
        H5Gclose(cells);
    if (root >= 0)
        H5Gclose(root);
    return bad ? h5_fail(path, "cells") : OK;
}

int store_reindex(struct store *s)
{
    char *path = str_format("%s/index.h5", s->path), **id = NULL;
    char *image = NULL;
    size_t bytes;
    hid_t file = H5I_INVALID_HID;
    int rc, n = 0;

    TRY(store_list(s, &id, &n));
    file = h5_create(path);
    if (file < 0)
        TRY(h5_fail(path, ""));
    TRY(link_cells(file, path, id, n));
    TRY(h5_bytes(file, path, &image, &bytes));
    TRY(file_write(path, image, bytes));
out:
    if (file >= 0)
        H5Fclose(file);
    for (int i = 0; i < n; i++)
        free(id[i]);
    free(id);
    free(image);
    free(path);
    return rc;
}
