/*
 * h5: writes HDF5 files: cells, traces and the index of a store (index.h5);
 * private to harness/store.  image.h reads these files.
 *
 * A file is created in memory (the core driver of HDF5), and base/file.h writes
 * the bytes to disk.  So a full disk is an ordinary error, and a file exists
 * completely or not at all.  Objects keep their creation order and have
 * checksums, but no time stamps, so equal contents yield equal bytes.
 *
 * The superblock has version 0: up to HDF5 1.14.5, H5Fget_file_image corrupts
 * the checksum of later versions.
 */
#pragma once

#include "harness/base/owned.h"

#include <hdf5.h>

/* Creates a file in memory.  Returns a negative value on failure; h5_fail then
 * reports the reason. */
hid_t h5_create(const char *path);

/* Sets *image to the *n bytes of the file, and leaves room for a seal
 * (cell_seal) after them; the caller frees *image.  `path`, where the file will
 * be written, is for messages. */
int h5_bytes(hid_t file, const char *path, char **image, size_t *n);

/* Returns the creation properties of a file, group or dataset; `class` is the
 * HDF5 class of the properties. */
hid_t h5_make(hid_t class);

/* Opens the group at `path`, or creates it if it does not exist; "" is the
 * root. */
hid_t h5_group(hid_t file, const char *path);

/* h5_attribute and h5_text write an attribute; an existing attribute of that
 * name is replaced. */
int h5_attribute(hid_t object, const char *name, hid_t type,
                 const void *value);
int h5_text(hid_t object, const char *name, const char *value);

/* Returns the type of UTF-8 strings of variable length, which are char * in
 * memory and str in h5py. */
hid_t h5_string(void);

/* A dataset.  `type` is both the type in the file and the type of `x`; both are
 * little-endian (image_value.c). */
struct h5_data {
    int            rank;  /* 0: a single value                 */
    const hsize_t *dim;   /* (rank)                            */
    hid_t          type, make; /* make: from h5_make or cell_storage */
    const void    *x;
    const char    *units; /* NULL: no units                    */
};
int h5_dataset(hid_t file, const char *path, const struct h5_data *d);

/* Returns the creation properties of a cell's dataset: large datasets are
 * chunked and compressed. */
hid_t cell_storage(int rank, const hsize_t *dim);
/* Writes the names and dimension scales of a cell's datasets into the file
 * (cell_layout.c).  Returns 0, or -1 on failure; h5_fail then reports the
 * reason. */
int cell_lay_out(hid_t file);

/* Closes any object; a negative id is ignored. */
static inline void h5_close(hid_t id)
{
    if (id >= 0)
        H5Idec_ref(id);
}
OWNER(h5_close, hid_t)

/* Returns ERR_STORE with the message "FILE:/PATH: HDF5: REASON". */
int h5_fail(const char *file, const char *path);
