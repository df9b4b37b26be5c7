/*
 * shards: checks the names of files STEM-NNNNN-of-MMMMM: parts 0 to M - 1 of
 * one text.  If a folder holds the same text twice, once in M parts and once in
 * another number of parts, the two sets overlap and must not be read as one.
 * corpus_locate calls shards_check.
 */
#pragma once

#include "harness/corpora/corpus.h"

/* Checks the names of those files of a layout that are shards; some shards may
 * be missing.  Returns ERR_DATA if two files with the same STEM differ in M, if
 * N is not below M, or if a name has other characters in place of digits. */
int shards_check(const struct corpus_layout *l, const char *folder);
