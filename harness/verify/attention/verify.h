/* verify: every exact property of every variant it applies to. */
#ifndef VERIFY_VERIFY_H
#define VERIFY_VERIFY_H

#include "harness/verify/attention/property.h"
#include "harness/verify/facts.h"

/* Subject and remark last as long as the report. */
struct finding {
    const struct subject  *subject;
    const struct property *property;
    enum verdict           verdict;
    double                 measured, bound; /* of VERDICT_NONE: 0           */
    int                    at_least;        /* the bound is from below      */
    const char            *remark; /* of VERDICT_NONE: why; of VERDICT_FAIL:
                                      where; else ""                        */
};

typedef void verify_report(void *arg, const struct finding *f);

/* The variants of `list` (it ends with NULL) and mixtures of them, computed by
 * `be`.  Returns how many findings are failures. */
int verify_run(const struct variant *const list[], const struct backend *be,
               verify_report *report, void *arg);

#endif
