/* Which cells a table shows: combinations that are refused, cells of a store
 * that are omitted, and stores without any. */
#include "harness/base/err.h"
#include "harness/base/file.h"
#include "harness/base/str.h"
#include "harness/report/compare.h"
#include "harness/report/report.h"
#include "harness/store/cell.h"
#include "tests/support/untrained_cells.h"
#include "tests/support/scratch.h"
#include "tests/support/fixture_table.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const struct fixture small = {.seeds = 1, .variants = 2, .examples = 50};

static void refuses(const char *store, int code, const char *message)
{
    char *text;

    assert_int_equal(tabled_store(&text, store, "text"), code);
    assert_string_equal(text, "");
    if (!strstr(err_last(), message))
        fail_msg("'%s' does not say '%s'", err_last(), message);
    free(text);
}

/* Checks the message for two cells that cannot be in one table. */
static void puts_together(struct cell_labels a, struct cell_labels b,
                          const char *message)
{
    struct frozen_cell cell[] = {made_frozen(made_cell(&a)),
                                 made_frozen(made_cell(&b))};
    struct frozen f = {.name = "x", .title = "x", .n = 2, .cell = cell};
    char *store = fixture_store(&small);

    assert_int_equal(frozen_write(&f, store), OK);
    refuses(store, ERR_USAGE, message);
    scratch_remove(store);
}

static void bad_experiment(void **state)
{
    struct cell_labels one = {"vanilla", "lm1b", "quick", 1, 0}, other = one;

    (void)state;
    other.scale = "smoke";
    puts_together(one, other, "scale quick and of scale smoke");
    other = one;
    other.synthetic = 1;
    puts_together(one, other, "are both vanilla on lm1b, seed 1");
}

static void shows_damage(const char *store, const char *words)
{
    struct report *r;

    assert_int_equal(report_open(&r, store), OK);
    assert_int_equal(r->damaged, 1);
    assert_int_equal(report_damage(r), err_exit_code(ERR_STORE));
    for (int i = 0; i < r->n; i++)
        if (r->cell[i].damaged) {
            assert_int_equal(r->cell[i].state, CELL_FAILED);
            assert_non_null(strstr(r->cell[i].message, words));
        }
    report_close(r);
}

static void damaged(void **state)
{
    char *store = fixture_store(&small);
    char *path = str_format("%s/cells/%s.h5", store, fixture_id("0111"));
    char *bytes;
    size_t n;

    (void)state;
    assert_int_equal(file_read(&bytes, &n, path), OK);
    bytes[n / 2] ^= 1;
    assert_int_equal(file_write(path, bytes, n), OK);
    shows_damage(store, path);
    assert_int_equal(file_write(path, bytes, n / 3), OK);
    shows_damage(store, path);
    free(bytes);
    free(path);
    scratch_remove(store);
}

static void nothing(void **state)
{
    const struct fixture none = {.seeds = 1, .variants = 0};
    char *folder = scratch_make(), *store = fixture_store(&none);

    (void)state;
    refuses(folder, ERR_EMPTY, "no experiment has been run in this folder");
    refuses(store, ERR_EMPTY, "no cell has a variant and a task of table 2");
    refuses("/no/such/store", ERR_EMPTY, "/no/such/store");
    scratch_remove(folder);
    scratch_remove(store);
}

static void put_cell(struct store *s, const char *store, const char *id,
                     const char *digest, size_t examples)
{
    static const double nll[] = {1, 2, 3, 4};
    struct cell_writer *w;

    assert_int_equal(made_begin(&w, store, id), OK);
    assert_int_equal(cell_put_text(w, "provenance", "data_digest", digest), OK);
    assert_int_equal(cell_put_text(w, "provenance", "data_source", "files"),
                     OK);
    assert_int_equal(
        cell_put_array(w, "examples/test/nll", "nats", nll, examples), OK);
    assert_int_equal(
        cell_put_metric(w, "accuracy", "%", 1, "how", (double)examples), OK);
    assert_int_equal(cell_commit(w), OK);
    assert_int_equal(store_done(s, id, 1), OK);
}

enum { TRIO = 3 };

