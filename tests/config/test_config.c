/* Reads names, mixtures, settings and filters as users write them. */
#include "harness/base/err.h"
#include "harness/base/str.h"
#include "harness/config/bench_config.h"
#include "harness/config/filter.h"
#include "harness/config/settings.h"
#include "harness/data/dataset.h"
#include "variants/variants.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

static struct config cell(const char *variant, const char *task)
{
    struct assign a[] = {{"variant", variant, "here"}, {"task", task, "here"}};
    struct config c;

    assert_int_equal(settings_resolve(&c, a, 2), OK);
    return c;
}

/* Sets KEY to a value in the configuration of a vanilla language model. */
static int with(struct config *c, const char *key, const char *value)
{
    struct assign a[] = {{"variant", "vanilla", "x.yaml:2"},
                         {"task", "lm1b", "x.yaml:3"},
                         {key, value, "x.yaml:7"}};

    return settings_resolve(c, a, 3);
}

static void refused(const char *key, const char *value, const char *message)
{
    struct config c;

    assert_int_equal(with(&c, key, value), ERR_USAGE);
    assert_string_equal(err_last(), message);
}

/* ---- mixtures ---- */

static void mixture_order(void **state)
{
    static const char *const same[][2] = {
        {"vanilla", "vanilla"},
        {"dense+random", "random+dense"},
        {"random+dense", "random+dense"},
        {"vanilla+dense", "dense+vanilla"},
        {"vanilla+random", "random+vanilla"},
        {"vanilla+factorized-random", "factorized-random+vanilla"},
        {"vanilla+dense+random", "random+dense+vanilla"},
    };
    (void)state;

    for (size_t i = 0; i < sizeof same / sizeof *same; i++) {
        char name[MIX_NAME];
        struct mix m;
        int parts = 1;

        assert_int_equal(mix_parse(&m, name, same[i][0]), OK);
        assert_string_equal(name, same[i][1]);
        for (const char *s = name; *s; s++)
            parts += *s == '+';
        assert_int_equal(m.n, parts);
        size_t first = strlen(m.part[0]->name);
        assert_memory_equal(name, m.part[0]->name, first);
    }
}

static void mixture_refused(void **state)
{
    static const char *const wrong[][2] = {
        {"random+dense+random",
         "mixture 'random+dense+random' has random twice; each part may appear "
         "once"},
        {"vanila", "unknown variant 'vanila': did you mean 'vanilla'?"},
        {"random+densse", "unknown variant 'densse': did you mean 'dense'?"},
        {"vanilla+dense+random+uniform+orthogonal",
         "mixture 'vanilla+dense+random+uniform+orthogonal' has more than 4 "
         "parts"},
        {"random++dense",
         "'random++dense' is not a variant: parts of a mixture are joined by "
         "one '+', as in random+dense"},
        {"", "'' is not a variant: parts of a mixture are joined by one '+', "
             "as in random+dense"},
    };
    (void)state;

    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        char name[MIX_NAME];
        struct mix m;

        assert_int_equal(mix_parse(&m, name, wrong[i][0]), ERR_USAGE);
        assert_string_equal(err_last(), wrong[i][1]);
    }
}

/* ---- settings ---- */

static void ids(void **state)
{
    static const char *const runtime[] = {"evals", "checkpoint_seconds",
                                          "threads"};
    struct config c;
    char first[SETTINGS_ID], id[SETTINGS_ID];
    (void)state;

    assert_int_equal(with(&c, "steps", "1000"), OK);
    settings_id(&c, first);
    assert_int_equal(strlen(first), 16);
    for (size_t i = 0; i < 3; i++) {
        assert_int_equal(with(&c, runtime[i], "7"), OK);
        settings_id(&c, id);
        assert_string_equal(id, first);
    }
    assert_int_equal(with(&c, "steps", "1001"), OK);
    settings_id(&c, id);
    assert_string_not_equal(id, first);
    assert_int_equal(with(&c, "synthetic", "true"), OK);
    settings_id(&c, id);
    assert_string_not_equal(id, first);
}

