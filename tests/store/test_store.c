/* A store: the state of each cell is reported correctly, and no crash loses
 * it. */
#include "harness/base/err.h"
#include "harness/base/file.h"
#include "harness/base/folder.h"
#include "harness/base/hash.h"
#include "harness/base/rng.h"
#include "harness/base/str.h"
#include "harness/base/text.h"
#include "harness/store/cell.h"
#include "harness/store/journal.h"
#include "harness/store/store.h"
#include "tests/support/program.h"
#include "tests/support/untrained_cells.h"
#include "tests/support/store_fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <dirent.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static int write_cell(const char *name, size_t n)
{
    double *x = calloc(n + 1, sizeof *x);
    struct cell_writer *w;
    int rc;

    for (size_t i = 0; i < n; i++)
        x[i] = rng_uniform((struct rng_key){1, RNG_TEST, 0, 0}, i);
    GOTO_IF_ERR(made_begin(&w, folder, name));
    rc = cell_put_array(w, "x", "1", x, n);
    if (rc == OK)
        rc = cell_commit(w);
    else
        cell_abandon(w);
out:
    free(x);
    return rc;
}

static char *path_of(const char *what)
{
    return str_format("%s/%s", folder, what);
}

static void append(const char *file, const char *text)
{
    char *path = path_of(file);
    FILE *f = fopen(path, "a");

    assert_non_null(f);
    fputs(text, f);
    fclose(f);
    free(path);
}

/* Appends an "x" to the file of a cell. */
static void append_to(const char *format, const char *name)
{
    char *file = str_format(format, name);

    append(file, "x");
    free(file);
}

static int exists(const char *format, const char *name)
{
    char *file = str_format(format, name), *path = path_of(file);
    int there = file_exists(path);

    free(path);
    free(file);
    return there;
}

static void drop(const char *format, const char *name)
{
    char *file = str_format(format, name), *path = path_of(file);

    assert_int_equal(unlink(path), 0);
    free(path);
    free(file);
}

static enum cell_state state_of(const char *name, struct cell_status *out)
{
    struct cell_status status;

    out = out ? out : &status;
    if (store_status(store, name, out) != OK)
        fail_msg("%s", err_last());
    return out->state;
}

/* ---- opening ---- */

static void no_store(void **state)
{
    struct store *s;
    char *path = path_of("none");

    (void)state;
    assert_int_equal(store_open(&s, path, 0), ERR_EMPTY);
    assert_null(s);
    assert_non_null(strstr(err_last(), path));
    assert_int_equal(file_exists(path), 0);
    assert_int_equal(store_open(&s, path, 1), OK);
    store_close(s);
    assert_int_equal(store_open(&s, path, 0), OK);
    assert_string_equal(store_path(s), path);
    store_close(s);
    free(path);
}

static void newer_store(void **state)
{
    char *path = path_of("journal.tsv");
    struct store *s;

    (void)state;
    assert_int_equal(file_write(path, "#synthbench store 2: x\n", 23), OK);
    assert_int_equal(store_open(&s, folder, 0), ERR_STORE);
    assert_non_null(strstr(err_last(), "by a later version"));
    assert_int_equal(file_write(path, "a\tb\n", 4), OK);
    assert_int_equal(store_open(&s, folder, 1), ERR_STORE);
    assert_non_null(strstr(err_last(), "journal.tsv:1:"));
    free(path);
}

/* ---- the life of a cell ---- */

