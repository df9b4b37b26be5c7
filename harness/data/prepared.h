/*
 * prepared: what took long to make, kept under CACHE/prepared/.
 *
 *     KEY.dataset, KEY.tokenizer, KEY.digest
 *     "synthbench prepared 2 SHA-256", blanks and \n up to byte 128, payload
 *
 * KEY is a SHA-256 of all that the content depends on, so nothing here is ever
 * out of date and files may be deleted at will.  Files are written atomically:
 * processes that prepare the same thing at once write the same bytes.  What a
 * killed process leaves is removed when the same is prepared again.
 */
#pragma once

#include "harness/base/owned.h"
#include "harness/base/file.h"

struct prepared { /* starts as {0} */
    const char *data; /* the payload, aligned as a page is */
    size_t bytes;
    struct file_map file;
};

/* 1: out is the payload; 0: there is none, or its digest does not fit, which is
 * said on stderr. */
int prepared_open(struct prepared *out, const char *cache, const char *key,
                  const char *kind);
/* The last bytes of the payload, without a look at the rest, which may be
 * damaged: 1, or 0 as above. */
int prepared_last(void *out, size_t bytes, const char *cache, const char *key,
                  const char *kind);
void prepared_close(struct prepared *p);
OWNER_OF_VALUE(prepared_close, struct prepared)

int prepared_put(const void *data, size_t bytes, const char *cache,
                 const char *key, const char *kind);

/* The same bit by bit: begin, add ..., end; or drop, after an error of one of
 * these too.  NULL may be dropped. */
struct preparing;

int  preparing_begin(struct preparing **out, const char *cache,
                     const char *key, const char *kind);
int  preparing_add(struct preparing *p, const void *data, size_t bytes);
int  preparing_end(struct preparing *p);
void preparing_drop(struct preparing *p);
OWNER(preparing_drop, struct preparing *)
