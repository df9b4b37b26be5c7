/*
 * task: a data set, how a model is asked about it, what is measured.
 * Knows nothing of models.  One file a task; one row in tasks/list.h.
 */
#ifndef TASKS_TASK_H
#define TASKS_TASK_H

#include "harness/data/dataset.h"
#include "harness/metrics/metric.h"

/* Part of every cell id: raise it when a recipe gives other examples. */
#define DATA_RECIPE_VERSION 2

struct task_opts {      /* the first six are part of the configuration hash */
    int synthetic;      /* 1: the generator of the same task kind           */
    int N;              /* longest sequence of the model                    */
    int length;         /* longest sequence of this run, n <= N             */
    int vocab;          /* pieces of the tokenizer, or symbols              */
    int train, valid, test; /* examples (LM: packed rows) at most; 0: all   */
    const char *cache;  /* folder of fetched and prepared data              */
};

struct task {
    const char    *name;      /* key in experiments and in the store        */
    const char    *title;     /* as the paper's tables print it             */
    const char    *cite;      /* the paper's table                          */
    const char    *source;    /* one line: the text behind the quick scale  */
    const char    *generator; /* one line: the generator of the smoke scale */
    enum task_kind kind;
    const char *const *metrics; /* names in metrics/list.h, the primary one
                                   first; ends with NULL                    */

    /* ERR_DATA: data missing (the message names `synthbench data fetch`) or
     * damaged (the message names file:line). */
    int (*open)(struct dataset *out, const struct task_opts *o);
};

#endif
