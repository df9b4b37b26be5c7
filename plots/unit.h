/* unit: the words in which an axis tells large numbers. */
#pragma once

struct unit { double of; const char *word; }; /* 1e6, "millions"; 1, "" */

/* The largest of which there is at least one. */
struct unit unit_of(double least);
