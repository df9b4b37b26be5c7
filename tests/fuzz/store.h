/* store: what a store holds, and what is asked of the program, as formats for
 * the fuzzer (fuzz.c). */
#pragma once

#include <stddef.h>
#include <stdint.h>

struct store_format {
    const char *name;
    int         most; /* bytes of an input */
    /* Sound ones, into a folder. */
    void      (*seeds)(const char *folder);
    /* Reads one, as a file of the store: whatever seals it is put right. */
    void      (*read)(const char *store, const uint8_t *data, size_t size);
};

extern const struct store_format store_formats[]; /* ends with {NULL} */

/* Baselines (baseline.c), whose digests are put right, and the test examples
 * beside them. */
void baseline_seeds(const char *folder);
void baseline_input(const char *store, const uint8_t *data, size_t size);
void kept_seeds(const char *folder);
void kept_input(const char *store, const uint8_t *data, size_t size);

/* Experiments and claims (asked.c). */
void asked_seeds(const char *folder);
void asked_input(const char *store, const uint8_t *data, size_t size);
void claims_seeds(const char *folder);
void claims_input(const char *store, const uint8_t *data, size_t size);
