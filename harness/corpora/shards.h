/*
 * shards: files STEM-NNNNN-of-MMMMM, numbered from 0, that are parts of one
 * text.  Parts of two splittings overlap, so they are never read as one set.
 */
#pragma once

#include "harness/corpora/corpus.h"

/* Checks the names of all files of a layout that are shards.  Some may be
 * missing.  ERR_DATA: two files of one stem differ in M, N is not below M, or
 * a name has letters in place of digits. */
int shards_check(const struct corpus_layout *l, const char *folder);
