/* The text of signatures. */
#include "harness/base/err.h"
#include "harness/base/map.h"
#include "harness/metrics/metric.h"
#include "harness/report/signature.h"
#include "harness/tasks/task.h"
#include "variants/variants.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct arena *a;

static int setup(void **state)
{
    (void)state;
    a = arena_new();
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    arena_free(a);
    return 0;
}

static const struct signed_task english = {
    {"wmt14_ende", "reduced", "random+vanilla", "1-3", "bleu/13a/exp/5c1d",
     "9f1c2a77", "3fa90c12", "2", "bbee9b5"}};
static const struct signed_task language = {
    {"lm1b", "reduced", "random+vanilla", "1-2,5", "ppl/0b9e,ce/41d7",
     "0d3be8b1", "b1f7de20", "2", "bbee9b5"}};

static const char one_task[] =
    "SB|t:wmt14_ende|sc:reduced|v:random+vanilla|s:1-3|m:bleu/13a/exp/5c1d|"
    "o:9f1c2a77|d:3fa90c12|n:2|p:bbee9b5";
static const char two_tasks[] =
    "SB|t:wmt14_ende;lm1b|sc:reduced|v:random+vanilla|s:1-3;1-2,5|"
    "m:bleu/13a/exp/5c1d;ppl/0b9e,ce/41d7|o:9f1c2a77;0d3be8b1|"
    "d:3fa90c12;b1f7de20|n:2|p:bbee9b5";

static const char *written(struct signed_task *task, int n)
{
    return signature_text(&(struct signature){n, task}, a);
}

static void writes(void **state)
{
    struct signed_task task[] = {english, language};

    (void)state;
    assert_string_equal(written(task, 1), one_task);
    assert_string_equal(written(task, 2), two_tasks);
    task[1] = task[0];
    task[1].of[SIGNED_TASK] = "lm1b";
    assert_string_equal(
        written(task, 2),
        "SB|t:wmt14_ende;lm1b|sc:reduced|v:random+vanilla|s:1-3|"
        "m:bleu/13a/exp/5c1d|o:9f1c2a77|d:3fa90c12|n:2|p:bbee9b5");
}

static void each_field(void **state)
{
    struct map *seen = map_new();

    (void)state;
    assert_true(map_add(seen, two_tasks, 0));
    for (int i = 0; i < 2; i++)
        for (int f = 0; f < SIGNED_FIELDS; f++) {
            struct signed_task task[] = {english, language};

            task[i].of[f] = f == SIGNED_SEEDS ? "7" : "x";
            const char *s = written(task, 2);
            if (!map_add(seen, s, 1))
                fail_msg("%s of task %d: %s again", signed_word[f].key, i, s);
        }
    map_free(seen);
}

static void reads(void **state)
{
    static const char *const all[] = {one_task, two_tasks};
    struct signature s;

    (void)state;
    for (int i = 0; i < 2; i++) {
        assert_int_equal(signature_read(&s, all[i], a), OK);
        assert_int_equal(s.tasks, i + 1);
        assert_string_equal(signature_text(&s, a), all[i]);
    }
    for (int f = 0; f < SIGNED_FIELDS; f++) {
        assert_string_equal(s.task[0].of[f], english.of[f]);
        assert_string_equal(s.task[1].of[f], language.of[f]);
    }
    assert_string_equal(signature_value(&s, SIGNED_DATA, a),
                        "3fa90c12;b1f7de20");
    assert_string_equal(signature_value(&s, SIGNED_NUMERICS, a), "2");
}

/* The signature of every task, metric and variant, and of mixtures of variants,
 * can be written as text and read back. */
static void everything(void **state)
{
    struct map *seen = map_new();
    struct signature s;

    (void)state;
    for (const struct task *const *t = task_all; *t; t++)
        for (const struct metric *const *m = metric_all; *m; m++)
            for (const struct variant *const *v = variant_all; *v; v++)
                for (int mixed = 0; mixed < 2; mixed++) {
                    struct signed_task one = english;

                    one.of[SIGNED_TASK] = (*t)->name;
                    one.of[SIGNED_METRICS] =
                        signature_metric((*m)->name, (*m)->signature, a);
                    one.of[SIGNED_VARIANT] = mixed
                        ? arena_format(a, "%s+vanilla", (*v)->name)
                        : (*v)->name;
                    const char *text = written(&one, 1);
                    if (!map_add(seen, text, 1))
                        fail_msg("twice: %s", text);
                    if (signature_read(&s, text, a) != OK)
                        fail_msg("%s: %s", text, err_last());
                    assert_string_equal(signature_text(&s, a), text);
                }
    map_free(seen);
}

