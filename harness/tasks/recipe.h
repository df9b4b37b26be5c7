/*
 * recipe: makes the dataset of a task from fetched text.  task.c calls it.
 *
 * A task gathers the texts of each split; the rest is common.  The tokenizer is
 * trained on all training texts (both sides) and nothing else, or is that of
 * another task at the same length and vocabulary.  The texts become ids
 * (rows.h), and the result is kept under CACHE/prepared.
 */
#pragma once

#include "harness/tasks/items.h"
#include "harness/tasks/task.h"
#include "harness/tasks/texts.h"

struct recipe {
    const char *subject;  /* "English-German" */
    const char *language; /* translations to read, or NULL */
    unsigned needs;       /* bits 1u << SOURCE_APT ...; includes those of
                             another task whose tokenizer is used */
    const struct part *parts; /* parts of a mixture (mixture.h), or NULL */
    /* Used if there are no parts. */
    void (*gather)(struct items out[SPLITS], const struct texts *t);
};

/* Gathers running text for language models, one item per sentence, in `target`
 * (running.c). */
void running_text(struct items out[SPLITS], const struct texts *t);

extern const struct task task_c4; /* other tasks use its tokenizer */

/* Opens the data of a task from its recipe, or from its official data if o
 * requests it. */
int recipe_open(struct dataset *out, const struct task *t,
                const struct task_opts *o);

/* Opens official data only if it is completely prepared.  Returns 1, or 0 if it
 * is not prepared. */
int recipe_prepared(struct dataset *out, const struct task *t,
                    const struct task_opts *o);

/* Does the same, but only counts the examples of each split. */
int recipe_counts(int n[SPLITS], const struct task *t,
                  const struct task_opts *o);
