/* T5's span corruption, and the data made with it. */
#include "harness/base/err.h"
#include "harness/tasks/gen/gen.h"
#include "harness/tasks/span.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

enum { VOCAB = 1000, TEXT = 568 };

static void shapes(void **state)
{
    struct span_shape t5 = span_shape(512), least = span_shape(4);

    (void)state;
    assert_int_equal(t5.text, TEXT);
    assert_int_equal(t5.noise, 85);
    assert_int_equal(t5.spans, 28);
    assert_int_equal(t5.source, 512);
    assert_int_equal(t5.target, 114);
    assert_int_equal(least.text, 3);
    assert_int_equal(least.source, 4);
    for (int n = 4; n < 600; n++) {
        struct span_shape s = span_shape(n);

        assert_true(s.source <= n && s.source >= n - 1);
        assert_true(s.spans <= s.noise && s.spans <= s.text - s.noise);
        assert_int_equal(s.source, s.text - s.noise + s.spans + 1);
        assert_int_equal(s.target, s.noise + s.spans + 1);
    }
}

static int sentinel(int id) { return id >= VOCAB - 28; }

/* Restores the text: replaces each sentinel of the source by the ids that
 * follow it in the target. */
static void put_back(int *text, const struct example *e)
{
    const int *target = e->target;

    for (int i = 0; i < e->nsource - 1; i++) {
        if (!sentinel(e->source[i])) {
            *text++ = e->source[i];
            continue;
        }
        assert_int_equal(*target, e->source[i]);
        for (target++; *target != ID_EOS && !sentinel(*target);)
            *text++ = *target++;
    }
    assert_int_equal(*target, ID_EOS);
    assert_ptr_equal(target, e->target + e->ntarget - 1);
}

static void corrupt(struct example *e, int first, int text[TEXT],
                    struct arena *a)
{
    struct span_shape shape = span_shape(512);

    for (int i = 0; i < TEXT; i++)
        text[i] = ID_FIRST + (i * 7 + first) % 900;
    *e = (struct example){.source = NULL};
    int *source = arena_take(a, (size_t)shape.source * sizeof *source);
    int *target = arena_take(a, (size_t)shape.target * sizeof *target);

    span_corrupt(source, target, text, &shape, VOCAB);
    *e = (struct example){.source = source, .nsource = shape.source,
                          .target = target, .ntarget = shape.target};
}

static void whole(void **state)
{
    struct arena *a = arena_new();
    int text[TEXT], again[TEXT], order = VOCAB - 1;
    struct example e;

    (void)state;
    corrupt(&e, 0, text, a);
    assert_int_equal(e.nsource, 512);
    assert_int_equal(e.ntarget, 114);
    assert_int_equal(e.source[511], ID_EOS);
    put_back(again, &e);
    assert_memory_equal(again, text, sizeof text);
    assert_int_equal(e.source[0], text[0]); /* begins with uncorrupted text */
    assert_int_equal(e.source[510], VOCAB - 28); /* ends with a hole */
    for (int i = 0; i < e.nsource; i++)
        if (sentinel(e.source[i]))
            assert_int_equal(e.source[i], order--);
    assert_int_equal(order, VOCAB - 29);
    arena_free(a);
}

static void of_the_text(void **state)
{
    struct arena *a = arena_new();
    int text[TEXT], other[TEXT], same = 0;
    struct example e, again, f;

    (void)state;
    corrupt(&e, 0, text, a);
    corrupt(&again, 0, text, a);
    corrupt(&f, 1, other, a);
    assert_memory_equal(e.source, again.source, 512 * sizeof(int));
    assert_memory_equal(e.target, again.target, 114 * sizeof(int));
    for (int i = 0; i < 512; i++)
        same += sentinel(e.source[i]) && e.source[i] == f.source[i];
    assert_true(same < 14); /* another text has different holes */
    arena_free(a);
}

/* Every id is hidden about equally often. There are spans of one id and of
 * many. */
static void spread(void **state)
{
    struct arena *a = arena_new();
    int hidden[TEXT] = {0}, text[TEXT], longest = 0, shortest = TEXT;
    enum { TIMES = 400 };

    (void)state;
    for (int t = 0; t < TIMES; t++) {
        struct example e;
        int at = 0, k = 0;

        arena_reset(a);
        corrupt(&e, t, text, a);
        for (int i = 0; i < e.nsource - 1; i++, at++) {
            int span = 0;

            if (!sentinel(e.source[i]))
                continue;
            for (k++; k < e.ntarget - 1 && !sentinel(e.target[k]); k++, span++)
                hidden[at + span]++;
            at += span - 1;
            longest = span > longest ? span : longest;
            shortest = span < shortest ? span : shortest;
        }
        assert_int_equal(at, TEXT);
    }
    for (int i = 40; i < TEXT - 40; i++)
        assert_in_range(hidden[i], TIMES * 0.05, TIMES * 0.27);
    assert_int_equal(shortest, 1);
    assert_true(longest > 8);
    arena_free(a);
}

static void generated(void **state)
{
    struct task_opts o = {.synthetic = 1, .N = 24, .length = 24, .vocab = 40,
                          .train = 64, .valid = 16, .test = 16};
    struct span_shape s = span_shape(24);
    struct dataset d, again;

    (void)state;
    assert_int_equal(gen_spans(&d, &o), OK);
    assert_int_equal(gen_spans(&again, &o), OK);
    assert_string_equal(d.digest, again.digest);
    assert_int_equal(d.kind, TASK_DENOISE);
    assert_int_equal(d.vocab, 40);
    assert_int_equal(d.split[SPLIT_TRAIN].n, 64);
    for (int i = 0; i < 64; i++) {
        const struct example *r = &d.split[SPLIT_TRAIN].row[i];

        assert_int_equal(r->nsource, s.source);
        assert_int_equal(r->ntarget, s.target);
        assert_null(r->text);
        for (int k = 0; k < r->nsource; k++)
            assert_in_range(r->source[k], ID_EOS, 39);
    }
    dataset_close(&d);
    dataset_close(&again);
    o.vocab = 8;
    assert_int_equal(gen_spans(&d, &o), ERR_USAGE);
    assert_string_equal(err_last(), "vocab 8 is less than 9, which length 24 "
                                    "needs for its masked spans");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        {"512 ids hold a text of 568, and 114 ids state what is missing",
         shapes, NULL, NULL, NULL},
        {"source and target together are the text", whole, NULL, NULL, NULL},
        {"the places of the holes depend on the text alone", of_the_text, NULL,
         NULL, NULL},
        {"every id is hidden equally often, in short and long spans", spread,
         NULL, NULL, NULL},
        {"a generator's texts have holes", generated, NULL, NULL, NULL},
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