static void life(void **state)
{
    struct cell_status status;
    char *neighbour = str_format("%.*sx", (int)strlen(id) - 1, id);

    (void)state;
    assert_int_equal(state_of(id, NULL), CELL_MISSING);
    assert_int_equal(store_claim(store, id), OK);
    assert_int_equal(state_of(id, NULL), CELL_RUNNING);
    append_to("checkpoints/%s.0.ckpt", id);
    append_to("checkpoints/%s.1.ckpt", id);
    append_to("checkpoints/%s.0.ckpt", "00112233445566");
    append_to("checkpoints/%s.0.ckpt", neighbour);
    assert_int_equal(store_fail(store, id, "oom", "needs \"much\"\xff", 2.5),
                     OK);
    store_release(store, id);
    assert_int_equal(state_of(id, &status), CELL_FAILED);
    assert_string_equal(status.class, "oom");
    assert_string_equal(status.message, "needs \"much\"\xef\xbf\xbd");
    assert_true(status.seconds == 2.5);
    assert_int_equal(store_tried(&status), 0);

    assert_int_equal(store_claim(store, id), OK);
    assert_int_equal(state_of(id, NULL), CELL_RUNNING);
    assert_int_equal(store_heartbeat(store, id), OK);
    assert_int_equal(write_cell(id, 10), OK);
    assert_int_equal(store_done(store, id, 12.5), OK);
    store_release(store, id);
    assert_int_equal(state_of(id, &status), CELL_DONE);
    assert_true(status.seconds == 12.5);
    assert_int_equal(exists("claims/%s", id), 0);
    assert_int_equal(exists("failed/%s.json", id), 0);
    assert_int_equal(exists("checkpoints/%s.0.ckpt", id), 0);
    assert_int_equal(exists("checkpoints/%s.1.ckpt", id), 0);
    assert_int_equal(
        exists("checkpoints/%s.0.ckpt", "00112233445566"), 1);
    assert_int_equal(exists("checkpoints/%s.0.ckpt", neighbour), 1);
    free(neighbour);
}

static void bad_note(void **state)
{
    struct cell_status status;

    (void)state;
    char *note = str_format("failed/%s.json", id);

    append(note, "{\"class\": 3}");
    free(note);
    assert_int_equal(store_status(store, id, &status), ERR_STORE);
    assert_non_null(strstr(err_last(), ".json:"));
}

static void listed(void **state)
{
    static const char *const name[] = {"cc", "aa", "bb"};
    const char **list;
    int n;

    (void)state;
    for (int i = 0; i < 3; i++)
        assert_int_equal(write_cell(made_id(name[i]), 1), OK);
    append("cells/00000000000000dd.h5.123.tmp", "half");
    assert_int_equal(store_list(store, &list, &n), OK);
    assert_int_equal(n, 3);
    for (int i = 1; i < n; i++)
        assert_true(strcmp(list[i - 1], list[i]) < 0);
    assert_int_equal(store_reindex(store), OK);
    assert_int_equal(store_reindex(store), OK);
    assert_int_equal(exists("index.%s", "h5"), 1);
    assert_int_equal(store_claim(store, "00000000000000dd"), OK);
    assert_int_equal(exists("cells/%s.h5.123.tmp", "00000000000000dd"), 0);
}

/* A cell is replaced by another one, so the size of the index does not
 * change. */
static void stale_index(void **state)
{
    char *path = str_format("%s/cells/%s.h5", folder, id);
    int stale;

    (void)state;
    assert_int_equal(write_cell(id, 1), OK);
    assert_int_equal(store_reindex(store), OK);
    assert_int_equal(store_index_check(store, &stale), OK);
    assert_int_equal(stale, 0);
    assert_int_equal(unlink(path), 0);
    assert_int_equal(write_cell(made_id("next"), 1), OK);
    assert_int_equal(store_index_check(store, &stale), OK);
    assert_int_equal(stale, 1);
    free(path);
}

/* ---- journal ---- */

/* Returns 1 if the journal has a line of the cell. */
static int has_line(const char *name, struct journal_line *out)
{
    return journal_find(folder, name, out) == OK;
}

static void torn_line(void **state)
{
    char *path = path_of("journal.tsv"), *text;

    (void)state;
    assert_int_equal(write_cell(made_id("aa"), 5), OK);
    assert_int_equal(store_done(store, made_id("aa"), 1), OK);
    append("journal.tsv", "bb\t0123");
    assert_int_equal(state_of(made_id("aa"), NULL), CELL_DONE);
    assert_int_equal(write_cell(made_id("cc"), 5), OK);
    assert_int_equal(store_done(store, made_id("cc"), 1), OK);
    assert_int_equal(file_read(&text, NULL, path), OK);
    assert_null(strstr(text, "\nbb\t"));
    assert_int_equal(state_of(made_id("aa"), NULL), CELL_DONE);
    assert_int_equal(state_of(made_id("cc"), NULL), CELL_DONE);
    free(text);
    free(path);
}

static void date(const char *path, time_t when)
{
    struct timespec t[2] = {{when, 0}, {when, 0}};

    assert_int_equal(utimensat(AT_FDCWD, path, t, 0), 0);
}

static const char head[] =
    "#synthbench store 1: id, SHA-256, bytes, seconds, date, check\n";

