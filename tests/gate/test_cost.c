/* The gate's verdicts about time and memory, tested with programs whose costs
 * are known. */
#include "harness/base/err.h"
#include "harness/base/file.h"
#include "harness/base/str.h"
#include "harness/gate/cost.h"
#include "harness/gate/pacer.h"
#include "tests/support/scratch.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static void near(double got, double want, double tolerance)
{
    if (!(fabs(got - want) <= tolerance))
        fail_msg("%.17g, not %.17g", got, want);
}

/* Writes a program whose answers are the values of these Perl expressions. $k
 * is the number of earlier starts, $n the number of steps, $c its
 * configuration. */
static char *program(const char *name, const char *seconds, const char *bytes)
{
    char *path = str_format("%s/%s", scratch_folder, name);
    OWNED(free) char *text = str_format(
        "#!/usr/bin/perl\n$| = 1;\nmy $c = $ARGV[2];\n"
        "$ARGV[0] eq 'bench' && $ARGV[1] eq '--config' && "
        "$ARGV[3] eq '--threads' && $ARGV[5] eq '--paced' or die \"odd\\n\";\n"
        "open my $f, '>>', '%s.count'; flock $f, 2; my $k = -s $f;\n"
        "print $f 'x'; close $f;\n"
        "while (my $n = <STDIN>) { printf \"%%.9g %%.0f\\n\", %s, %s }\n",
        path, seconds, bytes);

    assert_int_equal(file_write(path, text, strlen(text)), OK);
    assert_int_equal(chmod(path, 0700), 0);
    return path;
}

/* ---- two baselines of a few cells ---- */

enum { VALUES = 3, CELLS = 4 };

struct pair {
    struct baseline       old, new;
    struct baseline_cell  cell[2][CELLS];
    struct baseline_value value[2][CELLS][VALUES];
    struct judgement      judgement;
};

static struct baseline_value text_value(const char *what, const char *text)
{
    return (struct baseline_value){.what = what, .text = text, .value = NAN,
                                   .between = {NAN, NAN}, .units = "",
                                   .signature = ""};
}

/* Makes cells "v/t/smoke/SEED" with the configuration {"d":"%d","seed":%d}. */
static struct pair *make(int cells, const int *width)
{
    struct pair *p = calloc(1, sizeof *p);

    p->judgement.memory = arena_new();
    for (int s = 0; s < 2; s++) {
        struct baseline *b = s ? &p->new : &p->old;

        *b = (struct baseline){.name = "b", .cells = cells,
                               .cell = p->cell[s],
                               .memory = p->judgement.memory};
        for (int i = 0; i < cells; i++) {
            struct arena *m = p->judgement.memory;
            struct baseline_value *v = p->value[s][i];

            p->cell[s][i] = (struct baseline_cell){
                arena_format(m, "v/t/smoke/%d", i + 1), VALUES, v};
            v[0] = text_value("config", arena_format(
                m, "{\"seed\":%d,\"d\":%d}", i + 1, width[i]));
            v[1] = text_value("id", arena_format(m, "%016d", i));
            v[2] = text_value("results", "0123456789abcdef");
        }
    }
    return p;
}

static void release(struct pair *p)
{
    free(p->judgement.row);
    arena_free(p->judgement.memory);
    free(p);
}

static const struct judged *row(const struct pair *p, const char *metric)
{
    for (int i = 0; i < p->judgement.n; i++)
        if (!strcmp(p->judgement.row[i].metric, metric))
            return &p->judgement.row[i];
    fail_msg("no row of %s", metric);
    return NULL;
}

static const struct judged *seconds(const struct pair *p)
{
    return row(p, "cost/step_seconds");
}

static const struct judged *bytes(const struct pair *p)
{
    return row(p, "cost/peak_bytes");
}

