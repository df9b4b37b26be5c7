/*
 * image: reads an HDF5 file in memory, without the HDF5 library; private to
 * harness/store.  Call image_open, then image_find, and read the values of the
 * objects with image_numbers, image_reals and image_texts.
 *
 * The files of cells are not trusted, but the HDF5 library is not safe for such
 * files.  In tests, one to three bytes of a cell were changed and the file was
 * sealed again: HDF5 1.10.8 crashed on 2 files in 100, and on 5 in 100 if the
 * internal checksums were corrected, too.  Even a valid file can make HDF5 read
 * other files.  So HDF5 is used for writing only.  This module supports only
 * the parts of the format that files of harness/store and traces written by
 * h5py use:
 *
 *   superblock 0, offsets and lengths of 8 bytes
 *   groups       both formats (h5py writes the older one): symbol tables, link
 *                messages, links in a fractal heap; only hard links
 *   attributes   in the object header or in a fractal heap
 *   values       float32, float64, int32 and int64, all little-endian; UTF-8 or
 *                ASCII strings of variable length (global heap)
 *   datasets     compact, contiguous or chunked (whole rows of the first
 *                dimension; deflate, with or without shuffle), of a fixed
 *                shape, completely stored
 *   scales       attributes of dimension scales (strings of fixed length and
 *                references) are skipped
 *
 * No byte is used twice: every part of the file that is read is marked, and
 * reading a marked part is an error.  So there are no cycles, no objects with
 * two names, and no shared chunks or strings.  Time and memory are linear in
 * the length of the file, which also bounds the size of a dataset.  Internal
 * checksums are not verified, because the seal protects the whole file.
 *
 * After a failure of any function, image_why returns what is wrong and where.
 */
#pragma once

#include "harness/base/owned.h"

#include <stddef.h>
#include <stdint.h>

enum image_type {
    IMAGE_FLOAT, IMAGE_DOUBLE, IMAGE_INT, IMAGE_LONG, IMAGE_TEXT,
    /* An attribute of any other type.  Its value is not read. */
    IMAGE_OTHER
};
enum { IMAGE_RANK = 4, IMAGE_NAME = 255 };

/* A chunk of a dataset: the index of its first value, its offset and size in
 * the file, and the filters that were applied. */
struct image_chunk { uint64_t first, at, bytes; int deflated, shuffled; };

struct image_value {
    enum image_type     type;
    int                 rank;  /* 0: a single value                     */
    uint64_t            dim[IMAGE_RANK], n; /* n: product of dim        */
    uint64_t            at, bytes; /* offset and size, if not chunked   */
    uint64_t            chunk; /* values per chunk; 0: not chunked      */
    int                 chunks, deflated, shuffled;
    struct image_chunk *part;  /* sorted by `first`                     */
};

struct image_attribute {
    const char        *name;
    struct image_value value;
};

struct image_object {
    const char              *name;    /* "" for the root                 */
    int                      is_data; /* 0: a group                      */
    struct image_value       value;   /* of a dataset                    */
    size_t                   attributes, children;
    struct image_attribute  *attribute;
    /* Members of a group, in the order of creation if the file records it. */
    struct image_object    **child;
};

struct image;

/* Reads the structure of the file of `n` bytes at `bytes`, which must outlive
 * the image.  Returns 0, or -1 on failure; image_why(*out) then returns the
 * reason.  The caller closes *out in both cases. */
int  image_open(struct image **out, const void *bytes, size_t n);
void image_close(struct image *f);
OWNER(image_close, struct image *)
/* Returns the reason of the first failure. */
const char *image_why(const struct image *f);

const struct image_object *image_root(const struct image *f);
/* Returns the object at `path`, such as "curves/train/loss" ("" is the root),
 * or NULL if there is none. */
const struct image_object *image_find(const struct image *f, const char *path);
/* Returns the attribute of that name, or NULL if there is none. */
const struct image_attribute *image_attribute(const struct image_object *o,
                                              const char *name);

/* Reads v->n numbers and writes them to `out` in the type of the file, v->type.
 * Returns 0, or -1 on failure. */
int image_numbers(struct image *f, const struct image_value *v, void *out);
/* Reads v->n numbers as float64; integers beyond 2^53 are rounded.  Returns 0,
 * or -1 on failure. */
int image_reals(struct image *f, const struct image_value *v, double *out);
/* Reads v->n texts, which must be UTF-8 without NUL.  Returns 0, or -1 on
 * failure.  The caller frees every text in both cases; texts that were not read
 * are NULL. */
int image_texts(struct image *f, const struct image_value *v, char **out);
