#include "harness/config/key_table.h"

#include "harness/base/err.h"
#include "harness/base/names.h"
#include "harness/base/rng.h"
#include "harness/base/str.h"
#include "harness/config/settings.h"
#include "harness/config/tuning.h"
#include "harness/data/dataset.h"
#include "harness/store/cell.h"
#include "harness/train/config.h"
#include "harness/tasks/task.h"
#include "variants/variants.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

/* ---- types that base/key.h cannot know ---- */

/* A number, a rule for synthesizers, or both: 12:code. */
static int heads_set(const struct key *k, void *of, const char *text)
{
    static const char *const rules[] = {"equal", "code", NULL};
    struct config *c = of;
    const char *colon = strchr(text, ':');
    const char *rule = colon ? colon + 1 : text;
    int i = names_index(rules, rule);
    char number[16] = "";

    snprintf(number, sizeof number, "%.*s",
             colon ? (int)(colon - text) : (int)strlen(text), text);
    if (i >= 0 && !colon) {
        c->model.code_heads = i;
        return OK;
    }
    if (colon && i < 0)
        return key_wrong(k, text, "a number, equal, code or number:code");
    PASS(key_int.set(k, of, number));
    c->model.code_heads = colon ? i : 0;
    return OK;
}

static char *heads_json(const struct key *k, const void *of)
{
    const struct config *c = of;

    if (c->model.code_heads)
        return str_format("\"%d:code\"", c->model.heads);
    return key_int.json(k, of);
}

static const struct key_type key_heads = {heads_set, heads_json};

static int variant_set(const struct key *k, void *of, const char *text)
{
    char name[MIX_NAME];
    struct mix mix;
    int rc = mix_parse(&mix, name, text);

    return rc < 0 ? rc : key_put(k, of, name);
}

static const struct key_type key_variant = {variant_set, key_text_json};

static int task_set(const struct key *k, void *of, const char *text)
{
    const struct task *task;
    int rc = task_find(&task, text);

    return rc < 0 ? rc : key_put(k, of, task->name);
}

static const struct key_type key_task = {task_set, key_text_json};

static int pretrained_set(const struct key *k, void *of, const char *text)
{
    const struct task *task;

    if (!strcmp(text, "none") || cell_is_id(text))
        return key_put(k, of, text);
    PASS(task_find(&task, text));
    return task->pretrains ? key_put(k, of, text)
                           : err_set(ERR_USAGE, "%s: %s keeps no weights; c4 "
                                     "does", k->name, text);
}

static const struct key_type key_pretrained = {pretrained_set, key_text_json};

static int tuned_set(const struct key *k, void *of, const char *text)
{
    if (strlen(text) >= k->size)
        return err_set(ERR_USAGE, "%s: more than %zu letters", k->name,
                       k->size - 1);
    if (strcmp(text, "none"))
        PASS(tuning_check(text));
    return key_put(k, of, text);
}

static const struct key_type key_tuned = {tuned_set, key_text_json};

static int trial_set(const struct key *k, void *of, const char *text)
{
    size_t n = strspn(text, CELL_LETTERS "=,");

    return text[n] || !n || n >= k->size
               ? key_wrong(k, text, "settings, as in score_rate=8")
               : key_put(k, of, text);
}

static const struct key_type key_trial = {trial_set, key_text_json};

/* ---- learning rates of the parts of a mixture ---- */

#define RATE_OF "score_rate."

/* Returns the place of this part's rate in part_rate, or the first place that
 * is free, or PART_RATES. */
static int rate_place(const struct part_rate *r, const char *part)
{
    int i = 0;

    while (i < PART_RATES && r[i].part && strcmp(r[i].part, part))
        i++;
    return i;
}

/* The key of a number alone, at offset 0. */
static struct key number_of(const struct key *k)
{
    struct key number = *k;

    number.offset = 0;
    number.size = sizeof(double);
    return number;
}

static int part_rate_set(const struct key *k, void *of, const char *text)
{
    struct part_rate *r = ((struct config *)of)->optimizer.part_rate;
    const char *part = k->name + strlen(RATE_OF);
    int i = rate_place(r, part);
    struct key number = number_of(k);
    double rate;

    if (!strcmp(text, k->initial)) {
        for (; i < PART_RATES && r[i].part; i++)
            r[i] = i + 1 < PART_RATES ? r[i + 1]
                                      : (struct part_rate){.part = NULL};
        return OK;
    }
    PASS(key_real.set(&number, &rate, text));
    if (i == PART_RATES)
        return err_set(ERR_USAGE, "%s: %d parts have rates already; a mixture "
                       "has at most %d parts", k->name, PART_RATES, MIX_PARTS);
    r[i] = (struct part_rate){part, rate};
    return OK;
}

