/*
 * manifest: the files that text comes from, pinned by their digests.
 *
 *     CACHE/apt/Packages          name, source package, section
 *     CACHE/apt/Translation-en    descriptions; -de, -fr: their translations
 *     CACHE/apt/manifest          origin  Debian bookworm
 *                                 date    2026-11-21T10:02:03Z
 *                                 file    SHA-256 bytes name ...
 *
 * apt_fetch fills the folder.  Files of these names that somebody put there
 * (plain text, as below dists/RELEASE/main/ of a Debian mirror; French may
 * lack) serve as well: the manifest is made when they are first opened.
 */
#ifndef DATA_MANIFEST_H
#define DATA_MANIFEST_H

#include "harness/base/hash.h"

enum { MANIFEST_FILES = 4 };
extern const char *const manifest_name[MANIFEST_FILES];

struct manifest_file {
    char name[24], sha256[HASH_HEX];
    long long bytes;
};

struct manifest {
    char folder[4096];
    char origin[128]; /* "Debian bookworm"; "" for files put there */
    int n;
    struct manifest_file file[MANIFEST_FILES];
};

/* 1: the folder holds all that the tasks need. */
int manifest_complete(const char *folder);

/* ERR_DATA: nothing there, or a file of another size than was fetched. */
int manifest_open(struct manifest *m, const char *cache);

/* Writes the manifest of the files that lie in the folder. */
int manifest_make(struct manifest *m, const char *folder, const char *origin);

/* Reads the files: ERR_DATA where a digest is another than was fetched. */
int manifest_verify(const struct manifest *m);

/* The SHA-256 of a file; "" when it is not listed. */
const char *manifest_digest(const struct manifest *m, const char *name);

#endif
