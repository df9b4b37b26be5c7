/*
 * bytes: reads the content of a file in pieces, and unpacks it if the name of
 * the file ends in .gz.  linefile.h and jsonarray.h read files by bytes_open
 * and bytes_read.
 *
 * A .gz file consists of one or more gzip members in sequence (RFC 1952 2.2);
 * the CRC-32 and the length of each member are checked.  Zero bytes after a
 * member, which tapes and archives use as padding, are ignored.  Memory use
 * does not depend on the size of the file.  If the file is missing, a folder,
 * truncated or damaged, the functions return ERR_DATA with a message that names
 * the file.
 */
#pragma once

#include "harness/base/owned.h"

#include <stddef.h>

struct bytes;

int  bytes_open(struct bytes **out, const char *path);
void bytes_close(struct bytes *b); /* b may be NULL */
OWNER(bytes_close, struct bytes *)

/* Reads at most `room` bytes and sets *got to their number, which is 0 only at
 * the end of the file. */
int bytes_read(struct bytes *b, void *to, size_t room, size_t *got);

/* Returns 1 if the file name ends in .gz. */
int bytes_packed(const struct bytes *b);

/* Sets *out to the content of the whole file followed by a NUL, and *n to its
 * number of bytes.  The caller frees *out. */
int bytes_all(char **out, size_t *n, const char *path);
