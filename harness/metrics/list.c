#include "harness/base/names.h"
#include "harness/metrics/metric.h"
#include "harness/metrics/scorer.h"
#include "harness/metrics/vectors.h"

#include <stddef.h>

#define METRIC(name) extern const struct metric metric_##name;
#define SCORER(name) extern const struct scorer scorer_##name;
#define VECTORS(name) extern const struct vectors vectors_##name;
#include "harness/metrics/list.h"

const struct metric *const metric_all[] = {
#define METRIC(name) &metric_##name,
#include "harness/metrics/list.h"
    NULL};

const struct scorer *const scorer_all[] = {
#define SCORER(name) &scorer_##name,
#include "harness/metrics/list.h"
    NULL};

const struct vectors *const vectors_all[] = {
#define VECTORS(name) &vectors_##name,
#include "harness/metrics/list.h"
    NULL};

NAMES_FIND(scorer)