static char *part_rate_json(const struct key *k, const void *of)
{
    const struct config *c = of;
    const struct part_rate *r = c->optimizer.part_rate;
    int i = rate_place(r, k->name + strlen(RATE_OF));
    struct key number = number_of(k);

    if (i == PART_RATES || !r[i].part)
        return str_format("\"%s\"", k->initial);
    return key_real.json(&number, &r[i].rate);
}

static const struct key_type key_part_rate = {part_rate_set, part_rate_json};

enum { VARIANTS = 64 };
static struct key part_rates[VARIANTS + 1]; /* ends with a name of NULL */

/* One key for each variant that can be a part of a mixture. */
static void list_part_rates(void)
{
    static char names[VARIANTS][48];
    int n = 0;

    for (int v = 0; variant_all[v]; v++) {
        if (variant_alone(variant_all[v]))
            continue;
        REQUIRE(n < VARIANTS, "more than %d variants", VARIANTS);
        REQUIRE(snprintf(names[n], sizeof *names, RATE_OF "%s",
                         variant_all[v]->name) < (int)sizeof *names,
                "%s: the name is too long", variant_all[v]->name);
        part_rates[n] = (struct key){
            .name = names[n], .type = &key_part_rate, .role = KEY_TRACED,
            .initial = "common", .high = 1e6,
            .help = "score_rate of this part of a mixture; common: as the "
                    "other parts"};
        n++;
    }
}

/* ---- the table ---- */

static const char *const scales[] = {"smoke", "quick", "reduced", "full",
                                     NULL};
static const char *const presets[] = {"t2t", "t5", NULL};
static const char *const schedules[] = {SCHEDULES(NAMES_WORD) NULL};

static const char *const mixes[] = {MIX_RULES(NAMES_WORD) NULL};
static const char *const norms[] = {NORMS(NAMES_WORD) NULL};
static const char *const positions[] = {POSITIONS(NAMES_WORD) NULL};
static const char *const inits[] = {INIT_RULES(NAMES_WORD) NULL};
static const char *const starts[] = {
    [ID_PAD] = "pad", [ID_EOS] = "eos", NULL};
static const char *const precisions[] = {PRECISIONS(NAMES_WORD) NULL};
static const char *const batch_bys[] = {BATCH_BYS(NAMES_WORD) NULL};
static const char *const optimizers[] = {OPTIMIZERS(NAMES_WORD) NULL};

#define FIELD(x) offsetof(struct config, x), sizeof(((struct config *)0)->x)

