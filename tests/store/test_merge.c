/* Merged stores: the result depends only on the set of stores, and different
 * bits under one id are never ignored. */
#include "harness/base/err.h"
#include "harness/base/file.h"
#include "harness/base/folder.h"
#include "harness/base/hash.h"
#include "harness/base/str.h"
#include "harness/base/text.h"
#include "harness/store/cell.h"
#include "harness/store/frozen.h"
#include "harness/store/journal.h"
#include "harness/store/merge.h"
#include "tests/support/untrained_cells.h"
#include "tests/support/store_fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define PUT(call) \
    do { if (call) fail_msg("%s", err_last()); } while (0)

static struct arena *memory;

static const char *at(const char *name)
{
    return arena_format(memory, "%s/%s", folder, name);
}

/* Replaces libc's rename: another merge creates `rival` first. */
static const char *rival;
static int rival_is_file;

int rename(const char *from, const char *to)
{
    if (rival && !strcmp(to, rival)) {
        rival = NULL;
        if (!rival_is_file)
            mkdir(to, 0777);
        const char *file = rival_is_file ? to
                                         : arena_format(memory, "%s/mine", to);
        close(open(file, O_WRONLY | O_CREAT, 0666));
    }
    return renameat(AT_FDCWD, from, AT_FDCWD, to);
}

/* ---- stores made without training ---- */

/* Writes a cell with this loss and this training time. */
static void cell(const char *name, const char *what, double loss, double took,
                 const char *weights)
{
    const char *path = at(name), *id_of = made_id(what);
    struct cell_writer *w;
    struct store *s;

    PUT(store_open(&s, path, 1));
    PUT(made_begin(&w, path, id_of));
    PUT(cell_put_real(w, "timing", "train_seconds", took));
    PUT(cell_put_array(w, "curves/train/loss", "nats/token", &loss, 1));
    if (weights)
        PUT(cell_put_text(w, "weights", "file_sha256", weights));
    PUT(cell_commit(w));
    PUT(store_done(s, id_of, took));
    store_close(s);
}

static void failure(const char *name, const char *what, const char *class,
                    const char *why)
{
    struct store *s;

    PUT(store_open(&s, at(name), 1));
    PUT(store_fail(s, made_id(what), class, why, 1));
    store_close(s);
}

static void experiment(const char *name, const char *experiment_name,
                       const char *const what[], int older)
{
    const char *lists[] = {name, "d", NULL};
    struct frozen f = {.name = experiment_name, .title = name, .file = name,
                       .uncompared = lists, .guessed = lists};
    struct frozen_cell list[8];
    struct store *s;

    PUT(store_open(&s, at(name), 1));
    store_close(s);
    for (; what[f.n]; f.n++) {
        list[f.n] = made_frozen(made_id(what[f.n]));
        list[f.n].older = f.n < older;
    }
    f.cell = list;
    PUT(frozen_write(&f, at(name)));
}

#define WHAT(...) ((const char *const[]){__VA_ARGS__, NULL})

static int merge(const char *to, const char *const from[])
{
    const char *path[8] = {NULL};
    struct merged m;
    int n = 0;

    for (; from[n]; n++)
        path[n] = at(from[n]);
    return merge_stores(&m, at(to), path, n);
}

/* ---- contents of a store: its files except locks, with digests ---- */

static void add_folder(struct text *t, const char *store_at, const char *part)
{
    const char **name, *path = arena_format(memory, "%s/%s", store_at, part);
    char hex[HASH_HEX];

    if (folder_names(&name, path, memory))
        return;
    for (; *name; name++) {
        PUT(hash_file(arena_format(memory, "%s/%s", path, *name), hex));
        text_format(t, "%s/%s %s\n", part, *name, hex);
    }
}

