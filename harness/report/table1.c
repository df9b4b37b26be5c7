/*
 * Table 1 of the paper: parameters and operations of each variant.  They are
 * computed from the models (plan/table1.h), not read from a store.
 */
#include "harness/report/table.h"

const struct table table_1 = {
    .name = "1",
    .title = "Cost of a layer; our parameter counts and the published ones",
    .cite = "Tay et al. 2021, Table 1",
    .counted = 1,
};
