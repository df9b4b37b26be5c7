#include "tests/support/laws.h"

#include "harness/base/err.h"
#include "harness/tasks/task.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

const struct small laws[LAWS] = {
    {"gen_copy", 16, 11, 0},
    {"gen_perm", 16, 11, 0},
    {"gen_reverse", 16, 11, 0},
    {"gen_pointer", 10, 19, 0},
    {"gen_recall", 10, 83, 0},
    {"gen_recall_bi", 7, 45, 0},
    {"gen_eq", 8, 21, 0},
    {"gen_match", 9, 20, 0},
    {"gen_lag", 16, 16, 1},
    {"gen_bigram", 16, 16, 1},
    {"gen_hmm", 16, 11, 1},
    {"gen_induction", 16, 19, 0},
    {"gen_infill", 16, 13, 1},
    {"gen_majority", 16, 15, 0},
    {"gen_scfg", 10, 43, 0},
    {"gen_salient", 11, 12, 0},
    {"gen_persona", 18, 45, 0},
    {"gen_grammar", 9, 28, 0},
    {"gen_winograd", 8, 45, 0},
    {"gen_shuffled", 16, 15, 1},
};

const struct small *laws_find(const char *task)
{
    for (int i = 0; i < LAWS; i++)
        if (!strcmp(laws[i].task, task))
            return &laws[i];
    fail_msg("no law of %s", task);
    return NULL;
}

const struct task *laws_task(const char *name)
{
    const struct task *t = NULL;

    assert_int_equal(task_find(&t, name), OK);
    return t;
}

struct task_opts laws_options(const struct small *s, int train, int test)
{
    return (struct task_opts){.N = s->length, .length = s->length,
                              .vocab = s->vocab, .train = train, .valid = 50,
                              .test = test};
}

void laws_open(struct dataset *d, const struct small *s, int train, int test)
{
    struct task_opts o = laws_options(s, train, test);

    if (task_open(d, laws_task(s->task), &o) != OK)
        fail_msg("%s", err_last());
}
