/*
 * deb822: reads the records of Debian's control files, one after another.
 * ddtp.h calls deb822_each.
 *
 *     Package: 0ad                 a field: name, colon, value
 *     Description-en: short text
 *      continued                   continuation line: begins with a blank
 *                                  empty line: ends the record
 *
 * Lines are read as in linefile.h.  Source: deb822(5), Debian Policy 5.1.
 */
#pragma once

struct deb822;

/* Passes each record to `take` until `take` returns a negative value.  A file
 * without records is an error. */
int deb822_each(const char *path,
                int (*take)(void *to, const struct deb822 *r), void *to);

/* deb822_get returns the value of the field `name`, or NULL if there is none.
 * deb822_need sets *value to this value, or returns an error if there is none.
 * Field names are case-insensitive.  The value includes continuation lines,
 * unchanged and each after an LF. */
const char *deb822_get(const struct deb822 *r, const char *name);
int deb822_need(const char **value, const struct deb822 *r, const char *name);

long deb822_line(const struct deb822 *r); /* first line of the record */

/* Returns ERR_DATA with the message "FILE:LINE: FIELD: WHY".  LINE is the line
 * of the field or, if the record has no such field, its first line. */
int deb822_refuse(const struct deb822 *r, const char *field, const char *why);
