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
 *
 * Open an easel, add pictures, and finish it (or wait, to handle the failures
 * of single pictures); then read the pictures and close it.
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
 * already have the same pictures, which are then copied, or NULL. */
void easel_open(struct output *output, const char *from);

/* Stops the processes, drops pictures that are not drawn and frees the
 * easel. */
void easel_close(struct output *output);
OWNER_OF_VALUE(easel_close, struct output)

/* Draws a picture, now or later.  Returns ERR_IO or ERR_SPACE if its files
 * cannot be written.  A picture that gnuplot fails to draw is reported by
 * easel_finish and easel_why. */
int easel_add(struct easel *e, const struct drawn *d);

/* Waits until every picture is drawn or has failed.  Returns ERR_IO if no
 * process can be started. */
int easel_wait(struct easel *e);

/* Waits as easel_wait does, and returns ERR_IO or ERR_SPACE, with its message,
 * if a picture has failed (the first one counts). */
int easel_finish(struct easel *e);

/* Clears the progress line; call it before another line is printed. */
void easel_hide(const struct easel *e);

/* Return the number of pictures, and the name of picture i in the order in
 * which they were added.  easel_why returns the message if picture i has
 * failed, or NULL. */
int         easel_pictures(const struct easel *e);
const char *easel_name(const struct easel *e, int i);
const char *easel_why(const struct easel *e, int i);

/* Reads the file of a drawn picture, of one kind ("svg"); the caller frees
 * *out.  Returns ERR_IO if it cannot be read. */
int easel_read(char **out, size_t *bytes, const struct easel *e, int i,
               const char *kind);
