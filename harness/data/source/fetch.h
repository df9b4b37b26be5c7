/*
 * fetch: fills the folders of manifest.h by downloading packages by name.
 * `synthbench data fetch` calls fetch_sources.
 *
 *     descriptions   apt's lists
 *     dialogue       Debian's wesnoth-1.16-utbs, by `apt-get download` and
 *                    dpkg-deb
 *     reviews        npm's sentiment, by `npm pack` and tar
 *
 * Nothing is installed, and no code of a package is executed.
 */
#pragma once

#include "harness/data/source/manifest.h"

/* Fetches the sources whose bits (such as 1 << SOURCE_APT) are set in `which`.
 * Unless `refresh` is 1, a source that is complete is kept without using the
 * network.  If a source cannot be fetched, its old files are kept and a message
 * goes to stderr; returns ERR_DATA if this source is SOURCE_APT (the
 * descriptions), or if no other source was requested. */
int fetch_sources(const char *cache, unsigned which, int refresh);
