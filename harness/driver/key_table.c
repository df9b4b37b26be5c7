#include "harness/driver/key_table.h"

#include "harness/data/dataset.h"

static const char *const scales[] = {"smoke", "quick", "reduced", NULL};
static const char *const presets[] = {"t2t", NULL};
static const char *const mixes[] = {"logits", NULL};
static const char *const schedule_names[] = {"noam", "rsqrt", "constant", NULL};

#define FIELD(x) offsetof(struct config, x), sizeof(((struct config *)0)->x)
#define SEED_MAX 9007199254740991.0 /* 2^53 - 1: any JSON reader keeps it */

/* clang-format off */
const struct key key_table[] = {
    {"variant", &key_variant, FIELD(variant), KEY_AXIS, "vanilla", 0, 0, NULL,
     "attention variant, or a mixture of them: random+dense"},
    {"task", &key_task, FIELD(task), KEY_AXIS, "wmt14_ende", 0, 0, NULL,
     "what is learned"},
    {"scale", &key_word, FIELD(scale), KEY_AXIS, "quick", 0, 0, scales,
     "where the data come from; smoke: always generators"},
    {"seed", &key_seed, FIELD(seed), KEY_AXIS, "1", 0, SEED_MAX, NULL,
     "of initial weights, batches and dropout"},
    {"preset", &key_word, FIELD(preset), KEY_HASHED, "t2t", 0, 0, presets,
     "conventions of the model"},
    {"synthetic", &key_bool, FIELD(synthetic), KEY_HASHED, "false", 0, 0, NULL,
     "generators in place of real text"},
    {"mix", &key_word, FIELD(mix), KEY_HASHED, "logits", 0, 0, mixes,
     "reading of a mixture"},

    {"layers", &key_int, FIELD(model.layers), KEY_HASHED, "2", 1, 256, NULL,
     "layers of each stack"},
    {"d", &key_int, FIELD(model.d), KEY_HASHED, "128", 4, 65536, NULL,
     "width of the model"},
    {"heads", &key_int, FIELD(model.heads), KEY_HASHED, "4", 1, 1024, NULL,
     "attention heads; divides d"},
    {"ff", &key_int, FIELD(model.ff), KEY_HASHED, "512", 1, 262144, NULL,
     "inner width of the feed-forward layers"},
    {"N", &key_int, FIELD(model.N), KEY_HASHED, "64", 2, 65536, NULL,
     "longest sequence of the model"},
    {"length", &key_int, FIELD(length), KEY_HASHED, "0", 0, 65536, NULL,
     "longest sequence of this run, at most N; 0: N"},
    {"vocab", &key_int, FIELD(vocab), KEY_HASHED, "2000", 8, 1048576, NULL,
     "pieces of the tokenizer, or symbols of a generator"},
    {"rank", &key_int, FIELD(model.rank), KEY_HASHED, "8", 1, 65536, NULL,
     "of factorized-random"},
    {"a", &key_int, FIELD(model.a), KEY_HASHED, "0", 0, 65536, NULL,
     "short side of factorized-dense, a c = N; 0: nearest to sqrt(N)"},
    {"c", &key_int, FIELD(model.c), KEY_HASHED, "0", 0, 65536, NULL,
     "long side of factorized-dense; 0: N / a"},
    {"dense_bias", &key_bool, FIELD(model.dense_bias), KEY_HASHED, "true", 0,
     0, NULL, "biases of dense and factorized-dense"},
    {"tied", &key_bool, FIELD(model.tied), KEY_HASHED, "true", 0, 0, NULL,
     "the embedding table is the softmax's too"},
    {"dot_scale", &key_bool, FIELD(model.dot_scale), KEY_HASHED, "true", 0, 0,
     NULL, "divide learned dot products by sqrt(d / heads)"},
    {"norm_eps", &key_real, FIELD(model.norm_eps), KEY_HASHED, "1e-6", 0, 1,
     NULL, "inside the root of layer normalisation"},
    {"dropout", &key_real, FIELD(model.dropout), KEY_HASHED, "0.1", 0, 0.99,
     NULL, "on residuals, attention weights and the inner FFN layer"},
    {"label_smoothing", &key_real, FIELD(model.label_smoothing), KEY_HASHED,
     "0", 0, 0.99, NULL, "mass spread over the wrong classes in training"},
    {"R.init", &key_r_init, FIELD(model.r_scale), KEY_HASHED, "normal:1",
     1e-9, 1e9, NULL, "first value of R: normal:S or glorot"},

    {"batch", &key_int, FIELD(batch), KEY_HASHED, "32", 1, 65536, NULL,
     "examples a step"},
    {"steps", &key_int, FIELD(steps), KEY_HASHED, "1000", 1, 100000000, NULL,
     "optimiser steps"},
    {"shards", &key_int, FIELD(shards), KEY_HASHED, "4", 1, 1024, NULL,
     "parts of a batch, each done by one thread alone"},
    {"lanes", &key_int, FIELD(lanes), KEY_HASHED, "2", 1, 256, NULL,
     "gradient buffers, a power of two: the most threads of use"},
    {"train", &key_int, FIELD(train), KEY_HASHED, "0", 0, 2147483647, NULL,
     "training examples at most; 0: all"},
    {"valid", &key_int, FIELD(valid), KEY_HASHED, "0", 0, 2147483647, NULL,
     "validation examples at most; 0: all"},
    {"test", &key_int, FIELD(test), KEY_HASHED, "0", 0, 2147483647, NULL,
     "test examples at most; 0: all"},
    {"optimizer.b1", &key_real, FIELD(b1), KEY_HASHED, "0.9", 0, 0.999999,
     NULL, "Adam: decay of the first moment"},
    {"optimizer.b2", &key_real, FIELD(b2), KEY_HASHED, "0.997", 0, 0.999999,
     NULL, "Adam: decay of the second moment"},
    {"optimizer.eps", &key_real, FIELD(eps), KEY_HASHED, "1e-9", 1e-30, 1,
     NULL, "Adam: added to the root of the second moment"},
    {"schedule.name", &key_word, FIELD(schedule), KEY_HASHED, "noam", 0, 0,
     schedule_names, "noam: scale d^-1/2 min(t^-1/2, t warmup^-3/2); rsqrt: "
     "scale max(t, warmup)^-1/2; constant: scale"},
    {"schedule.scale", &key_real, FIELD(lr_scale), KEY_HASHED, "2", 0, 1e38,
     NULL, "factor of the learning rate"},
    {"schedule.warmup", &key_real, FIELD(warmup), KEY_HASHED, "8000", 1, 1e12,
     NULL, "steps of rising learning rate"},

    {"evals", &key_int, FIELD(evals), KEY_RUNTIME, "10", 1, 256, NULL,
     "points of the validation curve; changes no other number"},
    {"checkpoint_seconds", &key_int, FIELD(checkpoint_seconds), KEY_RUNTIME,
     "30", 0, 86400, NULL,
     "between checkpoints, 0: after every step; changes no number"},
    {"threads", &key_int, FIELD(threads), KEY_RUNTIME, "1", 1, 256, NULL,
     "of one worker; changes no number"},
    {.name = NULL},
};

const struct key_custom key_customs[] = {
    {"t2t", NULL, TASK_TRANSDUCE, "label_smoothing", "0.1"},
    {"t2t", NULL, TASK_LANGUAGE, "tied", "false"},
    {NULL, "smoke", KEY_ANY, "synthetic", "true"},
    {.key = NULL},
};
/* clang-format on */

_Static_assert(sizeof key_table / sizeof *key_table <= KEY_COUNT_MAX,
               "raise KEY_COUNT_MAX");
