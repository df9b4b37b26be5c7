/*
 * file: whole files, atomically.  All errors are ERR_IO, or ERR_SPACE when
 * the disk is full; the message names the path.
 */
#ifndef BASE_FILE_H
#define BASE_FILE_H

#include <stddef.h>

/* *out: the bytes and a closing NUL; the caller frees. */
int file_read(char **out, size_t *bytes, const char *path);

/* The bytes as they lie on the disk: pages that are read when they are looked
 * at and given up when memory is short.  file_unmap it; {0} is fine. */
struct file_map { const char *data; size_t bytes; };
int  file_map(struct file_map *out, const char *path);
void file_unmap(struct file_map *m);

/* Write to a temporary name in the same folder, fsync, rename, fsync the
 * folder: after a crash the old file or the new one stands, never a part. */
int file_write(const char *path, const void *data, size_t bytes);

/* The last half of file_write, for a file that was written bit by bit under
 * another name in the folder: file_temporary's, which the caller frees. */
char *file_temporary(const char *path);
int file_commit(const char *temporary, const char *path);

int file_mkdirs(const char *path); /* as mkdir -p */
int file_exists(const char *path); /* 1 or 0 */

#endif
