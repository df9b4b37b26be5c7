/* table1_sheet: makes the sheet of Table 1 (plan/table1.h), with its JSON and
 * records.  The commands `table` and `report` call it. */
#pragma once

#include "harness/plan/table1.h"
#include "harness/print/sheet.h"

struct sheet *table1_sheet(const struct table1 *t);
