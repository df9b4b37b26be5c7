/*
 * bytes: a file as it stands, or as what a .gz file holds, read in pieces.
 *
 * A .gz file is one gzip member or several, one after another (RFC 1952 2.2);
 * each has its own CRC-32 and length, which are checked.  Zero bytes behind a
 * member, with which tapes and archives pad, are ignored.  Memory is bounded
 * whatever the size.  Errors are ERR_DATA and name the file: it is missing, a
 * folder, cut off, damaged.
 */
#pragma once

#include "harness/base/owned.h"

#include <stddef.h>

struct bytes;

int  bytes_open(struct bytes **out, const char *path);
void bytes_close(struct bytes *b); /* NULL is fine */
OWNER(bytes_close, struct bytes *)

/* *got: how many were read; 0 at the end alone. */
int bytes_read(struct bytes *b, void *to, size_t room, size_t *got);

/* 1: the file ends in .gz */
int bytes_packed(const struct bytes *b);

/* The whole file, with a closing NUL; the caller frees. */
int bytes_all(char **out, size_t *n, const char *path);
