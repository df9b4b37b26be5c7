/*
 * config: the resolved configuration of one cell.  config/key_table.h has the
 * keys (name, type, default, range, help), settings.h the canonical text;
 * the cell id is a hash of that text.
 */
#pragma once

#include "harness/base/names.h"
#include "harness/nn/model_config.h"
#include "harness/nn/optim.h"

#include <stdint.h>

#define BATCH_BYS(X) X(BATCH_EXAMPLES, "examples") X(BATCH_TOKENS, "tokens")
enum batch_by { BATCH_BYS(NAMES_VALUE) };

#define TRAINERS(X) X(TRAINER_ENGINE, "engine") X(TRAINER_EXTERNAL, "external")
enum trained_by { TRAINERS(NAMES_VALUE) };

struct config {
    char     variant[64];     /* "random+dense", parts in table order       */
    char     task[32];
    char     scale[16];       /* smoke quick reduced full                   */
    char     preset[8];       /* "t2t", "t5"                                */
    uint64_t seed;            /* init, batches, dropout                     */
    char     pretrained[32];  /* "none", or the id of the cell whose weights
                                 are the first; a task before a plan is made */
    int      synthetic;       /* generators in place of real text           */
    int      skip_nul;        /* leave lines with a NUL byte out            */
    char     tuned[192];      /* by which trials settings are chosen, or "none":
                                 config/tuning.h                            */
    char     trial[96];       /* which of them this is, or "none"           */
    enum trained_by trainer;  /* who trained it                             */

    struct model_config model; /* vocab, classes: filled from the data    */

    int      length;          /* n: longest sequence of this run; <= N      */
    int      vocab;           /* asked of the tokenizer                     */
    int      start;           /* ID_PAD or ID_EOS, before a target     */
    int      train, valid, test; /* examples at most; 0: all                */
    int      test_first;     /* test examples to leave out before those     */
    int      steps, batch;    /* optimiser steps; examples a step, or tokens */
    enum batch_by batch_by;   /* which                                      */
    int      devices;         /* of tokens: data/buckets.h                  */
    int      shards, lanes;   /* see train/train.h                          */

    enum device device;       /* that computes                              */
    enum precision precision; /* of matrix products                         */
    struct optim_rule optimizer;
    char     schedule[16];    /* "noam"                                     */
    double   lr_scale, warmup;/* of the schedule                            */

    int      beam, nbest;     /* decoding: hypotheses kept, and stored      */
    double   alpha;           /* of the length penalty                      */

    /* Not part of the hash: they never change a number. */
    int      evals;           /* points of the validation curve             */
    int      checkpoint_seconds;
    int      threads;
    int      limit_seconds;   /* of one worker; 0: none                     */
    int      limit_memory_mb;
};
