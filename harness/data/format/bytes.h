/*
 * bytes: the content of a file, unpacked if its name ends in .gz, read in
 * pieces.  linefile.h and jsonarray.h read files with it.
 *
 * A .gz file consists of one or more gzip members in sequence (RFC 1952 2.2);
 * the CRC-32 and the length of each member are checked.  Zero bytes after a
 * member, which tapes and archives use as padding, are ignored.  Memory use
 * does not depend on the size of the file.  Errors are ERR_DATA and name the
 * file: it is missing, a folder, truncated or damaged.
 */
#pragma once

#include "harness/base/owned.h"

#include <stddef.h>

struct bytes;

int  bytes_open(struct bytes **out, const char *path);
void bytes_close(struct bytes *b); /* b may be NULL */
OWNER(bytes_close, struct bytes *)

/* Reads at most `room` bytes and sets *got to their number; 0 only at the
 * end. */
int bytes_read(struct bytes *b, void *to, size_t room, size_t *got);

/* Returns 1 if the file name ends in .gz. */
int bytes_packed(const struct bytes *b);

/* Reads the whole file and adds a NUL.  The caller frees *out. */
int bytes_all(char **out, size_t *n, const char *path);
