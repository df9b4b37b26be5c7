/* Memory for the data of a task, as `plan` estimates it before the data are
 * read: a header and ids per row; for text, at least one byte per id in
 * addition, and the pieces of a tokenizer. */
#include "harness/tasks/gen/gen.h"
#include "harness/tasks/lengths.h"
#include "harness/tasks/official.h"
#include "harness/tasks/task.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <string.h>

enum { HEAD = 100, PIECE = 1000, ID = 4, LETTERS = 2 };

/* Training rows of real text and their ids, as measured. rows is 0 for running
 * text. */
static const struct { const char *task; int rows, ids; } text[] = {
    {"wmt14_ende", 18743, 977518}, {"wmt14_enfr", 33975, 1704000},
    {"lm1b", 0, 3596288},          {"cnndm", 16402, 1130000},
    {"personachat", 3700, 250000}, {"glue", 9096, 401000},
    {"superglue", 5252, 320000},   {"agnews", 2416, 151677},
    {"imdb", 2382, 60000},         {"c4", 0, 3533000},
};
enum { TEXTS = sizeof text / sizeof *text };

static const struct task *task_of(int i)
{
    const struct task *t;

    assert_int_equal(task_find(&t, text[i].task), 0);
    return t;
}

static struct task_opts options(int train, int valid, int test)
{
    return (struct task_opts){.N = 128, .length = 128, .vocab = 1000,
                              .train = train, .valid = valid, .test = test};
}

static double row_bytes(const struct task *t, double ids)
{
    return HEAD + (ID + LETTERS * (t->kind == TASK_TRANSDUCE)) * ids;
}

static void near(const char *name, double got, double want)
{
    if (!(fabs(got - want) <= 1e-9 * want))
        fail_msg("%s: %.17g bytes, not %.17g", name, got, want);
}

/* Returns the ids per row. A row of running text is as long as the model's
 * input; if it has holes, its target is added. */
static double ids_of(int i, const struct task_opts *o)
{
    const struct task *t = task_of(i);
    int target = t->kind == TASK_DENOISE ? task_target(t, o) : 0;

    return text[i].rows ? (double)text[i].ids / text[i].rows
                        : o->length + target;
}

/* Validation and test each have a twentieth of training. */
static void of_text(void **state)
{
    struct task_opts o = options(0, 0, 0);

    (void)state;
    for (int i = 0; i < TEXTS; i++) {
        double all = text[i].rows ? text[i].rows
                                  : (double)text[i].ids / o.length;
        double rows = floor(all) + 2 * floor(all / 20);

        near(text[i].task, task_bytes(task_of(i), &o),
             PIECE * 1000.0 + rows * row_bytes(task_of(i), ids_of(i, &o)));
    }
}

/* If a number of rows is requested and the data have at least as many rows,
 * this number is used. */
static void of_a_part(void **state)
{
    struct task_opts some = options(100, 20, 10);
    struct task_opts many = options(1 << 30, 20, 10);

    (void)state;
    for (int i = 0; i < TEXTS; i++) {
        double row = row_bytes(task_of(i), ids_of(i, &some));
        double all = text[i].rows ? text[i].rows
                                  : (double)text[i].ids / some.length;

        near(text[i].task, task_bytes(task_of(i), &some),
             PIECE * 1000.0 + 130 * row);
        near(text[i].task, task_bytes(task_of(i), &many),
             PIECE * 1000.0 + (floor(all) + 30) * row);
    }
}

/* A generator has no tokenizer; both sides of its examples have maximum
 * length. */
static void of_a_generator(void **state)
{
    struct task_opts o = options(0, 0, 10);

    (void)state;
    o.synthetic = 1;
    for (int i = 0; i < TEXTS; i++) {
        const struct task *t = task_of(i);
        double ids = t->kind == TASK_TRANSDUCE ? 2.0 * o.length
                   : t->kind == TASK_DENOISE   ? o.length + task_target(t, &o)
                                               : o.length;

        near(text[i].task, task_bytes(t, &o),
             (gen_examples[SPLIT_TRAIN] + gen_examples[SPLIT_VALID] + 10) *
                 row_bytes(t, ids));
    }
}

