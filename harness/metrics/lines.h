/*
 * lines: a text file as segments.  UTF-8, one segment a line; blank lines are
 * segments.  As in linefile.h, U+000A alone ends a line (the last one may lack
 * it), one U+000D before it and a byte order mark at the start of the file are
 * dropped, and other line separators stay inside their segment.
 */
#pragma once

#include "harness/base/owned.h"

#include <stddef.h>

struct lines {
    char  *path;
    char  *text; /* owns what line[] points into */
    char **line; /* [n], closed by NUL, without its end */
    size_t n, cap;
};

/* ERR_DATA, with file and line, when a byte is not UTF-8 or is NUL, and when
 * there is no line at all. */
int  lines_read(struct lines *out, const char *path);
void lines_close(struct lines *l);
OWNER_OF_VALUE(lines_close, struct lines)

/* ERR_DATA: "FILE:LINE: ..."; i counts from 0. */
int lines_bad(const struct lines *l, size_t i, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

/* Numbers of labels and scores: a finite number, or lines_bad. */
int lines_real(double *out, const struct lines *l, size_t i);
int lines_integer(long *out, const struct lines *l, size_t i);