static const char *state(const char *name)
{
    static const char *const file[] = {"journal.tsv", "experiment.json",
                                       "index.h5"};
    static const char *const part[] = {"cells", "weights", "failed",
                                       "checkpoints", "claims", "logs"};
    const char *path = at(name);
    struct text t = {0};
    char hex[HASH_HEX];

    for (int i = 0; i < 6; i++)
        add_folder(&t, path, part[i]);
    for (int i = 0; i < 3; i++) {
        const char *one = arena_format(memory, "%s/%s", path, file[i]);

        if (!file_exists(one))
            continue;
        PUT(hash_file(one, hex));
        text_format(&t, "%s %s\n", file[i], hex);
    }
    return text_keep(&t, memory);
}

static int has(const char *name, const char *part, const char *what,
               const char *end)
{
    return file_exists(arena_format(memory, "%s/%s/%s%s", at(name), part,
                                    made_id(what), end));
}

/* Makes three stores that overlap; one of them has failure records. */
static void three(void)
{
    cell("a", "one", 1, 10, NULL);
    cell("a", "two", 2, 20, NULL);
    cell("b", "two", 2, 21, NULL);
    cell("b", "three", 3, 30, NULL);
    cell("c", "two", 2, 22, NULL);
    failure("a", "three", "timeout", "took longer");
    failure("b", "four", "timeout", "took longer");
    failure("c", "four", "diverged", "loss is nan");
    experiment("a", "x", WHAT("one", "two"), 0);
    experiment("b", "x", WHAT("two", "three"), 0);
    experiment("c", "x", WHAT("four", "two"), 2);
}

static void holds_all(void **state_)
{
    static const char *const letter[] = {"a", "b", "c", "d"};
    struct journal_line line;
    struct frozen *f;

    (void)state_;
    three();
    PUT(merge("m", WHAT("a", "b", "c")));
    assert_true(has("m", "cells", "one", ".h5"));
    assert_true(has("m", "cells", "two", ".h5"));
    assert_true(has("m", "cells", "three", ".h5"));
    assert_false(has("m", "failed", "three", ".json"));
    assert_true(has("m", "failed", "four", ".json"));
    PUT(journal_find(at("m"), made_id("three"), &line));
    assert_true(line.seconds == 30);
    PUT(frozen_read(&f, at("m")));
    assert_int_equal(f->n, 4);
    for (int i = 0; i < 4; i++) {
        assert_string_equal(f->uncompared[i], letter[i]);
        assert_string_equal(f->guessed[i], letter[i]);
    }
    assert_null(f->uncompared[4]);
    assert_int_equal(f->cell[1].older, 0);
    assert_string_equal(f->cell[2].id, made_id("four"));
    assert_int_equal(f->cell[2].older, 1);
    /* only store c has an earlier version */
    assert_string_equal(f->cell[3].id, made_id("two"));
    assert_int_equal(f->cell[3].older, 1);
    frozen_close(f);
}

static void any_order(void **state_)
{
    (void)state_;
    three();
    PUT(merge("abc", WHAT("a", "b", "c")));
    PUT(merge("cba", WHAT("c", "b", "a")));
    PUT(merge("bac", WHAT("b", "a", "c")));
    assert_string_equal(state("abc"), state("cba"));
    assert_string_equal(state("abc"), state("bac"));
}

static void by_and_by(void **state_)
{
    (void)state_;
    three();
    PUT(merge("abc", WHAT("a", "b", "c")));
    PUT(merge("ab", WHAT("a", "b")));
    PUT(merge("ab-c", WHAT("ab", "c")));
    PUT(merge("bc", WHAT("c", "b")));
    PUT(merge("a-bc", WHAT("a", "bc")));
    assert_string_equal(state("abc"), state("ab-c"));
    assert_string_equal(state("abc"), state("a-bc"));
}

static void once_or_twice(void **state_)
{
    (void)state_;
    three();
    PUT(merge("m", WHAT("a")));
    PUT(merge("mm", WHAT("m", "m")));
    PUT(merge("maa", WHAT("a", "m", "a")));
    assert_string_equal(state("m"), state("mm"));
    assert_string_equal(state("m"), state("maa"));
}