#define A64 "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
#define AN_ID "00000000000000aa"
#define A_DATE "2026-11-29T13:42:17Z"

/* Lines whose check is right, but not a field. */
static void wrong_fields(void **state)
{
    static const char *const wrong[] = {
        "00000000000000AA\t" A64 "\t10\t1.000\t" A_DATE,
        AN_ID "0\t" A64 "\t10\t1.000\t" A_DATE,
        AN_ID "\t" A64 "a\t10\t1.000\t" A_DATE,
        AN_ID "\t" A64 "\tten\t1.000\t" A_DATE,
        AN_ID "\t" A64 "\t10\tnan\t" A_DATE,
        AN_ID "\t" A64 "\t10\t-1.000\t" A_DATE,
        AN_ID "\t" A64 "\t10\t1e15\t" A_DATE,
        AN_ID "\t" A64 "\t10\t1.000\t2026-11-29T13:42:17",
        AN_ID "\taaaa\t10\t1.000\t" A_DATE,
        AN_ID "\t--\t10\t1.000\t" A_DATE,
        AN_ID "\t" A64 "\t10\t1.000"};
    OWNED(free) char *path = path_of("journal.tsv");
    struct journal_line line;
    char hex[HASH_HEX];

    (void)state;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        hash_sha256(wrong[i], strlen(wrong[i]), hex);
        OWNED(free) char *text = str_format("%s%s\t%.8s\n", head, wrong[i],
                                            hex);

        assert_int_equal(file_write(path, text, strlen(text)), OK);
        if (journal_read(folder) != 1 || has_line(AN_ID, &line))
            fail_msg("accepted: %s", wrong[i]);
    }
}

static void count_damage(void *arg, int number, const char *name, int unchecked,
                         const char *damage)
{
    (void)number, (void)name, (void)unchecked;
    *(int *)arg += damage != NULL;
}

static void ignore(void *arg, const char *name) { (void)arg, (void)name; }

/* What a journal is that was written or damaged so. `damaged`: the damaged
 * lines, or an error. */
static void beginnings(void **state)
{
    static const struct {
        const char *text;
        size_t      n; /* 0: all */
        int         empty, damaged;
    } journal[] = {
        {"", 0, 1, 0}, /* its writer was killed before it wrote a line */
        {head, 30, 1, 1},
        {head, 61, 1, 1},
        {head, 62, 1, 0},
        {"#synthbench store 1: id, SHA-256, bytes, seconds, date\n", 0, 0, 0},
        {"#synthbench store 1, SHA-256, bytes, seconds, date, check\n", 0, 0,
         1},
        {"#synthbench store 1: id, SHA-256, bytes, seconds, date, check\0x\n",
         64, 0, 1},
        {"#synthbench store 1: id, SHA-256, bytes, seconds, date, checks", 0,
         0, ERR_STORE},
        {"#synthbench storage\n", 0, 0, ERR_STORE}};
    OWNED(free) char *path = path_of("journal.tsv");

    (void)state;
    for (size_t i = 0; i < sizeof journal / sizeof *journal; i++) {
        size_t n = journal[i].n ? journal[i].n : strlen(journal[i].text);
        int damaged = 0;

        assert_int_equal(file_write(path, journal[i].text, n), OK);
        int rc = journal_check(folder, count_damage, ignore, &damaged);
        if (journal_is_empty(folder) != journal[i].empty ||
            (rc < 0 ? rc : damaged) != journal[i].damaged)
            fail_msg("%zu: %.*s: %d", i, (int)n, journal[i].text,
                     rc < 0 ? rc : damaged);
    }
    assert_int_equal(unlink(path), 0);
    assert_int_equal(journal_is_empty(folder), 1);
    assert_int_equal(mkdir(path, 0700), 0);
    assert_int_equal(journal_is_empty(folder), 0);
}

/* The seconds of a cell come from its file, which is not trusted. */
static void odd_seconds(void **state)
{
    static const double odd[] = {-1, 1e15, 1e300, INFINITY, NAN};
    struct journal_line line = {.bytes = 10, .seconds = 999999999999999};

    (void)state;
    memset(line.sha256, 'a', HASH_HEX - 1);
    assert_int_equal(journal_add(folder, id, &line), OK);
    assert_true(has_line(id, &line));
    assert_true(line.seconds == 999999999999999);
    for (size_t i = 0; i < sizeof odd / sizeof *odd; i++) {
        line.seconds = odd[i];
        assert_int_equal(journal_add(folder, id, &line), OK);
        assert_true(has_line(id, &line));
        assert_true(line.seconds == 0);
    }
}

