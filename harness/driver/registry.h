/*
 * registry: every variant, task, corpus, metric, scorer, set of reference
 * vectors, table and figure.  The only file that reads their list.h: to add
 * one, write its file and its row there.
 */
#ifndef DRIVER_REGISTRY_H
#define DRIVER_REGISTRY_H

#include "harness/corpora/corpus.h"
#include "harness/metrics/metric.h"
#include "harness/metrics/scorer.h"
#include "harness/metrics/vectors.h"
#include "harness/nn/attention.h"
#include "harness/report/table.h"
#include "harness/tasks/task.h"
#include "plots/figure.h"

/* In the order of the lists; each ends with NULL. */
extern const struct variant *const registry_variants[];
extern const struct task *const registry_tasks[];
extern const struct corpus *const registry_corpora[];
extern const struct metric *const registry_metrics[];
extern const struct scorer *const registry_scorers[];
extern const struct vectors *const registry_vectors[];
extern const struct table *const registry_tables[];
extern const struct figure *const registry_figures[];

/* ERR_USAGE with the nearest name. */
int registry_variant(const struct variant **out, const char *name);
int registry_task(const struct task **out, const char *name);
int registry_corpus(const struct corpus **out, const char *name);
int registry_scorer(const struct scorer **out, const char *name);
int registry_table(const struct table **out, const char *name);
int registry_figure(const struct figure **out, const char *name);

/*
 * "a" or "a+b+...": the parts of a mixture, each once, at most MIX_PARTS.
 * Any order is understood; the parts are put in the order of mixture names,
 * which is that of variants/list.h backwards: random+vanilla, dense+vanilla.
 */
enum { MIX_NAME = 64 };
int mix_parse(struct mix *out, char name[MIX_NAME], const char *text);
/* The parts in the order in which they are written; and their name. */
int mix_read(struct mix *out, const char *text);
int mix_name(char name[MIX_NAME], const struct mix *m);

#endif
