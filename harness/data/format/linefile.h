/*
 * linefile: reads the lines of a text file, one after another, in bounded
 * memory.  The readers of corpora and sources call linefile_open, then
 * linefile_next for each line, or linefile_each, which does both.
 *
 * Text must be valid UTF-8 (no overlong forms, no surrogates) without NUL; a
 * caller can allow NUL in order to skip such lines.  A line ends at LF only;
 * one CR before the LF is dropped, and so is a byte order mark at the start of
 * the file.  U+0085, U+2028, FF and a lone CR are text.  The last line may lack
 * its LF.  NAME.gz is unpacked while reading.  Every error is ERR_DATA and
 * names FILE:LINE, or FILE.
 */
#pragma once

#include "harness/base/err.h"
#include "harness/base/text.h"

struct linefile;

int  linefile_open(struct linefile **out, const char *path);
void linefile_close(struct linefile *f); /* f may be NULL */
OWNER(linefile_close, struct linefile *)

/* Returns 1 and sets *line to the next line, or returns 0 at the end.  The line
 * ends with NUL, may be modified, and is valid until the next call.  A file
 * without lines is an error, except NAME.gz: corpora come in gzipped shards,
 * some of which may be empty. */
int linefile_next(struct linefile *f, char **line);

/* linefile_allow_nul allows NUL bytes in lines if `allow` is 1; if `allow` is
 * 0, a NUL byte is an error.  linefile_has_nul returns 1 if the last line read
 * has a NUL byte, so that the caller can skip the line. */
void   linefile_allow_nul(struct linefile *f, int allow);
int    linefile_has_nul(const struct linefile *f);

/* For the last line read, linefile_bytes returns its number of bytes,
 * linefile_ending its end ("\n", "\r\n" or "") and linefile_number its line
 * number, from 1.  linefile_packed returns 1 if the file name ends in .gz. */
size_t linefile_bytes(const struct linefile *f);
const char *linefile_ending(const struct linefile *f);
int    linefile_packed(const struct linefile *f);
long   linefile_number(const struct linefile *f);

/* Puts "FILE:LINE: ", where LINE is `number`, in front of the last error
 * message, or "FILE: " if `number` is 0.  Returns ERR_DATA. */
int linefile_place(const struct linefile *f, long number);

/* Both macros set the formatted message as the last error, for line `number`
 * (linefile_refuse_at) or for the last line read (linefile_refuse), and return
 * ERR_DATA. */
#define linefile_refuse_at(f, number, ...)                                    \
    (err_set(ERR_DATA, __VA_ARGS__), linefile_place(f, number))
#define linefile_refuse(f, ...)                                               \
    linefile_refuse_at(f, linefile_number(f), __VA_ARGS__)

/* Reads the remaining lines; linefile_number then returns the number of all
 * lines. */
int linefile_rest(struct linefile *f);

/* Passes each line to `take` until `take` returns a negative value. */
int linefile_each(const char *path,
                  int (*take)(void *to, const struct linefile *f, char *line),
                  void *to);

/* Sets *out to the whole file unchanged, including line ends; the file may be
 * empty. */
int linefile_text(struct text *out, const char *path);
