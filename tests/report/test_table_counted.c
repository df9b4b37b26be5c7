/* Tests that tables not computed from a store print each number under its name,
 * in every format. Layer costs follow from d = 512, 8 heads of 64, N = 256.
 * With `heads: code`, parameter counts are those of the released code's models;
 * speeds are made up. */
#include "harness/base/err.h"
#include "harness/cmd/speed.h"
#include "harness/cmd/table1_sheet.h"
#include "tests/support/print_tables.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NONE ",none: computed from the model definitions\r"

extern const struct table table_4;

static void holds(const char *text, const char *line)
{
    if (!strstr(text, line))
        fail_msg("'%s' is not in:\n%s", line, text);
}

/* ---- Table 1 ---- */

static char *table1(const char *format)
{
    struct assigns none = {0, NULL};
    struct table1 *t;

    if (table1_fill(&t, &none) < 0)
        fail_msg("%s", err_last());
    char *text = printed_wide(table1_sheet(t), format);
    table1_close(t);
    return text;
}

/* Dense has 8 (64^2 + 64 N + 64 + N) parameters, 2 N 8 (64^2 + 64 N) operations
 * for scores and 2 N^2 d for mixing. It has fewer parameters than 2 d^2 up to N
 * = 944. */
static void layers(void **state)
{
    static const char *const csv_lines[] = {
        "\n1,layer,,dense,parameters,166400,,,," NONE,
        "\n1,layer,,dense,flops_scores,83886080,,,," NONE,
        "\n1,layer,,dense,flops_mixing,67108864,,,," NONE,
        "\n1,layer,,dense,break_even_parameters,945,below,,," NONE,
        "\n1,layer,,dense,break_even_flops,,always,,," NONE,
        "\n1,layer,,linformer,break_even_parameters,,never,,," NONE};
    char *csv = table1("csv"), *md = table1("md"), *text = table1("text");

    (void)state;
    for (size_t i = 0; i < sizeof csv_lines / sizeof *csv_lines; i++)
        holds(csv, csv_lines[i]);
    holds(md, "| Variant | parameters as a formula | parameters as a number | "
              "FLOP per sentence for scores | FLOP per sentence for mixing | "
              "depends on | cheaper than dot products in parameters | cheaper "
              "than dot products in FLOP |");
    holds(md, "| Synthesizer (Dense) | d^2/h + d N + d + h N | 166,400 | "
              "83,886,080 | 67,108,864 | own token | N \\< 945 | always |\n");
    struct text words = {0};
    printed_behind(&words, text, "Synthesizer (Dense)");
    assert_string_equal(words.s, " d^2/h + d N + d + h N 166,400 83,886,080 "
                                 "67,108,864 own token N < 945 always");
    text_free(&words);
    free(text);
    free(md);
    free(csv);
}

static json_t *named(json_t *list, const char *key, const char *name)
{
    size_t i;
    json_t *one;

    json_array_foreach(list, i, one)
        if (!strcmp(json_string_value(json_object_get(one, key)), name))
            return one;
    fail_msg("there is no %s %s", key, name);
    return NULL;
}

static double number_of(json_t *j, const char *key)
{
    json_t *x = json_object_get(j, key);

    return json_is_null(x) ? NAN : json_number_value(x);
}

static void is(const char *what, double got, double want)
{
    if (isnan(want) ? !isnan(got) : !(fabs(got - want) <= 1e-9 * fabs(want)))
        fail_msg("%s is %.12g, not %.12g", what, got, want);
}

static void layers_json(void **state)
{
    static const struct { const char *name; double value; } want[] = {
        {"parameters", 166400},           {"flops_scores", 83886080},
        {"flops_mixing", 67108864},       {"break_even_parameters", 945},
        {"break_even_flops", (double)NAN}};
    char *text = table1("json");
    json_t *all = json_loads(text, 0, NULL);
    json_t *row = named(json_object_get(all, "rows"), "variant", "dense");

    (void)state;
    for (size_t i = 0; i < 5; i++) {
        json_t *column = json_array_get(json_object_get(all, "columns"), i);

        assert_string_equal(json_string_value(json_object_get(column, "name")),
                            want[i].name);
        is(want[i].name,
           number_of(json_array_get(json_object_get(row, "cells"), i), "value"),
           want[i].value);
    }
    assert_string_equal(
        json_string_value(json_object_get(row, "cheaper_parameters")), "below");
    assert_string_equal(
        json_string_value(json_object_get(row, "cheaper_flops")), "always");
    json_decref(all);
    free(text);
}

