/* Which cells share prepared data, and which are rehearsed as one family. Each
 * row changes one member of a cell. */
#include "harness/run/rehearsal.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

static const struct task text = {.kind = TASK_LANGUAGE};
static const struct task labels = {.kind = TASK_CLASSIFY};

/* Two cells, the second of which is changed. */
static struct cell a, b;

static int begin(void **state)
{
    (void)state;
    a = (struct cell){
        .task = &text,
        .config = {.task = "lm1b", .scale = "quick", .preset = "t2t",
                   .pretrained = "none", .vocab = 500, .length = 20,
                   .train = 100, .valid = 30, .test = 40, .test_first = 5,
                   .steps = 9, .seed = 1,
                   .model = {.N = 32, .layers = 2, .d = 64, .ff = 128,
                             .heads = 4}}};
    b = a;
    return 0;
}

#define ROW(change, data, family)                                             \
    do {                                                                      \
        begin(NULL);                                                          \
        change;                                                               \
        if (train_same_data(&a.config, &b.config) != (data) ||                \
            train_same_data(&b.config, &a.config) != (data))                  \
            fail_msg("data: " #change);                                       \
        if (rehearsal_alike(&a, &b) != (family) ||                            \
            rehearsal_alike(&b, &a) != (family))                              \
            fail_msg("family: " #change);                                     \
    } while (0)

static void alike(void **state)
{
    (void)state;
    ROW(b.config.seed = 2, 1, 1);
    ROW(b.config.steps = 10, 1, 1);
    ROW(b.config.batch = 3, 1, 1);
    ROW(b.config.model.heads = 8, 1, 1);
    /* data */
    ROW(strcpy(b.config.task, "c4"), 0, 1);
    ROW(strcpy(b.config.scale, "full"), 0, 1);
    ROW(b.config.synthetic = 1, 0, 1);
    ROW(b.config.skip_nul = 1, 0, 1);
    ROW(b.config.model.N = 33, 0, 1);
    ROW(b.config.length = 21, 0, 1);
    ROW(b.config.train = 101, 0, 1);
    ROW(b.config.valid = 31, 0, 1);
    ROW(b.config.test = 41, 0, 1);
    ROW(b.config.test_first = 6, 0, 1);
    /* both */
    ROW(b.config.vocab = 501, 0, 0);
    /* the model */
    ROW(b.task = &labels, 1, 0);
    ROW(b.config.precision = !a.config.precision, 1, 0);
    ROW(strcpy(b.config.preset, "t5"), 1, 0);
    ROW(strcpy(b.config.pretrained, "c4"), 1, 0);
    ROW(b.config.model.family = !a.config.model.family, 1, 0);
    ROW(b.config.model.layers = 3, 1, 0);
    ROW(b.config.model.d = 65, 1, 0);
    ROW(b.config.model.ff = 129, 1, 0);
    ROW(b.config.model.norm = !a.config.model.norm, 1, 0);
    ROW(b.config.model.tied = !a.config.model.tied, 1, 0);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        {"cells share data, or a family, where what determines it is the same",
         alike, begin, NULL, NULL}};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
