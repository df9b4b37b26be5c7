/*
 * recipe: from fetched text to the dataset of a task.
 *
 * A task gathers the texts of each split; the rest is common: the tokenizer is
 * trained on all of the training texts (both sides) and on nothing else, or is
 * that of another recipe at the same length and vocabulary; the texts become
 * ids (rows.h), the result is kept under CACHE/prepared.
 */
#ifndef TASKS_RECIPE_H
#define TASKS_RECIPE_H

#include "harness/tasks/items.h"
#include "harness/tasks/task.h"
#include "harness/tasks/texts.h"

struct recipe {
    const char *name;     /* of the task */
    const char *subject;  /* "English-German" */
    const char *language; /* of the translations to read, or NULL */
    unsigned needs;       /* bits 1u << SOURCE_APT ... */
    enum task_kind kind;
    int classes;
    int cut;                   /* 1: half a source is as good */
    int (*target)(int length); /* as in struct task */
    const struct part *parts;    /* of a mixture (mixture.h), or NULL */
    const struct recipe *tokenizer; /* whose it is; NULL: its own.  What that
                                       recipe needs, this one needs too */
    /* Without parts. */
    void (*gather)(struct items out[SPLITS], const struct texts *t);
    const struct task *official; /* whose files to read in place of these
                                    sources (official.h); NULL: none */
};

/* Their tokenizer serves others too. */
extern const struct recipe c4_recipe;
extern const struct task task_c4;

int recipe_open(struct dataset *out, const struct recipe *r,
                const struct task_opts *o);

#endif
