#include "harness/verify/metrics/vectors.h"

#include <stddef.h>

#define VECTORS(name) extern const struct vectors vectors_##name;
#include "harness/verify/metrics/list.h"
#undef VECTORS

const struct vectors *const vectors_all[] = {
#define VECTORS(name) &vectors_##name,
#include "harness/verify/metrics/list.h"
#undef VECTORS
    NULL};
