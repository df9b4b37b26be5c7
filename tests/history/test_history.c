/* A history file: each line is read back once, whatever the order that a merge
 * by git has left; results without a commit are refused. */
#include "harness/base/child.h"
#include "harness/base/err.h"
#include "harness/base/file.h"
#include "harness/base/hash.h"
#include "harness/base/str.h"
#include "harness/base/text.h"
#include "harness/history/history.h"
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
#include <sys/wait.h>
#include <unistd.h>

static char *dir, *file, one[41], two[41];

static char *sh(const char *script)
{
    OWNED(free) char *all = str_format(
        "export GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@b GIT_COMMITTER_NAME=a "
        "GIT_COMMITTER_EMAIL=a@b; set -e; cd '%s'; %s", dir, script);
    const char *const argv[] = {"sh", "-c", all, NULL};
    char *said;

    if (child_run(&said, argv))
        fail_msg("%s: %s", err_last(), said ? said : "");
    return said;
}

/* The second commit has the earlier date. */
static int setup(void **state)
{
    (void)state;
    dir = scratch_make();
    file = str_format("%s/h/history.tsv", dir);
    OWNED(free) char *said = sh(
        "git init -q . && c() { GIT_COMMITTER_DATE=$2 git commit -q "
        "--allow-empty -m $1; git rev-parse HEAD; }; c one "
        "2026-02-02T00:00:00Z; c two 2026-01-01T00:00:00Z");
    snprintf(one, sizeof one, "%s", said);
    snprintf(two, sizeof two, "%s", said + 41);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    scratch_remove(dir);
    free(file);
    return 0;
}

static int fresh(void **state)
{
    (void)state;
    unlink(file);
    return 0;
}

/* Describes a cell from a commit, with a loss and a time. */
struct made {
    struct baseline_value value[6];
    struct baseline_fact  fact[4];
    struct baseline_cell  cell;
    struct baseline       b;
};

static const struct baseline *make(struct made *m, const char *commit,
                                   const char *results, double ce)
{
    *m = (struct made){
        .value = {{.what = "config", .text = "{\"d\":1}"},
                  {.what = "id", .text = "0123456789abcdef"},
                  {.what = "metrics/ce", .value = ce, .better = -1},
                  {.what = "results", .text = results},
                  {.what = "start", .text = "3.1 3.2"},
                  {.what = "step_seconds", .value = 0.1}},
        .fact = {{"experiment", "x"}, {"store", "results/x"},
                 {"machine", "a\tb\nc, 1 processor"}, {"commit", commit}}};
    for (int i = 0; i < 6; i++)
        m->value[i].units = i == 2 ? "nats/token" : i == 5 ? "s" : "";
    m->cell = (struct baseline_cell){"v/t/smoke/1", 6, m->value};
    m->b = (struct baseline){.facts = 4, .fact = m->fact, .cells = 1,
                             .cell = &m->cell};
    return &m->b;
}

static int extend(const char *commit, const char *results, double ce,
                  int *added)
{
    struct made m;

    return history_extend(added, file, make(&m, commit, results, ce), dir,
                          NULL);
}

static const struct history_series *find(const struct history *h,
                                         const char *what)
{
    for (int i = 0; i < h->series; i++)
        if (!strcmp(h->of[i].what, what))
            return &h->of[i];
    fail_msg("no series %s", what);
    return NULL;
}

/* Each value is read back once, bit for bit. Commits have the order of git, not
 * that of their dates. */
static void is_read_back(void **state)
{
    const double third = 1.0 / 3;
    OWNED(history_close) struct history *h = NULL;
    OWNED(free) char *before = NULL, *after = NULL;
    size_t n;
    int added;

    (void)state;
    assert_int_equal(extend(two, "bbbb", third, &added), OK);
    assert_int_equal(added, 6);
    assert_int_equal(extend(one, "aaaa", 2.5, &added), OK);
    assert_int_equal(added, 5); /* the configuration is already in the file */
    assert_int_equal(file_read(&before, &n, file), OK);
    assert_int_equal(extend(one, "aaaa", 2.5, &added), OK);
    assert_int_equal(added, 0);
    assert_int_equal(file_read(&after, &n, file), OK);
    assert_string_equal(before, after);
    assert_int_equal(history_open(&h, file, dir), OK);
    const struct history_series *s = find(h, "metrics/ce");
    assert_int_equal(s->n, 2);
    assert_string_equal(s->machine, "a b c, 1 processor");
    assert_string_equal(s->units, "nats/token");
    assert_int_equal(s->better, -1);
    assert_string_equal(h->commit[s->point[0].commit].commit, one);
    assert_string_equal(h->commit[0].date, "2026-02-02T00:00:00Z");
    assert_true(s->point[0].value == 2.5 && s->point[1].value == third);
    assert_string_equal(find(h, "start")->point[1].text, "3.1 3.2");
}

