/*
 * fetch: fills the folders of manifest.h, by name of package alone.
 *
 *     descriptions        apt's lists
 *     dialogue, WordNet   Debian's wesnoth-1.16-utbs and wordnet-base, by
 *                         `apt-get download` and dpkg-deb
 *     reviews             npm's sentiment, by `npm pack` and tar
 *
 * Nothing is installed and no code of a package is run.
 */
#pragma once

#include "harness/data/source/manifest.h"

/* The sources whose bits (1 << SOURCE_APT) are set, each once: what is there
 * stays and no network is touched, unless `refresh`.  A source that cannot be
 * had is told on stderr, and keeps what it had.  ERR_DATA: it was the
 * descriptions, or the only one that was asked for. */
int fetch_sources(const char *cache, unsigned which, int refresh);