static void start_text(void **state)
{
    struct config c = cell("random", "lm1b");
    char *text;

    (void)state;
    assert_int_equal(with(&c, "R.init", "normal:0.030"), OK);
    assert_int_equal(settings_get(&c, "R.init", &text), OK);
    assert_string_equal(text, "normal:0.03");
    free(text);
}

/* Returns a non-default value for each key. */
static const char *other_value(const char *key)
{
    static const char *const values[][2] = {
        {"variant", "dense"}, {"task", "agnews"}, {"scale", "reduced"},
        {"R.init", "normal:0.3"}, {"synthetic", "true"},
        {"dense_bias", "false"}, {"tied", "false"}, {"dot_scale", "false"},
        {"d", "256"}, {"heads", "8"}, {"N", "96"}, {"length", "24"},
        {"a", "4"}, {"c", "24"}, {"lanes", "4"}, {"vocab", "777"},
        {"norm_eps", "3e-5"}, {"label_smoothing", "0.3"},
        {"optimizer.eps", "3e-8"}, {"schedule.scale", "0.123456789012345678"}};

    for (size_t i = 0; i < sizeof values / sizeof *values; i++)
        if (!strcmp(values[i][0], key))
            return values[i][1];
    return NULL;
}

static void every_key(void **state)
{
    struct config c = cell("vanilla", "lm1b"), back;
    (void)state;

    for (int i = 0; settings_name(i); i++) {
        const char *key = settings_name(i), *value = other_value(key);
        char *was, *is;

        assert_int_equal(settings_get(&c, key, &was), OK);
        if (value)
            assert_int_equal(settings_set(&c, key, value), OK);
        assert_int_equal(settings_get(&c, key, &is), OK);
        assert_int_equal(settings_same(&c, key, is), 1);
        if (value && strcmp(key, "tied")) /* other_value: its default here */
            assert_int_equal(settings_same(&c, key, was), 0);
        free(is);
        free(was);
    }
    char *hashed = settings_text(&c, 1), *other = settings_text(&c, 0);
    assert_int_equal(settings_restore(&back, hashed, other), OK);
    char *again = settings_text(&back, 1);
    assert_string_equal(again, hashed);
    assert_true(back.lr_scale == 0.123456789012345678);
    free(again);
    free(other);
    free(hashed);
}

static void customs(void **state)
{
    struct assign a[] = {{"variant", "dense", "here"},
                         {"task", "wmt14_ende", "here"},
                         {"scale", "smoke", "here"},
                         {"label_smoothing", "0", "here"}};
    struct config c;
    (void)state;

    c = cell("vanilla", "wmt14_ende");
    assert_true(c.model.label_smoothing == 0.1 && c.model.tied);
    assert_int_equal(c.model.family, FAMILY_SEQ2SEQ);
    c = cell("vanilla", "lm1b");
    assert_true(c.model.label_smoothing == 0 && !c.model.tied);
    assert_int_equal(c.model.family, FAMILY_LM);
    c = cell("vanilla", "agnews");
    assert_true(c.model.label_smoothing == 0 && c.model.tied);
    assert_int_equal(c.model.family, FAMILY_ENCODER);
    assert_int_equal(settings_resolve(&c, a, 4), OK);
    assert_true(c.synthetic);
    assert_true(c.model.label_smoothing == 0); /* the file takes precedence */
}

/* T5 has RMS norms without bias; relative positions instead of added ones; a
 * factor sqrt(d) at the tied softmax, but none at the embeddings or in dot
 * products; initial weights N(0, 1 / fan in); Adafactor with rate max(t,
 * 10^4)^-1/2; no dropout. */