/* Appends fields, separated by tabs, with the digest that ends a line. */
static void put_sealed(struct text *t, const char *fields)
{
    char hex[HASH_HEX];

    hash_sha256(fields, strlen(fields), hex);
    text_format(t, "%s\t%.8s\n", fields, hex);
}

static void what_no_commit_has_is_refused(void **state)
{
    OWNED(free) char *dirty = str_format("%s-dirty", one);
    struct made m;
    int added;

    (void)state;
    assert_int_equal(extend(dirty, "aaaa", 1, &added), ERR_USAGE);
    assert_non_null(strstr(err_last(), "with uncommitted changes"));
    assert_int_equal(extend("unknown", "aaaa", 1, &added), ERR_USAGE);
    assert_non_null(strstr(err_last(), "is unknown"));
    assert_non_null(strstr(err_last(), "--commit REV"));
    assert_int_equal(extend("HEAD~9", "aaaa", 1, &added), ERR_USAGE);
    assert_non_null(strstr(err_last(), "'HEAD~9' is not a commit of the git "
                                       "repository in "));
    assert_int_equal(history_extend(&added, file, make(&m, one, "aaaa", 1),
                                    dir, ""), ERR_USAGE);
    assert_non_null(strstr(err_last(), "'' is not a commit"));
    make(&m, one, "aaaa", 1);
    m.b.facts = 3; /* all but the commit */
    assert_int_equal(history_extend(&added, file, &m.b, dir, NULL), ERR_USAGE);
    assert_string_equal(err_last(), "the baseline has no commit, which a "
                                    "history needs");
    assert_false(file_exists(file));
    assert_int_equal(history_extend(&added, file, make(&m, dirty, "aaaa", 1),
                                    dir, "HEAD~1"), OK);
    assert_int_equal(added, 6);
    assert_int_equal(extend(one, "bbbb", 1, &added), ERR_USAGE);
    assert_non_null(strstr(err_last(),
                           "has different results of x#v/t/smoke/1"));
}

/* A union merge by git can leave every line twice and the lines in reverse
 * order. */
static void any_order_and_twice(void **state)
{
    OWNED(history_close) struct history *h = NULL;
    int added;

    (void)state;
    assert_int_equal(extend(one, "aaaa", 1, &added), OK);
    assert_int_equal(extend(two, "bbbb", 2, &added), OK);
    free(sh("tac h/history.tsv >h/x; cat h/x h/history.tsv >h/y; "
            "mv h/y h/history.tsv"));
    assert_int_equal(history_open(&h, file, dir), OK);
    struct history_series *s = (struct history_series *)find(h, "metrics/ce");
    assert_int_equal(s->n, 2);
    history_changes(h, s);
    assert_int_equal(s->changes, 1);
    assert_int_equal(s->change[0].at, 1);
    assert_true(s->change[0].before == 1 && s->change[0].after == 2);
    assert_false(s->point[0].several);
}

/* If a commit has two runs, its time is the median of both, its results are
 * those of the first run, and the history reports that there are several. */
static void several_runs_of_a_commit(void **state)
{
    OWNED(history_close) struct history *h = NULL;
    OWNED(text_free) struct text all = {0};
    static const char *const what[] = {"metrics/ce", "step_seconds"};
    int added;

    (void)state;
    assert_int_equal(extend(one, "aaaa", 1, &added), OK);
    for (int i = 0; i < 2; i++)
        for (int k = 1; k <= 2; k++) {
            OWNED(free) char *line = str_format(
                "%s\t2026-02-02T00:00:00Z\ta b c, 1 processor\tx\t"
                "x#v/t/smoke/1\t%s\t%g\ts\t", one, what[i], 0.1 * k + 0.2);

            put_sealed(&all, line);
        }
    FILE *f = fopen(file, "a");
    fputs(all.s, f);
    fclose(f);
    assert_int_equal(history_open(&h, file, dir), OK);
    assert_int_equal(find(h, "step_seconds")->n, 1);
    assert_true(fabs(find(h, "step_seconds")->point->value - 0.3) < 1e-12);
    assert_true(find(h, "metrics/ce")->point->several);
}

