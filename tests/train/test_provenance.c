/* A cell stores the provenance of the build that made it. The values defined
 * here differ from those of this build, so that none matches by accident. */
#define BUILD_COMMIT "0123456789abcdef0123456789abcdef01234567"
static int build_dirty;
#define BUILD_DIRTY build_dirty
#define BUILD_COMPILER "some compiler 7"
#define BUILD_FLAGS "-O7"
#define BUILD_INSTRUCTIONS "other instructions"
#define BUILD_LIBRARIES "other libraries"

#include "harness/train/provenance.c"

#include "harness/report/builds.h"
#include "harness/store/store.h"
#include "tests/support/untrained_cells.h"
#include "tests/support/scratch.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>

static void says(struct cell_reader *r, const char *name, const char *want)
{
    char *is;

    assert_int_equal(cell_get_text(r, "provenance", name, &is), OK);
    assert_string_equal(is, want);
    free(is);
}

/* Writes a cell of a build with this BUILD_DIRTY, and opens it. */
static struct cell_reader *cell_of(int dirty, const char *folder)
{
    struct cell_writer *w;
    struct cell_reader *r;
    struct store *s;

    build_dirty = dirty;
    made_by = (struct made_by){DATA_RECIPE_VERSION, NUMERICS_VERSION};
    const char *id = made_id("cell");
    assert_int_equal(store_open(&s, folder, 1), OK);
    store_close(s);
    assert_int_equal(made_begin(&w, folder, id), OK);
    assert_int_equal(provenance_put(w, NULL, 5), OK);
    assert_int_equal(cell_commit(w), OK);
    assert_int_equal(cell_open(&r, folder, id), OK);
    return r;
}

static void another_build(void **state)
{
    char *folder = scratch_make();
    struct cell_reader *r = cell_of(1, folder);
    long long n;

    (void)state;
    says(r, "commit", BUILD_COMMIT);
    says(r, "compiler", BUILD_COMPILER);
    says(r, "flags", BUILD_FLAGS);
    says(r, "instruction_set_compiler", BUILD_INSTRUCTIONS);
    says(r, "libraries", BUILD_LIBRARIES);
    assert_int_equal(cell_get_int(r, "provenance", "dirty", &n), OK);
    assert_int_equal(n, 1);
    assert_int_equal(cell_get_int(r, "provenance", "threads", &n), OK);
    assert_int_equal(n, 5);
    cell_close(r);
    scratch_remove(folder);
}

static void unknown_tree(void **state)
{
    char *folder = scratch_make();
    struct cell_reader *r = cell_of(-1, folder);
    struct arena *memory = arena_new();
    struct builds all = {.n = 0};
    struct build one;
    long long n;

    (void)state;
    assert_int_equal(cell_get_int(r, "provenance", "dirty", &n), ERR_EMPTY);
    assert_int_equal(build_read(&one, r, memory), OK);
    assert_int_equal(one.dirty, -1);
    builds_add(&all, &one, memory);
    struct relation builds = builds_relation(&all);
    json_t *j = relation_json(&builds, memory);
    assert_true(json_is_null(json_object_get(json_array_get(j, 0), "dirty")));
    assert_string_equal(builds_text(&all, memory), "Cells of commit 0123456 "
                        "(1)");
    json_decref(j);
    arena_free(memory);
    cell_close(r);
    scratch_remove(folder);
}

/* More variables than the text holds: the first of them, and a mark. */
static void many_variables(void **state)
{
    char name[32], out[PROVENANCE_TEXT], want[PROVENANCE_TEXT + 32] = "";
    char **before = environ, *none[] = {NULL};
    size_t n = 0;

    (void)state;
    environ = none;
    for (int i = 0; i < 100; i++) {
        snprintf(name, sizeof name, "OMP_V%03d", (i * 37) % 100);
        setenv(name, "1\t\xc3\xa9", 1);
    }
    setenv("OTHER_VARIABLE", "1", 1);
    provenance_environment(out);
    for (int i = 0; n + strlen(" OMP_V000=1???") + sizeof " ..." <=
                        PROVENANCE_TEXT; i++)
        n += (size_t)sprintf(want + n, "%sOMP_V%03d=1???", i ? " " : "", i);
    strcpy(want + n, " ...");
    assert_memory_equal(out, want, n + sizeof " ...");
    environ = none;
    setenv("GSL_RNG", "x", 1);
    setenv("MALLOC_ARENA_MAX", "2", 1);
    provenance_environment(out);
    environ = before; /* cmocka reads it */
    assert_string_equal(out, "GSL_RNG=x MALLOC_ARENA_MAX=2");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        {"a cell names the build that trained it and says that its tree was "
         "dirty", another_build, NULL, NULL, NULL},
        {"a cell says neither clean nor dirty if git did not answer",
         unknown_tree, NULL, NULL, NULL},
        {"of many variables of the environment, the first are kept",
         many_variables, NULL, NULL, NULL},
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
