/*
 * Traces: those in tests/data/traces were made in PyTorch (make_traces.sh) and
 * are repeated here. A change of any value in one of them must be found and
 * named.
 */
#include "harness/base/err.h"
#include "harness/base/str.h"
#include "harness/verify/traces/trace.h"
#include "tests/support/scratch.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <glob.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DATA "tests/data/traces/"

/* ---- a file, and the results of --check ---- */

static int judge(struct trace_report *r, const struct trace_file *f)
{
    struct config c;
    struct mix mix;
    int rc = trace_json_read(&c, &mix, f->config, trace_steps(f));

    return rc < 0 ? rc : trace_check(r, f, "FILE", &c, &mix);
}

static void open_golden(struct trace_file *f, const char *name)
{
    char path[256];

    snprintf(path, sizeof path, DATA "%s.h5", name);
    if (trace_file_read(f, path, 0) < 0)
        fail_msg("%s", err_last());
}

static struct trace_array *at(struct trace_file *f, const char *name)
{
    struct trace_array *a = (struct trace_array *)trace_file_find(f, "%s",
                                                                   name);

    if (!a)
        fail_msg("%s: no such array", name);
    return a;
}

static void golden(void **state)
{
    glob_t all;

    (void)state;
    assert_int_equal(glob(DATA "*.h5", 0, NULL, &all), 0);
    assert_true(all.gl_pathc >= 40);
    for (size_t i = 0; i < all.gl_pathc; i++) {
        struct trace_report r;
        struct trace_file f;

        assert_int_equal(trace_file_read(&f, all.gl_pathv[i], 0), OK);
        if (judge(&r, &f) < 0)
            fail_msg("%s: %s", all.gl_pathv[i], err_last());
        for (int j = 0; j < r.n; j++)
            if (r.finding[j].failed)
                fail_msg("%s: %s %g at %s", all.gl_pathv[i],
                         r.finding[j].group, r.finding[j].worst,
                         r.finding[j].at);
        trace_file_close(&f);
    }
    globfree(&all);
}

/* ---- injected faults ---- */

static void weight(struct trace_file *f)
{
    ((float *)at(f, "params/decoder.0.self.v")->x)[3] += 1e-2f;
}

static void one_gradient(struct trace_file *f)
{
    float *g = at(f, "grads/decoder.0.self.v")->x;

    for (size_t i = 0; i < trace_array_len(at(f, "grads/decoder.0.self.v"));
         i++)
        g[i] *= 1.001f;
}

static void loss(struct trace_file *f)
{
    *(double *)at(f, "steps/2/loss")->x *= 1.0001;
}

static void no_loss(struct trace_file *f)
{
    *(double *)at(f, "steps/1/loss")->x = NAN;
}

static void rate(struct trace_file *f)
{
    *(double *)at(f, "steps/2/lr")->x *= 1.00001;
}

static void one_bit(struct trace_file *f)
{
    float *x = at(f, "frozen_end/decoder.0.self.fixed-random.R")->x;

    x[7] = nextafterf(x[7], 9);
}

static void stands_still(struct trace_file *f)
{
    struct trace_array *a = at(f, "end/decoder.0.ffn.w2");

    memcpy(a->x, at(f, "params/decoder.0.ffn.w2")->x,
           trace_array_len(a) * sizeof(float));
}

static void jumps(struct trace_file *f)
{
    ((float *)at(f, "end/decoder.0.self.o")->x)[5] += 1;
}

static void not_a_number(struct trace_file *f)
{
    ((float *)at(f, "end/decoder.0.self.o")->x)[5] = NAN;
}

static void crooked(struct trace_file *f)
{
    ((float *)at(f, "frozen/decoder.0.self.orthogonal.q")->x)[0] += 1e-5f;
    ((float *)at(f, "frozen_end/decoder.0.self.orthogonal.q")->x)[0] += 1e-5f;
}

static void state_of_frozen(struct trace_file *f)
{
    char *text = str_format("[\"decoder.0.self.fixed-random.R\", %s",
                            f->state + 1);

    f->state = arena_text(f->memory, text);
    free(text);
}