/* Changes every byte of a line in turn: only that line becomes invalid. */
static void damaged_line(void **state)
{
    char *path = path_of("journal.tsv"), *text;
    size_t n;

    (void)state;
    assert_int_equal(write_cell(made_id("aa"), 1), OK);
    assert_int_equal(write_cell(made_id("bb"), 2), OK);
    assert_int_equal(store_done(store, made_id("aa"), 1), OK);
    assert_int_equal(store_done(store, made_id("bb"), 2), OK);
    assert_int_equal(journal_read(folder), 0);
    assert_int_equal(file_read(&text, &n, path), OK);
    for (size_t at = 0; at < n; at++) {
        char keep = text[at];
        struct store *s;

        text[at] ^= 1 << at % 7;
        assert_int_equal(file_write(path, text, n), OK);
        date(path, (time_t)at); /* a distinct mtime: the file is read again */
        if (store_open(&s, folder, 0) == OK) {
            /* a last line without its end is torn, not damaged */
            assert_true(journal_read(folder) > 0 || at + 1 == n);
            store_close(s);
        } else {
            assert_true(at < 20); /* in the header: the journal is refused */
        }
        text[at] = keep;
    }
    free(text);
    free(path);
}

/* The journal line of one cell is damaged. This cell is still done, because its
 * file is sealed, and so is the other cell. */
static void damaged_line_hides_nothing(void **state)
{
    struct cell_status status;

    (void)state;
    assert_int_equal(write_cell(made_id("aa"), 1), OK);
    assert_int_equal(write_cell(made_id("bb"), 2), OK);
    append("journal.tsv", "aa\t0123\t12\n");
    assert_int_equal(store_done(store, made_id("bb"), 1), OK);
    assert_int_equal(store_status(store, made_id("aa"), &status), OK);
    assert_int_equal(status.state, CELL_DONE);
    assert_int_equal(store_status(store, made_id("bb"), &status), OK);
    assert_int_equal(journal_read(folder), 1);
}

/* Another process repairs the journal and appends more than the damaged line
 * had. The file then has the same inode and has grown, but not at the position
 * up to which it was read. */
static void mended_elsewhere(void **state)
{
    static const char *const more[] = {"cc", "dd", "ee"};
    struct journal_line line = {.bytes = 10, .seconds = 1};
    pid_t child;
    int status;

    (void)state;
    memset(line.sha256, 'a', HASH_HEX - 1);
    append("journal.tsv", "aa\t0123\t12\n");
    assert_int_equal(journal_add(folder, made_id("bb"), &line), OK);
    assert_int_equal(journal_read(folder), 1);
    child = fork();
    if (child == 0) {
        int rc = journal_mend(folder);

        for (int i = 0; i < 3 && rc == OK; i++)
            rc = journal_add(folder, made_id(more[i]), &line);
        _exit(rc != OK);
    }
    waitpid(child, &status, 0);
    assert_int_equal(status, 0);
    assert_int_equal(journal_read(folder), 0);
    assert_int_equal(journal_find(folder, made_id("bb"), &line), OK);
    for (int i = 0; i < 3; i++)
        assert_int_equal(journal_find(folder, made_id(more[i]), &line), OK);
}

/* Sets the journal's text, and its time to `when`. */
static void put_journal(const char *text, time_t when)
{
    OWNED(free) char *path = path_of("journal.tsv");

    assert_int_equal(access(path, F_OK), 0);
    FILE *f = fopen(path, "r+");
    assert_non_null(f);
    assert_int_equal(fputs(text, f) < 0, 0);
    assert_int_equal(ftruncate(fileno(f), (off_t)strlen(text)), 0);
    fclose(f);
    date(path, when);
}

/* The clock of the system has ticks of some milliseconds, so a file that
 * another process rewrites twice in one tick keeps its time. */
