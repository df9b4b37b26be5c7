/* Data from small texts: who speaks in a dialogue, and which reviews count. */
#include "harness/base/err.h"
#include "harness/base/file.h"
#include "harness/base/owned.h"
#include "harness/base/str.h"
#include "harness/base/text.h"
#include "harness/tasks/task.h"
#include "tests/support/scratch.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

enum { SMALL = 15 }; /* scenarios of two turns, beside a large one */

static char *cache;

static void add_turn(struct text *t, const char *speaker, const char *says)
{
    text_format(t, "[message]\nspeaker=%s\nmessage= _ \"%s\"\n[/message]\n",
                speaker, says);
}

static void write_scenario(const char *name, const struct text *t)
{
    OWNED(free) char *path = str_format("%s/wesnoth/C/scenarios/%s.cfg", cache,
                                        name);

    assert_int_equal(file_write(path, t->s, t->n), OK);
}

/* ---- dialogue ---- */

/* A large scenario with speakers who are no persons, and small ones. */
static void write_dialogue(void)
{
    static const char *const speakers[] = {
        "Kaleh", "narrator", "Nym", "unit", "Garak", "second_unit", "Kaleh",
        "$hero.id", "Nym", "Nym", "Garak"};
    OWNED(text_free) struct text large = {0};

    OWNED(free) char *folder = str_format("%s/wesnoth/C/scenarios", cache);
    assert_int_equal(file_mkdirs(folder), OK);
    for (size_t i = 0; i < sizeof speakers / sizeof *speakers; i++) {
        OWNED(free) char *says = str_format("large words number %zu here", i);

        add_turn(&large, speakers[i], says);
    }
    write_scenario("large", &large);
    for (int i = 0; i < SMALL; i++) {
        OWNED(text_free) struct text t = {0};
        OWNED(free) char *name = str_format("small%02d", i);
        OWNED(free) char *one = str_format("where is the keep %02d of ours", i);
        OWNED(free) char *two = str_format("it stands on hill %02d", i);

        add_turn(&t, "Eloh", one);
        add_turn(&t, "Zhul", two);
        write_scenario(name, &t);
    }
}

/* Counts the examples of a split by their sources: of the large scenario, of
 * small ones, and generated ones. */
static void count(int n[3], const struct dataset *d, enum split s,
                  struct arena *a)
{
    for (int i = 0; i < d->split[s].n; i++) {
        struct example e = examples_row(&d->split[s], i, a);
        const char *text = dataset_text(d, e.source, e.nsource, a);

        n[strstr(text, "large words")    ? 0
          : strstr(text, "where is the") ? 1
                                         : 2]++;
        if (strstr(text, "large words")) {
            assert_non_null(strstr(text, "persona: i am Garak. Nym: large "
                                         "words number 9 here"));
            assert_string_equal(dataset_text(d, e.target, e.ntarget, a),
                                "large words number 10 here");
        }
    }
}

static void dialogue(void **state)
{
    OWNED(dataset_close) struct dataset d = {.memory = NULL};
    OWNED(arena_free) struct arena *a = arena_new();
    struct task_opts o = {.N = 256, .length = 256, .vocab = 300,
                          .cache = cache};
    const struct task *t;
    int n[SPLITS][3] = {{0}};

    (void)state;
    write_dialogue();
    assert_true(task_find(&t, "personachat") >= 0);
    if (task_open(&d, t, &o) != OK)
        fail_msg("%s", err_last());
    for (int s = 0; s < SPLITS; s++)
        count(n[s], &d, (enum split)s, a);
    assert_int_equal(n[SPLIT_TRAIN][0], 1); /* of two persons who follow */
    assert_int_equal(n[SPLIT_VALID][0] + n[SPLIT_TEST][0], 0);
    /* 7 % of 41 turns are 2.87: two scenarios of two turns each */
    assert_int_equal(n[SPLIT_TEST][1], 2);
    assert_int_equal(n[SPLIT_VALID][1], 2);
    assert_int_equal(n[SPLIT_TRAIN][1], SMALL - 4);
    assert_true(n[SPLIT_TRAIN][2] > 0);
}

/* ---- reviews ---- */

enum { REVIEWS = 90 };

/* Writes each review twice, and two without words. */
static void write_reviews(void)
{
    static const char *const names[] = {"imdb", "yelp", "amazon"};
    OWNED(text_free) struct text t = {0};
    OWNED(free) char *folder =
        str_format("%s/sentiment/package/test/fixtures", cache);

    text_put(&t, "[{\"text\":\"\",\"class\":0},{\"text\":\"\",\"class\":1}");
    for (int i = 0; i < 2 * REVIEWS; i++)
        text_format(&t, ",\n{\"text\":\"review number %d\",\"class\":%d}",
                    i % REVIEWS, i % REVIEWS % 2);
    text_put(&t, "]");
    assert_int_equal(file_mkdirs(folder), OK);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        OWNED(free) char *path = str_format("%s/%s.json", folder, names[i]);
        const char *text = i ? "[]" : t.s;

        assert_int_equal(file_write(path, text, strlen(text)), OK);
    }
}

static void reviews(void **state)
{
    OWNED(dataset_close) struct dataset d = {.memory = NULL};
    OWNED(arena_free) struct arena *a = arena_new();
    struct task_opts o = {.N = 64, .length = 64, .vocab = 290,
                          .cache = cache};
    const struct task *t;
    int seen[REVIEWS] = {0};

    (void)state;
    write_reviews();
    assert_true(task_find(&t, "imdb") >= 0);
    if (task_open(&d, t, &o) != OK)
        fail_msg("%s", err_last());
    for (int s = 0; s < SPLITS; s++)
        for (int i = 0; i < d.split[s].n; i++) {
            struct example e = examples_row(&d.split[s], i, a);
            const char *text = dataset_text(&d, e.source, e.nsource, a);

            assert_int_equal(strncmp(text, "review number ", 14), 0);
            int number = atoi(text + 14);
            assert_int_equal(e.label, number % 2);
            assert_int_equal(seen[number]++, 0);
        }
    for (int i = 0; i < REVIEWS; i++)
        assert_int_equal(seen[i], 1);
}

static int setup(void **state)
{
    (void)state;
    cache = scratch_make();
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    scratch_remove(cache);
    return 0;
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        {"turns of two persons who follow each other are an example, and a "
         "scenario is in one split", dialogue, setup, teardown, NULL},
        {"each review with words is an example once", reviews, setup, teardown,
         NULL}};

    return cmocka_run_group_tests_name("sources", tests, NULL, NULL);
}