static void t5(void **state)
{
    struct assign a[] = {{"variant", "vanilla", "here"},
                         {"task", "wmt14_ende", "here"},
                         {"preset", "t5", "here"}};
    struct config c;
    const struct model_config *m = &c.model;
    (void)state;

    assert_int_equal(settings_resolve(&c, a, 3), OK);
    assert_true(m->norm == NORM_RMS && m->position == POSITION_NONE);
    assert_true(m->relative_bias && m->relative_buckets == 32 &&
                m->relative_distance == 128);
    assert_true(!m->ffn_bias && !m->attention_bias && !m->embed_scale);
    assert_true(m->logit_scale && m->tied && !m->dot_scale);
    assert_true(m->init == INIT_FAN_IN && m->init_embed == 0);
    assert_true(m->dropout == 0 && m->label_smoothing == 0);
    assert_true(c.optimizer.kind == OPTIM_ADAFACTOR && c.lr_scale == 1 &&
                c.warmup == 10000);
    assert_string_equal(c.schedule, "rsqrt");
    assert_int_equal(c.start, ID_PAD);
    assert_int_equal(cell("vanilla", "wmt14_ende").start, ID_EOS);
    c = cell("vanilla", "c4"); /* the task sets the preset */
    assert_string_equal(c.preset, "t5");
}

static void tokens(void **state)
{
    struct assign many[] = {{"variant", "vanilla", "x.yaml:2"},
                            {"task", "lm1b", "x.yaml:3"},
                            {"N", "65536", "x.yaml:7"},
                            {"batch", "32768", "x.yaml:8"}};
    struct config c;

    (void)state;
    assert_int_equal(settings_resolve(&c, many, 4), ERR_USAGE);
    assert_string_equal(err_last(), "x.yaml:8: batch: 32768 sequences of N: "
                                    "65536 are more than 2147483647 tokens");
}

static void rules(void **state)
{
    (void)state;
    refused("length", "65",
            "x.yaml:7: length: 65 is greater than N: 64, the longest "
            "sequence that the model supports; lower length or raise N");
    refused("N", "3", "x.yaml:7: length: 3 is less than 4, the shortest "
                      "example of any task");
    refused("heads", "3", "x.yaml:7: d (128) is not divisible by heads (3)");
    refused("d", "130", "x.yaml:7: d (130) is not divisible by heads (4)");
    refused("batch", "3", "x.yaml:7: shards (4) is more than batch (3)");
    refused("lanes", "3", "x.yaml:7: lanes: 3 must be a power of two and at "
                          "most shards: 4");
    refused("a", "5", "x.yaml:7: a (5) and c (0): factorized-dense needs a "
                      "times c = N (64)");
    refused("rank", "0", "x.yaml:7: rank: 0 is out of range, 1 to 65536 are "
                         "allowed");
    refused("dropout", "1", "x.yaml:7: dropout: 1 is out of range, 0 to 0.99 "
                            "are allowed");
    refused("steps", "1e3", "x.yaml:7: steps: '1e3' is not a whole number");
    refused("norm_eps", "nan", "x.yaml:7: norm_eps: 'nan' is not a number");
    refused("tied", "yes", "x.yaml:7: tied: 'yes' is not true or false");
    refused("R.init", "normal", "x.yaml:7: R.init: 'normal' is not glorot or "
                                "normal:S, as in normal:1");
    refused("mix", "sum",
            "x.yaml:7: unknown mix 'sum': expected one of logits, plus, "
            "sigmoid, weights, heads");
    refused("heads", "8:core", "x.yaml:7: heads: '8:core' is not a number, "
                               "equal, code or number:code");
    refused("heads", "x", "x.yaml:7: heads: 'x' is not a whole number");
    refused("cross_heads", "3", "x.yaml:7: d (128) is not divisible by "
                                "cross_heads (3)");
    refused("conv_heads", "3", "x.yaml:7: d: 128 is not divisible by "
                               "conv_heads: 3");
    refused("conv_width", "3,0", "x.yaml:7: conv_width: 0 is out of range, 1 "
                                 "to 4096 are allowed");
    refused("conv_width", "3,", "x.yaml:7: conv_width: '' is not a whole "
                                "number");
    refused("schedule.name", "linear", "x.yaml:7: schedule.warmup (8000) is "
            "more than steps (1000), but the schedule `linear` decays after "
            "the warmup; set schedule.warmup to at most 1000, or steps to "
            "at least 8000");
    refused("lenght", "3", "x.yaml:7: unknown key 'lenght': did you mean "
                           "'length'?");
}

