/* provenance: under what a number came about. */
#pragma once

#include "harness/base/hash.h"
#include "harness/base/nodes.h"
#include "harness/data/dataset.h"
#include "harness/engine/backend.h"
#include "harness/store/cell.h"

/* Group `provenance`: commit, compiler, flags, processor, libraries,
 * instruction sets, environment, and data where there are any (d may be
 * NULL).  It tells what ran, not only what was built. */
int provenance_put(struct cell_writer *w, const struct dataset *d,
                   int threads);

/* In the same group, of a cell that a GPU computes: the card, its streaming
 * multiprocessors and memory, the driver's version of CUDA, what makes the
 * products, and the SHA-256 of the kernels' PTX.  The processor has none. */
int provenance_put_device(struct cell_writer *w, enum device d);

/* Where a process was put, by who put it. */
struct stand {
    struct cores        cores;     /* that it was granted                    */
    const struct nodes *nodes;     /* NULL: nobody knows                     */
    char                bound[112]; /* "to node 1", "no: one NUMA node"       */
};

/* In the same group: the cores that the process was granted, and by whom; the
 * machine, and where of it this thread may run now.  s NULL: nobody put it. */
int provenance_put_cores(struct cell_writer *w, const struct stand *s);

/* SHA-256 of what decides the bits of a result beside code and configuration:
 * this program's file, the libraries of arithmetic that are loaded, and the
 * instructions that these find.  Two runs of one digest give the same numbers,
 * so one can go on where the other stopped (build.c). */
void provenance_build(char hex[HASH_HEX]);
enum { PROVENANCE_TEXT = 1024 };

/* Versions of the libraries that are loaded, which need not be those that the
 * program was built with: "glibc 2.36, jansson 2.14, ..." (libm is glibc's);
 * oneDNN: backend_products(). */
void provenance_libraries(char out[PROVENANCE_TEXT]);

/* Of this program: its commit, "..., changed" where the tree held more than
 * that; and what compiled it. */
void        provenance_commit(char out[PROVENANCE_TEXT]);
/* Returns 0 if git did not answer when this program was built: its commit is
 * "unknown", and whether the tree had changes is not recorded. */
int         provenance_knows_commit(void);
const char *provenance_compiler(void);
void        provenance_arch(char out[PROVENANCE_TEXT]); /* its -march, or "" */

/* What the processor has, "avx avx2 fma ..." (Linux; else ""); and what the
 * products are made of, where only the compiler decides what it was told. */
void        provenance_processor_has(char out[PROVENANCE_TEXT]);
const char *provenance_instructions(void);

/* "DNNL_MAX_CPU_ISA=AVX2 OMP_...", sorted: the variables that can change what
 * is computed or how fast; ends with " ..." where it does not fit. */
void provenance_environment(char out[PROVENANCE_TEXT]);

/* "model name" of /proc/cpuinfo; other systems: the machine's kind. */
void provenance_processor(char out[256]);

double provenance_peak_rss(void); /* bytes, of this process so far */
