/*
 * task: a data set, how a model is asked about it, what is measured.
 * Knows nothing of models.  One file a task; one row in tasks/list.h.
 */
#pragma once

#include "harness/base/names.h"
#include "harness/data/dataset.h"
#include "harness/metrics/metric.h"
#include "harness/tasks/reference.h"

/* Part of every cell id: raise it when all recipes give other examples, and a
 * task's own `revision` when its recipe alone does. */
#define DATA_RECIPE_VERSION 2

struct task_opts {      /* up to `test_first`: part of the hash  */
    int official;       /* 1: the paper's own files, and nothing else       */
    int synthetic;      /* 1: the generator of the same task kind           */
    int skip_nul;       /* 1: lines of official files with a NUL byte are
                           left out and counted; 0: they are an error       */
    int N;              /* longest sequence of the model                    */
    int length;         /* longest sequence of this run, n <= N             */
    int vocab;          /* pieces of the tokenizer, or symbols              */
    int train, valid, test; /* examples (LM: packed rows) at most; 0: all   */
    int test_first;     /* test examples to leave out before those        */
    const char *cache;  /* folder of fetched and prepared data              */
    const char *files;  /* folder of official files                         */
    int threads;        /* that prepare the data, at the most; 0: one.  No byte
                           depends on them                                  */

    /* Told while long work goes on, when not NULL: examples, of how many (0:
     * nobody knows). */
    void (*tell)(void *arg, const char *phase, long done, long long of);
    void *tell_arg;
};

/* About how much real text there is to train on, of a tokenizer of 2000
 * pieces: for what a plan says of memory. */
struct extent { long rows, ids; }; /* rows 0: rows are packed */

struct law;
struct recipe;
struct benchmark_subtask;

struct task {
    const char    *name;      /* key in experiments and in the store        */
    const char    *title;     /* as the paper's tables print it             */
    const char    *cite;      /* the paper's table                          */
    const char    *source;    /* one line: the text behind the quick scale  */
    const char    *generator; /* one line: the generator of the smoke scale */
    const char    *official;  /* the files that the full scale reads        */
    const struct recipe *recipe; /* from fetched text (recipe.h); NULL: all
                                    data is generated                      */
    int            revision;  /* of that recipe: see task_version           */
    const struct official *files; /* from its own files (official.h) */
    const struct law *law;    /* of the science suite: what draws its examples
                                 at every scale; NULL: a task of the paper */
    const char    *preset;    /* of its models by default; NULL: t2t        */
    int            pretrains; /* 1: its weights are kept, to start from       */
    const struct benchmark_subtask *benchmark; /* scored by the mean of all its
                                 subtasks, these; NULL: by its metrics alone */
    enum task_kind kind;
    int            classes;   /* of real text to classify; 0: none          */
    const char *const *metrics; /* names in metrics/list.h, the primary one
                                   first; ends with NULL                    */

    /* The generator; NULL where there is a law, or a benchmark: gen_labels. */
    int (*generate)(struct dataset *out, const struct task_opts *o);

    const struct task *tokenizer; /* on whose training text it was trained;
                                     NULL: on the task's own               */
    int cut;                      /* 1: half a source is as good           */

    const struct reference *references; /* ends with a name of NULL; or NULL */

    struct extent text;

    /* Ids of the longest target of a run; NULL: as many as of a source. */
    int (*target)(int length);
    int generator_even; /* 1: the generator's targets are as long as sources */
};

/* Ids of the longest target. */
int task_target(const struct task *t, const struct task_opts *o);

/* Under what its examples came about, in the ids of its cells and the key of
 * its prepared data: DATA_RECIPE_VERSION and, where its recipe is read, the
 * task's revision.  Neither ever falls, so no sum comes again; generators and
 * official files know no revision. */
int task_version(const struct task *t, const struct task_opts *o);

/* Says that the tasks that `has` accepts and that have the generator of t have
 * equal synthetic examples.  Returns NULL unless t is the first of several. */
const char *task_twins(struct arena *a, const struct task *t,
                       int (*has)(const void *of, const struct task *t),
                       const void *of);

/* Returns ERR_DATA if files that task_open reads are missing.  Only looks for
 * them: what they hold may still be wrong. */
int task_present(const struct task *t, const struct task_opts *o);

/* Returns the message without the task's name in front of it. */
const char *task_reason(const struct task *t, const char *message);

/* Training rows, as far as they are known before. */
double task_rows(const struct task *t, const struct task_opts *o);

/* What the data will take in memory; pages of a prepared file, which the system
 * takes back where it needs them, are not counted. */
double task_bytes(const struct task *t, const struct task_opts *o);

/* The data of a task; dataset_close it.  ERR_DATA: data missing (the message
 * names `synthbench data fetch`) or damaged (the message names file:line). */
int task_open(struct dataset *out, const struct task *t,
              const struct task_opts *o);

/* All of list.h, in its order; ends with NULL. */
extern const struct task *const task_all[];

/* ERR_USAGE with the nearest name. */
int task_find(const struct task **out, const char *name);

/* *out: the metrics of the task of that name; ends with NULL.  ERR_USAGE. */
int task_metrics(const char *const **out, const char *name);
