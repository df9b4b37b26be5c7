/*
 * lines: reads a UTF-8 text file as a list of segments, one per line; a blank
 * line is a segment, too.  As in linefile.h, a line ends at U+000A, which the
 * last line may lack.  One U+000D before the U+000A and a byte order mark at
 * the start of the file are dropped; other line separators remain part of the
 * segment.  `synthbench score` reads its input with lines_read.
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

/* Reads a file.  If it is not valid UTF-8, has a NUL byte or has no line,
 * returns ERR_DATA and the message names the file and line. */
int  lines_read(struct lines *out, const char *path);
void lines_close(struct lines *l);
OWNER_OF_VALUE(lines_close, struct lines)

/* Returns ERR_DATA with the message "FILE:LINE: ..." for line i, counted from
 * 0. */
int lines_bad(const struct lines *l, size_t i, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

/* lines_real reads line i as a finite number, lines_integer as an integer.  If
 * the line is not such a number, they return the error of lines_bad. */
int lines_real(double *out, const struct lines *l, size_t i);
int lines_integer(long *out, const struct lines *l, size_t i);
