/* references: the rows of a table that are no variants. */
#ifndef REPORT_REFERENCES_H
#define REPORT_REFERENCES_H

#include "harness/report/evidence.h"
#include "harness/report/measured.h"

/* Those of one task: evidence_references, then its baselines. */
int references_fill(struct measured *s, const struct measured_task *task,
                    struct evidence *e);

#endif
