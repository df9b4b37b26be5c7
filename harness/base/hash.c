#include "harness/base/hash.h"

#include "harness/base/err.h"
#include "harness/base/file.h"

#include <nettle/base16.h>
#include <nettle/base64.h>
#include <nettle/md5.h>
#include <nettle/nettle-meta.h>
#include <nettle/sha1.h>
#include <nettle/sha2.h>
#include <nettle/version.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void to_hex(const uint8_t *d, size_t n, char *hex)
{
    base16_encode_update(hex, n, d);
    hex[2 * n] = 0;
}

struct sha256_ctx *hash_new(void)
{
    struct sha256_ctx *h = malloc(sizeof *h);

    sha256_init(h);
    return h;
}

void hash_add(struct sha256_ctx *h, const void *data, size_t bytes)
{
    sha256_update(h, bytes, data);
}

void hash_end(struct sha256_ctx *h, char hex[HASH_HEX])
{
    uint8_t d[SHA256_DIGEST_SIZE];

    sha256_digest(h, sizeof d, d);
    to_hex(d, sizeof d, hex);
    free(h);
}

static void digest(const struct nettle_hash *h, const void *data, size_t bytes,
                   char *hex)
{
    union { struct sha256_ctx a; struct sha1_ctx b; struct md5_ctx c; } context;
    uint8_t d[SHA256_DIGEST_SIZE];

    h->init(&context);
    h->update(&context, bytes, data);
    h->digest(&context, h->digest_size, d);
    to_hex(d, h->digest_size, hex);
}

void hash_sha256(const void *data, size_t bytes, char hex[HASH_HEX])
{
    digest(&nettle_sha256, data, bytes, hex);
}

void hash_sha256_of_part(const void *data, size_t part, size_t bytes,
                         char hex_of_part[HASH_HEX], char hex[HASH_HEX])
{
    struct sha256_ctx all, first;
    uint8_t d[SHA256_DIGEST_SIZE];

    sha256_init(&all);
    sha256_update(&all, part, data);
    first = all;
    sha256_digest(&first, sizeof d, d);
    to_hex(d, sizeof d, hex_of_part);
    sha256_update(&all, bytes - part, (const uint8_t *)data + part);
    sha256_digest(&all, sizeof d, d);
    to_hex(d, sizeof d, hex);
}

void hash_sha1(const void *data, size_t bytes, char hex[SHA1_HEX])
{
    digest(&nettle_sha1, data, bytes, hex);
}

void hash_md5(const void *data, size_t bytes, char hex[MD5_HEX])
{
    digest(&nettle_md5, data, bytes, hex);
}

void hash_sha256_base64(const void *data, size_t bytes, char out[HASH_BASE64])
{
    struct sha256_ctx h;
    uint8_t d[SHA256_DIGEST_SIZE];

    sha256_init(&h);
    sha256_update(&h, bytes, data);
    sha256_digest(&h, sizeof d, d);
    base64_encode_raw(out, sizeof d, d);
    out[HASH_BASE64 - 1] = 0;
}

int hash_file(const char *path, char hex[HASH_HEX])
{
    OWNED(fclose) FILE *f = NULL;

    PASS(file_open(&f, NULL, path, 0));
    struct sha256_ctx *h = hash_new();
    char buf[1 << 16];
    size_t n;
    while ((n = fread(buf, 1, sizeof buf, f)) > 0)
        hash_add(h, buf, n);
    int bad = ferror(f);
    hash_end(h, hex);
    return bad ? err_set(ERR_IO, "%s: cannot be read", path) : OK;
}

uint64_t hash_fnv1a(const void *data, size_t bytes)
{
    const unsigned char *p = data;
    uint64_t h = 0xcbf29ce484222325u;

    for (size_t i = 0; i < bytes; i++)
        h = (h ^ p[i]) * 0x100000001b3u;
    return h;
}

uint64_t hash_name(const char *s) { return hash_fnv1a(s, strlen(s)); }

void hash_library(char out[32])
{
    snprintf(out, 32, "nettle %d.%d", nettle_version_major(),
             nettle_version_minor());
}
