/*
 * field: what a table's JSON says, field by field (measured_file.c).  Reading
 * goes on behind the first mistake, with 0, NAN and "", and ends with its
 * message.
 */
#pragma once

#include "harness/base/json.h"
#include "harness/report/measured.h"

struct reading {
    const char   *path;
    struct measured *s;
    char          at[96]; /* "rows[3].cells[2]." */
    int           rc;
    int           references; /* 1: rows are those of references */
    int           columns;    /* read so far                     */
    int           unsaid;     /* 1: of an older program, which did not say
                                 what is withheld                */
};

/* "FILE: rows[3].KEY: expected ..." */
void field_wrong(struct reading *r, const char *key, const char *expected);

const char *field_text(struct reading *r, json_t *j, const char *key);
const char *field_text_or_null(struct reading *r, json_t *j, const char *key);
double      field_number(struct reading *r, json_t *j, const char *key);
int         field_flag(struct reading *r, json_t *j, const char *key);
long long   field_integer(struct reading *r, json_t *j, const char *key,
                          long long least, long long most);
struct interval field_interval(struct reading *r, json_t *j); /* low, high */

/* Of an older program, which did not write it: NAN, 0. */
double field_number_or_none(struct reading *r, json_t *j, const char *key);
int    field_flag_or_none(struct reading *r, json_t *j, const char *key);

/* n zeroed elements and one more, of the table's memory. */
void *field_take(struct reading *r, int n, size_t size);

/* What `one` reads of the objects of a list, *n elements of `size` bytes. */
void *field_each(struct reading *r, json_t *root, const char *key, int most,
                 int *n, size_t size,
                 void (*one)(struct reading *r, json_t *j, void *out));