static void rewritten_in_a_tick(void **state)
{
    const char *a = made_id("aa"), *b = made_id("bb"), *c = made_id("cc");
    OWNED(free) char *path = path_of("journal.tsv"), *both = NULL;
    struct journal_line line = {.bytes = 10, .seconds = 1};

    (void)state;
    memset(line.sha256, 'a', HASH_HEX - 1);
    assert_int_equal(journal_add(folder, a, &line), OK);
    assert_int_equal(journal_add(folder, b, &line), OK);
    assert_int_equal(journal_add(folder, c, &line), OK);
    assert_int_equal(file_read(&both, NULL, path), OK);
    char *last = strstr(both, c), kept = last[9];
    OWNED(free) char *old = str_format("%.*s%s", (int)(last - both), both,
                                       strstr(both, a));
    /* a complete last line, then another one of the same size */
    old[strlen(both)] = 0;
    put_journal(old, 1000);
    assert_true(has_line(b, &line));
    assert_false(has_line(c, &line));
    put_journal(both, 1000);
    assert_true(has_line(c, &line));
    /* a last line that is not complete, then is */
    last[9] = '?';
    last[strlen(last) - 1] = 'x';
    put_journal(both, 2000);
    assert_false(has_line(c, &line));
    last[9] = kept;
    last[strlen(last) - 1] = '\n';
    put_journal(both, 2000);
    assert_true(has_line(c, &line));
}

/* A cell whose metrics are not finite has diverged, whichever it is. */
static void diverged(void **state)
{
    static const char *const metric[] = {"bleu", "ce", "meteor"};
    static const struct {
        double      value[3];
        const char *says; /* NULL: done */
    } cell[] = {{{1, 2, 3}, NULL},
                {{INFINITY, 2, NAN}, "bleu on the test set is infinite"},
                {{1, 2, NAN}, "meteor on the test set is not a number"}};

    (void)state;
    for (size_t i = 0; i < sizeof cell / sizeof *cell; i++) {
        struct cell_status status;
        struct cell_writer *w;

        assert_int_equal(made_begin(&w, folder, id), OK);
        for (int k = 0; k < 3; k++)
            assert_int_equal(cell_put_metric(w, metric[k], "1", 1, "x",
                                             cell[i].value[k]), OK);
        assert_int_equal(cell_commit(w), OK);
        assert_int_equal(store_done(store, id, 1), OK);
        assert_int_equal(state_of(id, &status),
                         cell[i].says ? CELL_FAILED : CELL_DONE);
        assert_int_equal(store_tried(&status), 1);
        assert_true(!cell[i].says || strstr(status.message, cell[i].says));
    }
}

/* The folder of the cells is lost. */
static void lost_cells(void **state)
{
    OWNED(free) char *cells = path_of("cells");
    struct cell_status status;
    const char **list;
    int n;

    (void)state;
    assert_int_equal(rmdir(cells), 0);
    assert_int_equal(store_list(store, &list, &n), ERR_IO);
    assert_int_equal(store_done(store, id, 1), ERR_IO);
    assert_int_equal(file_write(cells, "x", 1), OK);
    assert_int_equal(store_status(store, id, &status), ERR_STORE);
    assert_non_null(strstr(err_last(), "Not a directory"));
}

/* Creates a file of another kind in place of a cell's file. */
static void put_instead(const char *kind, const char *path)
{
    assert_int_equal(!strcmp(kind, "folder") ? mkdir(path, 0777)
                     : !strcmp(kind, "fifo") ? mkfifo(path, 0666)
                     : !strcmp(kind, "loop") ? symlink(path, path)
                                             : symlink("nowhere", path), 0);
}

static void unreadable(void **state)
{
    static const char *const kind[] = {"folder", "fifo", "loop", "dangling"};
    char *file = str_format("cells/%s.h5", id), *path = path_of(file);
    struct cell_status status;

    (void)state;
    for (int i = 0; i < 4; i++) {
        put_instead(kind[i], path);
        assert_int_equal(store_status(store, id, &status), ERR_STORE);
        assert_non_null(strstr(err_last(), path));
        assert_int_equal(remove(path), 0);
    }
    free(file);
    free(path);
}

/* Writes a cell of the kind `kind` (NULL: trained) that took 7.25 seconds. */
static void write_timed(const char *name, const char *kind)
{
    struct cell_writer *w;

    assert_int_equal(made_begin(&w, folder, name), OK);
    assert_int_equal(cell_put_real(w, "timing", "train_seconds", 7.25), OK);
    if (kind)
        assert_int_equal(cell_put_text(w, "", "kind", kind), OK);
    assert_int_equal(cell_commit(w), OK);
}

