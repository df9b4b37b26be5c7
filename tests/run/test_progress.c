/* The progress of a run, as it is written to a terminal or to a file. */
#include "harness/base/clock.h"
#include "harness/base/err.h"
#include "harness/base/file.h"
#include "harness/base/str.h"
#include "harness/run/progress.h"
#include "tests/support/scratch.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct cell cell = {.row = "dense",
                           .config = {.task = "lm1b", .seed = 7}};
static struct worker worker[3];
static const struct progress_view at_first = {
    .done = 12, .total = 33, .fraction = 0.364, .elapsed = 250, .left = NAN,
    .worker = worker, .workers = 3};

/* The workers 0 and 2 are at work. */
static int begin(void **state)
{
    (void)state;
    worker[0] = (struct worker){
        .cell = &cell, .pid = 1, .phase_from = 90,
        .phase_began = clock_seconds() - 100,
        .last = {.phase = "train", .done = 340, .of = 1000, .loss = 4.2134}};
    worker[1] = (struct worker){.cell = &cell};
    worker[2] = (struct worker){.cell = &cell, .pid = 2,
                                .last = {.phase = "start", .loss = NAN}};
    return 0;
}

/* Draws, and compares what is written to stderr. */
static void draws(struct progress_lines *b, const struct progress_view *v,
                  const char *want)
{
    char *folder = scratch_make();
    OWNED(free) char *path = str_format("%s/out", folder), *got = NULL;
    int kept = dup(2), fd = open(path, O_WRONLY | O_CREAT, 0600);

    fflush(stderr);
    dup2(fd, 2);
    if (v)
        progress_draw(b, v);
    else
        progress_clear(b);
    fflush(stderr);
    dup2(kept, 2);
    close(kept);
    close(fd);
    assert_int_equal(file_read(&got, NULL, path), OK);
    scratch_remove(folder);
    assert_string_equal(got, want);
}

static void in_a_file(void **state)
{
    struct progress_lines b = {.drawn = clock_seconds() - 61};
    struct progress_view v = at_first;

    (void)state;
    draws(&b, &v, "synthbench: 12/33 cells, 36 %, 4 min 10 s, ? left\n"
          "synthbench:   dense/lm1b/7  train  340/1000, 2.5/s  loss 4.213\n"
          "synthbench:   dense/lm1b/7  start\n");
    draws(&b, &v, ""); /* too early */
    draws(&b, NULL, "");
    b.drawn -= 61;
    v.failed = 2;
    v.left = 450;
    v.workers = 0;
    draws(&b, &v, "synthbench: 12/33 cells, 2 failed, 36 %, 4 min 10 s, "
          "7 min 30 s left\n");
}

static void on_a_terminal(void **state)
{
    struct progress_lines b = {.terminal = 1, .drawn = clock_seconds() - 1};
    struct progress_view v = at_first;

    (void)state;
    draws(&b, &v, "[########................] 12/33 cells, 36 %, 4 min 10 s, "
          "? left\033[K\n"
          "  1 dense/lm1b/7  train  340/1000, 2.5/s  loss 4.213\033[K\n"
          "  3 dense/lm1b/7  start\033[K\n\033[J");
    draws(&b, &v, "");
    b.drawn -= 1;
    b.colour = 1;
    v.workers = 0;
    draws(&b, &v, "\033[3A\r\033[32m[########................]\033[0m "
          "12/33 cells, 36 %, 4 min 10 s, ? left\033[K\n\033[J");
    draws(&b, NULL, "\033[1A\r\033[J");
    draws(&b, NULL, "");
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        {"a file gets lines once a minute", in_a_file, begin, NULL, NULL},
        {"a terminal is redrawn in place", on_a_terminal, begin, NULL, NULL}};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
