/*
 * lines: a text file as segments, in UTF-8, one segment per line; blank lines
 * are segments, too.  As in linefile.h, only U+000A ends a line (the last line
 * may lack it).  One U+000D before it and a byte order mark at the start of the
 * file are dropped; other line separators remain in their segment.  `synthbench
 * score` reads its input with lines_read.
 */
#pragma once

#include "harness/base/owned.h"

#include <stddef.h>

struct lines {
    char  *path;
    char  *text; /* memory that line[] points into */
    char **line; /* [n], each ends with NUL instead of its line end */
    size_t n, cap;
};

/* Reads a file.  Returns ERR_DATA, with file and line, if a byte is not UTF-8
 * or is NUL, or if there is no line. */
int  lines_read(struct lines *out, const char *path);
void lines_close(struct lines *l);
OWNER_OF_VALUE(lines_close, struct lines)

/* Returns ERR_DATA with the message "FILE:LINE: ..."; i counts from 0. */
int lines_bad(const struct lines *l, size_t i, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

/* Read line i as a label or a score.  Return lines_bad unless it is an integer
 * or a finite number. */
int lines_real(double *out, const struct lines *l, size_t i);
int lines_integer(long *out, const struct lines *l, size_t i);