/* Measures both programs with the same configuration. */
static struct pair *timed(const char *old, const char *new, int rounds)
{
    const int width[] = {16};
    struct pair *p = make(1, width);
    struct cost_of of = {.old = &p->old, .new = &p->new, .against = old,
                         .program = new, .margin = 0.02, .rounds = rounds,
                         .threads = 3};

    assert_int_equal(cost_judge(&p->judgement, &of), OK);
    assert_int_equal(p->judgement.n, 2);
    return p;
}

static void slower(void **state)
{
    (void)state;
    /* two runs of the baseline differ by 1 %, in any order */
    OWNED(free) char *old = program("old", "0.01 * (1 + 0.01 * ($k % 2))",
                                    "1e8");
    OWNED(free) char *new = program("new", "0.01 * (1.1 + 0.002 * ($k % 3))",
                                    "1.2e8");
    struct pair *p = timed(old, new, 6);
    double mean = 0, middle = log(0.01) + log(0.0101), d[6];
    for (int i = 0; i < 6; i++)
        mean += (d[i] = log(0.011 + 0.00002 * (i % 3)) - middle / 2) / 6;
    double error = stats_sd(d, 6) / sqrt(6);
    double far = stats_t_at(1 - 0.05 / 4, 5) * error;

    assert_int_equal(seconds(p)->verdict, JUDGE_WORSE);
    assert_string_equal(seconds(p)->cell, "v/t/smoke/1");
    assert_string_equal(seconds(p)->stage, "cost");
    near(seconds(p)->difference, 100 * expm1(mean), 1e-5);
    near(seconds(p)->between.low, 100 * expm1(mean - far), 1e-5);
    near(seconds(p)->between.high, 100 * expm1(mean + far), 1e-5);
    near(seconds(p)->p, 2 * stats_t_p(mean / error, 5), 1e-12);
    /* from 0.01 to 0.0101: a median of the two times */
    near(seconds(p)->old, 0.01005, 5.0001e-5);
    near(seconds(p)->new, 0.01102, 1e-9);
    assert_string_equal(seconds(p)->units, "s");
    assert_non_null(strstr(seconds(p)->why, "6 rounds; two runs of the "
                                            "baseline differ by up to "));
    assert_int_equal(bytes(p)->verdict, JUDGE_WORSE);
    near(bytes(p)->difference, 20, 1e-9);
    near(bytes(p)->p, 0, 0);
    assert_int_equal(judge_count(&p->judgement, JUDGE_WORSE), 2);
    release(p);
    p = timed(new, old, 6);
    assert_int_equal(seconds(p)->verdict, JUDGE_BETTER);
    assert_int_equal(bytes(p)->verdict, JUDGE_BETTER);
    near(bytes(p)->difference, 100 * (1 / 1.2 - 1), 1e-9);
    release(p);
}

/* Measures six rounds, and six more if the result is worse or better. */
static void measured_again(void **state)
{
    (void)state;
    OWNED(free) char *old = program("old6", "0.01 + 1e-6 * ($k % 2)", "1e8");
    OWNED(free) char *once = program("once", "$k < 6 ? 0.011 : 0.01",
                                     "$k < 6 ? 1e8 : 2e8");
    OWNED(free) char *turns = program("turns", "$k < 6 ? 0.011 : 0.009", "2e8");
    struct pair *p = timed(old, once, 6);

    assert_int_equal(seconds(p)->verdict, JUDGE_UNDECIDED);
    assert_non_null(strstr(seconds(p)->why, "; measured again: -0.005 %, which "
                                            "does not confirm it"));
    near(seconds(p)->difference, 10, 0.01);
    assert_int_equal(bytes(p)->verdict, JUDGE_EQUAL); /* not measured again */
    assert_null(strstr(bytes(p)->why, "measured"));
    assert_int_equal(judge_count(&p->judgement, JUDGE_UNDECIDED), 1);
    assert_int_equal(judge_count(&p->judgement, JUDGE_EQUAL), 1);
    release(p);
    p = timed(old, turns, 6);
    assert_int_equal(seconds(p)->verdict, JUDGE_UNDECIDED);
    assert_int_equal(bytes(p)->verdict, JUDGE_WORSE);
    assert_non_null(strstr(bytes(p)->why, "; measured again: +1e+02 %"));
    assert_null(strstr(bytes(p)->why, "confirm"));
    release(p);
}

