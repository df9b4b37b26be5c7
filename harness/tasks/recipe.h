/*
 * recipe: makes the dataset of a task from fetched text or from official data.
 * task.c calls recipe_open.
 *
 * The recipe of a task gathers the texts of each split; all other steps are the
 * same for all tasks.  The tokenizer is trained on the training texts (source
 * and target) only, or is taken from another task with the same length and
 * vocabulary.  The texts become ids (rows.h), and the dataset is kept under
 * CACHE/prepared.
 */
#pragma once

#include "harness/tasks/items.h"
#include "harness/tasks/task.h"
#include "harness/tasks/texts.h"

struct recipe {
    const char *subject;  /* "English-German" */
    const char *language; /* translations to read, or NULL */
    unsigned needs;       /* bits, such as 1u << SOURCE_APT: the sources that
                             this task reads and, if another task provides its
                             tokenizer, the sources of that task */
    const struct part *parts; /* parts of a mixture (mixture.h), or NULL */
    /* Gathers the items of each split, if `parts` is NULL. */
    void (*gather)(struct items out[SPLITS], const struct texts *t);
};

/* Gathers running text for language models: each item is a sentence, in
 * `target` (running.c). */
void running_text(struct items out[SPLITS], const struct texts *t);

extern const struct task task_c4; /* other tasks use its tokenizer */

/* Opens the data of a task: its official data if o->official is set, else the
 * data that its recipe makes. */
int recipe_open(struct dataset *out, const struct task *t,
                const struct task_opts *o);

/* If the official data is completely prepared in the cache, opens it and
 * returns 1; else returns 0, or an error if the options or the prepared data
 * are invalid.  The caller must call dataset_close in all cases. */
int recipe_prepared(struct dataset *out, const struct task *t,
                    const struct task_opts *o);

/* If the official data is completely prepared in the cache, sets n to the
 * number of examples of each split and returns 1; else returns 0, or ERR_USAGE
 * if the options are invalid. */
int recipe_counts(int n[SPLITS], const struct task *t,
                  const struct task_opts *o);
