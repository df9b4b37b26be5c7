/* trained_store: trains a cell on a small data set as the program does, in a
 * store made for the test, and reads what the cell contains. */
#pragma once

#include "harness/store/cell.h"
#include "harness/train/run.h"

/* Tasks on the data of toy.h. Rows of given_text have prompts of 0, 1 or 2 ids.
 * given_pairs has reference texts. Labels of given_labels are 1 and 2, but 0 in
 * the split given_rare. */
extern const struct task given_text, given_pairs, given_labels;
extern int given_rare; /* -1: no such split */
int given_open(struct dataset *out, enum task_kind kind);

struct config given_config(enum task_kind kind, int steps, int evals);

extern char *given_store, *given_checkpoint[2], given_id[CELL_ID];
int given_setup(void **state);
int given_teardown(void **state);
void given_another_store(void);

/* Options and outcome of a training run. */
struct training {
    volatile sig_atomic_t stop;
    int                   at_first;  /* 1: stop after the first step        */
    const struct train_choice *choice; /* NULL: no choice                   */
    int                   not_ours;  /* 1: another runner took the lease    */
    char                  remark[512];
};

int  given_run(const struct config *c, const struct task *task,
               struct training *t);
void given_trained(const struct config *c, const struct task *task);

/* given_stored opens the cell. given_array reads an array with `want` values,
 * given_strings one with `want` texts. */
struct cell_reader *given_stored(void);
double *given_array(struct cell_reader *r, const char *path, size_t want);
char **given_strings(struct cell_reader *r, const char *path, size_t want);
