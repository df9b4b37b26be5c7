/* unit: units for the large numbers of an axis, as "millions". */
#pragma once

struct unit { double of; const char *word; }; /* 1e6, "millions"; 1, "" */

/* Returns the largest unit that is not greater than `least`, or 1. */
struct unit unit_of(double least);
