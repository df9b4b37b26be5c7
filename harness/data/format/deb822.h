/*
 * deb822: the records of Debian's control files, one after another.
 *
 *     Package: 0ad                 a field: name, colon, value
 *     Description-en: short text
 *      continued                   a line that begins with a blank continues
 *                                  an empty line ends the record
 *
 * Source: deb822(5), Debian Policy 5.1.  UTF-8, lines end at LF, one CR before
 * it is dropped.  Every error is ERR_DATA and names FILE:LINE.
 */
#ifndef DATA_FORMAT_DEB822_H
#define DATA_FORMAT_DEB822_H

struct deb822;

int deb822_open(struct deb822 **out, const char *path);
void deb822_close(struct deb822 *r);

int deb822_next(struct deb822 *r); /* 1: the next record; 0: the end */

/* The value of a field (names are case-insensitive) of the present record,
 * valid until the next one; continuation lines stand as they are, each after
 * an LF.  get: NULL where there is no such field; need: that is an error. */
const char *deb822_get(const struct deb822 *r, const char *name);
int deb822_need(const char **value, const struct deb822 *r, const char *name);

int deb822_line(const struct deb822 *r); /* where the record begins */

/* ERR_DATA: "FILE:LINE: " (of the field, else of the record) and the message.
 */
int deb822_refuse(const struct deb822 *r, const char *field, const char *why);

#endif
