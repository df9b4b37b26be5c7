/*
 * image: an HDF5 file in memory, read without the library; private to this
 * folder.
 *
 * A cell may come from anybody, and HDF5 is not made for that: of cells with
 * one to three bytes changed, sealed again, 1.10.8 crashes on 2 in 100, on 5
 * in 100 where the checksums inside are made right too; and a sound file may
 * name other files to be read.  So the library only writes here, and this reads
 * what the library makes of our calls, and nothing else:
 *
 *   superblock 0, offsets and lengths of 8 bytes
 *   groups       of both formats (h5py's traces have the older): symbol
 *                tables, link messages, links in a fractal heap; hard links
 *   attributes   in the object header or in a fractal heap
 *   values       float32 and float64, int32 and int64, of little end, and
 *                UTF-8 or ASCII texts of variable length (global heap)
 *   data sets    compact, contiguous, or chunked (whole rows of the first
 *                dimension; deflate, after shuffle or not), of a fixed shape,
 *                all of it stored
 *   scales       what HDF5 keeps of them in attributes, texts of fixed length
 *                and references, is passed over
 *
 * No byte serves twice: every part of the file that is looked at is marked, and
 * what is marked already is refused.  So there is no circle, no object of two
 * names, no chunk or text that many share; time and memory are linear in the
 * length of the file, and what a dataset claims to hold is bounded by it.
 * Checksums inside are not computed: the seal stands for them.
 *
 * Everything fails with image_why, which says what is wrong and where.
 */
#pragma once

#include "harness/base/owned.h"

#include <stddef.h>
#include <stdint.h>

enum image_type {
    IMAGE_FLOAT, IMAGE_DOUBLE, IMAGE_INT, IMAGE_LONG, IMAGE_TEXT,
    IMAGE_OTHER /* of attributes alone: nobody reads it */
};
enum { IMAGE_RANK = 4, IMAGE_NAME = 255 };

struct image_chunk { uint64_t first, at, bytes; int deflated, shuffled; };

struct image_value {
    enum image_type     type;
    int                 rank;  /* 0: one value                          */
    uint64_t            dim[IMAGE_RANK], n; /* n: their product         */
    uint64_t            at, bytes; /* where it stands, of a plain one   */
    uint64_t            chunk; /* values a chunk; 0: plain              */
    int                 chunks, deflated, shuffled;
    struct image_chunk *part;  /* in order of `first`                   */
};

struct image_attribute {
    const char        *name;
    struct image_value value;
};

struct image_object {
    const char              *name;    /* "" of the root                  */
    int                      is_data; /* else a group                    */
    struct image_value       value;   /* of data                         */
    size_t                   attributes, children;
    struct image_attribute  *attribute;
    struct image_object    **child; /* as they were made, if that is told */
};

struct image;

/* Reads the structure; `bytes` must outlive the image.  -1: image_why(*out)
 * says it; the caller closes *out in any case. */
int  image_open(struct image **out, const void *bytes, size_t n);
void image_close(struct image *f);
OWNER(image_close, struct image *)
const char *image_why(const struct image *f);

const struct image_object *image_root(const struct image *f);
/* "curves/train/loss", "" for the root; NULL: there is none. */
const struct image_object *image_find(const struct image *f, const char *path);
const struct image_attribute *image_attribute(const struct image_object *o,
                                              const char *name);

/* The n values of a type of numbers, each of the value's own size. */
int image_numbers(struct image *f, const struct image_value *v, void *out);
/* As float64; integers beyond 2^53 are rounded. */
int image_reals(struct image *f, const struct image_value *v, double *out);
/* n texts: UTF-8 without NUL, in memory of their own; the caller frees each,
 * also those before a failure (the others are NULL). */
int image_texts(struct image *f, const struct image_value *v, char **out);
