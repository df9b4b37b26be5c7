#include "harness/tasks/task.h"

#include "harness/base/err.h"
#include "harness/data/source/manifest.h"
#include "harness/tasks/gen/gen.h"
#include "harness/tasks/gen/law.h"
#include "harness/tasks/lengths.h"
#include "harness/tasks/official.h"
#include "harness/tasks/recipe.h"
#include "harness/tasks/rows.h"

#include <math.h>
#include <string.h>

/* Returns 1 if the examples are made from official files, or by the task's
 * recipe, or 0 if they are generated. */
static int reads_text(const struct task *t, const struct task_opts *o)
{
    return !t->law && !o->synthetic && (o->official ? t->files != NULL
                                                    : t->recipe != NULL);
}

static int open_any(struct dataset *out, const struct task *t,
                    const struct task_opts *o)
{
    if (t->law)
        return law_open(out, t, o);
    if (reads_text(t, o))
        return recipe_open(out, t, o);
    return t->benchmark ? gen_labels(out, o, t->benchmark)
                        : t->generate(out, o);
}

int task_present(const struct task *t, const struct task_opts *o)
{
    int read = reads_text(t, o);

    if (read && o->official)
        return official_present(t, o->files);
    for (int s = 0; read && s < SOURCES; s++)
        if (t->recipe->needs >> s & 1)
            PASS(manifest_present(o->cache, (enum source_id)s));
    return OK;
}

const char *task_reason(const struct task *t, const char *message)
{
    size_t n = strlen(t->name);

    return !strncmp(message, t->name, n) && !strncmp(message + n, ": ", 2)
               ? message + n + 2 : message;
}

int task_version(const struct task *t, const struct task_opts *o)
{
    int by_recipe = reads_text(t, o) && !o->official;

    return DATA_RECIPE_VERSION + (by_recipe ? t->revision : 0);
}

const char *task_twins(struct arena *a, const struct task *t,
                       int (*has)(const void *of, const struct task *t),
                       const void *of)
{
    const char *names = t->name;
    int seen = 0, twins = 0; /* `seen`: the loop has passed t */

    if (!t->generate || !has(of, t))
        return NULL;
    for (int i = 0; task_all[i]; i++) {
        seen |= task_all[i] == t;
        if (task_all[i] == t || task_all[i]->generate != t->generate ||
            !has(of, task_all[i]))
            continue;
        if (!seen)
            return NULL;
        twins++;
        names = arena_format(a, "%s, %s", names, task_all[i]->name);
    }
    return twins ? arena_format(a, "%s: these tasks share one generator, so "
                                "cells with equal settings and equally many "
                                "examples are duplicates, with equal digests",
                                names)
                 : NULL;
}

static int check_subtasks(const struct dataset *d, const struct task *t)
{
    const struct examples *test = &d->split[SPLIT_TEST];

    if (!t->benchmark || !d->subtasks)
        return OK;
    for (int k = 0; d->subtasks[k]; k++) {
        int i = 0;

        while (i < test->n && examples_row(test, i, NULL).subtask != k)
            i++;
        if (i == test->n)
            return err_set(ERR_DATA, "%s: none of the %d test examples belongs "
                           "to subtask %s, but the mean needs every subtask; "
                           "raise 'test' (0 uses all examples)", t->name,
                           test->n, d->subtasks[k]);
    }
    return OK;
}

int task_open(struct dataset *out, const struct task *t,
              const struct task_opts *o)
{
    *out = (struct dataset){.floor = NAN};
    int rc = open_any(out, t, o);
    if (rc == OK)
        rc = check_subtasks(out, t);
    if (rc < 0)
        dataset_close(out);
    return rc;
}

/* Estimated bytes of memory.  ROW: a struct example, its head in the cache, and
 * its entries in three orders of the rows.  ORDERS: the entries in such orders
 * (batch.c, bucketed.c) of a row that stays in a file.  ORDER: the only entry
 * of such a row if all rows have the same length.  PIECE: a piece of the
 * tokenizer. */
enum { ROW = 100, ORDERS = 20, ORDER = 4, PIECE = 1000 };

static int synthetic(const struct task *t, const struct task_opts *o)
{
    return o->synthetic || t->law;
}

static int of_files(const struct task *t, const struct task_opts *o)
{
    return o->official && !o->synthetic && t->files;
}

int task_target(const struct task *t, const struct task_opts *o)
{
    int (*target)(int length) = t->target;

    if (o->synthetic && t->generator_even)
        target = NULL;
    else if (of_files(t, o))
        target = t->files->target;
    return target ? target(o->length) : o->length;
}

/* Returns the approximate number of ids of an example. */
static double ids_of(const struct task *t, const struct task_opts *o)
{
    double length = o->length;

    if (!synthetic(t, o) && t->text.rows)
        return (double)t->text.ids / (double)t->text.rows;
    if (t->kind == TASK_DENOISE)
        return length + task_target(t, o);
    return t->kind == TASK_TRANSDUCE ? 2 * length : length;
}

/* Returns the smaller of `all` and `asked`.  If `asked` is 0, all rows are
 * requested; if `all` is 0, their number is unknown. */
static double rows_at_most(long long all, int asked)
{
    return (double)(asked && (!all || asked < all) ? asked : all);
}

/* Returns the number of training rows of the complete official data, or 0 if it
 * is unknown.  For running text, it is estimated from the number of words. */
static double official_all(const struct task *t, const struct task_opts *o)
{
    long long rows = 0;

    official_rows(&rows, t, NULL);
    if (!rows_run(t->kind))
        return (double)rows;
    double words = t->files->words;
    return words > 0 ? (SUBWORDS * words + (double)rows) / o->length : 0;
}

static double text_all(const struct task *t, const struct task_opts *o)
{
    return t->text.rows ? (double)t->text.rows
                        : (double)t->text.ids / o->length;
}

double task_rows(const struct task *t, const struct task_opts *o)
{
    double all = synthetic(t, o)  ? gen_examples[SPLIT_TRAIN]
                 : of_files(t, o) ? official_all(t, o)
                                  : text_all(t, o);

    return rows_at_most((long long)all, o->train);
}

double task_bytes(const struct task *t, const struct task_opts *o)
{
    const int asked[SPLITS] = {o->train, o->valid, o->test};
    int texts = t->kind == TASK_TRANSDUCE; /* 1: target texts are kept; they
                                              need about as many bytes as their
                                              ids */
    double bytes = synthetic(t, o) ? 0 : PIECE * (double)o->vocab;
    double row = ROW + (sizeof(int) + 2 * texts) * ids_of(t, o);

    if (of_files(t, o)) /* rows stay in a file */
        return bytes + (rows_run(t->kind) ? ORDER : ORDERS) * task_rows(t, o);
    bytes += row * task_rows(t, o);
    for (int s = SPLIT_VALID; s < SPLITS; s++) {
        double all = synthetic(t, o) ? gen_examples[s] : text_all(t, o) / 20;

        bytes += row * rows_at_most((long long)all, asked[s]);
    }
    return bytes;
}
