/* What the program understands of the output of Slurm's commands.  Each test
 * writes commands that print given lines. */
#include "harness/base/err.h"
#include "harness/base/file.h"
#include "harness/base/str.h"
#include "harness/slurm/script.h"
#include "harness/slurm/spool.h"
#include "tests/support/scratch.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static char *folder;
static struct plan *plan;

static int setup(void **state)
{
    (void)state;
    folder = scratch_make();
    OWNED(free) char *path = str_format("%s:%s", folder, getenv("PATH"));
    OWNED(free) char *scripts = str_format("%s/slurm", folder);
    setenv("PATH", path, 1);
    assert_int_equal(file_mkdirs(scripts), OK);
    plan = plan_new("x", "X", 4);
    plan->store = arena_text(plan->memory, folder);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    plan_close(plan);
    scratch_remove(folder);
    return 0;
}

static void write_text(const char *path, const char *text)
{
    assert_int_equal(file_output(path, text, strlen(text)), OK);
}

/* Makes a command that prints its arguments to FOLDER/asked, and `says`. */
static void command(const char *name, const char *says)
{
    OWNED(free) char *path = str_format("%s/%s", folder, name);
    OWNED(free) char *text = str_format("#!/bin/sh\necho \"$*\" >%s/asked\n"
                                        "cat <<'E'\n%s\nE\n", folder, says);

    write_text(path, text);
    assert_int_equal(chmod(path, 0755), 0);
}

/* ---- squeue ---- */

/* Writes the script of an array of all cells of the plan and of one that it
 * lacks, the third. */
static void write_script(char tag[SCRIPT_TAG])
{
    static const struct cell other = {.id = "00000000000000ff"};
    const struct script_of of = {.program = "/p", .store = folder};
    const struct cell *cell[] = {&plan->cell[0], &plan->cell[1], &other,
                                 &plan->cell[2], &plan->cell[3]};
    const struct batch_array a = {.cell = cell, .n = 5};
    OWNED(text_free) struct text t = {0};

    for (plan->n = 0; plan->n < 4; plan->n++)
        snprintf(plan->cell[plan->n].id, sizeof plan->cell->id, "%016x",
                 0xa0 + plan->n);
    script_write(&t, tag, &a, &of);
    OWNED(free) char *path = script_path(folder, tag);
    write_text(path, t.s);
}

/* Writes a script without cells. */
static void write_empty_script(void)
{
    OWNED(free) char *path = script_path(folder, "0123456789abcdef");

    write_text(path, "#!/bin/sh\nexec false\n");
}

static void other_files_of_the_folder(const char *tag)
{
    static const char *const names[] = {"12_3.log", "0123456789abcdef.log",
                                        "0123.sh", "0123456789abcdefg.sh",
                                        "ghijklmnopqrstuv.sh"};

    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        OWNED(free) char *path = str_format("%s/slurm/%s", folder, names[i]);

        write_text(path, tag);
    }
}

static void is_queued(const struct cell *c, const char *job, const char *state,
                      const char *reason)
{
    assert_non_null(c->queued.job);
    assert_string_equal(c->queued.job, job);
    assert_string_equal(c->queued.state, state);
    assert_string_equal(c->queued.reason, reason);
}

/* Lines of squeue; %s stands for the tag of the script. */
static const char *const queue[] = {
    "synthbench-%s 12 0 PENDING Priority\n",
    "synthbench-%s 12 1 RUNNING None\n",
    "synthbench-%s 13 1 PENDING Dependency\n", /* the other one runs */
    "synthbench-%s 12 2 RUNNING None\n",       /* the plan lacks it  */
    "synthbench-%s 12 3 COMPLETING None\n",
    "synthbench-%s 12 5 RUNNING None\n",       /* beyond the script  */
    "synthbench-%s 12 -1 RUNNING None\n",
    "synthbench-%s 14 4 PENDING Not before\x1b[31m noon\n",
    "synthbench-%s 15 N/A PENDING None\n",
    "synthbench-%.9s 16 3 RUNNING None\n",
    "synthbench-%sf 17 3 RUNNING None\n",
    "synthbench-0123456789abcdef 18 3 RUNNING None\n",
    "synthbench-ffffffffffffffff 19 3 RUNNING None\n",
    "another 20 3 RUNNING None\n"};

