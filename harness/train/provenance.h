/* provenance: under what a number came about. */
#ifndef TRAIN_PROVENANCE_H
#define TRAIN_PROVENANCE_H

#include "harness/base/hash.h"
#include "harness/data/dataset.h"
#include "harness/store/cell.h"

/* Group `provenance`: commit, compiler, flags, processor, libraries, and data
 * where there are any (d may be NULL). */
int provenance_put(struct cell_writer *w, const struct dataset *d,
                   int threads);

/* SHA-256 of what decides the bits of a result beside code and configuration:
 * this program's file, the libraries of arithmetic that are loaded, and the
 * instructions that these find.  Two runs of one digest give the same numbers,
 * so one can go on where the other stopped (build.c). */
void provenance_build(char hex[HASH_HEX]);

/* "model name" of /proc/cpuinfo; other systems: the machine's kind. */
void provenance_processor(char out[256]);

double provenance_peak_rss(void); /* bytes, of this process so far */

#endif
