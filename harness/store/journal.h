/*
 * journal: STORE/journal.tsv, what each finished cell file must look like.
 *
 *     #synthbench store 1: id, SHA-256, bytes, seconds, date, check
 *     ID <tab> SHA-256 <tab> bytes <tab> seconds <tab> date <tab> check
 *
 * Lines are only ever added, one write and one fsync each; the last line of an
 * id holds.  A SHA-256 of "-" says that the file was removed on purpose.
 * `check`, which older lines have not, is the head of the SHA-256 of what
 * stands before it in its line.  A line that is damaged is told on stderr and
 * left out: its cell has a seal of its own.
 * What stands behind the last newline is the rest of a crash: it is not read,
 * and the next line takes its place.
 */
#pragma once

#include "harness/base/hash.h"

enum { JOURNAL_DATE = 20 };

struct journal_line {
    char      sha256[HASH_HEX];
    long long bytes;
    double    seconds; /* spent on training */
    char      date[JOURNAL_DATE + 1]; /* "": now */
};

/* Makes it when it is missing. */
int journal_create(const char *store);

/* How many lines are damaged, each told once in the life of a process.  What
 * was read is kept and read again only where the file has changed.  ERR_STORE:
 * it is missing, of a newer program or none of ours, or cannot be read. */
int journal_read(const char *store);

/*
 * Every line as it lies on the disk now: its number, whose it is, whether it
 * has no check, or what is wrong with it (then the id is ""); then every id
 * that has a file.  ERR_STORE: it is missing, newer or none of ours, too.
 */
int journal_check(const char *store,
                  void (*line)(void *arg, int number, const char *id,
                               int unchecked, const char *damage),
                  void (*has)(void *arg, const char *id), void *arg);

/* Returns 1 if there is no journal, or one without lines. */
int journal_is_empty(const char *store);

/* Leaves the sound lines and nothing else, each with a check.  What lacks one
 * then, store_status completes. */
int journal_mend(const char *store);

/* ERR_EMPTY: there is no line, or no file any more; or as journal_read. */
int journal_find(const char *store, const char *id, struct journal_line *out);

/* A line of NULL: the file is gone. */
int journal_add(const char *store, const char *id,
                const struct journal_line *line);
