#include "variants/variants.h"

#include "harness/base/names.h"

#include <stddef.h>

#define VARIANT(name) extern const struct variant variant_##name;
#include "variants/list.h"
#undef VARIANT

const struct variant *const variant_all[] = {
#define VARIANT(name) &variant_##name,
#include "variants/list.h"
#undef VARIANT
    NULL};

NAMES_FIND(variant, "synthbench list variants")
