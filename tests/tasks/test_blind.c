/* Baselines that see only one text of a pair, or only the words that both texts
 * share, must be at chance. This is checked on the real text in REAL_TEXT (make
 * check-long fetches it). test_deal.c tests how pairs are balanced. */
#include "harness/base/arena.h"
#include "harness/base/err.h"
#include "harness/base/map.h"
#include "harness/base/names.h"
#include "harness/tasks/task.h"
#include "harness/tasks/sides.h"
#include "tests/support/corpus.h"
#include "tests/support/dataset_rows.h"
#include "tests/support/scratch.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern const struct task task_glue, task_superglue;

enum { TASKS = 2, ENOUGH = 36 };
static const struct task *const tasks[TASKS] = {&task_glue, &task_superglue};

/* Returns whether the pairs of a subtask are balanced. They are not if an
 * example has one text, or two that are not compared. */
static int is_dealt(const char *part)
{
    static const char *const other[] = {"cola", "sst2", "wnli", "wsc",
                                        "record", NULL};

    return names_index(other, part) < 0;
}

static char *cache;
static struct dataset data[TASKS];

static int setup(void **state)
{
    struct task_opts o = {.N = 96, .length = 96, .vocab = 2000};

    (void)state;
    cache = corpus_real();
    o.cache = cache;
    for (int k = 0; k < TASKS; k++)
        if (open_listed(&data[k], tasks[k], &o) < 0)
            fail_msg("%s", err_last());
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    for (int k = 0; cache && k < TASKS; k++)
        dataset_close(&data[k]);
    if (cache)
        scratch_remove(cache);
    return 0;
}

/* ---- model-free baselines ---- */

/* Returns four standard deviations of the accuracy over n predictions, each of
 * which is right with probability p. */
static double bound(double p, int n) { return 4 * sqrt(p * (1 - p) / n); }

static void reference_is_at_chance(const struct dataset *d,
                                   const struct reference *by,
                                   const char **said, int part)
{
    const struct examples *test = &d->split[SPLIT_TEST];
    struct map *labels = map_new();
    int n = 0, right = 0;

    for (int i = 0; i < test->n; i++)
        if (test->row[i].subtask == part) {
            map_add(labels, test->row[i].text, 0);
            right += !strcmp(said[i], test->row[i].text);
            n++;
        }
    double chance = 1.0 / map_count(labels);
    if (n < ENOUGH)
        fail_msg("%s: %d test examples", d->subtasks[part], n);
    if (strcmp(d->subtasks[part], "stsb") &&
        (double)right / n > chance + bound(chance, n))
        fail_msg("%s by %s: %d of %d", d->subtasks[part], by->name, right, n);
    map_free(labels);
}

static void references(void **state)
{
    (void)state;
    for (int k = 0; k < TASKS; k++)
        for (const struct reference *by = tasks[k]->references; by->name;
             by++) {
            int n = data[k].split[SPLIT_TEST].n;
            const char **said = calloc((size_t)n, sizeof *said);

            by->answer(by, said, &data[k], data[k].memory);
            for (int p = 0; data[k].subtasks[p]; p++)
                if (is_dealt(data[k].subtasks[p]))
                    reference_is_at_chance(&data[k], by, said, p);
            free(said);
        }
}

/* ---- each text ---- */

/* For a part of the examples of split s, counts the classes of each text on
 * `side` 0 or 1. If the texts are pairs, each text must occur equally often in
 * each class. */
static void texts_are_even(const struct dataset *d, int s, int part, int side)
{
    struct map *number = map_of_copies(), *label = map_new();
    int (*n)[4] = calloc((size_t)d->split[s].n, sizeof *n), uneven = 0;

    for (int i = 0; i < d->split[s].n; i++) {
        const struct example *e = &d->split[s].row[i];
        const char *text;

        if (e->subtask != part)
            continue;
        text = dataset_text(d, e->source, e->nsource, d->memory);
        struct sides both = sides_of(text);
        struct slice one = side ? both.hypothesis : both.premise;
        int of = map_number(label, e->text, strlen(e->text));

        if (one.n && of < 4)
            n[map_number(number, one.s, one.n)][of]++;
    }
    for (int i = 0; i < map_count(number); i++)
        for (int c = 1; c < map_count(label) && c < 4; c++)
            uneven += n[i][c] != n[i][0];
    /* truncated texts may be equal except for their ends */
    if (uneven * 20 > map_count(number))
        fail_msg("%s, %s, text %d: %d of %d are uneven", d->subtasks[part],
                 split_name[s], side, uneven, map_count(number));
    map_free(number);
    map_free(label);
    free(n);
}

static void texts(void **state)
{
    (void)state;
    for (int k = 0; k < TASKS; k++)
        for (int p = 0; data[k].subtasks[p]; p++) {
            const char *part = data[k].subtasks[p];

            if (!is_dealt(part) || !strcmp(part, "stsb"))
                continue;
            for (int s = 0; s < SPLITS; s++)
                for (int side = strcmp(part, "wic") ? 0 : 1; side < 2; side++)
                    texts_are_even(&data[k], s, p, side);
        }
}

/* ---- splits ---- */

/* Within a part, no source text occurs twice, nor in two splits. */
static void once(void **state)
{
    (void)state;
    for (int k = 0; k < TASKS; k++) {
        struct map *seen = map_new();

        for (int s = 0; s < SPLITS; s++)
            for (int i = 0; i < data[k].split[s].n; i++) {
                const struct example *e = &data[k].split[s].row[i];
                const char *text = arena_format(
                    data[k].memory, "%s %s", data[k].subtasks[e->subtask],
                    dataset_text(&data[k], e->source, e->nsource,
                                 data[k].memory));

                if (e->nsource < 96 && !map_add(seen, text, s))
                    fail_msg("'%s' comes twice", text);
            }
        map_free(seen);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        {"what knows one text or the overlap alone is at chance", references,
         NULL, NULL, NULL},
        {"a text stands as often with each label", texts, NULL, NULL, NULL},
        {"no example comes twice", once, NULL, NULL, NULL},
    };

    if (!getenv("REAL_TEXT")) {
        puts("1..0 # SKIP real text is read in make check-long");
        return 0;
    }
    return cmocka_run_group_tests_name("blind", tests, setup, teardown);
}