/* Changes each byte of a line, except its end. The change is reported, or has
 * no effect on the values. */
static void any_changed_byte_is_told(void **state)
{
    OWNED(free) char *text = NULL;
    size_t n;
    int added;

    (void)state;
    assert_int_equal(extend(one, "aaaa", 1.25, &added), OK);
    assert_int_equal(file_read(&text, &n, file), OK);
    char *line = strstr(text, "metrics/ce");
    while (line[-1] != '\n')
        line--;
    for (char *c = line; *c != '\n'; c++) {
        OWNED(history_close) struct history *h = NULL;
        char was = *c;

        *c ^= 1;
        assert_int_equal(file_write(file, text, n), OK);
        if (c == line && *c == '#') /* a comment */
            continue;
        assert_int_equal(history_lines(&h, file), ERR_STORE);
        assert_non_null(strstr(err_last(), "history.tsv:5: "));
        *c = was;
    }
}

static void what_is_no_history_is_told(void **state)
{
#define REV "0123456789012345678901234567890123456789"
    static const struct { const char *text, *says; int sealed; } bad[] = {
        {"# synthbench history 2\n", ":1: has version 2, but", 0},
        {"# synthbench history 1\na\tb", ":2: truncated", 0},
        {"<<<<<<< HEAD\n", ":1: merge conflict", 0},
        {">>>>>>> a change\n", ":1: merge conflict", 0},
        {"hello\n", ":1: no tab-separated fields", 0},
        {"a\tb\n", ":1: damaged", 0},
        {"a\tca978112b\n", ":1: damaged", 0}, /* of 9 digits */
        {"a", ":1: not 10 tab-separated fields", 1},
        {"a\tb\tc\td\te\tf\tg\th\ti\tj", ":1: not 10 tab-separated", 1},
        {"a\tb\tc\td\te\tf\tg\th\ti", ":1: invalid field", 1},
        {REV "\tb\tc\td\t\tf\t\t\t", ":1: invalid field", 1},
        {REV "\tb\tc\td\te\t\t\t\t", ":1: invalid field", 1},
        {REV "\tb\tc\td\te\tf\tg\ts\t", ":1: invalid field", 1}};

    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        OWNED(history_close) struct history *h = NULL;
        OWNED(text_free) struct text t = {0};

        if (bad[i].sealed)
            put_sealed(&t, bad[i].text);
        else
            text_put(&t, bad[i].text);
        assert_int_equal(file_write(file, t.s, t.n), OK);
        assert_int_equal(history_lines(&h, file), ERR_STORE);
        if (!strstr(err_last(), bad[i].says))
            fail_msg("%s, not %s", err_last(), bad[i].says);
    }
    OWNED(history_close) struct history *h = NULL;
    assert_int_equal(file_write(file, "#\n\n", 3), OK);
    assert_int_equal(history_open(&h, file, dir), ERR_EMPTY);
    assert_int_equal(file_write(file, "#\0\n", 3), OK);
    assert_int_equal(history_lines(&h, file), ERR_STORE);
    assert_non_null(strstr(err_last(), ": has a NUL byte"));
}

/* git knows `one`, then `two`, which has an earlier date.  Commits that git
 * does not know are placed by their dates.  If a commit that git knows has the
 * same date, it comes first; unknown commits with the same date are in the
 * order of their digits. */
