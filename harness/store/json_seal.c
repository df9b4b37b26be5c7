#include "harness/store/store_private.h"
#include "harness/base/err.h"
#include "harness/base/hash.h"
#include "harness/base/str.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The length of the text after the sealed bytes. */
enum { TAIL = sizeof ",\n \"seal\": \"\"\n}\n" - 1 + HASH_HEX - 1 };

static void seal(char out[TAIL + 1], const char *bytes, size_t n)
{
    char hex[HASH_HEX];

    hash_sha256(bytes, n, hex);
    snprintf(out, TAIL + 1, ",\n \"seal\": \"%s\"\n}\n", hex);
}

char *json_seal(const json_t *object)
{
    char tail[TAIL + 1];
    OWNED(free) char *text = json_dumps(object, JSON_INDENT(1) |
                                        JSON_REAL_PRECISION(17));

    if (!text)
        return NULL;
    size_t n = strlen(text) - strlen("\n}");
    seal(tail, text, n);
    return str_format("%.*s%s", (int)n, text, tail);
}

int json_sealed(const char *text, size_t n)
{
    char tail[TAIL + 1];

    if (n < TAIL || strncmp(text + n - TAIL, ",\n \"seal\": \"", 12))
        return err_set(ERR_STORE, "has no seal");
    seal(tail, text, n - TAIL);
    return memcmp(tail, text + n - TAIL, TAIL)
               ? err_set(ERR_STORE, "is damaged or was edited: it does not "
                         "match its seal")
               : OK;
}
