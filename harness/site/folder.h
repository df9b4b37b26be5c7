/*
 * folder: creates or replaces the output folder of a site.  Pages are written
 * into a temporary folder next to `place`, the output folder; the temporary
 * folder replaces `place` when all pages are written.  An existing `place` is
 * replaced only if it is empty, or if it contains only a site, whose files are
 * listed in its file SITE_MARK.  A folder with other files is not changed.
 * Order of calls: site_folder_open, writing of pages, site_folder_done,
 * site_folder_close.
 */
#pragma once

#include "harness/base/owned.h"

#define SITE_MARK "synthbench-report.txt"

struct site_folder {
    char *place, *temporary; /* output folder; temporary folder, or NULL */
};

/* Creates the temporary folder `temporary`.  Returns ERR_USAGE if `place` is a
 * file or a folder that must not be replaced, or cannot be created; or ERR_IO
 * or ERR_SPACE. */
int site_folder_open(struct site_folder *f, const char *place);

/* Writes SITE_MARK and replaces `place` by the temporary folder.  `file` lists
 * the n files that were written, relative to the folder. */
int site_folder_done(struct site_folder *f, const char *const *file, int n);

/* Removes `temporary`, which contains an incomplete site or, after
 * site_folder_done, the site that was replaced. */
void site_folder_close(struct site_folder *f);
OWNER_OF_VALUE(site_folder_close, struct site_folder)
