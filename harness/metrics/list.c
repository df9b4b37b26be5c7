#include "harness/base/names.h"
#include "harness/metrics/metric.h"
#include "harness/metrics/scorer.h"

#include <stddef.h>

#define METRIC(name) extern const struct metric metric_##name;
#define SCORER(name) extern const struct scorer scorer_##name;
#include "harness/metrics/list.h"

const struct metric *const metric_all[] = {
#define METRIC(name) &metric_##name,
#include "harness/metrics/list.h"
    NULL};

const struct scorer *const scorer_all[] = {
#define SCORER(name) &scorer_##name,
#include "harness/metrics/list.h"
    NULL};

NAMES_FIND(scorer, "synthbench list scorers")
