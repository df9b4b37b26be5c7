/*
 * picture_cache: compares, writes and moves the files of a picture, so that a
 * picture is drawn only if something has changed.  plots/easel.h calls these
 * functions.  The script NAME.gp ends with comments that record what gnuplot
 * drew from it:
 *
 *     # gnuplot  5.4 4
 *     # png 1f0c...   SHA-256 of NAME.png
 */
#pragma once

#include "plots/easel.h"

/* Returns 1 if the folder has the picture in each format of `kinds` (output.h),
 * drawn from the same data, texts and script by this version of gnuplot (NULL:
 * by any version); else returns 0.  Scripts that differ only in their lists of
 * formats count as the same. */
int drawn_is_there(const struct drawn *d, const char *folder,
                   const char *kinds, const char *version);

/* Writes the data, the texts and the script into `folder`, where gnuplot then
 * draws the picture. */
int drawn_write(const struct drawn *d, const char *folder);

/* Moves the files of the picture to `folder` from the folder `from`.  `version`
 * is the version of gnuplot, or NULL if the picture could not be drawn.  If
 * `version` is NULL, moves only data, texts and script, and removes earlier
 * pictures of the same name. */
int drawn_move(const char *name, const char *folder, const char *from,
               const char *kinds, const char *version);

/* Copies the pictures in the formats `kinds`, but not data, texts and script,
 * to `folder` from the folder `from`. */
int drawn_copy(const char *name, const char *folder, const char *from,
               const char *kinds);
