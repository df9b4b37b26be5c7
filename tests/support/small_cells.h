/* small_cells: trains cells of test size with train_cell, from settings given
 * as words ("task=lm1b steps=4") and generated data; and trains the same model
 * by hand, step by step. */
#pragma once

#include "harness/store/cell.h"
#include "harness/train/evaluate.h"
#include "harness/train/train.h"
#include "harness/train/watch.h"

extern char *trained_store; /* store of the current test */

int trained_setup(void **state);
int trained_teardown(void **state);

struct trained {
    struct config       c;
    struct mix          mix;
    const struct task  *task;
    char                id[CELL_ID];
    struct cell_reader *r;
    struct arena       *memory; /* holds everything that is read */
};

/* Adds the settings in `words` to the defaults; the last setting of a key
 * wins. */
void trained_resolve(struct trained *t, const char *words);
void trained_open(struct trained *t, const char *words);
void trained_close(struct trained *t);

/* These functions read a value from the cell and fail the test if it is
 * missing. */
struct reals { size_t n; double *x; };
struct texts { size_t n; char **x; };
struct reals trained_reals(struct trained *t, const char *path);
struct texts trained_texts(struct trained *t, const char *path);
const char  *trained_text(struct trained *t, const char *attribute);
double       trained_real(struct trained *t, const char *attribute);

/* The state of a training run by hand: by a minimal second implementation of
 * the loop in train.c. */
struct byhand {
    struct config  c;
    struct dataset d;
    struct trainer t;
    /* loss[s] is the loss of step s; ce[i] is the cross-entropy of evaluation
     * i, which takes place after at[i] steps. */
    double        *loss, *ce;
    long          *at;
    long           tokens;
    struct scores  test;
    struct watch   first, last; /* attention before step 1 and at the end     */
    struct logit_changes changes; /* in steps 1, 2, 4, ... and the last       */
    struct arena  *memory;
};

/* `start` supplies the initial weights; if it is NULL, they are drawn. */
void byhand_open(struct byhand *h, const struct trained *t,
                 const struct byhand *start);
void byhand_close(struct byhand *h);
