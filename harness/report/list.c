#include "harness/report/table.h"

#include "harness/base/names.h"

#include <stddef.h>

#define TABLE(name) extern const struct table table_##name;
#include "harness/report/list.h"
#undef TABLE

const struct table *const table_all[] = {
#define TABLE(name) &table_##name,
#include "harness/report/list.h"
#undef TABLE
    NULL};

NAMES_FIND(table, "synthbench list tables")
