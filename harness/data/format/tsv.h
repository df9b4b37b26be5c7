/*
 * tsv: lines of fields with tabs between.  A quotation mark is a character
 * like any other; empty lines are left out.  Lines as linefile.h has them.
 */
#pragma once

#include "harness/data/format/linefile.h"

enum { TSV_FIELDS = 64 };

struct tsv {
    struct linefile *lines;
    int    n;                 /* fields of the last line */
    char  *field[TSV_FIELDS]; /* further ones are not needed */
    int    columns;           /* of the header; 0: there is none */
    char  *header, *column[TSV_FIELDS];
};

/* `header`: the first line names the columns.  Close it after an error too. */
int  tsv_open(struct tsv *t, const char *path, int header);
void tsv_close(struct tsv *t);

int tsv_column(int *out, const struct tsv *t, const char *name);
int tsv_next(struct tsv *t); /* 1: the next line; 0: the end */
