/* Follows every setting from the user's text to the trained cell: checks the
 * field that it sets, and exactly which results of a cell change if its value
 * changes. */
#include "harness/base/err.h"
#include "harness/base/str.h"
#include "harness/config/settings.h"
#include "harness/nn/model_config.h"
#include "tests/support/small_cells.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Returns the learning rate of a part of a mixture, or NAN if it has none. */
static double rate_of(const struct config *c, const char *part)
{
    const struct part_rate *r = c->optimizer.part_rate;

    for (int i = 0; i < PART_RATES && r[i].part; i++)
        if (!strcmp(r[i].part, part))
            return r[i].rate;
    return NAN;
}

/*
 * Columns of the table below: the key; another value; settings that this value
 * requires (`with`); the results that change (`moves`), as letters; the field
 * that the key sets.
 *
 *     d  the data                  e  the weights at the end
 *     w  the weights at the start  v  the validation curve
 *     l  the loss of step 1        t  losses on the test set
 *                                  h  decoded texts and their scores
 */
#define IS(field, text) !strcmp(c->field, text)
#define ROWS(X)                                                               \
    X("variant", "dense", "", "wlevth", IS(variant, "dense"))                 \
    X("task", "c4", "", "dwlevth", IS(task, "c4"))                            \
    X("scale", "quick", "synthetic=true", "", IS(scale, "quick"))             \
    X("seed", "7", "", "wlevth", c->seed == 7)                                \
    X("preset", "t5", "", "wlevth", IS(preset, "t5"))                         \
    X("synthetic", "true", "", "", c->synthetic == 1)                         \
    X("skip_nul", "true", "scale=full synthetic=true", "", c->skip_nul == 1)   \
    X("tuned", "dropout=0.5,steps=1,seed=0", "", "",                          \
      IS(tuned, "dropout=0.5,steps=1,seed=0"))                                \
    X("trial", "dropout=0.5", "", "th", IS(trial, "dropout=0.5"))             \
    X("mix", "weights", "variant=random+dense", "levth",                      \
      c->model.mix == MIX_WEIGHTS)                                            \
    X("layers", "2", "", "wlevth", c->model.layers == 2)                      \
    X("d", "24", "", "wlevth", c->model.d == 24)                              \
    X("heads", "4", "", "levth", c->model.heads == 4)                         \
    X("head_width", "4", "", "wlevth", c->model.head_width == 4)              \
    X("cross_heads", "4", "", "levth", c->model.cross_heads == 4)             \
    X("ff", "24", "", "wlevth", c->model.ff == 24)                            \
    X("N", "24", "variant=random length=16", "wlevth", c->model.N == 24)      \
    X("length", "12", "", "dlevth", c->length == 12)                          \
    X("vocab", "48", "", "dwlevth", c->vocab == 48)                           \
    X("decoder_start", "pad", "", "levth", c->start == ID_PAD)                \
    X("norm", "rms", "", "wlevth", c->model.norm == NORM_RMS)                 \
    X("position", "learned", "", "wlevth",                                    \
      c->model.position == POSITION_LEARNED)                                  \
    X("relative_bias", "true", "", "wlevth", c->model.relative_bias == 1)     \
    X("relative_buckets", "16", "relative_bias=true", "wlevth",               \
      c->model.relative_buckets == 16)                                        \
    X("relative_distance", "20", "relative_bias=true", "levth",               \
      c->model.relative_distance == 20)                                       \
    X("ffn_bias", "false", "", "wevth", c->model.ffn_bias == 0)               \
    X("attention_bias", "true", "", "wevth", c->model.attention_bias == 1)    \
    X("embed_scale", "false", "", "levth", c->model.embed_scale == 0)         \
    X("logit_scale", "true", "", "levth", c->model.logit_scale == 1)          \
    X("init", "fan_in", "", "wlevth", c->model.init == INIT_FAN_IN)           \
    X("init.embed", "0.5", "", "wlevth", c->model.init_embed == 0.5)          \
    X("rank", "4", "variant=factorized-random", "wlevth",                     \
      c->model.rank == 4)                                                     \
    X("a", "2", "variant=factorized-dense", "wlevth", c->model.a == 2)        \
    X("c", "8", "variant=factorized-dense", "wlevth", c->model.c == 8)        \
    X("dense_bias", "false", "variant=dense", "wevth",                        \
      c->model.dense_bias == 0)                                               \
    X("inner", "true", "variant=factorized-dense", "wlevth",                  \
      c->model.inner == 1)                                                    \
    X("share_q", "true", "variant=dense-mtf+vanilla", "wlevth",               \
      c->model.share_q == 1)                                                  \
    X("projection", "3", "variant=linformer task=agnews", "wlevt",            \
      c->model.projection == 3)                                               \
    X("conv_heads", "4", "variant=lightweight-conv", "wlevth",                \
      c->model.conv_heads == 4)                                               \
    X("conv_width", "3", "variant=lightweight-conv", "wlevth",                \
      c->model.conv_width.n == 1 && c->model.conv_width.at[0] == 3)           \
    X("orthogonal.method", "cayley", "variant=orthogonal", "levth",           \
      c->model.orthogonal == LINALG_CAYLEY)                                   \
    X("orthogonal.gain", "true", "variant=orthogonal", "wevth",               \
      c->model.gain == 1)                                                     \
    X("tied", "false", "", "wlevth", c->model.tied == 0)                      \
    X("probe", "true", "task=lm1b", "wlevt", c->model.probe == 1)             \
    X("dot_scale", "false", "", "levth", c->model.dot_scale == 0)             \
    X("norm_eps", "0.25", "", "levth", c->model.norm_eps == 0.25)             \
    X("dropout", "0.5", "", "levth", c->model.dropout == 0.5)                 \
    X("label_smoothing", "0.5", "", "levth",                                  \
      c->model.label_smoothing == 0.5)                                        \
    X("R.init", "normal:0.25", "variant=random", "wlevth",                    \
      c->model.r_scale == 0.25)                                               \
    X("batch", "4", "", "levth", c->batch == 4)                               \
    X("batch.by", "tokens", "", "levth", c->batch_by == BATCH_TOKENS)         \
    X("batch.devices", "2", "batch.by=tokens batch=48", "levth",              \
      c->devices == 2)                                                        \
    X("steps", "9", "", "evth", c->steps == 9)                                \
    X("shards", "2", "", "e", c->shards == 2)                                 \
    X("lanes", "1", "", "e", c->lanes == 1)                                   \
    X("train", "48", "", "dlevth", c->train == 48)                            \
    X("valid", "12", "", "dv", c->valid == 12)                                \
    X("test", "12", "", "dth", c->test == 12)                                 \
    X("test.first", "8", "", "dth", c->test_first == 8)                       \
    X("precision", "bf16", "", "levth", c->precision == PRECISION_BF16)       \
    X("optimizer.name", "adafactor", "", "evth",                              \
      c->optimizer.kind == OPTIM_ADAFACTOR)                                   \
    X("optimizer.b1", "0.5", "", "evth", c->optimizer.b1 == 0.5)              \
    X("optimizer.b2", "0.5", "", "evth", c->optimizer.b2 == 0.5)              \
    X("optimizer.eps", "0.125", "", "evth", c->optimizer.eps == 0.125)        \
    X("optimizer.decay", "0.5", "optimizer.name=adafactor", "evth",           \
      c->optimizer.decay == 0.5)                                              \
    X("optimizer.eps1", "0.125", "optimizer.name=adafactor", "evth",          \
      c->optimizer.eps1 == 0.125)                                             \
    X("optimizer.eps2", "0.5", "optimizer.name=adafactor", "evth",            \
      c->optimizer.eps2 == 0.5)                                               \
    X("optimizer.clip", "0.125", "optimizer.name=adafactor", "evth",          \
      c->optimizer.clip == 0.125)                                             \
    X("optimizer.factor_min", "16", "optimizer.name=adafactor", "evth",       \
      c->optimizer.factor_min == 16)                                          \
    X("schedule.name", "rsqrt", "", "evth", IS(schedule, "rsqrt"))            \
    X("schedule.scale", "0.03125", "", "evth", c->lr_scale == 0.03125)        \
    X("schedule.warmup", "4", "schedule.name=noam", "evth", c->warmup == 4)   \
    X("score_rate", "0.5", "", "evth", c->optimizer.score_rate == 0.5)        \
    X("score_rate.vanilla", "0.5", "variant=vanilla+uniform",                 \
      "evth", rate_of(c, "vanilla") == 0.5)                                   \
    X("score_rate.dense", "0.5", "variant=dense+uniform",                     \
      "evth", rate_of(c, "dense") == 0.5)                                     \
    X("score_rate.dense-mtf", "0.5", "variant=dense-mtf+uniform",             \
      "evth", rate_of(c, "dense-mtf") == 0.5)                                 \
    X("score_rate.dense-literal", "0.5", "variant=dense-literal+uniform",     \
      "evth", rate_of(c, "dense-literal") == 0.5)                             \
    X("score_rate.random", "0.5", "variant=random+uniform",                   \
      "evth", rate_of(c, "random") == 0.5)                                    \
    X("score_rate.fixed-random", "0.5", "variant=fixed-random+uniform",       \
      "", rate_of(c, "fixed-random") == 0.5)                                  \
    X("score_rate.factorized-random", "0.5",                                  \
      "variant=factorized-random+uniform",                                    \
      "evth", rate_of(c, "factorized-random") == 0.5)                         \
    X("score_rate.factorized-random-mtf", "0.5",                              \
      "variant=factorized-random-mtf+uniform",                                \
      "evth", rate_of(c, "factorized-random-mtf") == 0.5)                     \
    X("score_rate.factorized-dense", "0.5",                                   \
      "variant=factorized-dense+uniform",                                     \
      "evth", rate_of(c, "factorized-dense") == 0.5)                          \
    X("score_rate.orthogonal", "0.5",                                         \
      "variant=orthogonal+uniform orthogonal.gain=true",                      \
      "evth", rate_of(c, "orthogonal") == 0.5)                                \
    X("score_rate.orthogonal-split", "0.5",                                   \
      "variant=orthogonal-split+uniform orthogonal.gain=true",                \
      "evth", rate_of(c, "orthogonal-split") == 0.5)                          \
    X("score_rate.orthogonal-tied", "0.5",                                    \
      "variant=orthogonal-tied+uniform orthogonal.gain=true",                 \
      "evth", rate_of(c, "orthogonal-tied") == 0.5)                           \
    X("score_rate.frozen-gaussian", "0.5",                                    \
      "variant=frozen-gaussian+uniform orthogonal.gain=true",                 \
      "evth", rate_of(c, "frozen-gaussian") == 0.5)                           \
    X("score_rate.uniform", "0.5", "variant=uniform+dense",                   \
      "", rate_of(c, "uniform") == 0.5)                                       \
    X("decode.beam", "5", "", "h", c->beam == 5)                              \
    X("decode.alpha", "2.5", "", "h", c->alpha == 2.5)                        \
    X("decode.nbest", "3", "", "h", c->nbest == 3)                            \
    X("evals", "2", "", "v", c->evals == 2)                                   \
    X("checkpoint_seconds", "0", "", "", c->checkpoint_seconds == 0)          \
    X("threads", "2", "", "", c->threads == 2)                                \
    X("limit.seconds", "77", "", "", c->limit_seconds == 77)                  \
    X("limit.memory_mb", "78", "", "", c->limit_memory_mb == 78)