/* A diverged cell is a result; an unfinished cell is not. */
static void worse_failure_holds(void **state_)
{
    struct cell_status now;
    struct store *s;

    (void)state_;
    three();
    PUT(merge("bc", WHAT("b", "c")));
    PUT(store_open(&s, at("bc"), 0));
    PUT(store_status(s, made_id("four"), &now));
    assert_string_equal(now.class, "diverged");
    store_close(s);
}

static void refused(int code, const char *first, const char *second,
                    const char *words)
{
    assert_int_equal(merge("no", WHAT(first, second)), code);
    if (!strstr(err_last(), at(first)) || !strstr(err_last(), at(second)) ||
        !strstr(err_last(), words))
        fail_msg("'%s' does not name %s, %s and '%s'", err_last(), at(first),
                 at(second), words);
    assert_false(file_exists(at("no")));
}

static void other_bits(void **state_)
{
    (void)state_;
    cell("a", "one", 1, 10, NULL);
    cell("b", "one", 1.0000000000000002, 10, NULL);
    refused(ERR_STORE, "a", "b", made_id("one"));
    refused(ERR_STORE, "a", "b", "curves/train/loss");
}

static void done_and_diverged(void **state_)
{
    (void)state_;
    cell("a", "one", 1, 10, NULL);
    failure("b", "one", "diverged", "loss is nan");
    refused(ERR_STORE, "a", "b", made_id("one"));
    failure("b", "one", "timeout", "took longer");
    PUT(merge("m", WHAT("b", "a")));
    assert_true(has("m", "cells", "one", ".h5"));
}

static void damaged_cells(void **state_)
{
    FILE *f;

    (void)state_;
    cell("a", "one", 1, 10, NULL);
    cell("b", "two", 1, 10, NULL);
    f = fopen(arena_format(memory, "%s/cells/%s.h5", at("b"), made_id("two")),
              "r+b");
    assert_non_null(f);
    fseek(f, 600, SEEK_SET);
    fputc('x', f);
    fclose(f);
    assert_int_equal(merge("no", WHAT("a", "b")), ERR_STORE);
    assert_false(file_exists(at("no")));
}

static void experiments_differ(void **state_)
{
    (void)state_;
    experiment("a", "x", WHAT("one"), 0);
    experiment("b", "y", WHAT("one"), 0);
    refused(ERR_USAGE, "a", "b", "y");
}

/* Experiments that have the same name but different settings cannot share a
 * table. */
static void settings_differ(void **state_)
{
    (void)state_;
    experiment("a", "x", WHAT("one"), 0);
    made_by.recipe = 3;
    experiment("b", "x", WHAT("one"), 0);
    made_by.recipe = 2;
    refused(ERR_USAGE, "a", "b", "one/made/smoke/1");
}

/* Makes a store with these entries in its experiment. */
static void entries(const char *name, struct frozen_cell *cell, int n)
{
    struct frozen f = {.name = "x", .title = "x", .n = n, .cell = cell};
    struct store *s;

    PUT(store_open(&s, at(name), 1));
    store_close(s);
    PUT(frozen_write(&f, at(name)));
}

static const char *labelled(const char *scale, const char *task,
                            const char *variant, long long seed)
{
    return made_cell(&(struct cell_labels){variant, task, scale, seed, 0});
}

/* The id of a cell does not determine the threads, the name of the row, and why
 * the cell is refused. */
