/*
 * csv: reads records of fields separated by commas (RFC 4180).  Readers of
 * corpora call csv_each for each file.
 *
 * A field in quotation marks may contain commas and line feeds; two quotation
 * marks in sequence mean one, and all other text is kept unchanged, including
 * CR LF.  A field without quotation marks is taken literally.  Records end at
 * LF or CR LF; empty lines are skipped.  Blanks before a field belong to the
 * field, as in RFC 4180, unless the caller drops them.  Encoding and packed
 * files are as in linefile.h; errors name the line where the record begins.
 */
#pragma once

#include "harness/data/format/linefile.h"

enum { CSV_FIELDS = 16 };

struct csv {
    struct linefile *lines;
    struct text      text;               /* all fields, each with a NUL       */
    size_t           start[CSV_FIELDS];  /* offset of each field in text      */
    int              n;                  /* number of fields of the record    */
    long             first;              /* first line of the record          */
    const char      *dropped;            /* characters dropped before a field */
};

/* Passes each record to `take` until `take` returns a negative value.  Drops
 * the characters of `dropped` ("" or " ") at the beginning of each field. */
int csv_each(const char *path, const char *dropped,
             int (*take)(void *to, const struct csv *c), void *to);

/* Returns field i, from 0, of the record. */
const char *csv_field(const struct csv *c, int i);

/* Returns ERR_DATA with the message "FILE:LINE: WHY", where LINE is the first
 * line of the record and WHY is `why`. */
int csv_refuse(const struct csv *c, const char *why);
