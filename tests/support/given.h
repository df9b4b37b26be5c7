/* given: a cell on a small data set, trained as the program trains one, in a
 * store of its own; and what it stored. */
#pragma once

#include "harness/store/cell.h"
#include "harness/train/run.h"

/* toy, where rows of text have prompts of 0, 1 or 2 ids; where pairs have
 * references; where labels are 1 and 2, but 0 in the split given_rare. */
extern const struct task given_text, given_pairs, given_labels;
extern int given_rare; /* -1: none */
int given_open(struct dataset *out, enum task_kind kind);

struct config given_config(enum task_kind kind, int steps, int evals);

extern char *given_store, *given_checkpoint[2], given_id[CELL_ID];
int given_setup(void **state);
int given_teardown(void **state);
void given_another_store(void);

/* What a cell told while it was trained; at_first: it is stopped after its
 * first step. */
struct told {
    volatile sig_atomic_t stop;
    int                   at_first;  /* 1: stop after the first step        */
    const struct train_choice *choice; /* NULL: none                        */
    int                   not_ours;  /* 1: another runner has the cell now  */
    char                  remark[512];
};

int  given_run(const struct config *c, const struct task *task,
               struct told *t);
void given_trained(const struct config *c, const struct task *task);

/* The cell; an array of it, of as many values as wanted; a text. */
struct cell_reader *given_stored(void);
double *given_array(struct cell_reader *r, const char *path, size_t want);
char **given_strings(struct cell_reader *r, const char *path, size_t want);
