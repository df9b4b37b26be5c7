/*
 * file: whole files, atomically.  All errors are ERR_IO, or ERR_SPACE when
 * the disk is full; the message names the path.
 */
#ifndef BASE_FILE_H
#define BASE_FILE_H

#include "harness/base/arena.h"

/* *out: the bytes and a closing NUL; the caller frees. */
int file_read(char **out, size_t *bytes, const char *path);

/* The same in arena a, of a file that nobody is writing. */
int file_load(char **out, size_t *bytes, const char *path, struct arena *a);

/* Write to a temporary name in the same folder, fsync, rename, fsync the
 * folder: after a crash the old file or the new one stands, never a part. */
int file_write(const char *path, const void *data, size_t bytes);

/* The last half of file_write, for a file that somebody else wrote. */
int file_commit(const char *temporary, const char *path);

int file_mkdirs(const char *path); /* as mkdir -p */
int file_exists(const char *path); /* 1 or 0 */

#endif