/* T5-base with random scores has 254,360,576 parameters as released, with 8
 * heads of width 128 in each of 24 layers. With the Transformer's 12 heads of
 * width 64 it has 24 (4 * 512^2 - 2 * 768 (1024 - 768)) + 2 * 4 * 32 =
 * 15,728,896 more: 4 more matrices R in each layer, narrower values and output
 * projections, and 32 position biases for each of 4 more heads in both stacks.
 * The published number is 254M. */
static void counts(void **state)
{
    char *csv = table1("csv"), *md = table1("md"), *text = table1("json");
    json_t *all = json_loads(text, 0, NULL);
    json_t *c4 = named(json_object_get(all, "published"), "task", "c4");
    json_t *row = named(json_object_get(c4, "rows"), "variant", "random");

    (void)state;
    holds(csv, "\n1,published,c4,random,params_equal,270089472,,254000000,"
               "16000000,match with heads: code" NONE);
    holds(csv, "\n1,published,c4,random,params_code,254360576,,254000000,0,"
               "match with heads: code" NONE);
    holds(md, "| Variant | published | heads: equal parameters | heads: equal "
              "residual | heads: code parameters | heads: code residual | "
              "verdict |");
    holds(md, "| random | 254M | 270,089,472 | +16M | 254,360,576 | 0 | match "
              "with heads: code |\n");
    is("published", number_of(row, "published"), 254e6);
    is("params_equal", number_of(row, "params_equal"), 270089472);
    is("params_code", number_of(row, "params_code"), 254360576);
    is("residual_equal", number_of(row, "residual_equal"), 16e6);
    is("residual_code", number_of(row, "residual_code"), 0);
    json_decref(all);
    free(text);
    free(md);
    free(csv);
}

/* ---- speeds ---- */

/* Prints two cells. The first makes 10 steps/s by the median and 20 at best,
 * the second 8 and 10. */
static void speeds(char **out, const char *format)
{
    static struct cell cell[2];
    static struct speed_row row[] = {
        {&cell[0], {{0.05, 0.099, 0.1, 0.11, 0.11, 40}, -2.302585093, 0.02,
                    {1, 1, 8}, 61e6, 3.2e12},
         {{223e6, 1e6, "one", NULL}, {3.7, 0.1, "two", NULL},
          {3.9, 0.1, "three", NULL}, {9.1, 0.1, "four", NULL}}},
        {&cell[1], {{0.1, 0.12, 0.125, 0.16, 0.2, 41}, -2.079441542, 0.03,
                    {2, 3, 8}, 71e6, 2.4e12},
         {{254e6, 1e6, "five", NULL}, {3.33, 0.01, "six", NULL},
          {5.07, 0.01, "seven", "eight"}, {10.01, 0.01, "nine", NULL}}}};
    static const struct speed s = {.table = &table_4, .n = 2, .row = row};

    strcpy(cell[0].config.variant, "vanilla");
    strcpy(cell[1].config.variant, "random");
    cell[0].row = "vanilla";
    cell[1].row = "random";
    *out = printed_wide(speed_sheet(&s), format);
}

