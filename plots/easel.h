/*
 * easel: draws the pictures of one output, several at a time, in as many
 * gnuplot processes as there are cores, while the caller computes the next
 * pictures.
 *
 * A picture is drawn in a hidden folder, FOLDER/.drawing-XXXXXX, and its files
 * are renamed to FOLDER when all of them are whole; the script comes last and
 * ends with the digests of the pictures and the version of gnuplot
 * (plots/picture_cache.h).  So a process that is killed leaves the earlier
 * picture or the new one, two processes may draw into one folder, and a
 * picture that is there with the same script, data and words is not drawn
 * again.  The next easel removes hidden folders whose process has ended.
 */
#pragma once

#include "harness/base/owned.h"
#include "plots/output.h"

#include <stddef.h>

enum { DRAWN_DATA, DRAWN_WORDS, DRAWN_SCRIPT, DRAWN_FILES };
extern const char *const drawn_suffix[DRAWN_FILES]; /* ".tsv", ".txt", ".gp" */

/* What a picture is drawn from. */
struct drawn {
    const char *name;
    const char *text[DRAWN_FILES];
    size_t      bytes[DRAWN_FILES];
};

/* Opens output->easel for the output's folder.  from: another folder that may
 * have the same pictures, which are copied then; or NULL. */
void easel_open(struct output *output, const char *from);

/* Ends what is not drawn. */
void easel_close(struct output *output);
OWNER_OF_VALUE(easel_close, struct output)

/* Draws a picture, now or later.  ERR_IO, ERR_SPACE: its files cannot be
 * written.  What gnuplot refuses is reported by easel_finish. */
int easel_add(struct easel *e, const struct drawn *d);

/* Waits until every picture is drawn or has failed.  ERR_IO: there can be no
 * process. */
int easel_wait(struct easel *e);

/* The same, and ERR_IO, ERR_SPACE: of the first that failed. */
int easel_finish(struct easel *e);

/* Clears the line that shows the progress, before another is printed. */
void easel_hide(const struct easel *e);

/* The pictures of the easel in the order in which they were added; why: NULL,
 * or the message of one that failed. */
int         easel_pictures(const struct easel *e);
const char *easel_name(const struct easel *e, int i);
const char *easel_why(const struct easel *e, int i);

/* Reads a picture that is drawn; the caller frees *out. */
int easel_read(char **out, size_t *bytes, const struct easel *e, int i,
               const char *kind);
