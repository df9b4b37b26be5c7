/* references: the rows of a sheet that are no variants. */
#ifndef REPORT_REFERENCES_H
#define REPORT_REFERENCES_H

#include "harness/report/evidence.h"
#include "harness/report/sheet.h"

/* Those of one task: evidence_references, then its baselines. */
int references_fill(struct sheet *s, const struct sheet_task *task,
                    struct evidence *e);

#endif