/* clang-format off */
static const struct key fixed[] = {
    {"variant", &key_variant, FIELD(variant), KEY_AXIS, "vanilla", 0, 0, NULL,
     "attention variant, or a mixture of them: random+dense"},
    {"task", &key_task, FIELD(task), KEY_AXIS, "wmt14_ende", 0, 0, NULL,
     "what is learned"},
    {"scale", &key_word, FIELD(scale), KEY_AXIS, "quick", 0, 0, scales,
     "where the data come from; smoke: always generators"},
    {"seed", &key_int, FIELD(seed), KEY_AXIS, "1", 0, RNG_SEED_MAX, NULL,
     "of initial weights, batches and dropout"},
    {"preset", &key_word, FIELD(preset), KEY_HASHED, "t2t", 0, 0, presets,
     "conventions of the model; the task has its own default"},
    {"synthetic", &key_bool, FIELD(synthetic), KEY_HASHED, "false", 0, 0, NULL,
     "generators in place of real text"},
    {"skip_nul", &key_bool, FIELD(skip_nul), KEY_HASHED, "false", 0, 0, NULL,
     "official files: leave lines with a NUL byte out and count them, instead "
     "of an error"},
    {"pretrained", &key_pretrained, FIELD(pretrained), KEY_HASHED, "none", 0,
     0, NULL, "task whose weights are the first, those of the same variant and "
     "seed in the same experiment; or the id of that cell"},
    {"tuned", &key_tuned, FIELD(tuned), KEY_HASHED, "none", 0, 0, NULL,
     "what settings are chosen from, by trials that look at no test example; "
     "an experiment's 'tune' says it"},
    {"trial", &key_trial, FIELD(trial), KEY_HASHED, "none", 0, 0, NULL,
     "the choice that a trial stands for; an experiment's 'tune' says it"},
    {"mix", &key_enum, FIELD(model.mix), KEY_TRACED, "logits", 0, 0, mixes,
     "of a mixture: logits, sum_i alpha_i B_i; plus, B_1 + B_2; sigmoid, "
     "(1 - s) B_1 + s B_2; weights, sum_i alpha_i softmax(B_i) V; heads, each "
     "part has heads of its own"},

    {"layers", &key_int, FIELD(model.layers), KEY_TRACED, "2", 1, 256, NULL,
     "layers of each stack"},
    {"d", &key_int, FIELD(model.d), KEY_TRACED, "128", 4, 65536, NULL,
     "width of the model"},
    {"heads", &key_heads, FIELD(model.heads), KEY_TRACED, "4", 1, 1024, NULL,
     "attention heads, a divisor of d; code: synthesizers have 8 of 128, as in "
     "the released code; equal: as many as vanilla"},
    {"head_width", &key_int, FIELD(model.head_width), KEY_TRACED, "0", 0,
     65536, NULL, "width of a head of self-attention; 0: d / heads"},
    {"cross_heads", &key_int, FIELD(model.cross_heads), KEY_TRACED, "0", 0,
     1024, NULL, "heads of cross-attention; 0: heads"},
    {"ff", &key_int, FIELD(model.ff), KEY_TRACED, "512", 1, 262144, NULL,
     "inner width of the feed-forward layers"},
    {"N", &key_int, FIELD(model.N), KEY_TRACED, "64", 2, 65536, NULL,
     "longest sequence of the model"},
    {"length", &key_int, FIELD(length), KEY_TRACED, "0", 0, 65536, NULL,
     "longest sequence of this run, at most N; 0: N"},
    {"vocab", &key_int, FIELD(vocab), KEY_TRACED, "2000", 8, 1048576, NULL,
     "pieces of the tokenizer, or symbols of a generator"},
    {"decoder_start", &key_enum, FIELD(start), KEY_HASHED, "eos", 0, 0, starts,
     "what a decoder sees before the first target"},
    {"norm", &key_enum, FIELD(model.norm), KEY_TRACED, "layer", 0, 0, norms,
     "layer: mean and deviation, gain and bias; rms: root mean square, gain"},
    {"position", &key_enum, FIELD(model.position), KEY_TRACED, "sinusoidal", 0,
     0, positions, "added to embeddings; learned: a table for each stack"},
    {"relative_bias", &key_bool, FIELD(model.relative_bias), KEY_TRACED,
     "false", 0, 0, NULL, "T5's position bias on the scores"},
    {"relative_buckets", &key_int, FIELD(model.relative_buckets), KEY_TRACED,
     "32", 4, 4096, NULL, "of the position bias"},
    {"relative_distance", &key_int, FIELD(model.relative_distance), KEY_TRACED,
     "128", 4, 1048576, NULL, "beyond it all positions share a bucket"},
    {"ffn_bias", &key_bool, FIELD(model.ffn_bias), KEY_TRACED, "true", 0, 0,
     NULL, "biases of the feed-forward layers"},
    {"attention_bias", &key_bool, FIELD(model.attention_bias), KEY_TRACED,
     "false", 0, 0, NULL, "biases of learned queries, keys, values, outputs"},
    {"embed_scale", &key_bool, FIELD(model.embed_scale), KEY_TRACED, "true", 0,
     0, NULL, "multiply embeddings by sqrt(d)"},
    {"logit_scale", &key_bool, FIELD(model.logit_scale), KEY_TRACED, "false",
     0, 0, NULL, "divide what the softmax sees by sqrt(d)"},
    {"init", &key_enum, FIELD(model.init), KEY_HASHED, "glorot", 0, 0, inits,
     "of matrices: Glorot uniform, or N(0, 1 / fan in) as in T5"},
    {"init.embed", &key_real, FIELD(model.init_embed), KEY_TRACED, "0", 0, 1e6,
     NULL, "deviation of embeddings; 0: d^-1/2 with glorot, 1 with fan_in"},
    {"tied", &key_bool, FIELD(model.tied), KEY_TRACED, "true", 0, 0, NULL,
     "the embedding table is the softmax's too"},
    {"probe", &key_bool, FIELD(model.probe), KEY_HASHED, "false", 0, 0, NULL,
     "one layer of attention read by a linear map: no feed-forward layer, no "
     "last norm"},
    {"dot_scale", &key_bool, FIELD(model.dot_scale), KEY_TRACED, "true", 0, 0,
     NULL, "divide learned dot products by the root of a head's width"},
    {"norm_eps", &key_real, FIELD(model.norm_eps), KEY_TRACED, "1e-6", 0, 1,
     NULL, "inside the root of the normalisation"},
    {"dropout", &key_real, FIELD(model.dropout), KEY_TRACED, "0.1", 0, 0.99,
     NULL, "on residuals, attention weights and the inner FFN layer"},
    {"label_smoothing", &key_real, FIELD(model.label_smoothing), KEY_TRACED,
     "0", 0, 0.99, NULL, "mass spread over the wrong classes in training"},

    {"batch", &key_int, FIELD(batch), KEY_TRACED, "32", 1, 65536, NULL,
     "examples a step; or its tokens"},
    {"batch.by", &key_enum, FIELD(batch_by), KEY_HASHED, "examples", 0, 0,
     batch_bys, "what batch counts; tokens: examples of about one length, as "
     "many as have no more than so many tokens, by Tensor2Tensor's rule"},
    {"batch.devices", &key_int, FIELD(devices), KEY_HASHED, "1", 1, 1024, NULL,
     "of tokens: that rule is of one device, which has so many parts of the "
     "tokens"},
    {"steps", &key_int, FIELD(steps), KEY_HASHED, "1000", 1, 100000000, NULL,
     "optimiser steps"},
    {"shards", &key_int, FIELD(shards), KEY_TRACED, "4", 1, 1024, NULL,
     "parts of a batch, each done by one thread alone"},
    {"lanes", &key_int, FIELD(lanes), KEY_HASHED, "2", 1, 256, NULL,
     "gradient buffers, a power of two: the most threads of use"},
    {"train", &key_int, FIELD(train), KEY_HASHED, "0", 0, 2147483647, NULL,
     "training examples at most; 0: all"},
    {"valid", &key_int, FIELD(valid), KEY_HASHED, "0", 0, 2147483647, NULL,
     "validation examples at most; 0: all"},
    {"test", &key_int, FIELD(test), KEY_HASHED, "0", 0, 2147483647, NULL,
     "test examples at most; 0: all"},
    {"test.first", &key_int, FIELD(test_first), KEY_HASHED, "0", 0, 2147483647,
     NULL, "test examples to leave out before those that count: a test set "
     "that no earlier run has seen"},
    {"precision", &key_enum, FIELD(precision), KEY_HASHED, "fp32", 0, 0,
     precisions, "of the operands of matrix products; sums and weights stay in "
     "fp32"},
    {"optimizer.name", &key_enum, FIELD(optimizer.kind), KEY_TRACED, "adam", 0,
     0, optimizers, "how gradients move the weights"},
    {"optimizer.b1", &key_real, FIELD(optimizer.b1), KEY_TRACED, "0.9", 0,
     0.999999, NULL, "Adam: decay of the first moment"},
    {"optimizer.b2", &key_real, FIELD(optimizer.b2), KEY_TRACED, "0.997", 0,
     0.999999, NULL, "Adam: decay of the second moment"},
    {"optimizer.eps", &key_real, FIELD(optimizer.eps), KEY_TRACED, "1e-9",
     1e-30, 1, NULL, "Adam: added to the root of the second moment"},
    {"optimizer.decay", &key_real, FIELD(optimizer.decay), KEY_TRACED, "0.8",
     0.01, 10, NULL, "Adafactor: moments decay by 1 - t^-decay"},
    {"optimizer.eps1", &key_real, FIELD(optimizer.eps1), KEY_TRACED, "1e-30",
     1e-30, 1, NULL, "Adafactor: added to the squared gradient"},
    {"optimizer.eps2", &key_real, FIELD(optimizer.eps2), KEY_TRACED, "1e-3", 0,
     1e6, NULL, "Adafactor: least size of a tensor that scales its step"},
    {"optimizer.clip", &key_real, FIELD(optimizer.clip), KEY_TRACED, "1", 1e-9,
     1e9, NULL, "Adafactor: largest root mean square of an update"},
    {"optimizer.factor_min", &key_int, FIELD(optimizer.factor_min), KEY_TRACED,
     "128", 1, 1048576, NULL, "Adafactor: shortest axis whose second moments "
     "are factored"},
    {"schedule.name", &key_word, FIELD(schedule), KEY_TRACED, "noam", 0, 0,
     schedules, "noam: scale d^-1/2 min(t^-1/2, t w^-3/2); rsqrt: "
     "scale max(t, w)^-1/2; rsqrt-decay: that times min(1, "
     "10 (T + 1 - t) / T); constant: scale; linear: scale min(t / w, left), "
     "left = (T + 1 - t) / (T + 1 - w); cosine: scale min(t / w, "
     "(1 - cos(pi left)) / 2), left at most 1; trapezoid: scale min(t / w, 1, "
     "5 (T + 1 - t) / T); of step t = 1 .. T, T the steps, w the warmup"},
    {"schedule.scale", &key_real, FIELD(lr_scale), KEY_TRACED, "2", 0, 1e38,
     NULL, "factor of the learning rate"},
    {"schedule.warmup", &key_real, FIELD(warmup), KEY_TRACED, "8000", 1, 1e12,
     NULL, "steps of rising learning rate"},
    {"score_rate", &key_real, FIELD(optimizer.score_rate), KEY_TRACED, "1", 0,
     1e6, NULL, "learning rate of what scores are computed from (queries and "
     "keys, R, W_1 and W_2, taps), relative to all else; 0: it stays"},

    {"decode.beam", &key_int, FIELD(beam), KEY_HASHED, "1", 1, 64, NULL,
     "hypotheses kept while decoding; 1: greedy"},
    {"decode.alpha", &key_real, FIELD(alpha), KEY_HASHED, "0.6", 0, 10, NULL,
     "of the length penalty ((5 + len) / 6)^alpha of a beam"},
    {"decode.nbest", &key_int, FIELD(nbest), KEY_HASHED, "1", 1, 64, NULL,
     "hypotheses stored for each example, at most decode.beam"},

    {"evals", &key_int, FIELD(evals), KEY_RUNTIME, "10", 1, 256, NULL,
     "points of the validation curve; changes no other number"},
    {"checkpoint_seconds", &key_int, FIELD(checkpoint_seconds), KEY_RUNTIME,
     "30", 0, 86400, NULL,
     "between checkpoints, 0: after every step; changes no number"},
    {"threads", &key_int, FIELD(threads), KEY_RUNTIME, "1", 1, 256, NULL,
     "of one worker; changes no number"},
    {"limit.seconds", &key_int, FIELD(limit_seconds), KEY_RUNTIME, "0", 0,
     2147483647, NULL, "a cell that works longer has failed; 0: no limit"},
    {"limit.memory_mb", &key_int, FIELD(limit_memory_mb), KEY_RUNTIME, "0", 0,
     2147483647, NULL, "a cell that takes more memory has failed; 0: no limit"},
};

