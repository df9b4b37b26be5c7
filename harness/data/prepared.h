/*
 * prepared: reads and writes files under CACHE/prepared/ that keep results
 * which are slow to compute: datasets, tokenizers and digests of official data.
 * To read, call prepared_open; to write, call prepared_put, or preparing_begin,
 * preparing_add and preparing_end.
 *
 *     names     KEY.dataset, KEY.tokenizer, KEY.digest
 *     content   "synthbench prepared 2 " and the SHA-256 of the payload, padded
 *               with blanks and \n to 128 bytes; then the payload
 *
 * KEY is a SHA-256 of everything that the content depends on, so a file is
 * never out of date, and files may be deleted at any time.  Files are written
 * atomically, and processes that prepare the same file at the same time write
 * the same bytes.  If a process is killed while it writes, the next process
 * that prepares the same file removes the incomplete temporary file.
 */
#pragma once

#include "harness/base/owned.h"
#include "harness/base/file.h"

struct prepared { /* starts as {0} */
    const char *data; /* the payload, page-aligned */
    size_t bytes;
    struct file_map file;
};

/* Maps the file CACHE/prepared/KEY.KIND and sets *out to its payload.  Returns
 * 1 on success, 0 if there is no such file or its digest does not match, or an
 * error if the file cannot be read.  A damaged file is reported on stderr. */
int prepared_open(struct prepared *out, const char *cache, const char *key,
                  const char *kind);
/* Copies the last `bytes` bytes of the payload to `out`.  Does not verify the
 * file, which may be damaged.  Returns 1, or 0 if there is no such file or the
 * payload is too short. */
int prepared_last(void *out, size_t bytes, const char *cache, const char *key,
                  const char *kind);
void prepared_close(struct prepared *p);
OWNER_OF_VALUE(prepared_close, struct prepared)

/* Writes a file in one call; `data` is the payload. */
int prepared_put(const void *data, size_t bytes, const char *cache,
                 const char *key, const char *kind);

/* To write a file piece by piece, call preparing_begin, preparing_add for each
 * piece, and preparing_end.  If one of these functions or the caller's own code
 * fails, call preparing_drop, which accepts NULL. */
struct preparing;

int  preparing_begin(struct preparing **out, const char *cache,
                     const char *key, const char *kind);
int  preparing_add(struct preparing *p, const void *data, size_t bytes);
int  preparing_end(struct preparing *p);
void preparing_drop(struct preparing *p);
OWNER(preparing_drop, struct preparing *)
