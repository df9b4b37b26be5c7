#include "tests/support/trained_store.h"

#include "harness/base/err.h"
#include "harness/base/str.h"
#include "harness/metrics/metric.h"
#include "harness/store/store.h"
#include "harness/tasks/task.h"
#include "tests/support/select_variants.h"
#include "tests/support/scratch.h"
#include "tests/support/toy.h"
#include "variants/variants.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int given_rare;
char *given_store, *given_checkpoint[2], given_id[CELL_ID];

static const char config[] =
    "{\"scale\":\"smoke\",\"seed\":3,\"synthetic\":false,\"task\":\"given\","
    "\"variant\":\"vanilla\"}";

/* ---- data ---- */

static void change(struct example *e, enum task_kind kind, int split, int i)
{
    if (kind == TASK_LANGUAGE)
        e->prompt = (i + split) % 3;
    if (kind == TASK_CLASSIFY)
        e->label = split == given_rare ? 0 : 1 + i % 2;
    if (kind == TASK_TRANSDUCE)
        e->text = dataset_text(&toy, e->target, e->ntarget, toy.memory);
}

int given_open(struct dataset *out, enum task_kind kind)
{
    toy_open(kind);
    for (int s = 0; s < SPLITS; s++)
        for (int i = 0; i < toy.split[s].n; i++)
            change(&toy.split[s].row[i], kind, s, i);
    dataset_seal(&toy);
    *out = toy;
    return OK;
}

#define GIVEN(id, of, ...)                                                    \
    static int open_##id(struct dataset *out, const struct task_opts *o)      \
    {                                                                         \
        (void)o;                                                              \
        return given_open(out, of);                                           \
    }                                                                         \
    const struct task given_##id = {.name = "given", .title = "Given",        \
                                    .kind = of,                               \
                                    .metrics = NAMES(__VA_ARGS__),            \
                                    .generate = open_##id};

GIVEN(text, TASK_LANGUAGE, "ce", "token_accuracy", "ppl", "ppl_word")
GIVEN(pairs, TASK_TRANSDUCE, "ce", "bleu", "rouge1", "rouge2", "rouge_l",
      "meteor", "nlg_bleu1")
GIVEN(labels, TASK_CLASSIFY, "accuracy", "ce")

struct config given_config(enum task_kind kind, int steps, int evals)
{
    struct config c = toy_config(kind);

    strcpy(c.variant, "vanilla");
    strcpy(c.scale, "smoke");
    strcpy(c.pretrained, "none");
    strcpy(c.tuned, "none");
    strcpy(c.trial, "none");
    c.steps = steps;
    c.evals = evals;
    c.start = ID_UNK;
    c.checkpoint_seconds = 1000;
    return c;
}

/* ---- a store ---- */

int given_setup(void **state)
{
    struct store *made;

    (void)state;
    given_store = scratch_make();
    given_rare = -1;
    assert_int_equal(store_open(&made, given_store, 1), OK);
    store_close(made);
    cell_id(given_id, config, DATA_RECIPE_VERSION, NUMERICS_VERSION);
    for (int i = 0; i < 2; i++)
        given_checkpoint[i] = str_format("%s/%s.%d.ckpt", given_store,
                                         given_id, i);
    return 0;
}

int given_teardown(void **state)
{
    (void)state;
    scratch_remove(given_store);
    free(given_checkpoint[0]);
    free(given_checkpoint[1]);
    return 0;
}

void given_another_store(void)
{
    given_teardown(NULL);
    given_setup(NULL);
}

/* ---- a cell ---- */

static void hear(void *arg, const struct progress *p)
{
    struct training *t = arg;

    if (p->remark)
        snprintf(t->remark, sizeof t->remark, "%s", p->remark);
    t->stop |= t->at_first && !strcmp(p->phase, "train") && p->done > 0;
}

static int is_ours(void *arg)
{
    const struct training *t = arg;

    return t->not_ours ? err_set(ERR_BUSY, "another runner's") : OK;
}

int given_run(const struct config *c, const struct task *task,
              struct training *t)
{
    struct mix mix = named_mix(c->variant);
    struct train_env env = {.folder = given_store, .id = given_id,
                            .config = config, .settings = config,
                            .store = given_store,
                            .metric = metric_all, .stop = &t->stop,
                            .jobs = 1, .tell = hear, .arg = t,
                            .choice = t->choice, .may_commit = is_ours};

    return train_cell(c, &mix, task, &env);
}

void given_trained(const struct config *c, const struct task *task)
{
    struct training t = {.stop = 0};

    if (given_run(c, task, &t) != OK)
        fail_msg("%s", err_last());
    assert_string_equal(t.remark, "");
}

struct cell_reader *given_stored(void)
{
    struct cell_reader *r;

    if (cell_open(&r, given_store, given_id) != OK)
        fail_msg("%s", err_last());
    return r;
}

static void sized(const char *path, size_t n, size_t want)
{
    if (n != want)
        fail_msg("%s has %zu values, not %zu", path, n, want);
}

double *given_array(struct cell_reader *r, const char *path, size_t want)
{
    double *x;
    size_t n;

    if (cell_get_array(r, path, &x, &n) != OK)
        fail_msg("%s", err_last());
    sized(path, n, want);
    return x;
}

char **given_strings(struct cell_reader *r, const char *path, size_t want)
{
    char **s;
    size_t n;

    if (cell_get_strings(r, path, &s, &n) != OK)
        fail_msg("%s", err_last());
    sized(path, n, want);
    return s;
}
