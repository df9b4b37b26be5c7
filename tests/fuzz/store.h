/* store: formats that the fuzzer (fuzz.c) tests in addition to official files:
 * the contents of a store, and user input. */
#pragma once

#include <stddef.h>
#include <stdint.h>

struct store_format {
    const char *name;
    int         most; /* bytes of an input */
    /* Writes valid inputs into a folder. */
    void      (*seeds)(const char *folder);
    /* Reads an input as a file of the store; its seal is recomputed. */
    void      (*read)(const char *store, const uint8_t *data, size_t size);
};

extern const struct store_format store_formats[]; /* ends with {NULL} */

/* The format of baselines (baseline.c), whose digests are recomputed. */
void baseline_seeds(const char *folder);
void baseline_input(const char *store, const uint8_t *data, size_t size);

/* The formats of experiments and claims (asked.c). */
void asked_seeds(const char *folder);
void asked_input(const char *store, const uint8_t *data, size_t size);
void claims_seeds(const char *folder);
void claims_input(const char *store, const uint8_t *data, size_t size);
