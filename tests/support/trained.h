/* trained: cells that train_cell makes of a few words, "task=lm1b steps=4", at
 * the size of a test, from generators; and the same by hand, step by step. */
#pragma once

#include "harness/store/cell.h"
#include "harness/train/evaluate.h"
#include "harness/train/train.h"
#include "harness/train/watch.h"

extern char *trained_store; /* of the test that runs */

int trained_setup(void **state);
int trained_teardown(void **state);

struct trained {
    struct config       c;
    struct mix          mix;
    const struct task  *task;
    char                id[CELL_ID];
    struct cell_reader *r;
    struct arena       *memory; /* of all that is read */
};

/* Settings behind ours: later ones win. */
void trained_resolve(struct trained *t, const char *words);
void trained_open(struct trained *t, const char *words);
void trained_close(struct trained *t);

/* What the cell holds; they fail the test where it is not there. */
struct reals { size_t n; double *x; };
struct texts { size_t n; char **x; };
struct reals trained_reals(struct trained *t, const char *path);
struct texts trained_texts(struct trained *t, const char *path);
const char  *trained_text(struct trained *t, const char *attribute);
double       trained_real(struct trained *t, const char *attribute);

/* The loop of train.c again, in the fewest words. */
struct byhand {
    struct config  c;
    struct dataset d;
    struct trainer t;
    double        *loss, *ce;  /* (steps); (evals), each with the weights ... */
    long          *at;         /* (evals) ... after so many steps             */
    long           tokens;
    struct scores  test;
    struct watch   first, last; /* attention before step 1, after all         */
    struct moves   moves;       /* of logits in steps 1, 2, 4, ... and all    */
    struct arena  *memory;
};

/* start: whose weights are the first; NULL: those that are drawn. */
void byhand_open(struct byhand *h, const struct trained *t,
                 const struct byhand *start);
void byhand_close(struct byhand *h);