static void metrics(void **state)
{
    const char *bleu = "nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp";

    (void)state;
    assert_memory_equal(signature_metric("bleu", bleu, a), "bleu/13a/exp/", 13);
    assert_int_equal(strlen(signature_metric("bleu", bleu, a)), 17);
    assert_memory_equal(signature_metric("x", "stok:1|tok:a b|like:y", a),
                        "x/y/", 4);
    assert_memory_equal(signature_metric("x", "tok:", a), "x/", 2);
    assert_int_equal(strlen(signature_metric("x", "tok:", a)), 6);
    assert_string_equal(signature_metric("params", NULL, a), "params");
}

/* Changing any letter of a metric's definition changes its signature. */
static void letters(void **state)
{
    (void)state;
    for (const struct metric *const *m = metric_all; *m; m++) {
        char *how = arena_text(a, (*m)->signature);
        const char *was = signature_metric((*m)->name, how, a);

        for (char *c = how; *c; c++) {
            char kept = *c;

            *c = kept == '#' ? '%' : '#';
            if (!strcmp(signature_metric((*m)->name, how, a), was))
                fail_msg("%s: as with %s", was, how);
            *c = kept;
        }
    }
}

static void plain(void **state)
{
    (void)state;
    assert_string_equal(signature_metric("a|p:b;c,d/\n\xc3\xa9", NULL, a),
                        "a_p_b_c_d____");
    assert_string_equal(signature_metric("", NULL, a), "-");
}

static void refuses(void **state)
{
#define HEAD "SB|t:a;b|sc:s|v:x"
#define TAIL "|o:1|d:2|n:2|p:c"
    static const struct { const char *text, *why; } all[] = {
        {"", "is not a signature"},
        {"none: not run", "is not a signature"},
        {"SB2|t:a|sc:s|v:x|s:1|m:ce" TAIL, "is not a signature"},
        {"xSB|t:a", "is not a signature"},
        {HEAD "|s:1|m:c e" TAIL, "is not a signature"},
        {HEAD "|s:1|m:c\ne" TAIL, "is not a signature"},
        {"SB", "expected the field t: (task), found ''"},
        {"SB|t", "expected the field t: (task), found 't'"},
        {"SB|t:a||", "expected the field sc: (scale), found ''"},
        {HEAD "|s:1" TAIL, "expected the field m: (metrics), found 'o:1'"},
        {HEAD "|m:ce|s:1" TAIL, "expected the field s: (seeds), found 'm:ce'"},
        {HEAD "|s:1|m:ce" TAIL "|m:ce", "unknown field 'm:ce'"},
        {HEAD "|s:1|m:a;;" TAIL, "expected one value, or one per task"},
        {HEAD "|s:1;1;2|m:ce" TAIL, "expected one value, or one per task"}};
    struct signature s;

    (void)state;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        if (signature_read(&s, all[i].text, a) != ERR_USAGE)
            fail_msg("'%s' is read", all[i].text);
        if (!strstr(err_last(), all[i].why))
            fail_msg("'%s': %s", all[i].text, err_last());
    }
    assert_int_equal(signature_read(&s, HEAD "|s:1|m:ce" TAIL, a), OK);
}

/* If settings vary, the name of a row contains them. */
static void varied(void **state)
{
    static const char text[] =
        "SB|t:a|sc:s|v:random,R.init=normal:0.03,steps=700|s:1-2|m:ce|o:1|d:2|"
        "n:2|p:c";
    struct signature s;

    (void)state;
    if (signature_read(&s, text, a) < 0)
        fail_msg("%s", err_last());
    assert_string_equal(s.task[0].of[SIGNED_VARIANT],
                        "random,R.init=normal:0.03,steps=700");
}

#define TEST(f, name) {name, f, setup, teardown, NULL}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(writes, "a value that all tasks share is written once"),
        TEST(each_field, "a change of any field of any task changes the text"),
        TEST(reads, "a written signature is read, task by task"),
        TEST(everything, "all tasks, metrics and variants have different "
                         "signatures"),
        TEST(metrics, "a metric has its tokenizer, smoothing and tool"),
        TEST(letters, "every letter of a metric's definition counts"),
        TEST(plain, "nothing that a cell stores can end a field"),
        TEST(varied, "varied settings are part of the variant's name"),
        TEST(refuses, "any other text is refused, with a reason"),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
