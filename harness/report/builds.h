/*
 * builds: lists the builds of the program that trained a set of cells, and
 * detects whether they differ.  Tables, baselines and the history call it.
 *
 * Two builds differ if the provenance of their cells differs in a fact that the
 * bits of results depend on.  These facts are numerics version, bits of a
 * floating-point number, compiler, flags, libraries, instruction set, matrix
 * product library, and digest of the program ("build").  Builds from different
 * commits are listed separately, but a different commit alone is no difference.
 * Flags for warnings and include folders are ignored.
 */
#pragma once

#include "harness/base/arena.h"
#include "harness/base/relation.h"
#include "harness/store/cell.h"

enum { BUILD_FACTS = 8 };

/* The names of the facts, which are also the names of the provenance attributes
 * of a cell that store them: "numerics_version", ... */
extern const char *const build_fact[BUILD_FACTS];

/* The columns of a build: commit, dirty, cells, and every fact. */
extern const struct column build_columns[];

struct build {
    const char *commit;            /* "unknown": not recorded             */
    int         dirty;             /* 1: uncommitted changes; -1: unknown */
    int         cells;             /* number of cells trained by the build */
    const char *fact[BUILD_FACTS]; /* NULL: not recorded                  */
};

struct builds { int n; struct build *build; };

/* Reads the build of one cell; its texts are allocated from `a`.  Returns
 * ERR_STORE if the cell is damaged. */
int build_read(struct build *out, struct cell_reader *cell, struct arena *a);

/* Adds one->cells to the element of `all` that has the same build as `one`.  If
 * no element has this build, appends `one`.  Returns the index of the
 * element. */
int builds_add(struct builds *all, const struct build *one, struct arena *a);

/* builds_differ_in returns 1 if two of the builds differ in fact number `fact`;
 * builds_differ returns 1 if two differ in any fact. */
int builds_differ_in(const struct builds *all, int fact);
int builds_differ(const struct builds *all);

/* Returns the builds as the relation "builds". */
struct relation builds_relation(const struct builds *all);

/* Returns "0123456" or "0123456-dirty". */
const char *build_name(const struct build *b, char out[32]);

/* Returns "Cells of commits 0123456 (30), 89abcde-dirty (3); dirty: ...; cells
 * differ in flags, ...", or NULL if there are no builds. */
const char *builds_text(const struct builds *all, struct arena *a);

