/* printed: tables as the program prints them, taken apart again. */
#pragma once

#include "harness/base/text.h"
#include "harness/print/sheet.h"

/* A sheet in that format; and closes it.  Caller frees. */
char *printed_sheet(struct sheet *s, const char *format);
char *printed_wide(struct sheet *s, const char *format); /* of 120 columns */

/* `table N --store PATH --format FORMAT`; or from "--from".  Caller frees. */
char *printed_table(int table, const char *format, const char *from,
                    const char *path);

/* The field of that name of a line of CSV without quotes; one of a line of a
 * pipe table, from 0.  Kept until the next call, the latter one call more. */
const char *printed_field(const char *csv, const char *line, const char *name);
const char *printed_piped(const char *line, int at);

/* Adds the words behind a title in all grids of a text, one blank before each;
 * and those of a line of a pipe table, as text has them. */
void printed_behind(struct text *out, const char *text, const char *title);
void printed_words(struct text *out, const char *line);
