/* provenance: under what a number came about. */
#ifndef TRAIN_PROVENANCE_H
#define TRAIN_PROVENANCE_H

#include "harness/data/dataset.h"
#include "harness/store/cell.h"

/* Group `provenance`: commit, compiler, flags, processor, libraries, and data
 * where there are any (d may be NULL). */
int provenance_put(struct cell_writer *w, const struct dataset *d,
                   int threads);

/* "model name" of /proc/cpuinfo; other systems: the machine's kind. */
void provenance_processor(char out[256]);

double provenance_peak_rss(void); /* bytes, of this process so far */

#endif
