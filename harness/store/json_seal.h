/*
 * json_seal: JSON files whose last member tells whether they are as they were
 * written:
 *
 *     {..., "seal": "SHA-256 of all bytes before this member"}
 *
 * Private to this folder.
 */
#ifndef STORE_JSON_SEAL_H
#define STORE_JSON_SEAL_H

#include "harness/base/json.h"

/* The text of an object, sealed; caller frees.  NULL: it cannot be written. */
char *json_seal(const json_t *object);

/* OK, or ERR_STORE without saying where: no seal, or another's. */
int json_sealed(const char *text, size_t n);

#endif
