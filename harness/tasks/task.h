/*
 * task: a data set, the form in which a model sees it, and its metrics.  This
 * module does not depend on models.  Callers choose a task with task_find, open
 * its data with task_open and release it with dataset_close.  Each task has its
 * own file and a row in tasks/list.h.
 */
#pragma once

#include "harness/base/names.h"
#include "harness/data/dataset.h"
#include "harness/metrics/metric.h"
#include "harness/tasks/reference.h"

/* Part of every cell id.  Increase it if all recipes produce other examples; if
 * only one recipe does, increase the task's `revision`. */
#define DATA_RECIPE_VERSION 2

struct task_opts {      /* part of the hash up to `test_first`             */
    int official;       /* 1: use only the paper's official data           */
    int synthetic;      /* 1: use the generator for this kind of task      */
    int skip_nul;       /* 1: skip and count lines of official data with a
                           NUL byte; 0: such a line is an error            */
    int N;              /* longest sequence of the model                   */
    int length;         /* longest sequence of this run, n <= N            */
    int vocab;          /* pieces of the tokenizer, or symbols             */
    int train, valid, test; /* most examples (LM: packed rows); 0: all */
    int test_first;     /* test examples to skip before those               */
    const char *cache;  /* folder of fetched and prepared data              */
    const char *files;  /* folder of official data                          */
    int threads;        /* most threads that prepare data; 0: one.  They do
                           not change any byte                              */

    /* Called during long work if it is not NULL: `done` of `of` examples are
     * processed (of = 0: total unknown). */
    void (*tell)(void *arg, const char *phase, long done, long long of);
    void *tell_arg;
};

/* Approximate amount of real training text, with a tokenizer of 2000 pieces,
 * for the memory estimates of `plan`. */
struct extent { long rows, ids; }; /* rows 0: rows are packed */

struct law;
struct recipe;
struct benchmark_subtask;

struct task {
    const char    *name;      /* key in experiments and stores          */
    const char    *title;     /* title in the paper's tables            */
    const char    *cite;      /* table of the paper                     */
    const char    *source;    /* one line: text of quick and reduced    */
    const char    *generator; /* one line: generator of the smoke scale */
    const char    *official;  /* files that the full scale reads        */
    const struct recipe *recipe; /* from fetched text (recipe.h); NULL: all
                                    data is generated                       */
    int            revision;  /* of the recipe; see task_version */
    const struct official *files; /* official data (official.h) */
    const struct law *law;    /* science suite: distribution of its examples
                                 at every scale; NULL: a task of the paper   */
    const char    *preset;    /* default preset of models; NULL: t2t         */
    int            pretrains; /* 1: keep its weights for fine-tuning         */
    /* subtasks whose mean is the score; NULL: scored by its metrics only */
    const struct benchmark_subtask *benchmark;
    enum task_kind kind;
    int            classes;   /* of real text; 0: no classification */
    const char *const *metrics; /* names in metrics/list.h, the primary one
                                   first; NULL at the end                   */

    /* The generator; NULL if there is a law, or a benchmark (gen_labels). */
    int (*generate)(struct dataset *out, const struct task_opts *o);

    const struct task *tokenizer; /* task on whose training text its
                                     tokenizer is trained; NULL: its own */
    int cut;                      /* 1: a truncated source is usable     */

    const struct reference *references; /* ends with a NULL name; or NULL */

    struct extent text;

    /* Returns the ids of the longest target of a run; NULL: as for a source. */
    int (*target)(int length);
    int generator_even; /* 1: generated targets are as long as sources */
};

/* Returns the ids of the longest target. */
int task_target(const struct task *t, const struct task_opts *o);

/* Returns the data version, a part of cell ids and cache keys:
 * DATA_RECIPE_VERSION plus, if the recipe is used, the task's revision.  Both
 * numbers only increase, so their sum is unique.  Generators and official data
 * have no revision. */
int task_version(const struct task *t, const struct task_opts *o);

/* Returns a message that t and the other tasks that `has` accepts and that use
 * the same generator have equal synthetic examples.  Returns NULL unless t is
 * the first of several. */
const char *task_twins(struct arena *a, const struct task *t,
                       int (*has)(const void *of, const struct task *t),
                       const void *of);

/* Returns ERR_DATA if files that task_open reads are missing.  Only checks that
 * they exist; their content may still be invalid. */
int task_present(const struct task *t, const struct task_opts *o);

/* Returns the message without the task's name in front of it. */
const char *task_reason(const struct task *t, const char *message);

/* Returns the number of training rows, as far as it is known in advance; else
 * 0. */
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

/* Finds a task by its name.  Returns ERR_USAGE with the nearest name if there
 * is none. */
int task_find(const struct task **out, const char *name);

/* Sets *out to the metrics of the task of that name; ends with NULL.  Returns
 * ERR_USAGE if there is no such task. */
int task_metrics(const char *const **out, const char *name);
