/*
 * config: the resolved configuration of one cell.  config/key_table.h defines
 * the keys (name, type, default, range, help); config/settings.h defines the
 * canonical text, of which the cell id is a hash (store/cell.h).
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
    char     variant[64];     /* "random+dense", in the order of mix_parse  */
    char     task[32];
    char     scale[16];       /* smoke quick reduced full                   */
    char     preset[8];       /* "t2t", "t5"                                */
    uint64_t seed;            /* for initial values, batches, dropout       */
    char     pretrained[32];  /* "none", or the id of the cell whose weights
                                 training starts from; before planning, the
                                 task of that cell                          */
    int      synthetic;       /* 1: generated text replaces real text       */
    int      skip_nul;        /* 1: leave out lines with a NUL byte         */
    char     tuned[192];      /* the trials that choose settings of this cell
                                 (config/tuning.h), or "none"               */
    char     trial[96];       /* if this cell is a trial for another cell:
                                 the values that it tries; else "none" */
    enum trained_by trainer;  /* the program that trains the cell           */

    struct model_config model; /* its vocab and classes come from the data */

    int      length;          /* ids of the longest sequence; <= model.N      */
    int      vocab;           /* size requested for the tokenizer             */
    int      start;           /* first input of the decoder: ID_PAD or ID_EOS */
    int      train, valid, test; /* maximum number of examples; 0: see
                                    struct task_opts (tasks/task.h)           */
    int      test_first;     /* test examples skipped before the first */
    int      steps, batch;    /* optimizer steps; examples or tokens per step */
    enum batch_by batch_by;   /* the unit of `batch`                          */
    int      devices;         /* used with BATCH_TOKENS; see data/buckets.h   */
    int      shards, lanes;   /* see train/train.h                            */

    enum device device;       /* that trains the cell */
    enum precision precision; /* of matrix products     */
    struct optim_rule optimizer;
    char     schedule[16];    /* "noam"                 */
    double   lr_scale, warmup;/* factor of the rate; warmup steps */

    int      beam, nbest;     /* hypotheses in the beam; hypotheses stored */
    double   alpha;           /* of the length penalty                     */

    /* The following members never change a result and are not part of the cell
     * id. */
    int      evals;           /* points of the validation curve */
    int      checkpoint_seconds; /* between two checkpoints     */
    int      threads;
    int      limit_seconds;   /* per worker; 0: no limit        */
    int      limit_memory_mb; /* per worker; 0: no limit        */
};