/* tests/train/test_stored.c tests what `pretrained` changes. */
static const struct row { const char *key, *value, *with, *moves; } rows[] = {
#define ROW(key, value, with, moves, field) {key, value, with, moves},
    ROWS(ROW)
    {"pretrained", "none", "", "", },
    {"trainer", "engine", "", "", }, /* the other value: tests/cli/lend.t */
    {"device", "cpu", "", "", }, /* the other: tests/engine/test_device.c */
};

enum { N_ROWS = sizeof rows / sizeof *rows };

static int arrived(const struct config *c, const char *key)
{
#define FIELD(name, value, with, moves, field)                                \
    if (!strcmp(key, name))                                                   \
        return field;
    ROWS(FIELD)
    return (!strcmp(key, "pretrained") && IS(pretrained, "none")) ||
           (!strcmp(key, "trainer") && c->trainer == TRAINER_ENGINE) ||
           (!strcmp(key, "device") && c->device == DEVICE_CPU);
}

static void complete(void **state)
{
    (void)state;
    for (int i = 0; settings_name(i); i++) {
        int found = 0;

        for (int r = 0; r < N_ROWS; r++)
            found += !strcmp(rows[r].key, settings_name(i));
        if (found != 1)
            fail_msg("setting %s has %d rows: add what it moves",
                     settings_name(i), found);
    }
}

