/*
 * builds: which builds of the program a set of cells comes from.
 *
 * Two builds differ if the provenance of their cells differs in a fact that
 * the bits of results depend on: numerics version, bits of a number, compiler,
 * flags, libraries, instruction set, matrix product library, build.  If only
 * their commits differ, builds are listed separately but do not differ in this
 * sense.  Flags for warnings and include folders are ignored.
 */
#pragma once

#include "harness/base/arena.h"
#include "harness/base/relation.h"
#include "harness/store/cell.h"

enum { BUILD_FACTS = 8 };

/* The names of the attributes of provenance: "numerics_version", ... */
extern const char *const build_fact[BUILD_FACTS];

/* The columns of a build: commit, dirty, cells, and every fact. */
extern const struct column build_columns[];

struct build {
    const char *commit;            /* "unknown": not recorded             */
    int         dirty;             /* 1: uncommitted changes; -1: unknown */
    int         cells;             /* number of cells that it made        */
    const char *fact[BUILD_FACTS]; /* NULL: not recorded                  */
};

struct builds { int n; struct build *build; };

/* Reads the build of one cell; texts are allocated from a.  Returns ERR_STORE
 * if the cell is damaged. */
int build_read(struct build *out, struct cell_reader *cell, struct arena *a);

/* Adds the cells of `one` to the same build of the list, or to a new entry if
 * there is none yet.  Returns the index of the build. */
int builds_add(struct builds *all, const struct build *one, struct arena *a);

/* Return 1 if two of the builds differ in this fact, or in any fact. */
int builds_differ_in(const struct builds *all, int fact);
int builds_differ(const struct builds *all);

/* Returns the builds as the relation "builds". */
struct relation builds_relation(const struct builds *all);

/* Returns "0123456" or "0123456-dirty". */
const char *build_name(const struct build *b, char out[32]);

/* Returns "Cells of commits 0123456 (30), 89abcde-dirty (3); ...; provenance
 * differs in: flags; ...", or NULL if there are no cells. */
const char *builds_text(const struct builds *all, struct arena *a);