/* Replaces the text `was` by `is` in the config. */
static void configure(struct trace_file *f, const char *was, const char *is)
{
    char *found = strstr(f->config, was);

    assert_non_null(found);
    char *text = str_format("%.*s%s%s", (int)(found - f->config), f->config,
                            is, found + strlen(was));
    f->config = arena_text(f->memory, text);
    free(text);
}

static void order(struct trace_file *f)
{
    configure(f, "random+vanilla", "vanilla+random");
}

static void other_mix(struct trace_file *f)
{
    configure(f, "\"weights\"", "\"logits\"");
}

static void causal_length(struct trace_file *f)
{
    ((int *)at(f, "steps/1/batch/target_in")->x)[1] ^= 1;
}

static const struct fault {
    const char *file;
    void (*plant)(struct trace_file *f);
    const char *group; /* group that must fail */
} faults[] = {
    {"lm-t2t-vanilla", weight, "gradient"},
    {"lm-t2t-vanilla", one_gradient, "gradient"},
    {"lm-t2t-vanilla", loss, "loss"},
    {"lm-t5-vanilla", no_loss, "loss"},
    {"lm-t2t-vanilla", rate, "lr"},
    {"lm-t2t-fixed-random", one_bit, "frozen weights"},
    {"lm-t2t-vanilla", stands_still, "weights that change"},
    {"lm-t5-vanilla", jumps, "change within the optimizer's reach"},
    {"lm-t5-vanilla", not_a_number, "final weights"},
    {"lm-t2t-orthogonal", crooked, "orthogonal"},
    {"lm-t2t-fixed-random", state_of_frozen, "optimizer state"},
    {"seq2seq-t2t-random+vanilla-sigmoid", order, "loss"},
    {"lm-t2t-dense+vanilla-weights", other_mix, "loss"},
    {"lm-t5-dense", causal_length, "loss"},
};

static void planted(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
        struct trace_report r;
        struct trace_file f;
        int found = 0;

        open_golden(&f, faults[i].file);
        faults[i].plant(&f);
        if (judge(&r, &f) < 0)
            fail_msg("%zu: %s", i, err_last());
        for (int j = 0; j < r.n; j++)
            found |= r.finding[j].failed &&
                     !strcmp(r.finding[j].group, faults[i].group);
        if (!found)
            fail_msg("fault %zu of %s is not found in %s", i, faults[i].file,
                     faults[i].group);
        trace_file_close(&f);
    }
}

/* ---- invalid traces ---- */

static void less(struct trace_file *f)
{
    *at(f, "grads/embed.table") = f->array[--f->n];
}

static void more(struct trace_file *f)
{
    trace_file_add(f, TRACE_FLOAT, 1, (int[]){2},
                   "params/decoder.0.self.dense.b3");
}

static void wide(struct trace_file *f)
{
    at(f, "params/decoder.0.self.v")->dim[1]++;
}

static void whole_numbers(struct trace_file *f)
{
    at(f, "end/decoder.0.self.v")->type = TRACE_INT;
}

static void large_id(struct trace_file *f)
{
    ((int *)at(f, "steps/1/batch/target_out")->x)[0] = 11;
}

static void pads_inside(struct trace_file *f)
{
    ((int *)at(f, "steps/2/batch/target_out")->x)[0] = 0;
}

/* Adds a column of padding to the batches. */
static void padded(struct trace_file *f)
{
    struct trace_array *a = at(f, "steps/1/batch/target_out");
    int n = a->dim[1]++;
    int *x = arena_zero(f->memory, trace_array_len(a) * sizeof *x);

    for (int i = 0; i < a->dim[0] * n; i++)
        x[i / n * (n + 1) + i % n] = ((int *)a->x)[i];
    a->x = x;
}

static void a_third_step(struct trace_file *f)
{
    trace_file_add(f, TRACE_DOUBLE, 0, NULL, "steps/3/loss");
}