/* Each key sets its field, and no other key does. */
static void fields(void **state)
{
    struct trained t;

    (void)state;
    for (int r = 0; r < N_ROWS; r++) {
        char *words = str_format("%s %s=%s", rows[r].with, rows[r].key,
                                 rows[r].value);

        trained_resolve(&t, words);
        if (!arrived(&t.c, rows[r].key))
            fail_msg("%s: %s does not reach its field", rows[r].key,
                     rows[r].value);
        arena_free(t.memory);
        free(words);
    }
}

/* ---- effects on a cell ---- */

/* Returns 1 if the difference is larger than rounding errors of float32 sums in
 * another order, about 1e-7. */
static int apart(struct reals a, struct reals b)
{
    if (a.n != b.n)
        return 1;
    for (size_t i = 0; i < a.n; i++)
        if (fabs(a.x[i] - b.x[i]) > 1e-6 * (1 + fabs(b.x[i])))
            return 1;
    return 0;
}

static int other_texts(struct texts a, struct texts b)
{
    for (size_t i = 0; i < a.n && a.n == b.n; i++)
        if (strcmp(a.x[i], b.x[i]))
            return 1;
    return a.n != b.n;
}

static int other_text(struct trained *a, struct trained *b, const char *at)
{
    return strcmp(trained_text(a, at), trained_text(b, at)) != 0;
}

