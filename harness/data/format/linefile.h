/*
 * linefile: the lines of a text file, one after another, in bounded memory.
 *
 * UTF-8, checked strictly (no overlong forms, no surrogates); no NUL, unless
 * the caller allows it to leave such lines out.  A line
 * ends at LF alone, one CR before it is dropped, and so is a byte order mark
 * at the start of the file; U+0085, U+2028, FF or a lone CR are text.  The
 * last line may lack its LF.  NAME.gz is unpacked on the way.  Every error is
 * ERR_DATA and names FILE:LINE, or FILE.
 */
#pragma once

#include "harness/base/err.h"
#include "harness/base/text.h"

struct linefile;

int  linefile_open(struct linefile **out, const char *path);
void linefile_close(struct linefile *f); /* NULL is fine */
OWNER(linefile_close, struct linefile *)

/* 1: the next line, closed by NUL, which may be written into and stands until
 * the next call; 0: the end.  A file without any line is an error unless it is
 * packed: the shards of a corpus may be empty. */
int linefile_next(struct linefile *f, char **line);

/* Lets lines hold NUL bytes, which are an error otherwise; linefile_has_nul
 * says whether the last line has one, so that the caller leaves it out. */
void   linefile_allow_nul(struct linefile *f, int allow);
int    linefile_has_nul(const struct linefile *f);

size_t linefile_bytes(const struct linefile *f); /* of the last line */
const char *linefile_ending(const struct linefile *f); /* "\n" "\r\n" "" */
int    linefile_packed(const struct linefile *f);
long   linefile_number(const struct linefile *f); /* of the last line, from 1 */

/* ERR_DATA: puts "FILE:LINE: " in front of the kept message; number 0:
 * "FILE: ". */
int linefile_place(const struct linefile *f, long number);

/* ERR_DATA with a message: of line `number`; of the last line. */
#define linefile_refuse_at(f, number, ...)                                    \
    (err_set(ERR_DATA, __VA_ARGS__), linefile_place(f, number))
#define linefile_refuse(f, ...)                                               \
    linefile_refuse_at(f, linefile_number(f), __VA_ARGS__)

/* The lines that are left, read and counted. */
int linefile_rest(struct linefile *f);

/* Every line goes through `take`, until it answers less than 0. */
int linefile_each(const char *path,
                  int (*take)(void *to, const struct linefile *f, char *line),
                  void *to);

/* All of a file as it stands, line ends too; it may be empty. */
int linefile_text(struct text *out, const char *path);
