/*
 * prepared: what took long to make, kept under CACHE/prepared/.
 *
 *     KEY.dataset, KEY.tokenizer     "synthbench prepared 1 SHA-256\n", payload
 *
 * KEY is a SHA-256 of all that the content depends on, so nothing here is ever
 * out of date and files may be deleted at will.  Files are written atomically:
 * processes that prepare the same thing at once write the same bytes.
 */
#ifndef DATA_PREPARED_H
#define DATA_PREPARED_H

#include "harness/base/arena.h"

/* 1: *data is the payload, in arena a; 0: there is none, or its digest does
 * not fit, which is said on stderr. */
int prepared_get(const char **data, size_t *bytes, const char *cache,
                 const char *key, const char *kind, struct arena *a);
int prepared_put(const void *data, size_t bytes, const char *cache,
                 const char *key, const char *kind);

#endif
