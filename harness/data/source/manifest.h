/*
 * manifest: records the digests of the files from which recipes
 * (tasks/recipe.h) read text, and verifies that the files are unchanged.
 * Recipes call manifest_open, then manifest_verify before they read the files.
 *
 *     CACHE/apt/         package descriptions and their translations
 *     CACHE/wesnoth/     dialogue of a campaign of Battle for Wesnoth
 *     CACHE/sentiment/   sentences of reviews
 *
 *     CACHE/NAME/manifest   origin  Debian bookworm
 *                           date    2026-11-21T10:02:03Z
 *                           file    SHA-256 bytes name ...
 *
 * fetch.h fills the folders.  A user may also put files with the same names
 * there: the manifest is written when they are first opened.  (In that case
 * package descriptions are uncompressed text, with the names that they have
 * under dists/RELEASE/main/ on a Debian mirror; the French ones may be
 * missing.)
 */
#pragma once

#include "harness/base/hash.h"

enum source_id {
    SOURCE_SENTIMENT,
    SOURCE_APT,
    SOURCE_WESNOTH,
    SOURCES
};

enum { SOURCE_PATTERNS = 5, MANIFEST_FILES = 64 };

struct source {
    const char *name;   /* name of its folder                      */
    const char *origin; /* shown if the manifest names no origin */
    const char *what;   /* "package descriptions"                  */
    int needed;         /* number of leading patterns that must match */
    const char *file[SOURCE_PATTERNS]; /* patterns (files.h); ends with NULL */
};

extern const struct source source_list[SOURCES];

struct manifest_file {
    char name[128], sha256[HASH_HEX];
    long long bytes;
};

struct manifest {
    char folder[4096];
    char origin[128]; /* "Debian bookworm"; "" for user files */
    int n;
    struct manifest_file file[MANIFEST_FILES];
};

/* Returns 1 if the folder holds all required files of the source. */
int manifest_complete(const char *folder, enum source_id source);

/* Returns ERR_DATA if CACHE/NAME lacks required files. */
int manifest_present(const char *cache, enum source_id source);

/* Reads the manifest CACHE/NAME/manifest, or writes it if there is none.
 * Returns ERR_DATA if required files are missing or the size of a file differs
 * from the manifest. */
int manifest_open(struct manifest *m, const char *cache, enum source_id source);

/* Writes the manifest of the files in the folder. */
int manifest_make(struct manifest *m, const char *folder,
                  enum source_id source, const char *origin);

/* Reads the files and returns ERR_DATA if a digest differs from the
 * manifest. */
int manifest_verify(const struct manifest *m);
