/*
 * deb822: the records of Debian's control files, one after another.
 *
 *     Package: 0ad                 a field: name, colon, value
 *     Description-en: short text
 *      continued                   a line that begins with a blank continues
 *                                  an empty line ends the record
 *
 * Source: deb822(5), Debian Policy 5.1.  Lines as linefile.h has them.
 */
#pragma once

struct deb822;

/* Every record goes through `take`, until it answers less than 0.  A file
 * without any is an error. */
int deb822_each(const char *path,
                int (*take)(void *to, const struct deb822 *r), void *to);

/* The value of a field (names are case-insensitive) of the record;
 * continuation lines stand as they are, each after
 * an LF.  get: NULL where there is no such field; need: that is an error. */
const char *deb822_get(const struct deb822 *r, const char *name);
int deb822_need(const char **value, const struct deb822 *r, const char *name);

long deb822_line(const struct deb822 *r); /* where the record begins */

/* ERR_DATA: "FILE:LINE: " (of the field, else of the record) and the message.
 */
int deb822_refuse(const struct deb822 *r, const char *field, const char *why);
