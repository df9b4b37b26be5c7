/*
 * apt: the machine's own apt and its sources, with lists and a cache of our
 * own: those of the system and its hooks are left alone, nothing is installed,
 * and no root is needed.  apt checks signatures and digests.
 *
 * ERR_DATA: no apt-get, no network or no such thing among its sources; the
 * message ends with what apt said last.
 */
#pragma once

#include <stddef.h>

struct apt;

int  apt_open(struct apt **out, const char *work); /* fetches the lists */
void apt_close(struct apt *a);                     /* NULL is fine */

/* The descriptions and their translations (manifest.h) into the folder: of the
 * suite of the release itself, not updates, security or backports.
 * origin: "Debian bookworm". */
int apt_descriptions(struct apt *a, const char *folder, char *origin,
                     size_t bytes);

/* The package's .deb in the folder, which is absolute. */
int apt_download(struct apt *a, const char *package, const char *folder);
