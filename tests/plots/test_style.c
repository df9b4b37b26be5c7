/* The appearance of rows in figures: rows differ for readers with any kind of
 * colour vision, and in grey print. */
#include "harness/base/arena.h"
#include "harness/base/str.h"
#include "plots/style.h"
#include "variants/variants.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* All mixtures in experiments. */
static const char *const mixtures[] = {
    "random+dense", "dense+vanilla", "random+vanilla",
    "factorized-random+vanilla", NULL};

enum { MOST = 64 };

static const char *row[MOST];
static int rows;

static int begin(void **state)
{
    (void)state;
    for (int i = 0; variant_all[i]; i++)
        row[rows++] = variant_all[i]->name;
    for (int i = 0; mixtures[i]; i++)
        row[rows++] = mixtures[i];
    assert_true(rows > 20 && rows < MOST);
    return 0;
}

/* ---- perceived colours ---- */

struct rgb { double of[3]; }; /* linear */

static double linear(unsigned byte)
{
    double x = byte / 255.0;

    return x <= 0.04045 ? x / 12.92 : pow((x + 0.055) / 1.055, 2.4);
}

static struct rgb rgb_of(unsigned c)
{
    return (struct rgb){{linear(c >> 16), linear(c >> 8 & 255),
                         linear(c & 255)}};
}

static double contrast(unsigned c)
{
    struct rgb x = rgb_of(c);

    return 1.05 / (0.2126 * x.of[0] + 0.7152 * x.of[1] + 0.0722 * x.of[2] +
                   0.05);
}

