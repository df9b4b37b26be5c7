/*
 * linefile: the lines of a text file, one after another, in bounded memory.
 *
 * UTF-8, checked strictly (no overlong forms, no surrogates); no NUL.  A line
 * ends at LF alone, one CR before it is dropped, and so is a byte order mark
 * at the start of the file; U+0085, U+2028, FF or a lone CR are text.  The
 * last line may lack its LF.  NAME.gz is unpacked on the way.  Every error is
 * ERR_DATA and names FILE:LINE, or FILE.
 */
#ifndef DATA_FORMAT_LINEFILE_H
#define DATA_FORMAT_LINEFILE_H

#include "harness/base/owned.h"
#include "harness/base/text.h"

struct linefile;

int  linefile_open(struct linefile **out, const char *path);
void linefile_close(struct linefile *f); /* NULL is fine */
OWNER(linefile_close, struct linefile *)

/* 1: the next line, closed by NUL, which may be written into and stands until
 * the next call; 0: the end.  A file without any line is an error unless it is
 * packed: the shards of a corpus may be empty. */
int linefile_next(struct linefile *f, char **line);

size_t linefile_bytes(const struct linefile *f); /* of the last line */
const char *linefile_ending(const struct linefile *f); /* "\n" "\r\n" "" */
int    linefile_packed(const struct linefile *f);
long   linefile_number(const struct linefile *f); /* of the last line, from 1 */

/* ERR_DATA: "FILE:LINE: ..." of the last line, or of line `number` (0: "FILE:
 * ..."). */
int linefile_refuse(const struct linefile *f, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));
int linefile_refuse_at(const struct linefile *f, long number, const char *fmt,
                       ...) __attribute__((format(printf, 3, 4)));

/* The lines that are left, read and counted. */
int linefile_rest(struct linefile *f);

/* Every line goes through `take`, until it answers less than 0. */
int linefile_each(const char *path,
                  int (*take)(void *to, const struct linefile *f, char *line),
                  void *to);

/* All of a file as it stands, line ends too; it may be empty. */
int linefile_text(struct text *out, const char *path);

#endif
