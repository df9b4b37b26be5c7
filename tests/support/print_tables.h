/* print_tables: runs tables as the program does and parses their output. */
#pragma once

#include "harness/base/text.h"
#include "harness/print/sheet.h"

/* Prints the sheet in this format and closes it. The caller frees the text. */
char *printed_sheet(struct sheet *s, const char *format);
char *printed_wide(struct sheet *s, const char *format); /* 120 columns */

/* Returns the output of `table N --store PATH --format FORMAT`; if `from` is
 * not NULL, with --from instead of --store. The caller frees it. */
char *printed_table(int table, const char *format, const char *from,
                    const char *path);

/* printed_field returns the named field of a line of CSV without quotes; it is
 * valid until the next call. printed_piped returns field `at`, from 0, of a
 * line of a pipe table; it is valid until the call after the next. */
const char *printed_field(const char *csv, const char *line, const char *name);
const char *printed_piped(const char *line, int at);

/* printed_behind appends the words that follow a title in all grids of a text,
 * with a blank before each word. printed_words appends the words of a line of a
 * pipe table in the same form. */
void printed_behind(struct text *out, const char *text, const char *title);
void printed_words(struct text *out, const char *line);
