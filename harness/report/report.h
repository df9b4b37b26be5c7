/*
 * report: reads a store for the commands that print its results as tables,
 * figures and pages.
 *
 * A report lists the cells of STORE/experiment.json (store/frozen.h).  The
 * numbers of a cell are read from its file with store/cell.h.  The caller opens
 * the report with report_open, reads cells with report_read, and calls
 * report_close.
 */
#pragma once

#include "harness/base/map.h"
#include "harness/base/owned.h"
#include "harness/store/contrast.h"
#include "harness/store/store.h"

struct cell_reader;

struct report_cell {
    const char     *id, *task, *scale;
    const char     *variant;   /* the name of its row: the variant, followed by
                                  the settings that the experiment varies */
    long long       seed;
    int             synthetic; /* from a generator, not real text */
    enum cell_state state;
    int             damaged;   /* 1: its file is damaged; `state` is then
                                  failed                                 */
    const char     *parent;    /* id of the cell it starts from, or NULL */
    const char     *message;   /* why it is failed, refused or blocked; or "" */
    const char     *class;     /* class of the failure (store.h), or ""  */
};

/* The note on numbers that were measured on synthetic examples. */
extern const char report_synthetic[];

struct report {
    const char         *store;       /* its folder */
    const char         *name, *title;
    const char        **uncompared;  /* tasks that are reported, not compared;
                                        ends with NULL; NULL: none */
    int                 contrasts;   /* number of contrasts        */
    const struct contrast_named *contrast;
    const char        **guessed;     /* store/guess.h, ends with NULL */
    const char         *file;        /* see store/frozen.h, or NULL   */
    int                 own;         /* see store/frozen.h            */
    int                 n;
    struct report_cell *cell;        /* in the order of experiment.json       */
    int                 trials;      /* number of trials for tuning, which
                                        `cell` does not contain               */
    int                 tried;       /* number of trials that can be used
                                        (store_tried)                         */
    int                 damaged;     /* number of damaged cells               */
    int                 others;      /* number of finished cells of the store
                                        that `cell` does not contain          */
    struct evidence   **evidence;    /* head of the list in which evidence_open
                                        keeps evidence; NULL: keeps none      */
    /* For report_read: `ids` numbers the cells' ids; files[i] is the file of id
     * i if it is kept, or NULL; `kept` is the sum of their bytes, and most_kept
     * its maximum. */
    struct map          *ids;
    struct cell_reader **files;
    size_t              *kept, most_kept;
    struct arena       *memory;      /* owns everything else here             */
};

/* Opens a store.  Returns ERR_EMPTY if no experiment has been run in the
 * folder, or ERR_STORE if experiment.json or another list of the store is
 * damaged. */
int  report_open(struct report **out, const char *store);

/* Opens a cell as cell_open does; the caller calls cell_close.  The report
 * keeps the files that it has read, up to an eighth of the machine's memory, so
 * that a later table or figure does not read and check them again. */
int report_read(struct cell_reader **out, const struct report *r,
                const char *id);

/* Returns 1 if the experiment reports the task but does not compare it. */
int report_uncompared(const struct report *r, const char *task);

/* Returns 1 if the difference `c` can have a verdict: if the experiment has no
 * contrasts, or if `c` is one of them.  A difference in perplexity can have a
 * verdict if the difference in cross-entropy can. */
int report_judges(const struct report *r, const struct contrast_named *c);

/* Returns the size of the family of tests: the number of contrasts or, if the
 * experiment has no contrasts, `tests`. */
size_t report_family(const struct report *r, size_t tests);

/* Returns what to append to a number of cells: ", with 24 of 336 trials of
 * settings" if only 24 trials are finished, ", with 6 trials of settings" if
 * all are, or "" if there are none. */
enum { REPORT_TRIALS = 64 };
const char *report_trials(const struct report *r, char out[REPORT_TRIALS]);

/* Prints which cells are damaged.  Returns OK if none is, or else the exit code
 * of ERR_STORE. */
int report_damage(const struct report *r);

void report_close(struct report *r); /* NULL is allowed */
OWNER(report_close, struct report *)
