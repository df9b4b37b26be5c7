#include "harness/data/prepared.h"

#include "harness/base/err.h"
#include "harness/base/file.h"
#include "harness/base/hash.h"
#include "harness/base/str.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAGIC "synthbench prepared 1 "
enum { MAGIC_BYTES = sizeof MAGIC - 1, HEAD = MAGIC_BYTES + HASH_HEX };

static char *path_of(const char *cache, const char *key, const char *kind)
{
    return str_format("%s/prepared/%s.%s", cache, key, kind);
}

static int is_sound(const char *file, size_t bytes)
{
    char hex[HASH_HEX];

    if (bytes < HEAD || memcmp(file, MAGIC, MAGIC_BYTES))
        return 0;
    hash_sha256(file + HEAD, bytes - HEAD, hex);
    return !memcmp(file + MAGIC_BYTES, hex, HASH_HEX - 1);
}

int prepared_get(const char **data, size_t *bytes, const char *cache,
                 const char *key, const char *kind, struct arena *a)
{
    char *path = path_of(cache, key, kind), *file = NULL;
    int rc = OK;

    if (!file_exists(path))
        goto out;
    TRY(file_load(&file, bytes, path, a));
    if (is_sound(file, *bytes)) {
        *bytes -= HEAD;
        *data = memmove(file, file + HEAD, *bytes); /* aligned */
        rc = 1;
    } else {
        say("%s: damaged; it is made anew", path);
    }
out:
    free(path);
    return rc;
}

int prepared_put(const void *data, size_t bytes, const char *cache,
                 const char *key, const char *kind)
{
    char *folder = str_format("%s/prepared", cache);
    char *path = path_of(cache, key, kind), *file = malloc(HEAD + bytes);
    int rc = OK;

    REQUIRE(file, "out of memory: %zu bytes", bytes);
    memcpy(file, MAGIC, MAGIC_BYTES);
    hash_sha256(data, bytes, file + MAGIC_BYTES);
    file[HEAD - 1] = '\n';
    memcpy(file + HEAD, data, bytes);
    TRY(file_mkdirs(folder));
    TRY(file_write(path, file, HEAD + bytes));
out:
    free(file);
    free(path);
    free(folder);
    return rc;
}