/* Only the second of three cells is slower, and only that cell is measured
 * again. */
static void the_right_one_again(void **state)
{
    const int width[] = {16, 32, 48};
    struct pair *p = make(3, width);
    OWNED(free) char *old = program("old7", "0.01 + 1e-6 * ($k % 2)", "1e8");
    OWNED(free) char *new = program("new7", "$c eq '{\"d\":32}' ? 0.011 : 0.01",
                                    "1e8");
    struct cost_of of = {.old = &p->old, .new = &p->new, .against = old,
                         .program = new, .margin = 0.02, .rounds = 6,
                         .threads = 1};

    (void)state;
    assert_int_equal(cost_judge(&p->judgement, &of), OK);
    assert_int_equal(p->judgement.n, 6);
    assert_int_equal(judge_count(&p->judgement, JUDGE_WORSE), 1);
    assert_int_equal(judge_count(&p->judgement, JUDGE_EQUAL), 5);
    assert_int_equal(p->judgement.row[2].verdict, JUDGE_WORSE);
    assert_non_null(strstr(p->judgement.row[2].why, "; measured again: +10 %"));
    release(p);
}

static void equal_within_the_margin(void **state)
{
    (void)state;
    OWNED(free) char *old = program("old1", "0.01 + 1e-5 * ($k % 2)", "1e8");
    OWNED(free) char *new = program("new1", "0.0101 + 1e-5 * ($k % 3)",
                                    "1.019e8");
    struct pair *p = timed(old, new, 8);

    assert_int_equal(seconds(p)->verdict, JUDGE_EQUAL);
    assert_true(seconds(p)->p < 0.05); /* significant, but irrelevant */
    assert_int_equal(bytes(p)->verdict, JUDGE_EQUAL);
    release(p);
}

static void noise_is_never_green(void **state)
{
    (void)state;
    /* the baseline differs from itself by 10 %, so an increase of 5 % is
     * undecided */
    OWNED(free) char *old = program("old2", "0.01 * (1 + 0.1 * ($k % 2))",
                                    "1e8 * (1 + 0.1 * ($k % 2))");
    OWNED(free) char *new = program("new2", "0.0110 + 1e-6 * $k", "1.04e8");
    struct pair *p = timed(old, new, 8);

    assert_int_equal(seconds(p)->verdict, JUDGE_UNDECIDED);
    assert_true(seconds(p)->p < 0.05);
    assert_int_equal(bytes(p)->verdict, JUDGE_UNDECIDED);
    release(p);
    /* the new program is alternately fast and slow */
    OWNED(free) char *calm = program("old3", "0.01", "1e8");
    OWNED(free) char *wild = program("new3", "0.01 * (1 + 0.1 * ($k % 2))",
                                     "1e8");
    p = timed(calm, wild, 8);
    assert_int_equal(seconds(p)->verdict, JUDGE_UNDECIDED);
    assert_int_equal(bytes(p)->verdict, JUDGE_EQUAL);
    near(bytes(p)->p, 1, 0);
    release(p);
}

static void a_turn_that_was_disturbed_does_not_count(void **state)
{
    (void)state;
    OWNED(free) char *old = program("old4", "0.01", "1e8");
    OWNED(free) char *new = program("new4", "$t++ == 4 ? 1 : 0.01", "1e8");
    struct pair *p = timed(old, new, 4);

    near(seconds(p)->difference, 0, 1e-9);
    assert_int_equal(seconds(p)->verdict, JUDGE_EQUAL);
    assert_string_equal(seconds(p)->why, "4 rounds; two runs of the "
                                         "baseline differ by up to 0 %");
    release(p);
}

