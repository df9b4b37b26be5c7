/*
 * picture_cache: the files of a picture that has been drawn.  The script
 * NAME.gp ends with what gnuplot made of it, one comment a line:
 *
 *     # gnuplot  5.4 4
 *     # png 1f0c...   SHA-256 of NAME.png
 */
#pragma once

#include "plots/easel.h"

/* Returns 1 if the folder has the picture, as each of these kinds, drawn from
 * the same data, words and script by that version of gnuplot (NULL: by any), or
 * 0.  The kinds that the script names may be others. */
int drawn_is_there(const struct drawn *d, const char *folder,
                   const char *kinds, const char *version);

/* Writes its files into `folder`, where gnuplot draws it. */
int drawn_write(const struct drawn *d, const char *folder);

/* Renames the files of the picture from one folder to the other.  version:
 * NULL, if it could not be drawn: only its data, words and script go there, and
 * pictures that were drawn from others are removed. */
int drawn_move(const char *name, const char *folder, const char *from,
               const char *kinds, const char *version);

/* Copies the pictures alone. */
int drawn_copy(const char *name, const char *folder, const char *from,
               const char *kinds);