static void told_differently(void **state_)
{
    const char *in[][3] = {{"d", "c", "b"}, {"b", "c", "d"}, {"c", "d", "b"}};
    const char *one = labelled("quick", "lm1b", "dense", 7);
    struct frozen_cell cell = made_frozen(one);
    struct frozen *f;

    (void)state_;
    cell.runtime = "{\"threads\":4}";
    cell.refused = "a reason";
    entries("a", &cell, 1);
    cell.runtime = "{\"threads\":2}";
    cell.row = "dense,steps=700";
    entries("b", &cell, 1);
    cell.row = NULL;
    cell.refused = "no such model";
    entries("c", &cell, 1);
    cell.refused = "another reason";
    entries("d", &cell, 1);
    for (int i = 0; i < 3; i++) {
        const char *to = arena_format(memory, "to%d", i);

        PUT(merge(to, WHAT("a", in[i][0], in[i][1], in[i][2])));
        assert_string_equal(state(to), state("to0"));
    }
    PUT(frozen_read(&f, at("to0")));
    assert_int_equal(f->n, 1);
    assert_string_equal(f->cell->runtime, "{\"threads\":2}");
    assert_string_equal(frozen_row(f->cell), "dense");
    assert_string_equal(f->cell->refused, "another reason");
    frozen_close(f);
}

/* Cells are sorted by scale, task, row and seed; those of another version are
 * last, and may have the labels of others. */
static void in_their_places(void **state_)
{
    static const struct {
        const char *scale, *task, *variant;
        long long   seed;
        int         older;
    } want[] = {{"quick", "c4", "random", 2, 0},
                {"quick", "lm1b", "dense", 1, 0},
                {"quick", "lm1b", "dense", 9, 0},
                {"quick", "lm1b", "random", 1, 0},
                {"smoke", "c4", "dense", 1, 0},
                {"quick", "c4", "random", 2, 1}};
    enum { N = sizeof want / sizeof *want };
    struct frozen_cell cell[N];
    struct frozen *f;

    (void)state_;
    for (int i = 0; i < N; i++) {
        made_by.recipe = want[i].older ? 1 : 2;
        cell[i] = made_frozen(labelled(want[i].scale, want[i].task,
                                       want[i].variant, want[i].seed));
        cell[i].older = want[i].older;
    }
    made_by.recipe = 2;
    struct frozen_cell some[] = {cell[4], cell[2], cell[1]};
    struct frozen_cell rest[] = {cell[0], cell[3], cell[1], cell[5]};
    entries("a", some, 3);
    entries("b", rest, 4);
    PUT(merge("m", WHAT("a", "b")));
    PUT(frozen_read(&f, at("m")));
    assert_int_equal(f->n, N);
    for (int i = 0; i < N; i++)
        assert_string_equal(f->cell[i].id, cell[i].id);
    frozen_close(f);
}

static void only_new_folders(void **state_)
{
    (void)state_;
    cell("a", "one", 1, 10, NULL);
    assert_int_equal(merge("a", WHAT("a")), ERR_USAGE);
    assert_int_equal(merge("m", WHAT("a", "nothing")), ERR_EMPTY);
    assert_false(file_exists(at("m")));
    PUT(file_mkdirs(at("m")));
    PUT(merge("m", WHAT("a")));
}

/* The lines of one file differ in their seconds, because that of a store was
 * lost and written again. */
static void lines_differ(void **state_)
{
    OWNED(free) char *bytes = NULL;
    const char *file = arena_format(memory, "cells/%s.h5", made_id("one"));
    struct journal_line line;
    struct store *s;
    size_t n;

    (void)state_;
    cell("a", "one", 1, 10, NULL);
    PUT(store_open(&s, at("b"), 1));
    store_close(s);
    PUT(file_read(&bytes, &n, at(arena_format(memory, "a/%s", file))));
    PUT(file_write(at(arena_format(memory, "b/%s", file)), bytes, n));
    PUT(journal_find(at("a"), made_id("one"), &line));
    line.seconds = 7;
    PUT(journal_add(at("b"), made_id("one"), &line));
    PUT(merge("ab", WHAT("a", "b")));
    PUT(merge("ba", WHAT("b", "a")));
    assert_string_equal(state("ab"), state("ba"));
    PUT(journal_find(at("ab"), made_id("one"), &line));
    assert_true(line.seconds == 7);
}