static void unknown_commits_have_the_places_of_their_dates(void **state)
{
    static const struct { const char *digit, *date; } unknown[] = {
        {"f", "2026-03-03"}, {"b", "2026-02-02T00:00:00Z"},
        {"a", "2026-02-02T00:00:00Z"}, {"e", "2025-01-01"}};
    OWNED(history_close) struct history *h = NULL, *alone = NULL;
    OWNED(text_free) struct text all = {0};
    OWNED(free) char *text = NULL;
    char order[7] = "";
    size_t n;
    int added;

    (void)state;
    assert_int_equal(extend(two, "bbbb", 2, &added), OK);
    assert_int_equal(extend(one, "aaaa", 1, &added), OK);
    assert_int_equal(file_read(&text, &n, file), OK);
    text_put(&all, text);
    for (int i = 0; i < 4; i++) {
        OWNED(text_free) struct text line = {0};

        for (int k = 0; k < 40; k++)
            text_put(&line, unknown[i].digit);
        text_format(&line, "\t%s\tm\tx\tx#v/t/smoke/1\tmetrics/ce\t3\tnats"
                    "\t", unknown[i].date);
        put_sealed(&all, line.s);
    }
    assert_int_equal(file_write(file, all.s, all.n), OK);
    assert_int_equal(history_open(&h, file, dir), OK);
    assert_int_equal(h->commits, 6);
    for (int i = 0; i < 6; i++) {
        const struct history_commit *c = &h->commit[i];

        order[i] = c->known ? strcmp(c->commit, one) ? '2' : '1' : *c->commit;
    }
    assert_string_equal(order, "e12abf");
    /* Without a repository, all commits are unknown. */
    assert_int_equal(history_open(&alone, file, "/"), OK);
    assert_string_equal(alone->commit[1].commit, two);
    assert_false(alone->commit[1].known);
}

/* If several processes add at the same time, no line is lost. */
static void several_add_at_once(void **state)
{
    enum { WRITERS = 6 };
    OWNED(history_close) struct history *h = NULL;
    pid_t pid[WRITERS];

    (void)state;
    for (int i = 0; i < WRITERS; i++)
        if ((pid[i] = fork()) == 0) {
            OWNED(free) char *name = str_format("v%d/t/smoke/1", i);
            struct made m;
            int added;

            make(&m, one, "aaaa", i);
            m.cell.name = name;
            _exit(history_extend(&added, file, &m.b, dir, NULL) != OK ||
                  added != 6);
        }
    for (int i = 0; i < WRITERS; i++) {
        int status;

        waitpid(pid[i], &status, 0);
        assert_int_equal(status, 0);
    }
    assert_int_equal(history_lines(&h, file), OK);
    assert_int_equal(h->n, 6 * WRITERS);
}

static void numbers_come_back(void **state)
{
    static const struct { double x; const char *digits; } of[] = {
        {0.1, "0.1"}, {1.0 / 3, "0.3333333333333333"}, {1e300, "1e+300"},
        {3.2461343480781442, "3.246134348078144"}, {-0.0, "-0"},
        {0.1 + 0.2, "0.30000000000000004"}, {123456789, "123456789"}};
    char out[32];

    (void)state;
    for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
        baseline_digits(of[i].x, 17, out);
        assert_string_equal(out, of[i].digits);
    }
}

static void cells_by_name(void **state)
{
    static const char cell[] = "smoke#random+dense/lm1b/quick/12";

    (void)state;
    assert_true(history_is(cell, cell));
    assert_true(history_is(cell, "random+dense/lm1b/quick/12"));
    assert_true(history_is(cell, "random+dense/lm1b/12"));
    assert_false(history_is(cell, "random+dense/lm1b/1"));
    assert_false(history_is(cell, "random+dense/lm1b"));
    assert_false(history_is(cell, "full#random+dense/lm1b/quick/12"));
    assert_false(history_is(cell, "dense/lm1b/quick/12"));
    assert_false(history_is(cell, ""));
}

int main(void)
{
#define FRESH(name, test) {name, test, fresh, NULL, NULL}
    const struct CMUnitTest tests[] = {
        FRESH("what is added is read back, in git's order, and once",
              is_read_back),
        FRESH("what no commit has, or another result, is refused",
              what_no_commit_has_is_refused),
        FRESH("lines in any order, and twice", any_order_and_twice),
        FRESH("several runs of a commit", several_runs_of_a_commit),
        FRESH("any changed byte is told, with its line",
              any_changed_byte_is_told),
        FRESH("what is no history is told", what_is_no_history_is_told),
        FRESH("unknown commits have the places of their dates",
              unknown_commits_have_the_places_of_their_dates),
        FRESH("several add at once", several_add_at_once),
        FRESH("numbers have the digits that give them back",
              numbers_come_back),
        FRESH("a cell by its names", cells_by_name)};

    return cmocka_run_group_tests_name("history", tests, setup, teardown);
}
