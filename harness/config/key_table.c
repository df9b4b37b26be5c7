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

/* ---- types that depend on modules outside base ---- */

/* Reads the key `heads`: a number, a rule for synthesizers ("equal" or "code"),
 * or both, such as 12:code. */
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
                           : err_set(ERR_USAGE, "%s: cells of %s do not keep "
                                     "their weights; use c4", k->name, text);
}

static const struct key_type key_pretrained = {pretrained_set, key_text_json};

static int tuned_set(const struct key *k, void *of, const char *text)
{
    if (strlen(text) >= k->size)
        return err_set(ERR_USAGE, "%s: more than %zu characters", k->name,
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
               ? key_wrong(k, text, "a list of settings, as in score_rate=8")
               : key_put(k, of, text);
}

static const struct key_type key_trial = {trial_set, key_text_json};

/* ---- learning rates of the parts of a mixture ---- */

#define RATE_OF "score_rate."

/* Returns the index in `r` of the rate of `part`.  If there is none, returns
 * the first free index, or PART_RATES if `r` is full. */
static int rate_place(const struct part_rate *r, const char *part)
{
    int i = 0;

    while (i < PART_RATES && r[i].part && strcmp(r[i].part, part))
        i++;
    return i;
}

/* Returns a copy of the key, with a field that is a double at offset 0. */
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
        return err_set(ERR_USAGE, "%s: %d parts have rates already, and a "
                       "mixture has at most %d parts", k->name, PART_RATES,
                       MIX_PARTS);
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

/* Fills part_rates with a key for each variant that can be part of a mixture.
 */
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
            .help = "score_rate of this part of a mixture; common: same as "
                    "score_rate"};
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
static const char *const devices[] = {DEVICES(NAMES_WORD) NULL};
static const char *const trainers[] = {TRAINERS(NAMES_WORD) NULL};
static const char *const batch_bys[] = {BATCH_BYS(NAMES_WORD) NULL};
static const char *const optimizers[] = {OPTIMIZERS(NAMES_WORD) NULL};

#define FIELD(x) offsetof(struct config, x), sizeof(((struct config *)0)->x)

