/*
 * shards: files STEM-NNNNN-of-MMMMM, numbered from 0, that are parts of one
 * text.  Shards of two different totals M overlap, so they are never read as
 * one set.  corpus_locate calls shards_check.
 */
#pragma once

#include "harness/corpora/corpus.h"

/* Checks the names of all files of a layout that are shards; shards may be
 * missing.  Returns ERR_DATA if two files of one stem differ in M, if N is not
 * below M, or if a name has other characters in place of digits. */
int shards_check(const struct corpus_layout *l, const char *folder);
