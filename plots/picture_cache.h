/*
 * picture_cache: compares, writes and moves the files of a picture, so that a
 * picture is drawn only if something has changed.  The easel calls these
 * functions.  The script NAME.gp ends with comments that record what gnuplot
 * drew from it:
 *
 *     # gnuplot  5.4 4
 *     # png 1f0c...   SHA-256 of NAME.png
 */
#pragma once

#include "plots/easel.h"

/* Returns 1 if the folder has the picture in each kind of `kinds`, drawn from
 * the same data, words and script by this version of gnuplot (NULL: by any
 * version), or else 0.  Two scripts that differ only in their lists of kinds
 * count as the same. */
int drawn_is_there(const struct drawn *d, const char *folder,
                   const char *kinds, const char *version);

/* Writes the data, the words and the script into `folder`, where gnuplot draws
 * the picture. */
int drawn_write(const struct drawn *d, const char *folder);

/* Moves the files of the picture to `folder` from the folder `from`.  `version`
 * is the version of gnuplot, or NULL if the picture could not be drawn.  If
 * `version` is NULL, moves only data, words and script, and removes older
 * pictures of the same name. */
int drawn_move(const char *name, const char *folder, const char *from,
               const char *kinds, const char *version);

/* Copies the pictures of these kinds, but not data, words and script, to
 * `folder` from the folder `from`. */
int drawn_copy(const char *name, const char *folder, const char *from,
               const char *kinds);
