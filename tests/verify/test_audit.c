/* What the audit of a store says about each file. */
#include "harness/base/err.h"
#include "harness/base/file.h"
#include "harness/base/str.h"
#include "harness/store/frozen.h"
#include "harness/store/journal.h"
#include "harness/verify/store/audit.h"
#include "tests/support/store_fixture.h"
#include "tests/support/untrained_cells.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define PUT(call) assert_int_equal(call, OK)

static char *path_of(const char *name)
{
    return str_format("%s/%s", folder, name);
}

static void put(const char *name, const char *text)
{
    OWNED(free) char *path = path_of(name);

    PUT(file_write(path, text, strlen(text)));
}

static void write_cell(const char *cell)
{
    struct cell_writer *w;

    PUT(made_begin(&w, folder, cell));
    PUT(cell_commit(w));
}

/* Makes an experiment of one cell. */
static void freeze(const char *cell)
{
    struct frozen_cell of = made_frozen(cell);
    struct frozen f = {.name = "x", .title = "x", .n = 1, .cell = &of};

    PUT(frozen_write(&f, folder));
}

static const char *const verdicts[] = {[VERDICT_PASS] = "pass",
                                       [VERDICT_FAIL] = "fail",
                                       [VERDICT_NONE] = "none"};

/* Audits the store: the row about this property of this file has the verdict
 * and the remark. */
static void says(const char *subject, const char *property,
                 const char *verdict, const char *remark)
{
    OWNED(audit_close) struct audit *a = NULL;

    PUT(audit_store(&a, folder));
    for (int i = 0; i < a->n; i++) {
        const struct audit_row *r = &a->row[i];

        if (strcmp(r->subject, subject) || strcmp(r->property, property))
            continue;
        if (strcmp(verdicts[r->verdict], verdict) || !strstr(r->remark, remark))
            fail_msg("%s, %s: %s: %s", subject, property, verdicts[r->verdict],
                     r->remark);
        return;
    }
    fail_msg("there is no row of %s, %s", subject, property);
}

static void cells(void **state)
{
    const char *other = made_id("other");
    OWNED(free) char *one = str_format("cells/%s.h5", id);
    OWNED(free) char *two = str_format("cells/%s.h5", other);
    OWNED(free) char *path = path_of(two);

    (void)state;
    write_cell(id);
    says(one, "integrity", "pass", "");
    says(one, "journal entry", "none", "has no line in journal.tsv");
    says(one, "experiment", "none", ""); /* there is no experiment */
    says("experiment.json", "checksum", "fail", "is missing; `synthbench run");
    freeze(id);
    says(one, "experiment", "pass", "");
    write_cell(other);
    PUT(store_done(store, other, 1));
    says(two, "experiment", "fail", "belongs to no configuration");
    assert_int_equal(unlink(path), 0);
    says(two, "integrity", "fail", "is missing, but has a line");
    put("cells/letter", "x");
    says("cells/letter", "name", "none", "is not a file of a store");
    put("experiment.json", "x");
    says("experiment.json", "checksum", "fail", "experiment.json");
    says(one, "experiment", "none", "");
}

/* Takes the lease in a process that ends. */
static void leave_claim(const char *cell)
{
    pid_t child = fork();

    if (child == 0)
        _exit(store_claim(store, cell) != OK);
    waitpid(child, NULL, 0);
}

static void unfinished(void **state)
{
    const char *dead = made_id("dead");
    OWNED(free) char *tmp = str_format("cells/%s.h5.5eed0123.1.tmp", id);
    OWNED(free) char *mine = str_format("claims/%s", id);
    OWNED(free) char *theirs = str_format("claims/%s", dead);

    (void)state;
    freeze(id);
    PUT(store_claim(store, id));
    leave_claim(dead);
    put(tmp, "x");
    says(tmp, "temporary", "none", "is being written");
    says(mine, "claim", "none", "a run is training this cell");
    says(theirs, "claim", "none", "its run died");
    store_release(store, id);
    says(tmp, "temporary", "none", "was left by a run that died");
}

static void notes(void **state)
{
    OWNED(free) char *note = str_format("failed/%s.json", id);

    (void)state;
    freeze(id);
    PUT(store_fail(store, id, "oom", "needs much", 1));
    says(note, "integrity", "pass", "");
    put(note, "{\"class\": \"oom\", \"message\": \"m\", \"seconds\": 1.5, "
              "\"date\": \"2026-11-29T13:42:17Z\"}");
    says(note, "integrity", "none", "has no seal: an earlier version");
    put(note, "{\"class\": \"oom\", \"message\": \"m\", \"seconds\": 1.5, "
              "\"date\": \"\", \"seal\": \"\"}");
    says(note, "integrity", "fail", "has no seal");
}

static void journals(void **state)
{
    struct journal_line line = {.bytes = 10, .seconds = 1};

    (void)state;
    freeze(id);
    memset(line.sha256, 'a', HASH_HEX - 1);
    PUT(journal_add(folder, id, &line));
    says("journal.tsv:2", "journal entry", "pass", "");
    OWNED(free) char *path = path_of("journal.tsv"), *text = NULL;
    PUT(file_read(&text, NULL, path));
    OWNED(free) char *older = str_format("%.*s\n", (int)(strlen(text) - 10),
                                         text);
    put("journal.tsv", older); /* without the check */
    says("journal.tsv:2", "journal entry", "none", "has no checksum");
    text[70] ^= 1;
    put("journal.tsv", text);
    says("journal.tsv:2", "journal entry", "fail", "is damaged");
    text[70] ^= 1;
    text[strlen(text) - 1] = 0;
    put("journal.tsv", text);
    says("journal.tsv:2", "journal entry", "fail", "is incomplete");
    put("journal.tsv", "a letter\n");
    says("journal.tsv", "journal entry", "fail",
         "no cell can be checked until it is repaired");
}

int main(void)
{
#define AUDIT_TEST(name, fn) {name, fn, store_setup, store_teardown, NULL}
    static const struct CMUnitTest tests[] = {
        AUDIT_TEST("a cell belongs to its journal and experiment", cells),
        AUDIT_TEST("files of processes that live and that died", unfinished),
        AUDIT_TEST("notes of failures have seals", notes),
        AUDIT_TEST("lines of the journal have checks", journals),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
