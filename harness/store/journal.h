/*
 * journal: STORE/journal.tsv, which records the digest and size of each
 * finished cell file.  store.c and merge.c read and write it, and audits
 * (verify/store/audit.h) check it.
 *
 *     #synthbench store 1: id, SHA-256, bytes, seconds, date, check
 *     ID <tab> SHA-256 <tab> bytes <tab> seconds <tab> date <tab> check
 *
 * Lines are only appended, with one write and one fsync each.  If several lines
 * have the same id, the last one counts.  A SHA-256 of "-" means that the file
 * was removed on purpose.  `check` is the beginning of the SHA-256 of the text
 * before it in the line; lines from earlier versions have no `check`.  A
 * damaged line is reported on stderr and ignored, because each cell file also
 * has a seal.  Text after the last newline is from a crash: it is not read, and
 * the next line overwrites it.
 */
#pragma once

#include "harness/base/hash.h"

enum { JOURNAL_DATE = 20 };

struct journal_line {
    char      sha256[HASH_HEX];
    long long bytes;
    double    seconds; /* spent on training */
    char      date[JOURNAL_DATE + 1]; /* if it is "", journal_add writes the
                                         current time */
};

/* Creates the journal if it is missing. */
int journal_create(const char *store);

/* Reads the journal and returns the number of damaged lines, or ERR_STORE if it
 * is missing, of a later version, not a journal, or cannot be read.  Each
 * damaged line is reported once per process.  The lines are kept in memory, and
 * read again only if the file has changed. */
int journal_read(const char *store);

/*
 * Reads the journal from disk.  Calls `line` for every line: `unchecked` is 1
 * if the line has no `check`, and `damage` is what is wrong with it, or NULL;
 * if the line is damaged, `id` is "".  Then calls `has` for every id whose last
 * line records a file.  Returns ERR_STORE if the journal is missing, of a later
 * version, or not a journal.
 */
int journal_check(const char *store,
                  void (*line)(void *arg, int number, const char *id,
                               int unchecked, const char *damage),
                  void (*has)(void *arg, const char *id), void *arg);

/* Returns 1 if there is no journal, or if it has no lines. */
int journal_is_empty(const char *store);

/* Removes everything except the first line and undamaged lines.  store_complete
 * appends the lines of cells that have none. */
int journal_mend(const char *store);

/* Sets *out to the last line of an id.  Returns ERR_EMPTY if there is no such
 * line or it records that the file was removed, or an error of journal_read. */
int journal_find(const char *store, const char *id, struct journal_line *out);

/* Appends a line for `id`.  If `line` is NULL, the appended line records that
 * the file was removed. */
int journal_add(const char *store, const char *id,
                const struct journal_line *line);
