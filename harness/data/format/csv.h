/*
 * csv: records of fields with commas between (RFC 4180).
 *
 * A field in quotation marks may hold commas, line feeds and, doubled, marks;
 * its text is kept as it stands, CR LF too.  A field without them is taken as
 * it is.  Records end at LF or CR LF; empty lines are left out.  Blanks before
 * a field are part of it, as in RFC 4180, unless the reader has them dropped.
 * Otherwise as linefile.h; errors name the line where the record begins.
 */
#pragma once

#include "harness/data/format/linefile.h"

enum { CSV_FIELDS = 16 };

struct csv {
    struct linefile *lines;
    struct text      text;               /* of all fields, each with a NUL */
    size_t           start[CSV_FIELDS];  /* of each field, in text         */
    int              n;                  /* fields of the record           */
    long             first;              /* line of the record             */
    const char      *dropped;            /* characters before a field      */
};

/* Passes every record to `take` until that returns less than 0.  Drops the
 * characters of `dropped` ("" or " ") where a field begins. */
int csv_each(const char *path, const char *dropped,
             int (*take)(void *to, const struct csv *c), void *to);

const char *csv_field(const struct csv *c, int i);

/* ERR_DATA: "FILE:LINE: ..." of the record. */
int csv_refuse(const struct csv *c, const char *why);