static void tasks_of_cells(void **state)
{
    OWNED(text_free) struct text lines = {0};
    struct spool found;
    char tag[SCRIPT_TAG];

    (void)state;
    write_script(tag);
    other_files_of_the_folder(tag);
    write_empty_script();
    for (size_t i = 0; i < sizeof queue / sizeof *queue; i++)
        text_format(&lines, queue[i], tag);
    command("squeue", lines.s);
    assert_int_equal(spool_look(&found, plan), OK);
    is_queued(&plan->cell[0], "12_0", "PENDING", "Priority");
    is_queued(&plan->cell[1], "12_1", "RUNNING", "None");
    assert_null(plan->cell[2].queued.job);
    is_queued(&plan->cell[3], "14_4", "PENDING", "Not before?[31m noon");
    assert_int_equal(found.pending, 2);
    assert_int_equal(found.running, 1);
}

static void names_of_scripts(void **state)
{
    OWNED(free) char *path = str_format("%s/asked", folder), *asked = NULL;
    struct spool found;
    char tag[SCRIPT_TAG];

    (void)state;
    command("squeue", "");
    other_files_of_the_folder("");
    assert_int_equal(spool_look(&found, plan), OK);
    assert_false(file_exists(path)); /* without a script it is not called */
    write_script(tag);
    write_empty_script();
    assert_string_not_equal(tag, "0123456789abcdef");
    int first = strcmp(tag, "0123456789abcdef") < 0;
    OWNED(free) char *wanted = str_format("--noheader --array "
        "--name=synthbench-%s,synthbench-%s --format=%%j %%F %%K %%T %%r\n",
        first ? tag : "0123456789abcdef", first ? "0123456789abcdef" : tag);
    assert_int_equal(spool_look(&found, plan), OK);
    assert_int_equal(file_read(&asked, NULL, path), OK);
    assert_string_equal(asked, wanted);
    assert_int_equal(found.pending + found.running, 0);
}

/* ---- scontrol and sbatch ---- */

static void sizes_of_arrays(void **state)
{
    static const struct { const char *says; int rc, size; } seen[] = {
        {"MaxArraySize            = 1001", OK, 1001},
        {"Before = 3\nMaxArraySize = 2\nAfter = 4", OK, 2},
        {"MaxArraySize = 1", ERR_USAGE, 1},
        {"MaxArraySize = 0", ERR_USAGE, 0},
        {"MaxArraySize = (null)", ERR_DATA, -7},
        {"MaxJobCount = 1001", ERR_DATA, -7},
        {"", ERR_DATA, -7}};

    (void)state;
    for (size_t i = 0; i < sizeof seen / sizeof *seen; i++) {
        int size = -7;

        command("scontrol", seen[i].says);
        assert_int_equal(spool_array_size(&size), seen[i].rc);
        assert_int_equal(size, seen[i].size);
    }
}

static void numbers_of_jobs(void **state)
{
    static const char *const argv[] = {"sbatch", "x.sh", NULL};
    OWNED(free) char *job = NULL;

    (void)state;
    command("sbatch", "4711;cluster");
    assert_int_equal(spool_send(&job, argv), OK);
    assert_string_equal(job, "4711");
    free(job);
    command("sbatch", "Submitted batch job 4712");
    assert_int_equal(spool_send(&job, argv), ERR_DATA);
    assert_null(job);
    assert_non_null(strstr(err_last(), "'Submitted batch job 4712"));
}

#define TEST(f, name) {name, f, setup, teardown, NULL}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(tasks_of_cells, "a task belongs to the cell of its index, and "
             "what runs counts more than what is pending"),
        TEST(names_of_scripts, "squeue is asked for the jobs of all scripts"),
        TEST(sizes_of_arrays, "MaxArraySize is read, and must allow arrays"),
        TEST(numbers_of_jobs, "the number of a job is read, or its lack told"),
    };

    return cmocka_run_group_tests_name("spool", tests, NULL, NULL);
}
