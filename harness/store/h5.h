/*
 * h5: HDF5 as cell, trace and index write it; private to this folder.  They are
 * read by image.h.
 *
 * Files are made as images in memory (the core driver): the disk is
 * touched by base/file.h alone, so that a full disk is an ordinary error and a
 * file is there whole or not at all.  Objects keep their creation order and
 * checksums, and no times: equal contents give equal bytes.
 *
 * The superblock is of version 0: up to HDF5 1.14.5 H5Fget_file_image spoils
 * the checksum that later versions carry.
 */
#pragma once

#include "harness/base/owned.h"

#include <hdf5.h>

/* Negative: h5_fail says why. */
hid_t h5_create(const char *path);

/* The file as it would stand on disk at `path`, with room for its seal behind;
 * the caller frees *image. */
int h5_bytes(hid_t file, const char *path, char **image, size_t *n);

/* Properties of a new file, group or dataset. */
hid_t h5_make(hid_t class);

/* The group at path, made as needed; "" is the root. */
hid_t h5_group(hid_t file, const char *path);

/* An attribute, in place of one of that name. */
int h5_attribute(hid_t object, const char *name, hid_t type,
                 const void *value);
int h5_text(hid_t object, const char *name, const char *value);

/* UTF-8 of variable length, a char * in memory: h5py reads it as str. */
hid_t h5_string(void);

/* A dataset.  `type` is that of the file and of x alike: both have the little
 * end first (image_value.c). */
struct h5_data {
    int            rank;  /* 0: one value                      */
    const hsize_t *dim;   /* [rank]                            */
    hid_t          type, make; /* make: of h5_make             */
    const void    *x;
    const char    *units; /* NULL: it has none                 */
};
int h5_dataset(hid_t file, const char *path, const struct h5_data *d);

/* How a dataset of a cell is stored. */
hid_t cell_storage(int rank, const hsize_t *dim);
/* Names what is in a cell, and along what it lies (cell_layout.c); less than 0:
 * h5_fail says why. */
int cell_lay_out(hid_t file);

/* Whatever it is; less than 0: nothing. */
static inline void h5_close(hid_t id)
{
    if (id >= 0)
        H5Idec_ref(id);
}
OWNER(h5_close, hid_t)

/* ERR_STORE: "FILE:/PATH: HDF5: what the library said". */
int h5_fail(const char *file, const char *path);
