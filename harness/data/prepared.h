/*
 * prepared: files under CACHE/prepared/ that keep results which are slow to
 * compute.  Open with prepared_open; write with prepared_put, or piece by piece
 * with preparing_begin, preparing_add and preparing_end.
 *
 *     KEY.dataset, KEY.tokenizer, KEY.digest
 *     "synthbench prepared 2 SHA-256", blanks and \n up to byte 128, payload
 *
 * KEY is a SHA-256 of everything that the content depends on, so a file is
 * never out of date, and files may be deleted at any time.  Files are written
 * atomically: processes that prepare the same thing at the same time write the
 * same bytes.  The next process that prepares it removes what a killed process
 * left.
 */
#pragma once

#include "harness/base/owned.h"
#include "harness/base/file.h"

struct prepared { /* starts as {0} */
    const char *data; /* the payload, page-aligned */
    size_t bytes;
    struct file_map file;
};

/* Returns 1 if the payload is in *out, or 0 if there is no such file or its
 * digest does not match.  A damaged file is reported on stderr. */
int prepared_open(struct prepared *out, const char *cache, const char *key,
                  const char *kind);
/* Copies the last bytes of the payload without checking the rest, which may be
 * damaged.  Returns 1, or 0 if there is no such file or it is too short. */
int prepared_last(void *out, size_t bytes, const char *cache, const char *key,
                  const char *kind);
void prepared_close(struct prepared *p);
OWNER_OF_VALUE(prepared_close, struct prepared)

int prepared_put(const void *data, size_t bytes, const char *cache,
                 const char *key, const char *kind);

/* Write a file piece by piece: begin, add ..., end.  Call drop after an error,
 * also of one of these functions.  preparing_drop accepts NULL. */
struct preparing;

int  preparing_begin(struct preparing **out, const char *cache,
                     const char *key, const char *kind);
int  preparing_add(struct preparing *p, const void *data, size_t bytes);
int  preparing_end(struct preparing *p);
void preparing_drop(struct preparing *p);
OWNER(preparing_drop, struct preparing *)