/* Adds the name, size and digest of every file in STORE/PART. */
static void add_part(struct text *t, const char *part, struct arena *a)
{
    OWNED(free) char *path = path_of(part);
    const char **name;
    char hex[HASH_HEX];
    struct stat st;

    assert_int_equal(folder_names(&name, path, a), 0);
    for (; *name; name++) {
        const char *file = arena_format(a, "%s/%s", path, *name);

        if (stat(file, &st) || !S_ISREG(st.st_mode))
            continue;
        assert_int_equal(hash_file(file, hex), OK);
        text_format(t, "%s/%s %ld %s\n", part, *name, (long)st.st_size, hex);
    }
}

/* Returns the contents of the store as text, which the caller frees. */
static char *contents(void)
{
    static const char *const part[] = {".", "cells", "claims", "failed",
                                       "checkpoints", "logs"};
    OWNED(arena_free) struct arena *a = arena_new();
    struct text t = {0};

    for (size_t i = 0; i < sizeof part / sizeof *part; i++)
        add_part(&t, part[i], a);
    return t.s;
}

/* The runner was killed after the rename and before it wrote the journal line.
 * Readers report the cell as done, and leave the store as it is. */
static void reading_writes_nothing(void **state)
{
    struct cell_status status;
    struct store *s;

    (void)state;
    write_timed(id, NULL);
    append_to("checkpoints/%s.0.ckpt", id);
    append_to("failed/%s.json", id);
    append("journal.tsv", "torn");
    OWNED(free) char *before = contents();
    assert_int_equal(store_open(&s, folder, 0), OK);
    assert_int_equal(store_status(s, id, &status), OK);
    store_close(s);
    assert_int_equal(status.state, CELL_DONE);
    assert_true(status.seconds == 7.25);
    OWNED(free) char *after = contents();
    assert_string_equal(after, before);
}

static void line_made_good(void **state)
{
    const char *leased = made_id("leased"), *torn = made_id("torn");
    struct cell_status status;
    struct journal_line line;

    (void)state;
    write_timed(id, NULL);
    write_timed(leased, NULL);
    append_to("checkpoints/%s.0.ckpt", id);
    append_to("cells/%s.h5", torn);
    assert_int_equal(store_claim(store, leased), OK);
    assert_int_equal(store_complete(store, NULL), OK);
    assert_int_equal(exists("checkpoints/%s.0.ckpt", id), 0);
    assert_int_equal(exists("claims/%s", id), 0);
    assert_true(has_line(id, &line));
    assert_true(line.seconds == 7.25);
    assert_false(has_line(leased, &line));
    assert_false(has_line(torn, &line));
    append_to("cells/%s.h5", id);
    assert_int_equal(store_status(store, id, &status), ERR_STORE);
    assert_non_null(strstr(err_last(), "synthbench repair"));
}

/* Lines of timings are rebuilt from their files, as those of cells are. */
static void lines_of_timings(void **state)
{
    const char *const repair[] = {"repair", "--store", folder, NULL};
    OWNED(free) char *main = folder, *speed = path_of("speed");
    char *out, *err;
    struct journal_line line;
    struct store *s;

    (void)state;
    assert_int_equal(store_open(&s, speed, 1), OK);
    folder = speed;
    write_timed(id, "speed");
    append("journal.tsv", "a damaged line\n");
    folder = main;
    main = NULL;
    assert_int_equal(program_run(&out, &err, repair), 0);
    assert_non_null(strstr(out, "speed/journal.tsv: line 2 is damaged"));
    assert_int_equal(journal_find(speed, id, &line), OK);
    assert_true(line.seconds == 7.25);
    free(out);
    free(err);
    store_close(s);
}

/* The user removed a cell. A runner trained it again, but died before it wrote
 * the journal line. The old line must not invalidate the new file. */
static void trained_again(void **state)
{
    (void)state;
    assert_int_equal(write_cell(id, 10), OK);
    assert_int_equal(store_done(store, id, 1), OK);
    drop("cells/%s.h5", id);
    assert_int_equal(state_of(id, NULL), CELL_MISSING);
    assert_int_equal(store_claim(store, id), OK);
    assert_int_equal(write_cell(id, 20), OK);
    store_release(store, id);
    assert_int_equal(state_of(id, NULL), CELL_DONE);
}