/* Three variants: one of the paper, one that tables have in addition to the
 * paper's, and one that tables do not have. */
static const char *const variant[] = {"vanilla", "orthogonal",
                                      "dynamic-conv"};
static int first; /* index of the variant that is first in the store */

/* Makes a store with three variants on imdb, in which cell `odd` has other data
 * or is synthetic. */
static char *trio(int odd, const char *digest, size_t examples, int synthetic)
{
    struct frozen_cell cell[TRIO];
    struct frozen all = {.name = "x", .title = "x", .n = TRIO, .cell = cell};
    char *store = scratch_make();
    struct store *s;

    assert_int_equal(store_open(&s, store, 1), OK);
    for (int i = 0; i < TRIO; i++) {
        const char *id = made_cell(&(struct cell_labels){
            variant[(first + i) % TRIO], "imdb", "quick", 1,
            i == odd && synthetic});

        put_cell(s, store, id, i == odd ? digest : "data",
                 i == odd ? examples : 3);
        cell[i] = made_frozen(id);
    }
    assert_int_equal(frozen_write(&all, store), OK);
    store_close(s);
    return store;
}

/* Cells of one task are not comparable if their test data differ. */
static void other_data(void **state)
{
    (void)state;
    tabled = &table_7;
    for (int odd = 0; odd < TRIO; odd++)
        for (int longer = 0; longer < 2; longer++) {
            char *store = longer ? trio(odd, "data", 4, 0)
                                 : trio(odd, "other", 3, 0);

            refuses(store, ERR_STORE,
                    "have different training, validation or test data");
            scratch_remove(store);
        }
    tabled = &table_2;
}

/* Writes examples with a cross-entropy of 1.5. */
static void put_loss(struct store *s, const char *store, const char *id,
                     double ce)
{
    static const double nll[] = {1, 2}, tokens[] = {1, 1};
    struct cell_writer *w;

    assert_int_equal(made_begin(&w, store, id), OK);
    assert_int_equal(cell_put_text(w, "provenance", "data_digest", "d"), OK);
    assert_int_equal(cell_put_text(w, "provenance", "data_source", "files"),
                     OK);
    assert_int_equal(cell_put_array(w, "examples/test/nll", "nats", nll, 2),
                     OK);
    assert_int_equal(cell_put_array(w, "examples/test/tokens", "1", tokens, 2),
                     OK);
    assert_int_equal(cell_put_metric(w, "ce", "nats/token", -1, "how", ce), OK);
    assert_int_equal(cell_commit(w), OK);
    assert_int_equal(store_done(s, id, 1), OK);
}

static void compares(const char *store, const char *a, const char *b, int code)
{
    static const char *const names[] = {"ce", NULL};
    const long long seed[] = {1};
    const struct compare_side x = {store, "x", 1, 0, &a, seed};
    const struct compare_side y = {store, "y", 1, 0, &b, seed};
    struct comparison *c;

    assert_int_equal(compare(&c, &x, &y, names, NULL, 1), code);
    if (code == OK)
        compare_close(c);
    else
        assert_non_null(strstr(err_last(), "its examples give 1.5"));
}

/* If the stored value differs from that of the examples, the examples give no
 * interval and no verdict. */
static void apart(void **state)
{
    struct cell_labels label = {"vanilla", "c4", "quick", 1, 0};
    struct frozen_cell cell[2];
    struct frozen all = {.name = "x", .title = "x", .n = 2, .cell = cell};
    char *store = scratch_make(), *text;
    const char *id[2];
    struct store *s;

    (void)state;
    tabled = &table_4;
    for (int i = 0; i < 2; i++) {
        label.variant = i ? "uniform" : "vanilla";
        id[i] = made_cell(&label);
        cell[i] = made_frozen(id[i]);
    }
    assert_int_equal(frozen_write(&all, store), OK);
    for (int off = -1; off < 2; off++) {
        assert_int_equal(store_open(&s, store, 1), OK);
        for (int i = 0; i < 2; i++)
            put_loss(s, store, id[i], i == off ? 1.65 : 1.5);
        store_close(s);
        compares(store, id[0], id[1], off < 0 ? OK : ERR_STORE);
        if (off >= 0) {
            refuses(store, ERR_STORE, "its examples give 1.5");
        } else {
            assert_int_equal(tabled_store(&text, store, "text"), OK);
            free(text);
        }
    }
    tabled = &table_2;
    scratch_remove(store);
}

