/*
 * picture_cache: compares, writes and moves the files of a picture, for the
 * easel, so that a picture is drawn only if something has changed.  The script
 * NAME.gp ends with a record of what gnuplot drew from it, a comment on each
 * line:
 *
 *     # gnuplot  5.4 4
 *     # png 1f0c...   SHA-256 of NAME.png
 */
#pragma once

#include "plots/easel.h"

/* Returns 1 if the folder has the picture, in each of these kinds, drawn from
 * the same data, words and script by that version of gnuplot (NULL: by any
 * version), or 0.  The kinds that the script itself names may differ. */
int drawn_is_there(const struct drawn *d, const char *folder,
                   const char *kinds, const char *version);

/* Writes the data, the words and the script into `folder`, where gnuplot draws
 * the picture. */
int drawn_write(const struct drawn *d, const char *folder);

/* Moves the files of the picture to `folder` from the folder `from`.  version:
 * that of gnuplot, or NULL if the picture could not be drawn; then only its
 * data, words and script are moved, and older pictures of that name are
 * removed. */
int drawn_move(const char *name, const char *folder, const char *from,
               const char *kinds, const char *version);

/* Copies the pictures, without data, words and script. */
int drawn_copy(const char *name, const char *folder, const char *from,
               const char *kinds);
