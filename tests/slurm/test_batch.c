/* Which cells share an array, which resources they request, and how arrays
 * depend on each other. */
#include "harness/base/err.h"
#include "harness/base/str.h"
#include "harness/config/settings.h"
#include "harness/slurm/batch.h"
#include "harness/slurm/script.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <string.h>

static struct plan *plan;

static int setup(void **state)
{
    (void)state;
    plan = plan_new("x", "X", 64);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    plan_close(plan);
    return 0;
}

static struct cell *cell(double seconds, double megabytes)
{
    const struct assign none = {NULL, NULL, NULL};
    struct cell *c = &plan->cell[plan->n];

    assert_int_equal(settings_resolve(&c->config, &none, 0), OK);
    snprintf(c->id, sizeof c->id, "%016x", plan->n++);
    c->row = "vanilla";
    c->selected = 1;
    c->seconds = seconds;
    c->cost.bytes = megabytes * (1 << 20);
    return c;
}

static void same_cells(const struct batch_array *a,
                       const struct cell *const want[])
{
    int n = 0;

    for (; want[n]; n++)
        if (n >= a->n || a->cell[n] != want[n])
            fail_msg("place %d of %d is another cell", n, a->n);
    assert_int_equal(a->n, n);
}
#define CELLS(...) ((const struct cell *const[]){__VA_ARGS__, NULL})

static void margins(void **state)
{
    struct cell *c = cell(100, 100);

    (void)state;
    struct batch_need need = batch_need(c);
    assert_int_equal(need.minutes, 15);    /* 3 x 100 s + 10 minutes */
    assert_int_equal(need.megabytes, 406); /* 1.5 x 100 + 256        */
    assert_int_equal(need.cores, 1);
    c->config.threads = 8;
    c->config.lanes = 4; /* more threads than lanes have no effect */
    assert_int_equal(batch_need(c).cores, 4);
    c->seconds = 1e12;
    assert_int_equal(batch_need(c).minutes, 366 * 24 * 60);
}

static void longest_first(void **state)
{
    struct cell *a = cell(10, 10), *b = cell(30, 10), *c = cell(20, 10);
    struct cell *day = cell(86400, 10), *large = cell(5, 5000);
    struct batch b_;

    (void)state;
    batch_make(&b_, plan, 100);
    assert_int_equal(b_.cells, 5);
    assert_int_equal(b_.n, 3);
    same_cells(&b_.array[0], CELLS(day));
    same_cells(&b_.array[1], CELLS(large));
    same_cells(&b_.array[2], CELLS(b, c, a));
    assert_int_equal(b_.array[2].need.minutes, 12);
}

static void most_of_its_cells(void **state)
{
    struct batch b;

    (void)state;
    cell(300, 100);
    cell(10, 150);
    batch_make(&b, plan, 100);
    /* 3 x 300 s + 10 min = 25 min, 3 x 10 s + 10 min = 10.5 min, rounded up */
    assert_int_equal(b.n, 2);
    plan->cell[0].seconds = 200;
    plan->cell[1].seconds = 300;
    batch_make(&b, plan, 100);
    assert_int_equal(b.n, 1);
    assert_int_equal(b.array[0].need.minutes, 25);
    assert_int_equal(b.array[0].need.megabytes, 481);
}

/* Cells of the GPU and of the processor that are alike in all else. */
static void apart_from_those_of_a_gpu(void **state)
{
    struct cell *a = cell(20, 10), *gpu = cell(30, 10), *b = cell(10, 10);
    struct cell *other = cell(15, 10);
    struct batch all;

    (void)state;
    gpu->config.device = other->config.device = DEVICE_CUDA;
    batch_make(&all, plan, 100);
    assert_int_equal(all.n, 2);
    same_cells(&all.array[0], CELLS(gpu, other));
    same_cells(&all.array[1], CELLS(a, b));
    assert_int_equal(all.array[0].need.gpus, 1);
    assert_int_equal(all.array[1].need.gpus, 0);
}

static void below_the_cap(void **state)
{
    struct batch b;

    (void)state;
    for (int i = 0; i < 7; i++)
        cell(10, 10);
    batch_make(&b, plan, 3);
    assert_int_equal(b.n, 3);
    assert_int_equal(b.array[0].n, 3);
    assert_int_equal(b.array[1].n, 3);
    assert_int_equal(b.array[2].n, 1);
}

static void children_behind(void **state)
{
    struct cell *child = cell(50, 10), *parent = cell(1, 10);
    struct cell *grandchild = cell(99, 10), *other = cell(2, 10);
    struct batch b;

    (void)state;
    child->parent = parent;
    grandchild->parent = child;
    batch_make(&b, plan, 100);
    assert_int_equal(b.n, 3);
    same_cells(&b.array[0], CELLS(other, parent));
    same_cells(&b.array[1], CELLS(child));
    same_cells(&b.array[2], CELLS(grandchild));
    assert_int_equal(b.array[0].afters, 0);
    assert_int_equal(b.array[1].afters, 1);
    assert_int_equal(b.array[1].after[0], 0);
    assert_int_equal(b.array[2].afters, 1);
    assert_int_equal(b.array[2].after[0], 1);
}

/* A tuned cell depends on every array that has one of its trials; each array is
 * listed once. */