/* Simulated colour vision: Machado, Oliveira and Fernandes 2009, severity 1. */
enum { VISIONS = 4 };
static const double seen[VISIONS][3][3] = {
    {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
    {{0.152286, 1.052583, -0.204868}, {0.114503, 0.786281, 0.099216},
     {-0.003882, -0.048116, 1.051998}},
    {{0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413},
     {-0.011820, 0.042940, 0.968881}},
    {{1.255528, -0.076749, -0.178779}, {-0.078411, 0.930809, 0.147602},
     {0.004733, 0.691367, 0.303900}}};
static const char *const vision[VISIONS] = {
    "all", "the protanope", "the deuteranope", "the tritanope"};

static struct rgb see(struct rgb c, int v)
{
    struct rgb out;

    for (int i = 0; i < 3; i++) {
        double sum = 0;

        for (int k = 0; k < 3; k++)
            sum += seen[v][i][k] * c.of[k];
        out.of[i] = fmax(0, fmin(sum, 1));
    }
    return out;
}

static double bent(double t)
{
    return t > 0.008856 ? cbrt(t) : 7.787 * t + 16.0 / 116;
}

/* Converts a colour to CIE 1976 L*a*b*, D65. */
static void lab_of(double out[3], struct rgb c)
{
    const double *x = c.of;
    double X = bent((0.4124 * x[0] + 0.3576 * x[1] + 0.1805 * x[2]) / 0.95047);
    double Y = bent(0.2126 * x[0] + 0.7152 * x[1] + 0.0722 * x[2]);
    double Z = bent((0.0193 * x[0] + 0.1192 * x[1] + 0.9505 * x[2]) / 1.08883);

    out[0] = 116 * Y - 16;
    out[1] = 500 * (X - Y);
    out[2] = 200 * (Y - Z);
}

static double apart(unsigned a, unsigned b, int v)
{
    double x[3], y[3], sum = 0;

    lab_of(x, see(rgb_of(a), v));
    lab_of(y, see(rgb_of(b), v));
    for (int i = 0; i < 3; i++)
        sum += (x[i] - y[i]) * (x[i] - y[i]);
    return sqrt(sum);
}


static int kind(int mark) { return mark / 2; } /* shape, outlined or filled */

static void check_pair(const char *a, const char *b)
{
    enum { SAME = 18 }; /* smallest distance; 2.3 is just noticeable */
    struct style x = style_of(a, 0), y = style_of(b, 0);

    if (x.mark == y.mark && x.dash == y.dash)
        fail_msg("%s and %s are the same in grey", a, b);
    if (kind(x.mark) != kind(y.mark))
        return;
    for (int v = 0; v < VISIONS; v++)
        if (apart(x.colour, y.colour, v) < SAME)
            fail_msg("%s and %s have one mark, and colours that %s can hardly "
                     "tell apart: %06x, %06x: %.1f", a, b, vision[v], x.colour,
                     y.colour, apart(x.colour, y.colour, v));
}

static void distinct(void **state)
{
    (void)state;
    for (int i = 0; i < rows; i++)
        for (int k = 0; k < i; k++)
            check_pair(row[i], row[k]);
}

/* All variants that share a picture in experiments/quick.yaml or reduced.yaml
 * differ. */
static void together(void **state)
{
    static const char *const all[] = {
        "vanilla", "dense", "random", "fixed-random", "factorized-random",
        "factorized-dense", "orthogonal", "uniform", "random+dense",
        "dense+vanilla", "random+vanilla", "lightweight-conv",
        "factorized-random+vanilla", NULL};

    (void)state;
    for (int i = 0; all[i]; i++)
        for (int k = 0; k < i; k++) {
            unsigned a = style_of(all[i], 0).colour;
            unsigned b = style_of(all[k], 0).colour;

            if (apart(a, b, 0) < 20)
                fail_msg("%s and %s are of nearly one colour: %.1f", all[i],
                         all[k], apart(a, b, 0));
        }
}

static void legible(void **state)
{
    (void)state;
    for (int i = 0; i < rows; i++) {
        struct style l = style_of(row[i], 0);

        if (contrast(l.colour) < 3 || contrast(l.ink) < 4.5)
            fail_msg("%s is too light on white: %.2f, words %.2f", row[i],
                     contrast(l.colour), contrast(l.ink));
        assert_true(apart(l.colour, l.ink, 0) < 25); /* still the same colour */
    }
}

static void tuned(void **state)
{
    (void)state;
    for (int i = 0; i < rows; i++) {
        char *name = str_format("%s,tuned", row[i]);
        struct style plain = style_of(row[i], 0), l = style_of(name, 0);

        assert_int_equal(l.colour, plain.colour);
        assert_int_equal(l.ink, plain.ink);
        assert_int_equal(kind(l.mark), kind(plain.mark));
        assert_int_equal(plain.mark % 2, 0); /* an outline */
        assert_int_equal(l.mark % 2, 1);
        assert_true(l.width > plain.width);
        free(name);
    }
    assert_int_equal(style_of("random,tuned_rate=2", 0).mark,
                     style_of("random", 0).mark);
}

/* Rows with as many varied settings as in any experiment differ from each other
 * and from the variant itself; so do tuned rows. */
static void varied(void **state)
{
    static const char *const all[] = {
        "random", "random,rank=1", "random,rank=2", "random,rank=4",
        "random,rank=8", "random,rank=16", "random,rank=32", "random,rank=48",
        "random,rank=64", "vanilla,rank=1", "vanilla,rank=1,tuned", NULL};
    enum { N = 9 };
    struct arena *a = arena_new();
    const struct style *l = looks_of(all, a);

    (void)state;
    for (int i = 0; i < N; i++) {
        assert_int_equal(l[i].colour, style_of("random", 0).colour);
        assert_int_equal(kind(l[i].mark), kind(style_of("random", 0).mark));
        for (int k = 0; k < i; k++)
            assert_true(l[i].dash != l[k].dash || l[i].mark != l[k].mark);
    }
    assert_int_equal(l[9].dash, l[1].dash); /* the same key varies */
    assert_int_equal(l[10].dash, l[1].dash);
    assert_int_equal(l[10].mark, l[9].mark + 1);
    arena_free(a);
}

/* If no setting varies, or all rows have the same varied setting, rows have the
 * dashes of their variants. */
static void plain(void **state)
{
    static const char *const tune[] = {"random", "uniform", "random,tuned",
                                       NULL};
    static const char *const one[] = {"random,N=8", "uniform,N=8", NULL};
    struct arena *a = arena_new();

    (void)state;
    for (int i = 0; i < 3; i++)
        assert_int_equal(looks_of(tune, a)[i].dash,
                         style_of(i == 1 ? "uniform" : "random", 0).dash);
    for (int i = 0; i < 2; i++)
        assert_int_equal(looks_of(one, a)[i].dash,
                         style_of(i ? "uniform" : "random", 0).dash);
    arena_free(a);
}

/* An unknown variant gets a style that no known variant has, and the same style
 * on every call. An unknown mixture, and no other variant, gets a colour of the
 * known mixtures. */
static void unknown(void **state)
{
    static const char *const news[] = {"window", "fourier", "window+vanilla",
                                       "dense+mixer", "a", "b+c", NULL};

    (void)state;
    for (int i = 0; news[i]; i++) {
        struct style l = style_of(news[i], 0), again = style_of(news[i], 0);
        int mixed = 0;

        assert_memory_equal(&l, &again, sizeof l);
        assert_true(contrast(l.colour) >= 3 && contrast(l.ink) >= 4.5);
        for (int k = 0; k < rows; k++) {
            struct style known = style_of(row[k], 0);

            if (l.colour == known.colour && l.mark == known.mark)
                fail_msg("%s looks like %s", news[i], row[k]);
            mixed |= strchr(row[k], '+') && l.colour == known.colour;
        }
        assert_int_equal(mixed, strchr(news[i], '+') != NULL);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        {"no two variants look alike, in grey or with any vision of colours",
         distinct, NULL, NULL, NULL},
        {"those of one picture have each a colour", together, NULL, NULL, NULL},
        {"lines are 3 to 1 on white, words 4.5 to 1", legible, NULL, NULL,
         NULL},
        {"what is tuned has its variant's colour, a filled mark, a thicker "
         "line", tuned, NULL, NULL, NULL},
        {"what is varied has its variant's colour and mark, and its own line",
         varied, NULL, NULL, NULL},
        {"where one thing is varied dashes are the variants'", plain, NULL,
         NULL, NULL},
        {"a new variant has a look of its own, which stays", unknown, NULL,
         NULL, NULL},
    };

    return cmocka_run_group_tests_name("look", tests, begin, NULL);
}
