/*
 * apt: fetches Debian's package descriptions (manifest.h says what they are)
 * with the machine's own apt and its sources.
 *
 * apt's lists, cache and hooks of the system are left alone, all happens below
 * CACHE and needs no root.  Only the suite of the release itself is taken, not
 * updates, security or backports.  apt checks signatures and digests.
 */
#ifndef DATA_APT_H
#define DATA_APT_H

/* Fills CACHE/apt, once: what is there stays, and no network is touched,
 * unless `refresh`.  ERR_DATA: no apt-get, no network or no Debian sources;
 * the message ends with what apt said last. */
int apt_fetch(const char *cache, int refresh);

#endif
