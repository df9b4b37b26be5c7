/*
 * sheet_file: a sheet out of the JSON that format_json.c wrote of it.  The
 * JSON has all that a sheet shows, so that every form is made again without
 * the store.
 *
 * The file is somebody else's until checked: every field that a form looks at
 * has its type and range, every task and column that is named is there.  What
 * follows from other fields ("data", "synthetic", "verdict") is not read.
 */
#ifndef REPORT_SHEET_FILE_H
#define REPORT_SHEET_FILE_H

#include "harness/report/sheet.h"

enum { SHEET_SCHEMA = 2 }; /* of the JSON: schema_version */

/* sheet_close frees it; it has no report.  ERR_USAGE: no such file; ERR_STORE
 * with file and place: not such JSON, or a newer or older program's. */
int sheet_read(struct sheet **out, const char *path);

#endif
