/*
 * columns: an aligned table for people: the first row is its head; numbers
 * are set to the right by a '>' in `align`, one letter a column.
 */
#ifndef CMD_COLUMNS_H
#define CMD_COLUMNS_H

#include <stdio.h>

struct columns;

struct columns *columns_new(const char *align); /* "<<>>" */
void columns_add(struct columns *c, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));
void columns_print(struct columns *c, FILE *out); /* and frees c */

/* "1.25 M": three digits and a prefix, for counts and sizes. */
const char *columns_count(double x, char out[16]);

#endif