/* clang-format off */
static const struct key fixed[] = {
    {"variant", &key_variant, FIELD(variant), KEY_AXIS, "vanilla", 0, 0, NULL,
     "attention variant, or a mixture such as random+dense"},
    {"task", &key_task, FIELD(task), KEY_AXIS, "wmt14_ende", 0, 0, NULL,
     "data set, and what the model must do with it"},
    {"scale", &key_word, FIELD(scale), KEY_AXIS, "quick", 0, 0, scales,
     "size of models and data; smoke uses generators, full the official data"},
    {"seed", &key_int, FIELD(seed), KEY_AXIS, "1", 0, RNG_SEED_MAX, NULL,
     "seed of initial weights, batches and dropout"},
    {"preset", &key_word, FIELD(preset), KEY_HASHED, "t2t", 0, 0, presets,
     "conventions of the model; each task has its own default"},
    {"synthetic", &key_bool, FIELD(synthetic), KEY_HASHED, "false", 0, 0, NULL,
     "use generators instead of real text"},
    {"skip_nul", &key_bool, FIELD(skip_nul), KEY_HASHED, "false", 0, 0, NULL,
     "official data: skip and count lines with a NUL byte, instead of failing"},
    {"pretrained", &key_pretrained, FIELD(pretrained), KEY_HASHED, "none", 0,
     0, NULL, "task from whose weights training starts (same variant, scale, "
     "seed and experiment), or the id of that cell"},
    {"tuned", &key_tuned, FIELD(tuned), KEY_HASHED, "none", 0, 0, NULL,
     "candidate settings, among which trials choose without test examples; set "
     "by an experiment's 'tune'"},
    {"trial", &key_trial, FIELD(trial), KEY_HASHED, "none", 0, 0, NULL,
     "candidate settings that a trial tests; set by an experiment's 'tune'"},
    {"trainer", &key_enum, FIELD(trainer), KEY_HASHED, "engine", 0, 0,
     trainers, "who trained the cell; external: another program, and "
     "`adopt` stored the cell"},
    {"mix", &key_enum, FIELD(model.mix), KEY_TRACED, "logits", 0, 0, mixes,
     "how a mixture combines its parts: logits, sum_i alpha_i B_i; plus, B_1 + "
     "B_2; sigmoid, (1 - s) B_1 + s B_2; weights, sum_i alpha_i softmax(B_i) "
     "V; heads, each part has heads of its own"},

    {"layers", &key_int, FIELD(model.layers), KEY_TRACED, "2", 1, 256, NULL,
     "layers of each stack"},
    {"d", &key_int, FIELD(model.d), KEY_TRACED, "128", 4, 65536, NULL,
     "width of the model"},
    {"heads", &key_heads, FIELD(model.heads), KEY_TRACED, "4", 1, 1024, NULL,
     "number of attention heads, a divisor of d; or a rule for the heads of "
     "synthesizers: `code`, 8 of width 128 as in the released code, or "
     "`equal`, as many as vanilla; 12:code sets the number and the rule"},
    {"head_width", &key_int, FIELD(model.head_width), KEY_TRACED, "0", 0,
     65536, NULL, "width of a self-attention head; 0: d / heads"},
    {"cross_heads", &key_int, FIELD(model.cross_heads), KEY_TRACED, "0", 0,
     1024, NULL, "cross-attention heads; 0: same as heads"},
    {"ff", &key_int, FIELD(model.ff), KEY_TRACED, "512", 1, 262144, NULL,
     "inner width of the feed-forward layers"},
    {"N", &key_int, FIELD(model.N), KEY_TRACED, "64", 2, 65536, NULL,
     "maximum sequence length of the model"},
    {"length", &key_int, FIELD(length), KEY_TRACED, "0", 0, 65536, NULL,
     "maximum sequence length of this run, at most N; 0: N"},
    {"vocab", &key_int, FIELD(vocab), KEY_TRACED, "2000", 8, 1048576, NULL,
     "number of tokenizer pieces, or of a generator's symbols"},
    {"decoder_start", &key_enum, FIELD(start), KEY_HASHED, "eos", 0, 0, starts,
     "input of a decoder before the first target"},
    {"norm", &key_enum, FIELD(model.norm), KEY_TRACED, "layer", 0, 0, norms,
     "normalisation; layer: by mean and deviation, with gain and bias; rms: by "
     "root mean square, with gain"},
    {"position", &key_enum, FIELD(model.position), KEY_TRACED, "sinusoidal", 0,
     0, positions, "position encoding, added to embeddings; learned: one table "
     "per stack"},
    {"relative_bias", &key_bool, FIELD(model.relative_bias), KEY_TRACED,
     "false", 0, 0, NULL, "add T5's relative position bias to the scores"},
    {"relative_buckets", &key_int, FIELD(model.relative_buckets), KEY_TRACED,
     "32", 4, 4096, NULL, "buckets of the relative position bias"},
    {"relative_distance", &key_int, FIELD(model.relative_distance), KEY_TRACED,
     "128", 4, 1048576, NULL, "distance beyond which all positions share a "
     "bucket"},
    {"ffn_bias", &key_bool, FIELD(model.ffn_bias), KEY_TRACED, "true", 0, 0,
     NULL, "biases of the feed-forward layers"},
    {"attention_bias", &key_bool, FIELD(model.attention_bias), KEY_TRACED,
     "false", 0, 0, NULL, "biases of learned queries, keys, values, outputs"},
    {"embed_scale", &key_bool, FIELD(model.embed_scale), KEY_TRACED, "true", 0,
     0, NULL, "multiply embeddings by sqrt(d)"},
    {"logit_scale", &key_bool, FIELD(model.logit_scale), KEY_TRACED, "false",
     0, 0, NULL, "divide the output logits by sqrt(d)"},
    {"init", &key_enum, FIELD(model.init), KEY_HASHED, "glorot", 0, 0, inits,
     "initial matrices: Glorot uniform, or N(0, 1 / fan in) as in T5"},
    {"init.embed", &key_real, FIELD(model.init_embed), KEY_TRACED, "0", 0, 1e6,
     NULL, "standard deviation of initial embeddings; 0: d^-1/2 with glorot, 1 "
     "with fan_in"},
    {"tied", &key_bool, FIELD(model.tied), KEY_TRACED, "true", 0, 0, NULL,
     "use the embedding table in the output softmax, too"},
    {"probe", &key_bool, FIELD(model.probe), KEY_HASHED, "false", 0, 0, NULL,
     "one attention layer read by a linear map, without feed-forward layer and "
     "final normalisation"},
    {"dot_scale", &key_bool, FIELD(model.dot_scale), KEY_TRACED, "true", 0, 0,
     NULL, "divide learned dot products by the square root of a head's width"},
    {"norm_eps", &key_real, FIELD(model.norm_eps), KEY_TRACED, "1e-6", 0, 1,
     NULL, "added inside the square root of the normalisation"},
    {"dropout", &key_real, FIELD(model.dropout), KEY_TRACED, "0.1", 0, 0.99,
     NULL, "dropout rate of residuals, attention weights and the inner FFN "
     "layer"},
    {"label_smoothing", &key_real, FIELD(model.label_smoothing), KEY_TRACED,
     "0", 0, 0.99, NULL, "probability mass spread over the wrong classes in "
     "training"},

    {"batch", &key_int, FIELD(batch), KEY_TRACED, "32", 1, 65536, NULL,
     "examples per step, or tokens per step (batch.by)"},
    {"batch.by", &key_enum, FIELD(batch_by), KEY_HASHED, "examples", 0, 0,
     batch_bys, "what batch counts; tokens: a step has examples of similar "
     "length, as many as fit in that number of tokens, by Tensor2Tensor's "
     "rule"},
    {"batch.devices", &key_int, FIELD(devices), KEY_HASHED, "1", 1, 1024, NULL,
     "with batch.by: tokens, devices that share the tokens of a step; "
     "Tensor2Tensor's rule applies to the tokens of one device"},
    {"steps", &key_int, FIELD(steps), KEY_HASHED, "1000", 1, 100000000, NULL,
     "optimiser steps"},
    {"shards", &key_int, FIELD(shards), KEY_TRACED, "4", 1, 1024, NULL,
     "parts of a batch, each computed by one thread"},
    {"lanes", &key_int, FIELD(lanes), KEY_HASHED, "2", 1, 256, NULL,
     "gradient buffers, a power of two; more threads than lanes are not used"},
    {"train", &key_int, FIELD(train), KEY_HASHED, "0", 0, 2147483647, NULL,
     "maximum number of training examples; 0: all"},
    {"valid", &key_int, FIELD(valid), KEY_HASHED, "0", 0, 2147483647, NULL,
     "maximum number of validation examples; 0: all"},
    {"test", &key_int, FIELD(test), KEY_HASHED, "0", 0, 2147483647, NULL,
     "maximum number of test examples; 0: all"},
    {"test.first", &key_int, FIELD(test_first), KEY_HASHED, "0", 0, 2147483647,
     NULL, "number of test examples to skip, to test on examples that no "
           "earlier run used"},
    {"device", &key_enum, FIELD(device), KEY_HASHED, "cpu", 0, 0, devices,
     "where the model is computed: on the processor, or on an NVIDIA GPU; with "
     "precision: bf16, cuda fuses attention and cuda-unfused does not"},
    {"precision", &key_enum, FIELD(precision), KEY_HASHED, "fp32", 0, 0,
     precisions, "precision of the operands of matrix products; sums and "
     "weights stay in fp32"},
    {"optimizer.name", &key_enum, FIELD(optimizer.kind), KEY_TRACED, "adam", 0,
     0, optimizers, "optimiser"},
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
     1e6, NULL, "Adafactor: lower bound of a tensor's root mean square, which "
     "scales its step"},
    {"optimizer.clip", &key_real, FIELD(optimizer.clip), KEY_TRACED, "1", 1e-9,
     1e9, NULL, "Adafactor: largest root mean square of an update"},
    {"optimizer.factor_min", &key_int, FIELD(optimizer.factor_min), KEY_TRACED,
     "128", 1, 1048576, NULL, "Adafactor: shortest axis whose second moments "
     "are factored"},
    {"schedule.name", &key_word, FIELD(schedule), KEY_TRACED, "noam", 0, 0,
     schedules, "learning rate at step t = 1 .. T (T: steps, w: warmup); noam: "
     "scale d^-1/2 min(t^-1/2, t w^-3/2); rsqrt: scale max(t, w)^-1/2; "
     "rsqrt-decay: that times min(1, 10 (T + 1 - t) / T); constant: scale; "
     "linear: scale min(t / w, left), left = (T + 1 - t) / (T + 1 - w); "
     "cosine: scale min(t / w, (1 - cos(pi left)) / 2), left at most 1; "
     "trapezoid: scale min(t / w, 1, 5 (T + 1 - t) / T)"},
    {"schedule.scale", &key_real, FIELD(lr_scale), KEY_TRACED, "2", 0, 1e38,
     NULL, "factor of the learning rate"},
    {"schedule.warmup", &key_real, FIELD(warmup), KEY_TRACED, "8000", 1, 1e12,
     NULL, "steps of warmup (w in schedule.name)"},
    {"score_rate", &key_real, FIELD(optimizer.score_rate), KEY_TRACED, "1", 0,
     1e6, NULL, "learning-rate multiplier of the weights that scores are "
     "computed from (queries and keys, R, W_1 and W_2, taps); 0: these are not "
     "trained"},

    {"decode.beam", &key_int, FIELD(beam), KEY_HASHED, "1", 1, 64, NULL,
     "hypotheses kept while decoding; 1: greedy"},
    {"decode.alpha", &key_real, FIELD(alpha), KEY_HASHED, "0.6", 0, 10, NULL,
     "exponent of a beam's length penalty, ((5 + len) / 6)^alpha"},
    {"decode.nbest", &key_int, FIELD(nbest), KEY_HASHED, "1", 1, 64, NULL,
     "hypotheses stored for each example, at most decode.beam"},

    {"evals", &key_int, FIELD(evals), KEY_RUNTIME, "10", 1, 256, NULL,
     "points of the validation curve; changes no other number"},
    {"checkpoint_seconds", &key_int, FIELD(checkpoint_seconds), KEY_RUNTIME,
     "30", 0, 86400, NULL,
     "seconds between checkpoints; 0: after every step; changes no number"},
    {"threads", &key_int, FIELD(threads), KEY_RUNTIME, "1", 1, 256, NULL,
     "threads per cell; changes no number"},
    {"limit.seconds", &key_int, FIELD(limit_seconds), KEY_RUNTIME, "0", 0,
     2147483647, NULL, "time limit of a cell in seconds, after which it fails; "
     "0: no limit"},
    {"limit.memory_mb", &key_int, FIELD(limit_memory_mb), KEY_RUNTIME, "0", 0,
     2147483647, NULL, "memory limit of a cell in MB, above which it fails; 0: "
     "no limit"},
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
