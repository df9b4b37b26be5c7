/*
 * folder: where a site is put.  It is written beside its place and takes the
 * place when it is whole.  What stands there is replaced if it is an empty
 * folder or a site of ours: a file in it, SITE_MARK, lists what it wrote, and
 * a folder that holds anything else is left alone.
 */
#pragma once

#include "harness/base/owned.h"

#define SITE_MARK "synthbench-report.txt"

struct site_folder {
    char *place, *beside; /* beside: NULL, once it has the place */
};

/* Makes `beside`.  ERR_USAGE: the place is a file, or a folder that is not ours
 * to replace; ERR_IO, ERR_SPACE. */
int site_folder_open(struct site_folder *f, const char *place);

/* file: n that were written, from the folder. */
int site_folder_done(struct site_folder *f, const char *const *file, int n);

/* Removes what did not become whole. */
void site_folder_close(struct site_folder *f);
OWNER_OF_VALUE(site_folder_close, struct site_folder)
