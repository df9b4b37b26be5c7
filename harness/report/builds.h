/*
 * builds: which builds of the program a set of cells comes from.
 *
 * Two builds differ where the provenance of their cells differs in anything
 * that bits depend on: numerics version, bits of a number, compiler, flags,
 * libraries, instruction set, library of the products, build.  A commit alone
 * is named and is no difference, nor are flags of warnings and of folders.
 */
#pragma once

#include "harness/base/arena.h"
#include "harness/base/relation.h"
#include "harness/store/cell.h"

enum { BUILD_FACTS = 8 };

/* As the attributes of provenance are called: "numerics_version", ... */
extern const char *const build_fact[BUILD_FACTS];

/* The columns of a build: commit, dirty, cells, and every fact. */
extern const struct column build_columns[];

struct build {
    const char *commit;            /* "unknown": not said                 */
    int         dirty;             /* 1: the tree had changes besides;
                                      -1: not known                       */
    int         cells;             /* that it made                        */
    const char *fact[BUILD_FACTS]; /* NULL: not said                      */
};

struct builds { int n; struct build *build; };

/* Of one cell; texts live in a.  ERR_STORE: it is damaged. */
int build_read(struct build *out, struct cell_reader *cell, struct arena *a);

/* Counts one's cells under the build that is the same, a new one where there
 * is none yet.  Returns its number. */
int builds_add(struct builds *all, const struct build *one, struct arena *a);

/* 1: two of them differ in this fact; in any. */
int builds_differ_in(const struct builds *all, int fact);
int builds_differ(const struct builds *all);

/* The builds as the list "builds". */
struct relation builds_relation(const struct builds *all);

/* "0123456", "0123456-dirty" */
const char *build_name(const struct build *b, char out[32]);

/* "Cells of commits 0123456 (30), 89abcde-dirty (3); built differently: flags;
 * their bits may differ"; NULL: there are no cells. */
const char *builds_text(const struct builds *all, struct arena *a);

