/* unit: selects a unit such as "millions" for the large numbers of an axis.
 * Figures call unit_of. */
#pragma once

struct unit { double of; const char *word; }; /* 1e6, "millions"; 1, "" */

/* Returns the largest unit that is not greater than `least`, the smallest
 * number on the axis.  If there is none, returns the unit 1. */
struct unit unit_of(double least);
