/*
 * report: what a store holds, read for tables and figures.
 *
 * Which cells there are, STORE/experiment.json says (store/frozen.h).
 * A cell's numbers are read from its file with store/cell.h.
 */
#pragma once

#include "harness/base/owned.h"
#include "harness/store/contrast.h"
#include "harness/store/store.h"

struct report_cell {
    const char     *id, *task, *scale;
    const char     *variant;   /* or what else its row is called: a variant
                                  and what the experiment varies         */
    long long       seed;
    int             synthetic; /* made by a generator, not real text  */
    enum cell_state state;
    int             damaged;   /* its file is not what it was: failed */
    const char     *parent;    /* id of the one it starts from, or NULL */
    const char     *message;   /* of a failed, refused, blocked one, or "" */
    const char     *class;     /* of a failed one (store.h), else ""  */
    struct cell_reader *file;  /* kept by report_read, or NULL        */
};

/* What stands beside numbers of examples that a generator made. */
extern const char report_synthetic[];

struct report {
    const char         *store;       /* its folder                    */
    const char         *name, *title;
    const char        **uncompared;  /* tasks that run and are not compared,
                                        ends with NULL; NULL: none    */
    int                 contrasts;   /* 0: none                       */
    const struct contrast_named *contrast;
    const char        **guessed;     /* store/guess.h, ends with NULL */
    const char         *file;        /* store/frozen.h, or NULL       */
    int                 own;         /* likewise                      */
    int                 n;
    struct report_cell *cell;        /* in the order of experiment.json */
    int                 trials;      /* of settings: no cells of these */
    int                 tried;       /* of them: store_tried           */
    int                 damaged;     /* how many cells are            */
    int                 others;      /* finished cells of the store that are
                                        not among these               */
    struct evidence   **evidence;    /* a list that evidence_open keeps;
                                        NULL: it keeps none           */
    struct arena       *memory;      /* owns all of it                */
};

struct cell_reader;

/* ERR_EMPTY: no experiment has been run into the folder; ERR_STORE: one of its
 * lists is damaged. */
int  report_open(struct report **out, const char *store);

/* As cell_open.  The report keeps the files that it has read, up to some
 * hundred MiB, so that a table or figure does not read and check them again. */
int report_read(struct cell_reader **out, const struct report *r,
                const char *id);

int report_uncompared(const struct report *r, const char *task); /* 1: it is */

/* Returns true if a and b may have a verdict: if they are a contrast of the
 * experiment, or it has none.  A perplexity is judged with its
 * cross-entropy. */
int report_judges(const struct report *r, const struct contrast_named *c);

/* The family of a verdict: the contrasts, or if there are none, the tests. */
size_t report_family(const struct report *r, size_t tests);

/* ", with 24 of 336 trials of settings", ", with 6 trials of settings", or
 * "". */
enum { REPORT_TRIALS = 64 };
const char *report_trials(const struct report *r, char out[REPORT_TRIALS]);

/* Says which cells are damaged; OK, or the exit code of ERR_STORE. */
int report_damage(const struct report *r);

void report_close(struct report *r); /* NULL is fine */
OWNER(report_close, struct report *)
