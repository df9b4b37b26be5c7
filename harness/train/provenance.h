/* provenance: determines with which program, on which machine and from which
 * data a result was produced.  train/record.c writes the provenance to each
 * cell file; other modules print single parts of it. */
#pragma once

#include "harness/base/hash.h"
#include "harness/base/nodes.h"
#include "harness/data/dataset.h"
#include "harness/engine/backend.h"
#include "harness/store/cell.h"

/* Writes group `provenance`: commit, compiler, flags, processor, libraries,
 * instruction sets, environment and, unless d is NULL, data.  Libraries and
 * instruction sets are those in use, not those at build time. */
int provenance_put(struct cell_writer *w, const struct dataset *d,
                   int threads);

/* If d is a GPU, adds to group `provenance`: the GPU, its streaming
 * multiprocessors and memory, the driver's version of CUDA, the library of the
 * matrix products, whether attention is fused where it can be, and the SHA-256
 * of the kernels' PTX.  If d is the CPU, adds nothing.  p is the precision of
 * the products. */
int provenance_put_device(struct cell_writer *w, enum device d,
                          enum precision p);

/* The cores on which a process was placed, as reported by the process that
 * placed it. */
struct placement {
    struct cores        cores;     /* granted to the process */
    const struct nodes *nodes;     /* NULL: unknown */
    char                bound[112]; /* "to node 1", "no: one NUMA node" */
};

/* Adds to group `provenance`: the cores granted to the process and what granted
 * them, the machine, and the cores on which this thread can run now.  If s is
 * NULL, the process was not placed. */
int provenance_put_cores(struct cell_writer *w, const struct placement *s);

/* Writes the SHA-256 of what, in addition to the configuration, determines the
 * bits of a result: this program's file, the loaded libraries of arithmetic,
 * and the instructions that these libraries select.  Two processes with the
 * same digest give bit-identical results, so one can resume where the other
 * stopped (build.c). */
void provenance_build(char hex[HASH_HEX]);
enum { PROVENANCE_TEXT = 1024 };

/* Writes the versions of the loaded libraries, "glibc 2.36, jansson 2.14, ..."
 * (libm belongs to glibc).  They can differ from the versions at build time.
 * For oneDNN see backend_products(). */
void provenance_libraries(char out[PROVENANCE_TEXT]);

/* Writes the commit of this program, or "..., changed" if the tree had
 * uncommitted changes. */
void        provenance_commit(char out[PROVENANCE_TEXT]);
/* Returns 1 if the commit is known, or 0 if git failed when this program was
 * built.  In the latter case the commit is "unknown", and whether the tree had
 * changes is not recorded. */
int         provenance_knows_commit(void);
const char *provenance_compiler(void);
/* Writes the argument of -march with which this program was compiled, or "" if
 * there was none. */
void        provenance_arch(char out[PROVENANCE_TEXT]);

/* provenance_processor_has writes the processor's instruction sets, "avx avx2
 * fma ..." on Linux, or "" elsewhere.  provenance_instructions returns the
 * instruction sets of the matrix products.  If only the compiler chooses the
 * instructions, it returns all instruction sets that the compiler was allowed
 * to use. */
void        provenance_processor_has(char out[PROVENANCE_TEXT]);
const char *provenance_instructions(void);

/* Writes the environment variables that can change the results or the speed,
 * sorted: "DNNL_MAX_CPU_ISA=AVX2 OMP_...".  The text ends with " ..." if not
 * all of them fit. */
void provenance_environment(char out[PROVENANCE_TEXT]);

/* Writes the "model name" of /proc/cpuinfo, or, if there is none, the type of
 * the machine. */
void provenance_processor(char out[256]);

/* Returns the peak resident memory of this process so far, in bytes. */
double provenance_peak_rss(void);
