/*
 * apt: downloads package descriptions and packages with the machine's apt, from
 * the sources configured on the machine, but with separate package lists and a
 * separate cache.  The system's lists and hooks are not touched, nothing is
 * installed, and root is not required.  apt checks signatures and digests.
 * fetch.c calls apt_open, then the other functions, then apt_close.
 *
 * The functions return ERR_DATA if there is no apt-get or no network, or if the
 * sources lack the package or index; the message ends with apt's last output.
 */
#pragma once

#include <stddef.h>

struct apt;

/* Fetches the package lists; `work` is the folder for lists and cache. */
int  apt_open(struct apt **out, const char *work);
void apt_close(struct apt *a);                     /* a may be NULL */

/* Puts the package descriptions and their translations (manifest.h) into the
 * folder.  They are those of the release itself, not of its updates, security
 * or backports suites.  Sets `origin`, an array of `bytes` bytes, to a text
 * such as "Debian bookworm". */
int apt_descriptions(struct apt *a, const char *folder, char *origin,
                     size_t bytes);

/* Downloads the package's .deb into the folder, an absolute path. */
int apt_download(struct apt *a, const char *package, const char *folder);