/* Resolves a vanilla language model with these settings, "KEY=VALUE ...", of
 * which the i-th is in line i. */
static int resolved(const char *settings)
{
    OWNED(free) char *copy = str_copy(settings);
    struct assign a[16] = {{"variant", "vanilla", "x.yaml:90"},
                           {"task", "lm1b", "x.yaml:91"}};
    char place[16][16], *rest = copy, *key;
    struct config c;
    int n = 2;

    while ((key = strsep(&rest, " "))) {
        char *value = strchr(key, '=');

        *value++ = 0;
        snprintf(place[n], sizeof place[n], "x.yaml:%d", n - 1);
        a[n] = (struct assign){key, value, place[n]};
        n++;
    }
    return settings_resolve(&c, a, n);
}

/* For each rule about several settings, values just beyond it and within. */
static void clashes(void **state)
{
    static const struct { const char *wrong, *right, *says; } row[] = {
        {"d=65 heads=5", "d=70 heads=5",
         "x.yaml:1: d: 65 is odd, sinusoidal positions"},
        {"d=68 heads=code", "d=72 heads=code",
         "x.yaml:2: d (68) is not divisible by the 8 heads"},
        {"a=8 c=3 N=64", "a=8 c=8 N=64", "x.yaml:2: a (8) and c (3)"},
        {"a=3 c=8 N=64", "c=8 N=64", "x.yaml:2: a (3) and c (8)"},
        {"a=8 c=4 N=64", "a=16 c=4 N=64", "x.yaml:2: a (8) and c (4)"},
        {"batch.devices=2 batch=32", "batch.devices=1 batch=32",
         "x.yaml:1: batch.devices: 2 needs batch.by: tokens"},
        {"batch.by=tokens batch.devices=3 batch=500",
         "batch.by=tokens batch.devices=3 batch=501",
         "x.yaml:3: batch: 500 tokens are not divisible"},
        {"lanes=8 shards=4", "lanes=4 shards=4",
         "x.yaml:2: lanes: 8 must be a power of two and at most shards: 4"},
        {"decode.beam=3 decode.nbest=4", "decode.beam=4 decode.nbest=4",
         "x.yaml:2: decode.nbest (4) is more than decode.beam (3)"},
        {"vocab=99 decode.beam=50", "vocab=100 decode.beam=50",
         "x.yaml:2: decode.beam (50) is more than half of vocab (99)"},
        {"scale=smoke synthetic=false", "scale=smoke synthetic=true",
         "x.yaml:2: synthetic: false: the smoke scale has only generators"},
        {"score_rate.random=2", "variant=random+vanilla score_rate.random=2",
         "x.yaml:1: score_rate.random: vanilla is not a mixture"},
        {"variant=random+vanilla score_rate.dense=2",
         "variant=random+dense score_rate.dense=2",
         "x.yaml:2: score_rate.dense: random+vanilla has no part dense"}};

    (void)state;
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        int rc = resolved(row[i].wrong);

        if (rc != ERR_USAGE ||
            strncmp(err_last(), row[i].says, strlen(row[i].says)))
            fail_msg("%s: %d, '%s' does not begin '%s'", row[i].wrong, rc,
                     err_last(), row[i].says);
        if (resolved(row[i].right) != OK)
            fail_msg("%s: '%s'", row[i].right, err_last());
    }
}

/* If keys conflict, the message names the key that was set last. */
static void last_is_named(void **state)
{
    struct assign a[] = {{"schedule.name", "linear", "x.yaml:2"},
                         {"schedule.warmup", "100", "x.yaml:3"},
                         {"steps", "20", "-S"}};
    struct config c;

    (void)state;
    assert_int_equal(settings_resolve(&c, a, 3), ERR_USAGE);
    assert_string_equal(err_last(), "-S: schedule.warmup (100) is more than "
                        "steps (20), but the schedule `linear` decays after "
                        "the warmup; set schedule.warmup to at most 20, or "
                        "steps to at least 100");
}