static int other_reals(struct trained *a, struct trained *b, const char *path)
{
    return apart(trained_reals(a, path), trained_reals(b, path));
}

static void start_of(const struct trained *t, char hex[HASH_HEX])
{
    struct config c = t->c;
    struct trainer trainer;

    settings_expect(&c);
    trainer_open(&trainer, &c, &t->mix, NULL);
    trainer_digest(&trainer, hex);
    trainer_close(&trainer);
}

static int other_start(const struct trained *a, const struct trained *b)
{
    char x[HASH_HEX], y[HASH_HEX];

    start_of(a, x);
    start_of(b, y);
    return strcmp(x, y) != 0;
}

static int other_first_loss(struct trained *a, struct trained *b)
{
    struct reals x = trained_reals(a, "curves/train/loss");
    struct reals y = trained_reals(b, "curves/train/loss");

    x.n = y.n = 1;
    return apart(x, y);
}

static int other_output(struct trained *a, struct trained *b)
{
    static const char best[] = "examples/test/nbest";
    static const char score[] = "examples/test/nbest_score";
    int decodes = a->task->kind == TASK_TRANSDUCE;

    if (decodes != (b->task->kind == TASK_TRANSDUCE))
        return 1;
    return decodes &&
           (other_texts(trained_texts(a, best), trained_texts(b, best)) ||
            other_reals(a, b, score));
}

static const char *moved(struct trained *a, struct trained *b)
{
    char *out = arena_zero(a->memory, 8), *end = out;
    const struct { char letter; int is; } part[] = {
        {'d', other_text(a, b, "provenance@data_digest")},
        {'w', other_start(a, b)},
        {'l', other_first_loss(a, b)},
        {'e', other_text(a, b, "weights@sha256")},
        {'v', other_reals(a, b, "curves/valid/ce") ||
                  other_reals(a, b, "curves/valid/step")},
        {'t', other_reals(a, b, "examples/test/nll")},
        {'h', other_output(a, b)}};

    for (size_t i = 0; i < sizeof part / sizeof *part; i++)
        if (part[i].is)
            *end++ = part[i].letter;
    return out;
}

static void moves(void **state)
{
    struct trained plain = {.memory = NULL}, t;
    const char *with = NULL;
    int bad = 0;

    (void)state;
    for (int r = 0; r < N_ROWS; r++) {
        char *words = str_format("%s %s=%s", rows[r].with, rows[r].key,
                                 rows[r].value);

        if (!with || strcmp(with, rows[r].with)) {
            if (with)
                trained_close(&plain);
            trained_open(&plain, with = rows[r].with);
        }
        trained_open(&t, words);
        const char *is = moved(&t, &plain);
        if (strcmp(is, rows[r].moves)) {
            print_message("%s moves '%s', not '%s'\n", words, is,
                          rows[r].moves);
            bad++;
        }
        trained_close(&t);
        free(words);
    }
    trained_close(&plain);
    assert_int_equal(bad, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        {"every setting has a row here", complete, NULL, NULL, NULL},
        {"every setting fills its field", fields, NULL, NULL, NULL},
        {"every setting moves what it names in a cell, and nothing else",
         moves, trained_setup, trained_teardown, NULL},
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