static void speed_people(void **state)
{
    struct text words = {0};
    char *md, *text;

    (void)state;
    speeds(&md, "md");
    speeds(&text, "text");
    holds(md, "| Variant | parameters ours | parameters paper | FLOP a step "
              "ours | FLOP a step ratio | FLOP a step paper | steps/s, this "
              "machine median | steps/s, this machine p90 | steps/s, this "
              "machine most | steps/s, ratio to the first row ours | steps/s, "
              "ratio to the first row 95 % | steps/s, ratio to the first "
              "row paper | steps/s, ratio to the first row "
              "Narang et al. |");
    /* expected numbers: 2.4 / 3.2; 3.33 / 3.7; 1 / 0.125, 1 / 0.16, 1 / 0.1;
     * 0.1 / 0.125; 5.07 / 3.9; 10.01 / 9.1; and the interval 0.8 exp(-+ t s),
     * with t = 1.9945 for 69.9 degrees of freedom (Welch) and s^2 = 0.02^2 / 40
     * + 0.03^2 / 41 */
    holds(md, "| random | 71,000,000 | 254M | 2.40T | 0.750 | 0.900 | 8 | 6.25 "
              "| 10 | 0.800 | [0.791, 0.809] | 1.300 | 1.100 |\n");
    holds(md, "* random: 5.07 steps/s (seven); eight\n");
    printed_behind(&words, text, "random");
    assert_string_equal(words.s, " 71,000,000 254M 2.40T 0.750 0.900 8 6.25 10 "
                                 "0.800 [0.791, 0.809] 1.300 1.100");
    holds(text, "Of 40 steps:");
    text_free(&words);
    free(text);
    free(md);
}

static void speed_programs(void **state)
{
    static const struct {
        const char *name;
        double      value, published;
    } want[] = {
        {"params", 71e6, 254e6},       {"flops_per_step", 2.4e12, (double)NAN},
        {"flops_ratio", 0.75, 0.9},    {"steps_per_s", 8, 5.07},
        {"speed_ratio", 0.8, 1.3},     {"speed_ratio_narang", 0.8, 1.1}};
    char *csv, *text;

    (void)state;
    speeds(&csv, "csv");
    speeds(&text, "json");
    json_t *all = json_loads(text, 0, NULL);
    json_t *row = named(json_object_get(all, "rows"), "variant", "random");
    for (size_t i = 0; i < sizeof want / sizeof *want; i++) {
        json_t *cell = json_array_get(json_object_get(row, "cells"), i);
        json_t *column = json_array_get(json_object_get(all, "columns"), i);
        int timed = !strcmp(want[i].name, "steps_per_s");
        char key[64];

        assert_string_equal(json_string_value(json_object_get(column, "name")),
                            want[i].name);
        is(want[i].name, number_of(cell, "value"), want[i].value);
        is("the paper's", number_of(cell, "published"), want[i].published);
        double low = number_of(cell, "low"), high = number_of(cell, "high");
        int ratio = !strncmp(want[i].name, "speed_ratio", 11);
        if (ratio) /* see speed_people */
            assert_true(fabs(low / 0.79103 - 1) < 1e-4 &&
                        fabs(low * high / 0.64 - 1) < 1e-8);
        else
            is("low", low, timed ? 6.25 : (double)NAN);
        if (!ratio)
            is("high", high, timed ? 10 : (double)NAN);
        is("n", number_of(cell, "n"), timed ? 41 : 1);
        snprintf(key, sizeof key, "\n4,random,%s,", want[i].name);
        holds(csv, key);
        const char *line = strstr(csv, key) + 1;
        is(want[i].name, atof(printed_field(csv, line, "value")),
           want[i].value);
        if (!isnan(want[i].published))
            is("the paper's", atof(printed_field(csv, line, "published")),
               want[i].published);
    }
    is("load_begin", number_of(row, "load_begin"), 2);
    is("load_end", number_of(row, "load_end"), 3);
    is("processors", number_of(row, "processors"), 8);
    json_decref(all);
    free(text);
    free(csv);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        {"Table 1 shows what a layer costs under its headings", layers, NULL,
         NULL, NULL},
        {"... in JSON under its names", layers_json, NULL, NULL, NULL},
        {"counts of both kinds of heads stand beside the published ones",
         counts, NULL, NULL, NULL},
        {"speeds and their ratios stand under their headings", speed_people,
         NULL, NULL, NULL},
        {"... in CSV and JSON under their names", speed_programs, NULL, NULL,
         NULL},
    };

    return cmocka_run_group_tests_name("counted", tests, NULL, NULL);
}