static void lost_journal(void **state)
{
    struct store *s;

    (void)state;
    assert_int_equal(write_cell(id, 10), OK);
    assert_int_equal(store_done(store, id, 1), OK);
    drop("%s.tsv", "journal");
    assert_int_equal(store_open(&s, folder, 0), ERR_STORE);
    assert_non_null(strstr(err_last(), "journal.tsv"));
    assert_int_equal(store_open(&s, folder, 1), OK);
    store_close(s);
    assert_int_equal(state_of(id, NULL), CELL_DONE);
}

/* ---- kill -9 ---- */

/* Writes cells until it is killed. Reports the number of each finished cell on
 * `say`. */
static void writer(int round, int say)
{
    for (int i = 0;; i++) {
        int number = 1000 * round + i;
        char *text = str_format("%08d", number);
        const char *name = made_id(text);

        if (store_claim(store, name) || write_cell(name, 64 + 500 * (i % 7)) ||
            store_done(store, name, i))
            _exit(1);
        store_release(store, name);
        if (write(say, &number, sizeof number) != sizeof number)
            _exit(1);
        free(text);
    }
}

static void nap(long us)
{
    struct timespec t = {us / 1000000, us % 1000000 * 1000};

    nanosleep(&t, NULL);
}

/* Kills a child some time after it has started or has finished its first cell.
 * Returns the number of cells that it finished. */
static int kill_one(int round, char done[][9])
{
    int ends[2], number, n = 0, status;
    struct rng_key k = {(uint64_t)getpid(), RNG_TEST, 0, 0};

    assert_int_equal(pipe(ends), 0);
    pid_t child = fork();
    if (child == 0) {
        close(ends[0]);
        writer(round, ends[1]);
    }
    close(ends[1]);
    if (round % 2)
        poll(&(struct pollfd){.fd = ends[0], .events = POLLIN}, 1, -1);
    nap((long)(15000 * rng_uniform(k, (uint64_t)round)));
    kill(child, SIGKILL);
    waitpid(child, &status, 0);
    assert_true(WIFSIGNALED(status));
    while (read(ends[0], &number, sizeof number) == sizeof number)
        snprintf(done[n++], 9, "%08d", number);
    close(ends[0]);
    return n;
}

static void killed(void **state)
{
    enum { ROUNDS = 60, MOST = 20000 };
    static char done[MOST][9];
    const char **list;
    int acknowledged = 0, n;

    (void)state;
    for (int round = 0; round < ROUNDS; round++)
        acknowledged += kill_one(round, done + acknowledged);
    assert_true(acknowledged > 0);
    for (int i = 0; i < acknowledged; i++)
        if (state_of(made_id(done[i]), NULL) != CELL_DONE)
            fail_msg("lost: %s", done[i]);
    assert_int_equal(store_list(store, &list, &n), OK);
    assert_true(n >= acknowledged);
    for (int i = 0; i < n; i++) /* unreported cells are complete, too */
        assert_int_equal(state_of(list[i], NULL), CELL_DONE);
}

/* ---- a full disk ---- */

/* Calls `act` in a child that cannot write beyond `limit` bytes of a file.
 * Returns its exit code. */