/* The rows of official files stay in a file. Memory has only the orders in
 * which training reads the rows, or one order if all rows have equal length. */
static void of_files(void **state)
{
    struct task_opts all = options(0, 0, 0), some = options(1000, 5, 5);

    (void)state;
    all.official = some.official = 1;
    for (int i = 0; i < TEXTS; i++) {
        const struct task *t = task_of(i);
        long long rows;

        assert_int_equal(official_rows(&rows, t, NULL), 0);
        if (t->kind == TASK_LANGUAGE) /* words and sentence ends, packed */
            rows = (long long)((768648884 * SUBWORDS + 30301028) / 128);
        if (t->kind == TASK_DENOISE) /* not counted yet */
            rows = 0;
        double order = text[i].rows ? 20 : 4;

        near(text[i].task, task_bytes(t, &all),
             PIECE * 1000.0 + order * (double)rows);
        near(text[i].task, task_bytes(t, &some), PIECE * 1000.0 + order * 1000);
    }
}

/* The maximum length of targets, in ids, with short and with long inputs: for
 * real text, official files and generators. */
static void targets(void **state)
{
    static const struct { const char *task; int n[3]; } most[] = {
        {"cnndm", {32, 512, 512}}, {"glue", {12, 12, 12}},
        {"superglue", {16, 62, 16}}, {"c4", {114, 114, 114}},
        {"wmt14_ende", {512, 512, 512}}};

    (void)state;
    for (size_t i = 0; i < sizeof most / sizeof *most; i++)
        for (int k = 0; k < 3; k++) {
            struct task_opts o = options(0, 0, 0);
            const struct task *t;

            o.official = k == 1;
            o.synthetic = k == 2;
            o.length = 512;
            assert_int_equal(task_find(&t, most[i].task), 0);
            assert_int_equal(task_target(t, &o), most[i].n[k]);
            o.length = 10;
            if (t->kind == TASK_TRANSDUCE)
                assert_int_equal(task_target(t, &o), 10);
        }
}

/* If word counts of official files are published, the expected length is that
 * count in ids plus one for the end, limited by what the model reads. Otherwise
 * it is the maximum. */
static void lengths(void **state)
{
    static const struct {
        const char *task;
        double source, target;
        enum lengths_from by;
    } is[] = {
        {"wmt14_enfr", 304. / 12 * SUBWORDS + 1, 348. / 12 * SUBWORDS + 1,
         LENGTHS_PUBLISHED},
        {"cnndm", 512, 56 * SUBWORDS + 1, LENGTHS_PUBLISHED},
        {"agnews", 512, 0, LENGTHS_LONGEST},
        {"lm1b", 0, 512, LENGTHS_LONGEST}, {"c4", 512, 114, LENGTHS_LONGEST},
        {"glue", 512, 12, LENGTHS_LONGEST}};
    struct task_opts o = options(0, 0, 0);
    OWNED(arena_free) struct arena *a = arena_new();
    struct lengths l;

    (void)state;
    o.N = o.length = 512;
    for (size_t i = 0; i < sizeof is / sizeof *is; i++) {
        const struct task *t;

        assert_int_equal(task_find(&t, is[i].task), 0);
        o.official = 1;
        task_lengths(&l, t, &o, a);
        near(is[i].task, l.source, is[i].source);
        near(is[i].task, l.target, is[i].target);
        assert_int_equal(l.from, is[i].by);
        o.official = 0;
        task_lengths(&l, t, &o, a);
        assert_int_equal(l.from, LENGTHS_LONGEST);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        {"the estimate counts the rows of a text and a twentieth of them twice",
         of_text, NULL, NULL, NULL},
        {"the estimate is limited by the request and by the text", of_a_part,
         NULL, NULL, NULL},
        {"a generator has no tokenizer and only rows of full length",
         of_a_generator, NULL, NULL, NULL},
        {"a target is as long as its input, up to a limit of the task", targets,
         NULL, NULL, NULL},
        {"published counts of words give the lengths of examples", lengths,
         NULL, NULL, NULL},
        {"of official files, only the order of the training rows is counted",
         of_files, NULL, NULL, NULL},
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