/* Writes a cell that diverged, as earlier versions did. */
static void diverged_cell(const char *name, const char *what)
{
    struct cell_writer *w;
    struct store *s;

    PUT(store_open(&s, at(name), 1));
    PUT(made_begin(&w, at(name), made_id(what)));
    PUT(cell_put_metric(w, "ce", "nats", -1, "x", INFINITY));
    PUT(cell_commit(w));
    PUT(store_done(s, made_id(what), 1));
    store_close(s);
}

/* Notes of cells that were finished since, or are being trained, are not
 * copied. A store of another program may lack the folder of notes. */
static void notes_that_remain(void **state_)
{
    struct store *s;

    (void)state_;
    cell("a", "one", 1, 10, NULL);
    failure("a", "one", "timeout", "took longer");
    diverged_cell("a", "five");
    failure("a", "five", "timeout", "took longer");
    failure("b", "two", "timeout", "took longer");
    failure("b", "three", "oom", "needs much");
    PUT(store_open(&s, at("b"), 0));
    PUT(store_claim(s, made_id("two")));
    cell("c", "four", 1, 10, NULL);
    assert_int_equal(rmdir(at("c/failed")), 0);
    PUT(merge("m", WHAT("a", "b", "c")));
    store_release(s, made_id("two"));
    store_close(s);
    assert_true(has("m", "cells", "one", ".h5"));
    assert_true(has("m", "cells", "four", ".h5"));
    assert_true(has("m", "cells", "five", ".h5"));
    assert_false(has("m", "failed", "one", ".json"));
    assert_false(has("m", "failed", "two", ".json"));
    assert_true(has("m", "failed", "three", ".json"));
    PUT(file_write(at("c/failed"), "x", 1));
    assert_int_equal(merge("no", WHAT("a", "c")), ERR_STORE);
    assert_non_null(strstr(err_last(), "c/failed"));
}

/* ---- the folder of the new store ---- */

static void folders_beside(void **state_)
{
    (void)state_;
    cell("a", "one", 1, 10, NULL);
    PUT(file_mkdirs(at("a-b"))); /* not in a */
    PUT(merge("a-b/m", WHAT("a")));
    PUT(merge("new/and/deep", WHAT("a")));
    assert_string_equal(state("a-b/m"), state("new/and/deep"));
    PUT(file_write(at("file"), "kept", 4));
    assert_int_equal(merge("file", WHAT("a")), ERR_USAGE);
    assert_non_null(strstr(err_last(), "already exists"));
}

static void leave_folder(const char *name, const char *file)
{
    PUT(file_mkdirs(at(name)));
    if (file)
        PUT(file_write(at(arena_format(memory, "%s/%s", name, file)), "x", 1));
}

/* What killed merges left is removed, what others use is not. */
static void left_by_killed_merges(void **state_)
{
    int ends[2], fd;
    char c;

    (void)state_;
    cell("a", "one", 1, 10, NULL);
    leave_folder("m.5eed0123.99999999.tmp", NULL);
    leave_folder("other.5eed0124.99999999.tmp", "merging");
    leave_folder("n.tmp", NULL);
    leave_folder("m.draft.tmp", "letter");
    leave_folder("m.5eed0125.1.tmp", "merging");
    assert_int_equal(pipe(ends), 0);
    pid_t child = fork();
    if (child == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        _exit(store_lock(&fd, at("m.5eed0125.1.tmp"), "merging") < 0 ||
              write(ends[1], "x", 1) != 1 || pause());
    }
    assert_int_equal(read(ends[0], &c, 1), 1);
    PUT(merge("m", WHAT("a")));
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
    close(ends[0]);
    close(ends[1]);
    assert_false(file_exists(at("m.5eed0123.99999999.tmp")));
    assert_false(file_exists(at("other.5eed0124.99999999.tmp")));
    assert_true(file_exists(at("n.tmp")));
    assert_true(file_exists(at("m.draft.tmp/letter")));
    assert_true(file_exists(at("m.5eed0125.1.tmp/merging")));
    assert_false(file_exists(at("m/merging")));
}

