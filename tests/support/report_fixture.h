/* report_fixture: writes a store with made-up cells, for tests of tables and
 * figures. */
#pragma once

struct fixture {
    int seeds;
    int variants;  /* 1 to 11: the first ones of its list     */
    int examples;  /* per test set                            */
    int synthetic; /* text of the language model is generated */
    /* 1: the first task has only a subset of the official rows; 2: the second
     * task does; and so on. 0: no task does. */
    int subset;
    /* 1: each seed has one failed and one missing cell. 2: only the second seed
     * does. */
    int gaps;
    /* 1: the second variant's cells are from another commit with uncommitted
     * changes; 2: also from another compiler */
    int builds;
    /* The gain in the last tenth of training, in nats; its error is a tenth of
     * it. Every third variant, from the second, gains 0. If `settled` is 0,
     * cells do not store a gain. */
    double settled;
    const char *uncompared; /* a task that is not compared, or NULL */
    /* 1: the second variant's first loss on the first task is 2e21 times as
     * large */
    int lost;
    int tiny;      /* 1: losses on the first task are scaled by 1e-5 */
    int older;     /* 1: cells do not store the attention maps of a sentence */
};

/* Returns a new folder with the store; remove it with scratch_remove. */
char *fixture_store(const struct fixture *f);

/* Returns the id of a cell on real text. `name` has four digits, "VVTS":
 * variant (two digits), task, seed. */
const char *fixture_id(const char *name);
