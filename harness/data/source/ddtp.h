/*
 * ddtp: reads Debian's package descriptions and their translations.  Tasks call
 * ddtp_open; corpora call ddtp_begin, then the functions that read single
 * files and records.  A record of a Translation file:
 *
 *     Package: 0ad
 *     Description-md5: d943033bedada21853d2ae54a2578a7b
 *     Description-de: short description
 *      a line of a flowed paragraph: one blank first, lines join by a space
 *      .                            ends the paragraph
 *       * a verbatim line: two or more blanks, a block of its own
 *
 * Description-md5 is the MD5 sum of the value of the English field followed by
 * an LF.  So a translation belongs to the English text with the same sum, even
 * if the names of their packages differ.
 * Source: Debian Policy 5.6.13; the Debian Description Translation Project.
 */
#pragma once

#include "harness/base/arena.h"
#include "harness/data/dataset.h"
#include "harness/data/format/deb822.h"

struct ddtp_block {
    const char *text;
    int verbatim;
};

struct ddtp_text {
    const char *summary; /* the short description; NULL: no text */
    int n;
    struct ddtp_block *block; /* blocks of the long description, in order */
};

struct ddtp_entry {      /* an English description and its translation */
    const char *source;  /* source package, or the package if unknown */
    const char *section; /* "games"; NULL: not in Packages */
    struct ddtp_text english, foreign;
};

struct ddtp_package {
    const char *name, *source, *section; /* section: the part after the last
                                            slash                         */
};

struct ddtp_record { /* a record of a Translation file */
    const char *package, *value;
    char md5[MD5_HEX];
};

struct ddtp {
    int n, packages;
    size_t cap, packages_cap;
    struct ddtp_entry *entry; /* in the order of Translation-en */
    struct ddtp_package *package;
    struct map *by_md5, *by_name; /* md5 -> index of entry, name -> index of
                                     package */
    struct arena *memory;
};

/* Reads FOLDER/Packages, Translation-en and, unless language is NULL,
 * Translation-LANGUAGE.  Errors are ERR_DATA and name FILE:LINE.  Call
 * ddtp_close to free. */
int ddtp_open(struct ddtp *d, const char *folder, const char *language);
void ddtp_close(struct ddtp *d);
OWNER_OF_VALUE(ddtp_close, struct ddtp)

/* These functions read single files: call ddtp_begin, then ddtp_add_packages
 * for each Packages file, then ddtp_add_english for each English Translation
 * file.  Call ddtp_close to free. */
void ddtp_begin(struct ddtp *d);
int  ddtp_add_packages(struct ddtp *d, const char *path);
int  ddtp_add_english(struct ddtp *d, const char *path);

/* ddtp_package returns the package `name`, ddtp_english the first entry whose
 * English description has the MD5 sum `md5`; both return NULL if there is
 * none. */
const struct ddtp_package *ddtp_package(const struct ddtp *d, const char *name);
struct ddtp_entry *ddtp_english(const struct ddtp *d, const char *md5);

/* These functions parse a record or one of its values.  ddtp_read_package and
 * ddtp_read_text copy the strings to arena `a`; ddtp_read_record sets pointers
 * into the record.  Errors name FILE:LINE. */
int  ddtp_read_package(struct ddtp_package *out, const struct deb822 *r,
                       struct arena *a);
int  ddtp_read_record(struct ddtp_record *out, const struct deb822 *r,
                      const char *field); /* "Description-de" */
void ddtp_read_text(struct ddtp_text *t, const char *value, struct arena *a);

/* Returns 1 if `a` and `b` have the same sequence of paragraphs and verbatim
 * blocks. */
int ddtp_alike(const struct ddtp_text *a, const struct ddtp_text *b);

/* If `md5` is not the MD5 sum of the English text `value`, returns ERR_DATA
 * with FILE:LINE of record r in the message. */
int ddtp_check_md5(const char *md5, const char *value, const struct deb822 *r);

/* Returns the split of a source package.  If h is the FNV-1a hash of its name
 * modulo 100, the split is validation for h < `valid`, test for `valid` <= h <
 * `valid` + `test`, and else training.  Packages of one source share whole
 * paragraphs, so a split by line would put training text into the test set. */
enum split ddtp_split(const char *source, int valid, int test);
