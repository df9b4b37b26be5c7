/*
 * deb822: the records of Debian's control files, one after another.  ddtp.h
 * reads them with deb822_each.
 *
 *     Package: 0ad                 a field: name, colon, value
 *     Description-en: short text
 *      continued                   a line that begins with a blank continues
 *                                  an empty line ends the record
 *
 * Lines are those of linefile.h.  Source: deb822(5), Debian Policy 5.1.
 */
#pragma once

struct deb822;

/* Passes each record to `take` until that returns a negative value.  A file
 * without records is an error. */
int deb822_each(const char *path,
                int (*take)(void *to, const struct deb822 *r), void *to);

/* Return the value of a field of the record; field names are case-insensitive.
 * Continuation lines are kept unchanged, each after an LF.  If there is no such
 * field, deb822_get returns NULL and deb822_need returns an error. */
const char *deb822_get(const struct deb822 *r, const char *name);
int deb822_need(const char **value, const struct deb822 *r, const char *name);

long deb822_line(const struct deb822 *r); /* where the record begins */

/* Returns ERR_DATA; the message is "FILE:LINE: FIELD: WHY" with the line of the
 * field, or that of the record if it has no such field. */
int deb822_refuse(const struct deb822 *r, const char *field, const char *why);