static void a_fourth_label(struct trace_file *f)
{
    ((int *)at(f, "steps/2/batch/label")->x)[2] = 3;
}

static void a_label_below(struct trace_file *f)
{
    ((int *)at(f, "steps/1/batch/label")->x)[0] = -1;
}

static void no_columns(struct trace_file *f)
{
    at(f, "steps/1/batch/source")->dim[1] = 0;
    memset(at(f, "steps/1/batch/source_length")->x, 0, 3 * sizeof(int));
}

static void no_steps(struct trace_file *f)
{
    int n = 0;

    for (int i = 0; i < f->n; i++)
        if (strncmp(f->array[i].name, "steps/", 6))
            f->array[n++] = f->array[i];
    f->n = n;
}

static void torn(struct trace_file *f) { f->config[9] = 0; }

static const struct fault nonsense[] = {
    {"lm-t2t-vanilla", less, "grads/embed.table is missing"},
    {"lm-t2t-vanilla", more, "decoder.0.self.dense.b3 does not belong"},
    {"lm-t2t-vanilla", wide, "params/decoder.0.self.v does not have the shape"},
    {"lm-t2t-vanilla", whole_numbers, "v is int32, not float32"},
    {"lm-t2t-vanilla", large_id, "an id is outside 0..10"},
    {"lm-t2t-vanilla", pads_inside, "zeros do not agree with target_length"},
    {"lm-t2t-vanilla", padded, "target_in has 3 columns, but target_out has 4"},
    {"lm-t2t-vanilla", a_third_step, "steps/3/lr is missing"},
    {"encoder-t2t-vanilla", a_fourth_label,
     "steps/2/batch/label: label 3 is not one of the 3 classes"},
    {"encoder-t2t-vanilla", a_label_below,
     "steps/1/batch/label: label -1 is not one of the 3 classes"},
    {"encoder-t2t-vanilla", no_columns,
     "steps/1/batch/source has 0 columns, expected 1 to N = 8"},
    {"encoder-t2t-vanilla", no_steps, "has no steps"},
    {"lm-t2t-vanilla", torn, "not a JSON object"},
};

static const struct edit { const char *file, *was, *is, *says; } edits[] = {
    {"lm-t2t-vanilla", "\"d\"", "\"colour\": 1, \"d\"",
     "unknown key 'colour'"},
    {"lm-t2t-vanilla", "\"d\": 8, ", "", "key d is missing"},
    {"lm-t2t-vanilla", "\"name\": \"adam\"", "\"name\": \"adam\", \"clip\": 1",
     "optimizer.clip is a key of adafactor"},
    {"lm-t2t-vanilla", "\"d\": 8", "\"d\": [8]",
     "d is neither a string nor a number"},
    {"lm-t2t-vanilla", "\"name\": \"adam\"", "\"name\": {}",
     "optimizer.name is neither a string nor a number"},
    {"lm-t2t-vanilla", "\"d\": 8", "\"d\": null", "key d is missing"},
    {"lm-t2t-vanilla", "\"d\": 8", "\"optimizer.name\": \"adam\", \"d\": 8",
     "optimizer.name appears twice"},
    {"lm-t2t-vanilla", "\"d\": 8", "\"dropout\": 0.1, \"d\": 8", "dropout"},
    {"lm-t2t-vanilla", "vanilla", "vanila", "did you mean 'vanilla'"},
    {"encoder-t2t-vanilla", "\"classes\": 3", "\"classes\": 0",
     "classes: '0' is not a positive whole number"},
    {"encoder-t2t-vanilla", "\"classes\": 3", "\"classes\": \"three\"",
     "classes: 'three' is not a positive whole number"},
    {"encoder-t2t-vanilla", "\"classes\": 3", "\"classes\": 1048577",
     "classes: '1048577' is not a positive whole number"},
};

static void refused(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof nonsense / sizeof *nonsense; i++) {
        struct trace_report r;
        struct trace_file f;

        open_golden(&f, nonsense[i].file);
        nonsense[i].plant(&f);
        assert_true(judge(&r, &f) < 0);
        if (!strstr(err_last(), nonsense[i].group))
            fail_msg("'%s' does not say '%s'", err_last(), nonsense[i].group);
        trace_file_close(&f);
    }
}

