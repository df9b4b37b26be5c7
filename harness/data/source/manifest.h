/*
 * manifest: the files that text comes from, pinned by their digests.
 *
 *     CACHE/apt/         package descriptions and their translations
 *     CACHE/wesnoth/     what is said in a campaign of Battle for Wesnoth
 *     CACHE/wordnet/     meanings of words, with examples
 *     CACHE/sentiment/   sentences of reviews
 *
 *     CACHE/NAME/manifest   origin  Debian bookworm
 *                           date    2026-11-21T10:02:03Z
 *                           file    SHA-256 bytes name ...
 *
 * fetch.h fills the folders.  Files of these names that somebody put there
 * (descriptions: plain text, as below dists/RELEASE/main/ of a Debian mirror;
 * French may lack) serve as well: the manifest is made when they are
 * first opened.
 */
#pragma once

#include "harness/base/hash.h"

enum source_id {
    SOURCE_SENTIMENT,
    SOURCE_APT,
    SOURCE_WESNOTH,
    SOURCE_WORDNET,
    SOURCES
};

enum { SOURCE_PATTERNS = 5, MANIFEST_FILES = 64 };

struct source {
    const char *name;   /* of its folder                                */
    const char *origin; /* where files come from that somebody put there */
    const char *what;   /* "package descriptions"                       */
    int needed;         /* patterns, from the first on, that must match */
    const char *file[SOURCE_PATTERNS]; /* as files.h takes them; ends: NULL */
};

extern const struct source source_list[SOURCES];

struct manifest_file {
    char name[128], sha256[HASH_HEX];
    long long bytes;
};

struct manifest {
    char folder[4096];
    char origin[128]; /* "Debian bookworm"; "" for files put there */
    int n;
    struct manifest_file file[MANIFEST_FILES];
};

/* 1: the folder holds all that is needed of the source. */
int manifest_complete(const char *folder, enum source_id source);

/* Returns ERR_DATA if CACHE/NAME lacks files that are needed. */
int manifest_present(const char *cache, enum source_id source);

/* ERR_DATA: nothing there, or a file of another size than was fetched. */
int manifest_open(struct manifest *m, const char *cache, enum source_id source);

/* Writes the manifest of the files that lie in the folder. */
int manifest_make(struct manifest *m, const char *folder,
                  enum source_id source, const char *origin);

/* Reads the files: ERR_DATA where a digest is another than was fetched. */
int manifest_verify(const struct manifest *m);
