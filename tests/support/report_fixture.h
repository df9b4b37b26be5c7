/* report_fixture: a store with made-up cells, for tables and figures. */
#pragma once

struct fixture {
    int seeds;
    int variants;  /* the first of its list of 11             */
    int examples;  /* of each test set                        */
    int synthetic; /* the language model's text is generated  */
    int subset;    /* 1: the first task has not all official rows, 2: the
                      second one ...; 0: none                   */
    int gaps;      /* 1: one cell failed, one is missing, of each seed; 2: of
                      the second seed alone                                 */
    int builds;    /* 1: the second variant's are of another, dirty commit, 2:
                      and of another compiler                 */
    double settled; /* nats that each cell still gained, but every third
                       variant's from the second on nothing; with an error of
                       a tenth of that; 0: the cells do not say it */
    const char *uncompared; /* a task that is not compared, or NULL */
    int lost;      /* 1: the second variant's first loss on the first task is
                      2e21 times as great                     */
    int tiny;      /* 1: all losses on the first task are a hundred
                      thousandth                              */
    int older;     /* 1: cells do not say what attention made of a sentence */
};

/* A new folder that holds the store; the caller gives it to scratch_remove. */
char *fixture_store(const struct fixture *f);

/* The id of the cell "VVTS": variant (two digits), task, seed; real text. */
const char *fixture_id(const char *name);