const struct key_custom key_customs[] = {
    {"t2t", NULL, TASK_TRANSDUCE, "label_smoothing", "0.1"},
    {"t2t", NULL, TASK_LANGUAGE, "tied", "false"},
    {"t5", NULL, KEY_ANY, "decoder_start", "pad"},
    {"t5", NULL, KEY_ANY, "norm", "rms"},
    {"t5", NULL, KEY_ANY, "position", "none"},
    {"t5", NULL, KEY_ANY, "relative_bias", "true"},
    {"t5", NULL, KEY_ANY, "ffn_bias", "false"},
    {"t5", NULL, KEY_ANY, "embed_scale", "false"},
    {"t5", NULL, KEY_ANY, "logit_scale", "true"},
    {"t5", NULL, KEY_ANY, "dot_scale", "false"},
    {"t5", NULL, KEY_ANY, "init", "fan_in"},
    {"t5", NULL, KEY_ANY, "dropout", "0"},
    {"t5", NULL, KEY_ANY, "optimizer.name", "adafactor"},
    {"t5", NULL, KEY_ANY, "schedule.name", "rsqrt"},
    {"t5", NULL, KEY_ANY, "schedule.scale", "1"},
    {"t5", NULL, KEY_ANY, "schedule.warmup", "10000"},
    {NULL, "smoke", KEY_ANY, "synthetic", "true"},
    {.key = NULL},
};
/* clang-format on */

enum { FIXED = sizeof fixed / sizeof *fixed };

const struct key *key_at(int i, const struct variant **by)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;

    *by = NULL;
    if (i < FIXED)
        return &fixed[i];
    i -= FIXED;
    for (int v = 0; variant_all[v]; v++)
        for (const struct key *k = variant_all[v]->knobs; k && k->name; k++)
            if (i-- == 0) {
                *by = variant_all[v];
                return k;
            }
    pthread_once(&once, list_part_rates);
    for (const struct key *k = part_rates; k->name; k++)
        if (i-- == 0)
            return k;
    return NULL;
}