/* With `heads: code`, synthesizers have the heads of the released code,
 * whatever other settings are. */
static void code_heads(void **state)
{
    struct assign a[] = {{"variant", "random+vanilla", "x.yaml:2"},
                         {"task", "lm1b", "x.yaml:3"},
                         {"heads", "code", "x.yaml:7"},
                         {"head_width", "16", "x.yaml:8"}};
    struct config c;

    (void)state;
    assert_int_equal(settings_resolve(&c, a, 4), ERR_USAGE);
    assert_string_equal(err_last(), "x.yaml:8: head_width: 16: heads: code "
                        "gives random+vanilla 8 heads of width 128; omit one "
                        "of the two");
    assert_int_equal(settings_resolve(&c, a, 3), OK);
    a[0].value = "vanilla"; /* `heads: code` does not apply to it */
    assert_int_equal(settings_resolve(&c, a, 4), OK);
    a[2].value = "4";
    a[0].value = "random";
    assert_int_equal(settings_resolve(&c, a, 4), OK);
}

static void mix_of_one(void **state)
{
    struct assign a[] = {{"variant", "vanilla", "--variant"},
                         {"mix", "plus", "--mix"}};
    struct config c;

    (void)state;
    assert_int_equal(settings_resolve_family(&c, FAMILY_LM, a, 2), ERR_USAGE);
    assert_string_equal(err_last(), "--mix: mix: no selected variant is a "
                                    "mixture, such as random+vanilla");
    a[0].value = "random+vanilla";
    assert_int_equal(settings_resolve_family(&c, FAMILY_LM, a, 2), OK);
}

/* ---- filters ---- */

static void filters(void **state)
{
    static const struct { const char *text; int yes; } f[] = {
        {"variant==random+dense", 1},
        {"variant==dense+random", 1},
        {"variant==random", 0},
        {"variant~random", 1},
        {"variant!=random", 1},
        {"task==lm1b&&seed==1", 1},
        {"task == lm1b && seed == 2", 0},
        {"seed==2 || variant~dense", 1},
        {"seed==2 || seed==3 && variant~dense", 0},
        {"seed==1 || seed==3 && seed==4", 1},
        {"(seed==1 || seed==3) && seed==4", 0},
        {"!variant~random", 0},
        {"!(variant~random && seed==2)", 1},
        {"!!seed==1", 1},
        {"dropout==1e-1", 1},
        {"R.init==normal:1", 1},
    };
    struct config c = cell("random+dense", "lm1b");
    (void)state;

    for (size_t i = 0; i < sizeof f / sizeof *f; i++)
        if (filter_match(f[i].text, &c) != f[i].yes)
            fail_msg("%s is not %d (%s)", f[i].text, f[i].yes, err_last());
}

static void filters_refused(void **state)
{
    static const char *const f[][2] = {
        {"variant=random",
         "-E 'variant=random': column 8: expected ==, != or ~, not ="},
        {"seed>1", "-E 'seed>1': column 5: expected ==, != or ~, not >"},
        {"seed <= 1", "-E 'seed <= 1': column 6: expected ==, != or ~, not <="},
        {"seed 1", "-E 'seed 1': column 6: expected ==, != or ~"},
        {"", "-E '': column 1: expected a key, as in variant==random"},
        {"seed==", "-E 'seed==': column 7: expected a value"},
        {"(seed==1", "-E '(seed==1': column 9: expected ')'"},
        {"seed==1)", "-E 'seed==1)': column 8: expected &&, || or the end of "
                     "the filter"},
        {"seed==1 seed==2",
         "-E 'seed==1 seed==2': column 9: expected &&, || or the end of the "
         "filter"},
        {"seed==1 || sead==2",
         "-E 'seed==1 || sead==2': column 12: unknown key 'sead': did you mean "
         "'seed'?"},
        {"seed==1 && task==lm2b",
         "-E 'seed==1 && task==lm2b': column 12: unknown task 'lm2b': did you "
         "mean 'lm1b'?"},
    };
    struct config c = cell("random+dense", "lm1b");
    char *deep = str_format("%0200d", 0);
    (void)state;

    for (size_t i = 0; i < sizeof f / sizeof *f; i++) {
        assert_int_equal(filter_match(f[i][0], &c), ERR_USAGE);
        assert_string_equal(err_last(), f[i][1]);
    }
    memset(deep, '(', 200);
    assert_int_equal(filter_match(deep, &c), ERR_USAGE);
    free(deep);
}

