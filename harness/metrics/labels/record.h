/* record: the marks of each query of ReCoRD (score_record.c). */
#ifndef METRICS_LABELS_RECORD_H
#define METRICS_LABELS_RECORD_H

#include "harness/metrics/scorer.h"

struct record_mark { double exact, f1; };

/* m [in->ref[0]->n], in the order of the queries.  ERR_DATA: a line that is
 * none, or a query that stands twice or nowhere. */
int record_marks(struct record_mark *m, const struct score_input *in);

#endif