static void tuned_behind_trials(void **state)
{
    struct cell *tuned = cell(10, 10), *t[4];
    const struct cell *trial[4];
    struct batch b;

    (void)state;
    for (int i = 0; i < 4; i++)
        trial[i] = t[i] = cell(10, 10);
    tuned->trial = trial;
    tuned->trials = 4;
    batch_make(&b, plan, 2);
    assert_int_equal(b.n, 3);
    same_cells(&b.array[2], CELLS(tuned));
    assert_int_equal(b.array[2].afters, 2);
    t[0]->status.state = t[1]->status.state = CELL_DONE;
    batch_make(&b, plan, 2);
    assert_int_equal(b.n, 2);
    assert_int_equal(b.array[1].afters, 1);
    assert_int_equal(b.done, 2);
}

static void left_out(void **state)
{
    struct cell *done = cell(1, 1), *queued = cell(1, 1), *busy = cell(1, 1);
    struct cell *refused = cell(1, 1), *behind = cell(1, 1);
    struct cell *waits = cell(1, 1), *failed = cell(1, 1);
    struct batch b;

    (void)state;
    done->status.state = CELL_DONE;
    queued->queued = (struct cell_queued){"7_3", "PENDING", ""};
    busy->status.state = CELL_RUNNING;
    refused->refused = "no such model";
    behind->parent = busy;
    waits->parent = queued;
    failed->status.state = CELL_FAILED;
    struct cell *second = cell(1, 1), *tuned = cell(1, 1);
    const struct cell *trial[] = {queued, second, queued, done};
    second->queued = (struct cell_queued){"8_1", "RUNNING", ""};
    tuned->trial = trial;
    tuned->trials = 4;
    batch_make(&b, plan, 100);
    assert_int_equal(b.cells, 3);
    assert_int_equal(b.done, 1);
    assert_int_equal(b.queued, 2);
    assert_int_equal(b.busy, 2);
    assert_int_equal(b.refused, 1);
    same_cells(&b.array[0], CELLS(failed));
    same_cells(&b.array[1], CELLS(waits, tuned));
    assert_int_equal(b.array[1].waiting, 2); /* each task once */
    assert_string_equal(b.array[1].waits[0], "7_3");
    assert_string_equal(b.array[1].waits[1], "8_1");
}

/* ---- the script ---- */

static void depends_on_jobs(void **state)
{
    struct cell *parent = cell(1, 10), *child = cell(50, 10);
    struct script_of of = {.program = "/p", .store = "/s", .cache = "/c"};
    struct batch b;

    (void)state;
    child->parent = parent;
    batch_make(&b, plan, 100);
    assert_string_equal(script_command(&b, 1, "t", &of)[3],
                        "--dependency=afterany:$job_1");
    b.array[0].job = "41";
    assert_string_equal(script_command(&b, 1, "t", &of)[3],
                        "--dependency=afterany:41");
    assert_string_equal(script_command(&b, 0, "t", &of)[3], "/s/slurm/t.sh");
}

/* The tag of a job changes with its cell, its folder or its limit, and with
 * nothing else. */
static void tag_of_what_it_does(void **state)
{
    struct script_of of = {.program = "/p", .store = "/s", .cache = "/c"};
    char tag[3][SCRIPT_TAG];
    struct text t = {0};
    struct batch b;

    (void)state;
    cell(1, 10);
    batch_make(&b, plan, 100);
    script_write(&t, tag[0], &b.array[0], &of);
    of.partition = "other";
    script_write(&t, tag[1], &b.array[0], &of);
    of.store = "/other";
    script_write(&t, tag[2], &b.array[0], &of);
    text_free(&t);
    assert_string_equal(tag[0], tag[1]);
    assert_string_not_equal(tag[0], tag[2]);
}

static void words_of_sh(void **state)
{
    static const char *const word[][2] = {
        {"plain-/word_1.x", "plain-/word_1.x"}, {"", "''"}, {"a b", "'a b'"},
        {"it's", "'it'\\''s'"}, {"$(x)`y`\"\\", "'$(x)`y`\"\\'"},
        {"two\nlines", "'two\nlines'"}, {"~", "'~'"}, {"a=b*", "'a=b*'"}};

    (void)state;
    for (size_t i = 0; i < sizeof word / sizeof *word; i++) {
        struct text t = {0};
        OWNED(free) char *alone = text_quoted(word[i][0]);

        text_shell(&t, word[i][0]);
        assert_string_equal(t.s, word[i][1]);
        assert_string_equal(alone, word[i][1]);
        text_free(&t);
    }
}

#define TEST(f, name) {name, f, setup, teardown, NULL}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(margins, "a task asks for the plan's estimate and a margin"),
        TEST(longest_first, "longest cells come first, among arrays too"),
        TEST(most_of_its_cells, "an array asks for the most of its cells"),
        TEST(apart_from_those_of_a_gpu, "an array has one kind of device"),
        TEST(below_the_cap, "an array has no more cells than indices"),
        TEST(children_behind, "children stand behind the arrays of parents"),
        TEST(tuned_behind_trials, "tuned cells behind those of their trials"),
        TEST(left_out, "what is done, queued or at work elsewhere is left out"),
        TEST(depends_on_jobs, "a dependency names the jobs that there are"),
        TEST(tag_of_what_it_does, "a script is named by what it does"),
        TEST(words_of_sh, "whatever is in a word, sh reads it back"),
    };

    return cmocka_run_group_tests_name("batch", tests, NULL, NULL);
}