/* Sets the configuration to that of the size `medium` with three threads. */
static int medium(struct config *c, struct assign *set, int n)
{
    struct bench_model m = {"medium", "random+vanilla", "bf16", 3, {n, set}};
    struct mix mix;

    return bench_configure(c, &mix, &m);
}

static void bench_sizes(void **state)
{
    enum { MANY = 200 };
    struct assign set[MANY];
    struct config c;

    (void)state;
    assert_int_equal(medium(&c, NULL, 0), OK);
    assert_int_equal(c.model.d, 512);
    assert_int_equal(c.threads, 3);
    assert_int_equal(c.lanes, 4);
    assert_int_equal(c.shards, 8);
    assert_string_equal(c.variant, "random+vanilla");
    for (int i = 0; i < MANY; i++)
        set[i] = (struct assign){"shards", i % 2 ? "4" : "8", "-S"};
    assert_int_equal(medium(&c, set, MANY), OK);
    assert_int_equal(c.shards, 4);
    set[0] = (struct assign){"heads", "7", "-S"};
    assert_int_equal(medium(&c, set, 1), ERR_USAGE);
    assert_non_null(strstr(err_last(), "heads"));
}

static void bench_cells(void **state)
{
    struct config c;
    struct mix mix;

    (void)state;
    assert_int_equal(bench_restore(&c, &mix,
                                   "{\"variant\": \"random\", \"task\": "
                                   "\"lm1b\", \"d\": 48}", 5), OK);
    assert_int_equal(c.model.d, 48);
    assert_int_equal(c.threads, 5);
    assert_string_equal(mix.part[0]->name, "random");
    assert_int_equal(bench_restore(&c, &mix, "{\"d\":", 1), ERR_USAGE);
}

int main(void)
{
    static const struct CMUnitTest t[] = {
        {"parts of a mixture may be written in any order", mixture_order,
         NULL, NULL, NULL},
        {"a wrong mixture is refused with the reason", mixture_refused, NULL,
         NULL, NULL},
        {"the id follows every number and no run-time setting", ids, NULL,
         NULL, NULL},
        {"every key is printed as it is read, and comes back from the store",
         every_key, NULL, NULL, NULL},
        {"the scale of R is written in the digits that it takes", start_text,
         NULL, NULL, NULL},
        {"kind of task and scale set defaults, and the writer's word holds",
         customs, NULL, NULL, NULL},
        {"preset t5 is what T5 was", t5, NULL, NULL, NULL},
        {"a batch of more tokens than can be counted is refused", tokens, NULL,
         NULL, NULL},
        {"impossible configurations are refused with file and line", rules,
         NULL, NULL, NULL},
        {"of settings that do not fit the last one is named", last_is_named,
         NULL, NULL, NULL},
        {"settings that exclude each other are refused with the last line",
         clashes, NULL, NULL, NULL},
        {"a width of heads beside those of the released code is refused",
         code_heads, NULL, NULL, NULL},
        {"how to mix is refused where nothing is mixed", mix_of_one, NULL,
         NULL, NULL},
        {"a size of bench has two shards per lane, unless -S says otherwise",
         bench_sizes, NULL, NULL, NULL},
        {"bench restores the configuration of a cell", bench_cells, NULL, NULL,
         NULL},
        {"filters select by && || ! ~ and parentheses", filters, NULL, NULL,
         NULL},
        {"a wrong filter is refused with its column", filters_refused, NULL,
         NULL, NULL},
    };

    return cmocka_run_group_tests(t, NULL, NULL);
}