static int limited(size_t limit, int (*act)(void))
{
    pid_t child = fork();
    int status;

    if (child == 0) {
        struct rlimit r = {limit, limit};

        signal(SIGXFSZ, SIG_IGN);
        setrlimit(RLIMIT_FSIZE, &r);
        _exit(err_exit_code(act()));
    }
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static int big_cell(void) { return write_cell(id, 20000); }
static int line(void) { return store_done(store, id, 1); }
static int claim(void) { return store_claim(store, id); }

static void full_disk(void **state)
{
    const char **list;
    int n;

    (void)state;
    assert_int_equal(limited(20000, big_cell), -ERR_SPACE);
    assert_int_equal(store_list(store, &list, &n), OK);
    assert_int_equal(n, 0);
    char *cells = path_of("cells");
    assert_int_equal(rmdir(cells), 0); /* no temporary file is left */
    free(cells);
}

static void full_disk_for_line(void **state)
{
    char *path = path_of("journal.tsv"), *before, *after;
    struct stat st;

    (void)state;
    assert_int_equal(write_cell(id, 5), OK);
    assert_int_equal(stat(path, &st), 0);
    assert_int_equal(file_read(&before, NULL, path), OK);
    assert_int_equal(limited((size_t)st.st_size + 20, line), -ERR_SPACE);
    assert_int_equal(file_read(&after, NULL, path), OK);
    assert_string_equal(after, before); /* 20 bytes were written and removed */
    assert_int_equal(state_of(id, NULL), CELL_DONE);
    free(before);
    free(after);
    free(path);
}

static int mend(void) { return journal_mend(folder); }

/* At most the line that was being moved is lost. */
static void full_disk_for_mending(void **state)
{
    enum { LINES = 7 };
    struct journal_line line = {.bytes = 10, .seconds = 1};
    char name[LINES][4];
    struct stat st;

    (void)state;
    memset(line.sha256, 'a', HASH_HEX - 1);
    OWNED(free) char *path = path_of("journal.tsv");
    for (int i = 0; i < LINES; i++) {
        snprintf(name[i], sizeof name[i], "n%d", i);
        assert_int_equal(journal_add(folder, made_id(name[i]), &line), OK);
        if (i == 1)
            append("journal.tsv", "a damaged line\n");
    }
    assert_int_equal(stat(path, &st), 0);
    for (off_t room = st.st_size; room > 0; room -= 97) {
        OWNED(free) char *text = NULL;
        int lost = 0;

        assert_int_equal(file_read(&text, NULL, path), OK);
        limited((size_t)room, mend);
        for (int i = 0; i < LINES; i++)
            lost += !has_line(made_id(name[i]), &line);
        assert_in_range(lost, 0, 1);
        put_journal(text, (time_t)room);
    }
}

static void full_disk_for_claim(void **state)
{
    (void)state;
    assert_int_equal(limited(10, claim), -ERR_SPACE);
    assert_int_equal(exists("claims/%s", id), 0);
    assert_int_equal(store_claim(store, id), OK);
}

int main(void)
{
#define STORE_TEST(name, fn) {name, fn, store_setup, store_teardown, NULL}
    static const struct CMUnitTest tests[] = {
        STORE_TEST("a store is created only on request", no_store),
        STORE_TEST("a newer store and a foreign journal are refused",
                   newer_store),
        STORE_TEST("a cell is missing, running, failed, done", life),
        STORE_TEST("a damaged failure note is refused and named", bad_note),
        STORE_TEST("finished cells are listed in order, partial files are not",
                   listed),
        STORE_TEST("an index of other cells is stale", stale_index),
        STORE_TEST("an incomplete journal line is skipped and replaced",
                   torn_line),
        STORE_TEST("a journal line with a wrong field is ignored",
                   wrong_fields),
        STORE_TEST("a journal is empty, damaged, or none of ours",
                   beginnings),
        STORE_TEST("seconds that no line can have are 0", odd_seconds),
        STORE_TEST("a cell with a metric that is not finite has diverged",
                   diverged),
        STORE_TEST("a store without its cells is refused", lost_cells),
        STORE_TEST("a flipped bit anywhere in the journal is found",
                   damaged_line),
        STORE_TEST("a journal that another process mended is read again",
                   mended_elsewhere),
        STORE_TEST("a journal that another process rewrote in one tick of the "
                   "clock is read again", rewritten_in_a_tick),
        STORE_TEST("a damaged journal line hides no cell",
                   damaged_line_hides_nothing),
        STORE_TEST("anything but a readable file counts as a damaged cell",
                   unreadable),
        STORE_TEST("a cell without its journal line is done, and reading it "
                   "changes no file", reading_writes_nothing),
        STORE_TEST("a cell without its journal line gets one", line_made_good),
        STORE_TEST("repair gives a timing its line in the journal again",
                   lines_of_timings),
        STORE_TEST("a removed cell can be trained again", trained_again),
        STORE_TEST("a lost journal is rebuilt from the cells", lost_journal),
        STORE_TEST("kill -9 at any time loses no finished cell", killed),
        STORE_TEST("a full disk fails the cell and leaves no part of it",
                   full_disk),
        STORE_TEST("a full disk leaves the journal as it was",
                   full_disk_for_line),
        STORE_TEST("a full disk costs a journal that is mended one line at "
                   "most", full_disk_for_mending),
        STORE_TEST("a full disk leaves no partial lease", full_disk_for_claim),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