/* The cell of the second seed is refused because its model cannot be built. It
 * does not count as lost. */
static void refused_seed(void **state)
{
    struct cell_labels label = {"vanilla", "c4", "quick", 1, 0};
    struct frozen_cell cell[2];
    struct frozen all = {.name = "x", .title = "x", .n = 2, .cell = cell};
    char *store = scratch_make(), *text;
    struct store *s;

    (void)state;
    tabled = &table_4;
    for (; label.seed <= 2; label.seed++)
        cell[label.seed - 1] = made_frozen(made_cell(&label));
    cell[1].refused = "no such model";
    assert_int_equal(store_open(&s, store, 1), OK);
    put_loss(s, store, cell[0].id, 1.5);
    store_close(s);
    assert_int_equal(frozen_write(&all, store), OK);
    assert_int_equal(tabled_store(&text, store, "text"), OK);
    assert_null(strstr(text, "(1/2)"));
    assert_non_null(strstr(text, " 1.500"));
    free(text);
    tabled = &table_2;
    scratch_remove(store);
}

/* One of three cells is synthetic; its position does not matter. */
static void one_synthetic(void **state)
{
    (void)state;
    tabled = &table_7;
    for (int odd = -1; odd < TRIO; odd++) {
        static const char *const mark[] = {
            "Table 7 (SYNTHETIC DATA)", "SYNTHETIC (files) in place of",
            "(SYNTHETIC) acc", ",imdb,1,", "\"synthetic\": true"};
        static const char *const format[] = {"md", "md", "md", "csv", "json"};
        char *store = trio(odd, "data", 3, 1);

        for (int i = 0; i < 5; i++) {
            char *text;

            assert_int_equal(tabled_store(&text, store, format[i]), OK);
            if ((strstr(text, mark[i]) != NULL) != (odd >= 0))
                fail_msg("cell %d of three is synthetic: '%s' in\n%s", odd,
                         mark[i], text);
            free(text);
        }
        scratch_remove(store);
    }
    tabled = &table_2;
}

/* Each variant has the right title at every position in the store. */
static void each_has_a_row(void **state)
{
    static const char *const title[] = {"Transformer", "Orthogonal",
                                        "dynamic-conv"};

    (void)state;
    tabled = &table_7;
    for (first = 0; first < TRIO; first++) {
        char *store = trio(-1, "data", 3, 0), *text;

        assert_int_equal(tabled_store(&text, store, "csv"), OK);
        for (int i = 0; i < TRIO; i++) {
            char *cell = str_format(",%s,%s,0,accuracy,%%,1,3,", variant[i],
                                    title[i]);

            if (!strstr(text, cell))
                fail_msg("%s, the first %s: no '%s' in\n%s", variant[i],
                         variant[first], cell, text);
            free(cell);
        }
        free(text);
        scratch_remove(store);
    }
    first = 0;
    tabled = &table_2;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        {"cells of two scales, and two of one name, are not put in one table",
         bad_experiment, NULL, NULL, NULL},
        {"a damaged cell file counts as failed, with its name", damaged, NULL,
         NULL, NULL},
        {"a store without results says what to run", nothing, NULL, NULL, NULL},
        {"cells tested on different data, or on more of it, are not put in one "
         "table", other_data, NULL, NULL, NULL},
        {"a value a tenth from what its examples give is in no table, no "
         "verdict", apart, NULL, NULL, NULL},
        {"a seed that is refused is not lost", refused_seed, NULL, NULL, NULL},
        {"one synthetic cell marks the table, whichever it is", one_synthetic,
         NULL, NULL, NULL},
        {"each variant has its row, whichever is first", each_has_a_row, NULL,
         NULL, NULL},
    };

    return cmocka_run_group_tests_name("table_cells", tests, NULL, NULL);
}
