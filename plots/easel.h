/*
 * easel: draws the pictures of one output in parallel, in as many gnuplot
 * processes as there are cores, while the caller computes the next pictures.
 *
 * The files of a picture replace all files and links with the same paths, such
 * as those of an earlier picture with the same name.  If gnuplot fails, only
 * the script and the files that it reads remain.  Pictures are not synced, so a
 * power failure can leave empty files; draw these pictures again.
 *
 * Order of calls: easel_open; easel_add for each picture; easel_finish, or
 * easel_wait to handle the failures of single pictures; easel_read;
 * easel_close.
 */
#pragma once

#include "harness/base/owned.h"

#include <stddef.h>

struct easel;

/* The folder and the formats that pictures are written to.  The caller of a
 * figure creates the output. */
struct output {
    const char   *folder;
    const char   *kinds; /* some of "png svg pdf", or "out" (text for a
                             terminal); chosen by the program, never read from
                             a store                                         */
    struct easel *easel; /* draws the pictures in parallel; NULL: picture_end
                            draws each picture                              */
};

#define ALL_KINDS "png svg pdf"
#define OUTPUT(folder) (&(struct output){(folder), ALL_KINDS, NULL})

/* The three files that a picture is drawn from. */
enum { DRAWN_DATA, DRAWN_WORDS, DRAWN_SCRIPT, DRAWN_FILES };

struct picture_files {
    char  *name, *text[DRAWN_FILES];
    size_t bytes[DRAWN_FILES];
};

/* Opens output->easel for the output's folder. */
void easel_open(struct output *output);

/* Stops the processes, discards pictures that are not drawn yet, and frees the
 * easel. */
void easel_close(struct output *output);
OWNER_OF_VALUE(easel_close, struct output)

/* Draws a picture, now or later.  Returns ERR_IO or ERR_SPACE if its files
 * cannot be written.  A picture that gnuplot fails to draw is reported by
 * easel_finish and easel_why. */
int easel_add(struct easel *e, const struct picture_files *d);

/* Waits until every picture is drawn or has failed.  Returns ERR_IO if no
 * process can be started. */
int easel_wait(struct easel *e);

/* Waits as easel_wait does.  If pictures have failed, returns ERR_IO or
 * ERR_SPACE with the message of the first failed picture. */
int easel_finish(struct easel *e);

/* Clears the progress line on the terminal.  Call easel_hide before printing
 * another line. */
void easel_hide(const struct easel *e);

/* easel_pictures returns the number of pictures; i is the index of a picture,
 * in the order in which they were added.  easel_name returns the name of
 * picture i.  easel_why returns the message if picture i has failed, or else
 * NULL. */
int         easel_pictures(const struct easel *e);
const char *easel_name(const struct easel *e, int i);
const char *easel_why(const struct easel *e, int i);

/* Reads the file of kind `kind` ("svg") of the drawn picture i; the caller
 * frees *out.  Returns ERR_IO if the file cannot be read. */
int easel_read(char **out, size_t *bytes, const struct easel *e, int i,
               const char *kind);
