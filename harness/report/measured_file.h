/*
 * measured_file: a table out of the JSON of it (report/data.h), which has
 * all that a table shows, so that every form is made again without the store.
 *
 * The file is somebody else's until checked: every field that a form looks at
 * has its type and range, every task and column that is named is there.  What
 * follows from other fields ("data", "synthetic", "verdict") is not read.
 */
#ifndef REPORT_MEASURED_FILE_H
#define REPORT_MEASURED_FILE_H

#include "harness/report/measured.h"

enum { MEASURED_SCHEMA = 2 }; /* of the JSON: schema_version */

/* measured_close frees it; it has no report.  ERR_USAGE: no such file;
 * ERR_STORE with file and place: not such JSON, or of another program. */
int measured_read(struct measured **out, const char *path);

#endif