/* Each of the two rounds has one warm-up call, then sixty turns. A turn has 4
 * ms / 0.5 ms = 8 steps. */
static void a_turn_takes_four_milliseconds(void **state)
{
    OWNED(free) char *said = str_format("%s/said", scratch_folder);
    OWNED(free) char *how = str_format(
        "do { open my $g, '>>', '%s'; print $g $n; 0.0005 }", said);
    OWNED(free) char *old = program("old5", "0.0005", "1e8");
    OWNED(free) char *new = program("new5", how, "1e8"), *text = NULL;
    struct pair *p = timed(old, new, 2);
    size_t n;

    (void)state;
    assert_int_equal(file_read(&text, &n, said), OK);
    assert_int_equal(n, 2 * 61 * strlen("8\n"));
    assert_int_equal(strspn(text, "8\n"), n);
    release(p);
}

static void each_configuration_once(void **state)
{
    const int width[] = {16, 16, 32};
    struct pair *p = make(3, width);
    OWNED(free) char *each = program(
        "each", "$c eq '{\"d\":32}' ? 2 : $c eq '{\"d\":16}' ? 1 : die", "1e8");
    struct cost_of of = {.old = &p->old, .new = &p->new, .against = each,
                         .program = each, .margin = 0.02, .rounds = 2,
                         .threads = 1};

    (void)state;
    assert_int_equal(cost_judge(&p->judgement, &of), OK);
    assert_int_equal(p->judgement.n, 4);
    assert_string_equal(p->judgement.row[0].cell, "v/t/smoke/*");
    near(p->judgement.row[0].old, 1, 0);
    assert_string_equal(p->judgement.row[2].cell, "v/t/smoke/3");
    near(p->judgement.row[2].new, 2, 0);
    assert_int_equal(judge_count(&p->judgement, JUDGE_EQUAL), 4);
    release(p);
}

static void programs_that_time_nothing(void **state)
{
    static const struct { const char *seconds, *bytes, *says; } bad[] = {
        {"die(\"no such verb\\n\")", "1", "no such verb"},
        {"exit", "1", "without a message"}, {"0", "1e8", "0 100000000"},
        {"-1", "1e8", "-1 100000000"}, {"'nan'", "1e8", "NaN"},
        {"print('x')", "1e8", "x"}, {"0.1", "0", "0.1 0"}};
    OWNED(free) char *good = program("good", "0.01", "1e8");

    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        const int width[] = {16};
        struct pair *p = make(1, width);
        OWNED(free) char *other = program("bad", bad[i].seconds, bad[i].bytes);
        struct cost_of of = {.old = &p->old, .new = &p->new, .against = other,
                             .program = good, .margin = 0.02, .rounds = 2,
                             .threads = 1};

        assert_int_equal(cost_judge(&p->judgement, &of), ERR_USAGE);
        if (!strstr(err_last(), bad[i].says) || !strstr(err_last(), other))
            fail_msg("'%s' does not say '%s'", err_last(), bad[i].says);
        release(p);
    }
    struct pacer *none;
    assert_int_equal(pacer_open(&none, "/none", "{}", 1), ERR_USAGE);
    assert_null(none);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(slower), cmocka_unit_test(measured_again),
        cmocka_unit_test(the_right_one_again),
        cmocka_unit_test(equal_within_the_margin),
        cmocka_unit_test(noise_is_never_green),
        cmocka_unit_test(a_turn_that_was_disturbed_does_not_count),
        cmocka_unit_test(a_turn_takes_four_milliseconds),
        cmocka_unit_test(each_configuration_once),
        cmocka_unit_test(programs_that_time_nothing),
    };

    return cmocka_run_group_tests(tests, scratch_begin, scratch_end);
}