static void config_refused(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof edits / sizeof *edits; i++) {
        struct trace_report r;
        struct trace_file f;

        open_golden(&f, edits[i].file);
        configure(&f, edits[i].was, edits[i].is);
        assert_true(judge(&r, &f) < 0);
        if (!strstr(err_last(), edits[i].says))
            fail_msg("'%s' does not say '%s'", err_last(), edits[i].says);
        trace_file_close(&f);
    }
}

/* If a file lacks a key, the key has its original default, even if the default
 * has changed since. */
static void absent(void **state)
{
    static const char text[] =
        "{\"family\": \"lm\", \"preset\": \"t2t\", \"variant\": \"vanilla\", "
        "\"layers\": 1, \"d\": 8, \"heads\": 2, \"ff\": 8, \"N\": 8, "
        "\"vocab\": 9, \"batch\": 3, \"length\": 8, \"label_smoothing\": 0, "
        "\"relative_bias\": false, \"optimizer\": {\"name\": \"adam\"}, "
        "\"schedule\": {\"name\": \"noam\"}, \"seed\": 1}";
    const struct model_config *m;
    struct config c;
    struct mix mix;

    (void)state;
    assert_int_equal(trace_json_read(&c, &mix, text, 2), OK);
    m = &c.model;
    assert_true(m->conv_width.n == 1 && m->conv_width.at[0] == 3);
    assert_true(m->dropout == 0 && c.lr_scale == 1 && c.warmup == 1);
    assert_int_equal(c.shards, 3);
    assert_true(m->tied && m->norm_eps == 1e-6 && m->relative_buckets == 32 &&
                m->relative_distance == 128 && !m->head_width &&
                !m->cross_heads);
    assert_true(m->rank == 8 && !m->a && !m->c && m->dense_bias &&
                !m->attention_bias && !m->inner && !m->share_q &&
                !m->projection && !m->conv_heads);
    assert_true(c.optimizer.b1 == 0.9 && c.optimizer.b2 == 0.997 &&
                c.optimizer.eps == 1e-9);
    assert_true(m->norm == NORM_LAYER && m->position == POSITION_SINUSOIDAL &&
                m->ffn_bias && m->embed_scale && !m->logit_scale &&
                m->dot_scale);
}

/* ---- traces of this program ---- */

struct wish { const char *family; struct assign a[6]; };

static void make(struct trace_file *f, const struct wish *w)
{
    struct assigns set = {0, (struct assign *)w->a};
    struct config c;
    struct mix mix;

    while (set.n < 6 && w->a[set.n].key)
        set.n++;
    trace_file_open(f);
    if (trace_config_make(&c, &mix, w->family, &set) < 0 ||
        trace_make(f, &c, &mix) < 0)
        fail_msg("%s", err_last());
    char *text = trace_json(&c, &mix);
    f->config = arena_text(f->memory, text);
    free(text);
}

static void written(void **state)
{
    static const struct wish wishes[] = {
        {"lm", {{"preset", "t5", ""}}},
        {"seq2seq", {{"variant", "fixed-random", ""}}},
        {"encoder", {{"variant", "linformer", ""}, {"score_rate", "8", ""}}},
        {"lm", {{"schedule.name", "linear", ""}, {"steps", "4", ""},
                {"schedule.scale", "0.02", ""}, {"schedule.warmup", "2", ""}}},
        {"encoder", {{"variant", "linformer", ""}, {"classes", "1", ""}}},
        {"seq2seq", {{"variant", "lightweight-conv-mtf", ""}}},
        {"lm", {{"variant", "dynamic-conv-mtf", ""}, {"preset", "t5", ""},
                {"position", "learned", ""}}},
        {"encoder", {{"variant", "vanilla+dense-mtf", ""}, {"mix", "plus", ""},
                     {"share_q", "true", ""}, {"heads", "code", ""}}},
    };
    char *folder = scratch_make();
    char *path = str_format("%s/t.h5", folder);

    (void)state;
    for (size_t i = 0; i < sizeof wishes / sizeof *wishes; i++) {
        struct trace_file f, back;
        struct trace_report r;

        make(&f, &wishes[i]);
        assert_int_equal(trace_file_write(&f, path, 0), OK);
        assert_int_equal(trace_file_read(&back, path, 0), OK);
        assert_int_equal(back.n, f.n);
        if (judge(&r, &back) < 0)
            fail_msg("%s", err_last());
        assert_int_equal(r.failed, 0);
        trace_file_close(&back);
        trace_file_close(&f);
    }
    free(path);
    scratch_remove(folder);
}

