/* provenance: how a number was produced.  train/record.c writes it to each cell
 * file; other modules print single parts. */
#pragma once

#include "harness/base/hash.h"
#include "harness/base/nodes.h"
#include "harness/data/dataset.h"
#include "harness/engine/backend.h"
#include "harness/store/cell.h"

/* Writes group `provenance`: commit, compiler, flags, processor, libraries,
 * instruction sets, environment, and data if there are any (d may be NULL).  It
 * describes what ran, not only what was built. */
int provenance_put(struct cell_writer *w, const struct dataset *d,
                   int threads);

/* Adds to that group, for a cell that a GPU computes: the GPU, its streaming
 * multiprocessors and memory, the driver's version of CUDA, the library of the
 * products, and the SHA-256 of the kernels' PTX.  For the processor, adds
 * nothing. */
int provenance_put_device(struct cell_writer *w, enum device d);

/* Where a process was placed, according to the process that placed it. */
struct stand {
    struct cores        cores;     /* granted to it */
    const struct nodes *nodes;     /* NULL: unknown */
    char                bound[112]; /* "to node 1", "no: one NUMA node" */
};

/* Adds to that group the cores granted to the process and what granted them,
 * the machine, and where on it this thread may run now.  s NULL: the process
 * was not placed. */
int provenance_put_cores(struct cell_writer *w, const struct stand *s);

/* Writes the SHA-256 of what determines the bits of a result, in addition to
 * code and configuration: this program's file, the loaded libraries of
 * arithmetic, and the instructions that these select.  Two runs with the same
 * digest give the same numbers, so one can resume where the other stopped
 * (build.c). */
void provenance_build(char hex[HASH_HEX]);
enum { PROVENANCE_TEXT = 1024 };

/* Writes the versions of the loaded libraries, which may differ from those that
 * the program was built with: "glibc 2.36, jansson 2.14, ..." (libm belongs to
 * glibc).  For oneDNN see backend_products(). */
void provenance_libraries(char out[PROVENANCE_TEXT]);

/* Writes the commit of this program, or "..., changed" if the tree had
 * uncommitted changes. */
void        provenance_commit(char out[PROVENANCE_TEXT]);
/* Returns 0 if git did not answer when this program was built: its commit is
 * "unknown", and whether the tree had changes is not recorded.  Else returns
 * 1. */
int         provenance_knows_commit(void);
const char *provenance_compiler(void);
void        provenance_arch(char out[PROVENANCE_TEXT]); /* its -march, or "" */

/* provenance_processor_has writes the processor's instruction sets, "avx avx2
 * fma ..." (Linux; else "").  provenance_instructions returns those of the
 * products; if the compiler alone chooses them, those that it was allowed to
 * use. */
void        provenance_processor_has(char out[PROVENANCE_TEXT]);
const char *provenance_instructions(void);

/* Writes "DNNL_MAX_CPU_ISA=AVX2 OMP_...", sorted: the variables that can change
 * what is computed or how fast.  Ends with " ..." if they do not fit. */
void provenance_environment(char out[PROVENANCE_TEXT]);

/* Writes the "model name" of /proc/cpuinfo, or, on other systems, the type of
 * the machine. */
void provenance_processor(char out[256]);

double provenance_peak_rss(void); /* bytes; this process so far */
