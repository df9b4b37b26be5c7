/*
 * folder: the output folder of a site.  Pages are written into a temporary
 * folder next to the place, which replaces the place when it is complete.  An
 * existing place is replaced only if it is an empty folder or a site:
 * SITE_MARK, a file in it, lists the files that the site wrote, and a folder
 * that contains anything else is not touched.  Order of calls:
 * site_folder_open, writing, site_folder_done, site_folder_close.
 */
#pragma once

#include "harness/base/owned.h"

#define SITE_MARK "synthbench-report.txt"

struct site_folder {
    char *place, *beside; /* beside: temporary; NULL if none */
};

/* Makes `beside`.  Returns ERR_USAGE if the place is a file, or a folder that
 * must not be replaced; ERR_IO or ERR_SPACE. */
int site_folder_open(struct site_folder *f, const char *place);

/* Writes SITE_MARK and replaces the place.  file: the n files that were
 * written, relative to the folder. */
int site_folder_done(struct site_folder *f, const char *const *file, int n);

/* Removes `beside`: an incomplete site, or the one that was replaced. */
void site_folder_close(struct site_folder *f);
OWNER_OF_VALUE(site_folder_close, struct site_folder)
