/*
 * recipe: from fetched text to the dataset of a task.
 *
 * A task gathers the texts of each split; the rest is common: the tokenizer is
 * trained on all of the training texts (both sides) and on nothing else, or is
 * that of another task at the same length and vocabulary; the texts become
 * ids (rows.h), the result is kept under CACHE/prepared.
 */
#pragma once

#include "harness/tasks/items.h"
#include "harness/tasks/task.h"
#include "harness/tasks/texts.h"

struct recipe {
    const char *subject;  /* "English-German" */
    const char *language; /* of the translations to read, or NULL */
    unsigned needs;       /* bits 1u << SOURCE_APT ...; with another task's
                             tokenizer what that one needs, too */
    const struct part *parts; /* of a mixture (mixture.h), or NULL */
    /* Without parts. */
    void (*gather)(struct items out[SPLITS], const struct texts *t);
};

/* running.c: of language models, one item a sentence, in `target`. */
void running_text(struct items out[SPLITS], const struct texts *t);

extern const struct task task_c4; /* whose tokenizer serves others too */

/* The data of a task, from its recipe; of its official files where o asks for
 * them. */
int recipe_open(struct dataset *out, const struct task *t,
                const struct task_opts *o);

/* Of official files only, and only where all of it is prepared: 1; else 0. */
int recipe_prepared(struct dataset *out, const struct task *t,
                    const struct task_opts *o);

/* The same, of which only the examples of each split are counted. */
int recipe_counts(int n[SPLITS], const struct task *t,
                  const struct task_opts *o);