/* Another merge creates the new store at the last moment. */
static void overtaken(void **state_)
{
    static const char *const as[] = {"a folder", "a file"};

    (void)state_;
    cell("a", "one", 1, 10, NULL);
    for (int i = 0; i < 2; i++) {
        const char **name;

        rival = arena_format(memory, "%s/m", folder);
        rival_is_file = i;
        assert_int_equal(merge("m", WHAT("a")), ERR_USAGE);
        assert_non_null(strstr(err_last(), "already exists"));
        assert_true(file_exists(i ? at("m") : at("m/mine")));
        assert_int_equal(folder_names(&name, folder, memory), 0);
        for (; *name; name++)
            if (strstr(*name, ".tmp"))
                fail_msg("%s: %s is left", as[i], *name);
        folder_remove(at("m"));
        unlink(at("m"));
    }
}

/* The weights of a cell are taken from whichever store has them. */
static void weights_go_along(void **state_)
{
    static const char bytes[] = "weights of cell one";
    char hex[HASH_HEX];

    (void)state_;
    hash_sha256(bytes, strlen(bytes), hex);
    cell("a", "one", 1, 10, hex);
    cell("b", "one", 1, 11, hex);
    PUT(file_mkdirs(at("a/weights")));
    PUT(file_mkdirs(at("b/weights")));
    const char *name = arena_format(memory, "weights/%s.h5", made_id("one"));
    PUT(file_write(at(arena_format(memory, "a/%s", name)), "others", 6));
    PUT(file_write(at(arena_format(memory, "b/%s", name)), bytes,
                   strlen(bytes)));
    PUT(merge("m", WHAT("a", "b")));
    PUT(hash_file(at(arena_format(memory, "m/%s", name)), hex));
    char want[HASH_HEX];
    hash_sha256(bytes, strlen(bytes), want);
    assert_string_equal(hex, want);
}

static int setup(void **state_)
{
    memory = arena_new();
    return store_setup(state_);
}

static int teardown(void **state_)
{
    arena_free(memory);
    return store_teardown(state_);
}

#define TEST(f, name) {name, f, setup, teardown, NULL}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(holds_all, "a merged store has the cells of all stores"),
        TEST(any_order, "the order of the stores changes no byte"),
        TEST(by_and_by, "merging in several steps gives the same bytes as "
             "merging at once"),
        TEST(once_or_twice, "a store merged with itself stays the same"),
        TEST(worse_failure_holds, "a diverged cell stays diverged"),
        TEST(other_bits, "different results of one id are refused, and both "
             "stores are named"),
        TEST(done_and_diverged, "a cell that is done in one store and diverged "
             "in another is refused"),
        TEST(damaged_cells,
             "a damaged cell ends the merge, which leaves nothing"),
        TEST(experiments_differ, "stores of two experiments are refused"),
        TEST(settings_differ, "one label with two configurations is refused"),
        TEST(told_differently, "of entries that differ for one id, the same is "
             "kept in any order"),
        TEST(in_their_places, "the cells of all experiments are sorted"),
        TEST(lines_differ, "of lines that differ, the same is kept in any "
             "order"),
        TEST(notes_that_remain, "only the failures of cells that no store has "
             "finished are copied"),
        TEST(folders_beside, "a folder beside a store is not in it"),
        TEST(left_by_killed_merges, "the folders of killed merges are removed"),
        TEST(overtaken, "a merge that is overtaken changes nothing"),
        TEST(only_new_folders, "only a new or empty folder is written"),
        TEST(weights_go_along,
             "the weights of a cell are copied, not those of another result"),
    };

    return cmocka_run_group_tests_name("merge", tests, NULL, NULL);
}
