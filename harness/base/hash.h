/* hash: digests of bytes and files.  SHA-256, SHA-1 and MD5 come from nettle,
 * and FNV-1a is implemented here.  Hexadecimal digests are in lower case and
 * end with NUL. */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* Sizes in bytes of digests as text, with the closing NUL. */
enum { HASH_HEX = 65, SHA1_HEX = 41, MD5_HEX = 33, HASH_BASE64 = 45 };

struct sha256_ctx;

/* An incremental SHA-256: call hash_new, then hash_add for each part, then
 * hash_end, which writes the digest and frees `h`. */
struct sha256_ctx *hash_new(void);
void hash_add(struct sha256_ctx *h, const void *data, size_t bytes);
void hash_end(struct sha256_ctx *h, char hex[HASH_HEX]);

void     hash_sha256(const void *data, size_t bytes, char hex[HASH_HEX]);
/* Writes the SHA-256 of the first `part` bytes and that of all bytes, which are
 * read once. */
void     hash_sha256_of_part(const void *data, size_t part, size_t bytes,
                             char hex_of_part[HASH_HEX], char hex[HASH_HEX]);
/* Writes the SHA-256 in base64, the form in which HTML states the digest of a
 * script. */
void     hash_sha256_base64(const void *data, size_t bytes,
                            char out[HASH_BASE64]);
/* Writes the SHA-256 of a file.  Returns ERR_IO if it cannot be read. */
int      hash_file(const char *path, char hex[HASH_HEX]);
void     hash_sha1(const void *data, size_t bytes, char hex[SHA1_HEX]);
void     hash_md5(const void *data, size_t bytes, char hex[MD5_HEX]);
uint64_t hash_fnv1a(const void *data, size_t bytes);
uint64_t hash_name(const char *s); /* FNV-1a of a string */

void hash_library(char out[32]); /* "nettle 3.8", the version that is loaded */
