/*
 * task: defines a task, which is a data set, the form in which it is presented
 * to a model, and its metrics.  This module does not depend on models.  Callers
 * choose a task with task_find, open its data with task_open and release the
 * data with dataset_close.  Each task is defined in a .c file and has a row in
 * tasks/list.h.
 */
#pragma once

#include "harness/base/names.h"
#include "harness/data/dataset.h"
#include "harness/metrics/metric.h"
#include "harness/tasks/reference.h"

/* Part of every cell id.  Increase it if the examples of all recipes change; if
 * those of one recipe change, increase the task's `revision`. */
#define DATA_RECIPE_VERSION 2

struct task_opts {      /* cell ids depend on the members up to test_first */
    int official;       /* 1: use only the paper's official data           */
    int synthetic;      /* 1: use the generator for this kind of task      */
    int skip_nul;       /* 1: skip and count lines of official data with a
                           NUL byte; 0: such a line is an error            */
    int N;              /* longest sequence of the model                   */
    int length;         /* longest sequence of this run, at most N         */
    int vocab;          /* pieces of the tokenizer, or symbols             */
    int train, valid, test; /* maximum examples per split (for language
                               models: rows of running text); 0: all, or
                               of a generator its default (gen_examples)    */
    int test_first;     /* test examples to skip before the first           */
    const char *cache;  /* folder of fetched and prepared data              */
    const char *files;  /* folder of official data                          */
    int threads;        /* maximum threads that prepare data; 0: one.  The
                           data does not depend on it                       */

    /* Called during long work, unless NULL, to report that `done` of `of`
     * examples are processed; `of` is 0 if the total is unknown. */
    void (*tell)(void *arg, const char *phase, long done, long long of);
    void *tell_arg;
};

/* Approximate amount of real training text in ids of a tokenizer of 2000
 * pieces, for the memory estimates of `plan`.  For running text, `rows` is
 * 0. */
struct extent { long rows, ids; };

struct law;
struct recipe;
struct benchmark_subtask;

struct task {
    const char    *name;      /* key in experiments and stores          */
    const char    *title;     /* title in the paper's tables            */
    const char    *cite;      /* table of the paper                     */
    const char    *source;    /* one line: text of the scales quick and
                                 reduced                             */
    const char    *generator; /* one line: generator of the smoke scale */
    const char    *official;  /* files that the full scale reads        */
    const struct recipe *recipe; /* makes data from fetched text (recipe.h);
                                    NULL: such data is generated            */
    int            revision;  /* revision of the recipe; see task_version */
    const struct official *files; /* official data (official.h); NULL: the
                                     full scale uses generated data         */
    const struct law *law;    /* science suite: distribution of its examples
                                 at every scale; NULL: a task of the paper   */
    const char    *preset;    /* default preset of models; NULL: t2t         */
    int            pretrains; /* 1: keep trained weights for fine-tuning     */
    /* subtasks whose mean is the score; NULL: `metrics` alone score the task */
    const struct benchmark_subtask *benchmark;
    enum task_kind kind;
    int            classes;   /* number, in real text; 0: not classification */
    const char *const *metrics; /* names in metrics/list.h, the primary one
                                   first; NULL at the end                   */

    /* Generates data for the smoke scale.  NULL if the task has a law, or if it
     * has a benchmark; gen_labels then generates the examples. */
    int (*generate)(struct dataset *out, const struct task_opts *o);

    const struct task *tokenizer; /* task on whose training text the tokenizer
                                     is trained; NULL: this task */
    int cut;                      /* 1: truncate sources that are too long */

    const struct reference *references; /* model-free baselines, the last with
                                           a NULL name; NULL: none */

    struct extent text;

    /* Returns the number of ids of the longest target of a run; NULL: it is
     * `length`, as for a source. */
    int (*target)(int length);
    int generator_even; /* 1: generated targets are as long as sources */
};

/* Returns the number of ids of the longest target. */
int task_target(const struct task *t, const struct task_opts *o);

/* Returns the data version, a part of cell ids and cache keys:
 * DATA_RECIPE_VERSION plus, if the recipe is used, the task's revision.  Both
 * numbers only increase, so their sum differs between any two versions.
 * Generators and official data have no revision. */
int task_version(const struct task *t, const struct task_opts *o);

/* Tasks that use the same generator have equal synthetic examples.  If t is the
 * first (in list.h) of several such tasks for which has(of, task) returns 1,
 * returns a message that names these tasks, in arena `a`.  Else returns
 * NULL. */
const char *task_twins(struct arena *a, const struct task *t,
                       int (*has)(const void *of, const struct task *t),
                       const void *of);

/* Returns ERR_DATA if files that task_open reads are missing.  Does not check
 * their content. */
int task_present(const struct task *t, const struct task_opts *o);

/* Returns `message` without the task's name and ": ", if it begins with these;
 * the result points into `message`. */
const char *task_reason(const struct task *t, const char *message);

/* Returns the number of training rows if it is known before the data is opened,
 * else 0. */
double task_rows(const struct task *t, const struct task_opts *o);

/* Returns an estimate of the memory for the data, in bytes.  Excludes pages of
 * a prepared file, which the system reclaims if necessary. */
double task_bytes(const struct task *t, const struct task_opts *o);

/* Opens the data of a task; call dataset_close to release it.  Returns ERR_DATA
 * if data is missing (the message names `synthbench data fetch`) or damaged
 * (the message names file:line). */
int task_open(struct dataset *out, const struct task *t,
              const struct task_opts *o);

/* All tasks of list.h, in its order; NULL at the end. */
extern const struct task *const task_all[];

/* Finds a task by its name.  If there is none of that name, returns ERR_USAGE
 * and the message suggests the nearest name. */
int task_find(const struct task **out, const char *name);

/* Sets *out to the names of the metrics of the task `name`; the list ends with
 * NULL.  Returns ERR_USAGE if there is no such task. */
int task_metrics(const char *const **out, const char *name);