/* In a trace that the program makes, no initial value is 0 or 1, lengths
 * differ, and every row is shorter than N, so that every fault is visible. */
static void telling(void **state)
{
    struct trace_file f;

    (void)state;
    make(&f, &(struct wish){"encoder", {{"variant", "dense+vanilla", ""}}});
    for (int i = 0; i < f.n; i++) {
        const struct trace_array *a = &f.array[i];

        if (strncmp(a->name, "params/", 7))
            continue;
        for (size_t j = 0; j < trace_array_len(a); j++) {
            float x = ((float *)a->x)[j];

            assert_true(x != 0 && x != 1);
        }
    }
    for (int t = 1; t <= 3; t++) {
        char name[64];

        snprintf(name, sizeof name, "steps/%d/batch/source_length", t);
        const int *n = at(&f, name)->x;
        assert_true(n[0] < 24 && n[0] > n[1] && n[0] > n[2]);
        assert_true(n[0] == at(&f, "steps/1/batch/source")->dim[1] - t + 1 ||
                    t == 3);
    }
    trace_file_close(&f);
}

/* If dense-mtf and vanilla are mixed, in either order, they share vanilla's
 * q. */
static void shared(void **state)
{
    static const char *const names[] = {"dense-mtf+vanilla",
                                        "vanilla+dense-mtf"};

    (void)state;
    for (int i = 0; i < 2; i++) {
        struct trace_file f;

        make(&f, &(struct wish){"lm", {{"variant", names[i], ""},
                                       {"share_q", "true", ""}}});
        assert_non_null(strstr(f.config, names[i]));
        assert_null(trace_file_find(&f, "params/decoder.0.self.dense-mtf.q"));
        assert_non_null(
            trace_file_find(&f, "params/decoder.0.self.vanilla.q"));
        trace_file_close(&f);
    }
}

static void drowned(void **state)
{
    struct assign slow = {"schedule.warmup", "8000", "-S"};
    struct trace_file f;
    struct config c;
    struct mix mix;

    (void)state;
    trace_file_open(&f);
    assert_int_equal(
        trace_config_make(&c, &mix, "lm", &(struct assigns){1, &slow}), OK);
    assert_int_equal(trace_make(&f, &c, &mix), ERR_USAGE);
    assert_non_null(strstr(err_last(), "warmup"));
    trace_file_close(&f);
}

int main(void)
{
    const struct CMUnitTest trace[] = {
        {"every golden trace is repeated", golden, NULL, NULL, NULL},
        {"each planted fault is found where it is", planted, NULL, NULL, NULL},
        {"a config with a mistake is refused with the reason", config_refused,
         NULL, NULL, NULL},
        {"what is no trace is refused with the reason", refused, NULL, NULL,
         NULL},
        {"what a file leaves out means what it always meant", absent, NULL,
         NULL, NULL},
        {"what is written is read back and repeated", written, NULL, NULL,
         NULL},
        {"no weight starts at 0 or 1, and lengths differ", telling, NULL, NULL,
         NULL},
        {"a shared q does not depend on the order of the parts", shared, NULL,
         NULL, NULL},
        {"an update that drowns in rounding is refused", drowned, NULL, NULL,
         NULL},
    };

    backend_cpu.thread_begin();
    return cmocka_run_group_tests_name("trace", trace, NULL, NULL);
}
