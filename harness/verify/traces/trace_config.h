/*
 * trace_config: the settings of a trace: a family in place of a task, a small
 * model, no dropout.  The keys are those of key_table, and `classes`, which
 * the data decide elsewhere.
 */
#ifndef VERIFY_TRACE_CONFIG_H
#define VERIFY_TRACE_CONFIG_H

#include "harness/config/experiment.h"
#include "harness/nn/attention.h"

enum { TRACE_SETS = 128 };

/* In the order of enum family; ends with NULL. */
extern const char *const trace_families[];

/* The configuration of a small model: defaults of traces, then `set`.  family
 * NULL: lm.  The parts of a mixture keep their order.  ERR_USAGE. */
int trace_config_make(struct config *c, struct mix *mix, const char *family,
                      const struct assigns *set);

/* The same without the defaults: `set` names the variant. */
int trace_config_resolve(struct config *c, struct mix *mix, const char *family,
                         const struct assigns *set);

#endif
