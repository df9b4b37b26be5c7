/* Paths that are no ordinary files, and names that users give. */
#include "harness/base/arena.h"
#include "harness/base/datadir.h"
#include "harness/base/err.h"
#include "harness/base/file.h"
#include "harness/base/folder.h"
#include "harness/base/hash.h"
#include "harness/base/str.h"
#include "tests/support/scratch.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

static char *folder;

static int setup(void **state)
{
    (void)state;
    folder = scratch_make();
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    scratch_remove(folder);
    return 0;
}

static char *in_folder(const char *name)
{
    return str_format("%s/%s", folder, name);
}

static void has(const char *path, const char *want)
{
    OWNED(free) char *text = NULL;

    assert_int_equal(file_read(&text, NULL, path), OK);
    assert_string_equal(text, want);
}

static void causes(void **state)
{
    static const int of_user[] = {ENOENT, ENOTDIR, EISDIR, EACCES, EPERM,
                                  EROFS, ELOOP, ENAMETOOLONG, EEXIST, ENXIO};
    static const int of_machine[] = {EIO, ENOSPC, EMFILE, EDQUOT, ENOMEM};

    (void)state;
    for (size_t i = 0; i < sizeof of_user / sizeof *of_user; i++)
        assert_int_equal(file_error(of_user[i]), ERR_USAGE);
    for (size_t i = 0; i < sizeof of_machine / sizeof *of_machine; i++)
        assert_int_equal(file_error(of_machine[i]), ERR_IO);
}

/* Makes a socket with this path, which open refuses. */
static void make_socket(const char *path)
{
    struct sockaddr_un at = {.sun_family = AF_UNIX};
    int fd = socket(AF_UNIX, SOCK_STREAM, 0);

    assert_true(strlen(path) < sizeof at.sun_path);
    strcpy(at.sun_path, path);
    assert_int_equal(bind(fd, (struct sockaddr *)&at, sizeof at), 0);
    close(fd);
}

static void no_files(void **state)
{
    OWNED(free) char *path = in_folder("socket"), *data = NULL;
    struct file_map map;
    size_t n = 3;

    (void)state;
    make_socket(path);
    assert_int_equal(file_read(&data, &n, path), ERR_IO);
    assert_non_null(strstr(err_last(), "a pipe, a device or a socket"));
    assert_int_equal(file_map(&map, folder), ERR_IO);
    assert_non_null(strstr(err_last(), "is not a file, but a folder"));
    assert_int_equal(file_read_stream(&data, &n, folder), ERR_IO);
    assert_null(data);
    assert_int_equal(file_output(path, "x", 1), ERR_USAGE);
    assert_int_equal(file_write(folder, "x", 1), ERR_IO);
    assert_int_equal(file_write("/proc/self/x", "x", 1), ERR_IO);
    assert_int_equal(unlink(path), 0);
    assert_int_equal(rmdir(folder), 0); /* no temporary file is left */
}

/* The kernel refuses to read the first page of a process. */
static void files_that_cannot_be_read(void **state)
{
    char *data = NULL, hex[HASH_HEX];

    (void)state;
    assert_int_equal(file_read(&data, NULL, "/proc/self/mem"), ERR_IO);
    assert_null(data);
    assert_int_equal(hash_file("/proc/self/mem", hex), ERR_IO);
    assert_non_null(strstr(err_last(), "/proc/self/mem: cannot be read"));
}

static void nothing_to_map(void **state)
{
    OWNED(free) char *path = in_folder("f");
    struct file_map map = {(const void *)path, 7};

    (void)state;
    assert_int_equal(file_write(path, "", 0), OK);
    assert_int_equal(file_map(&map, path), OK);
    assert_null(map.data);
    assert_int_equal(map.bytes, 0);
    file_unmap(&map);
    assert_int_equal(file_write(path, "some", 4), OK);
    assert_int_equal(file_map(&map, path), OK);
    assert_int_equal(map.bytes, 4);
    assert_memory_equal(map.data, "some", 4);
    file_unmap(&map);
}

/* The file at the end of a chain of links is replaced, or made, with its own
 * permissions; the links stay. */
static void links(void **state)
{
    OWNED(free) char *sub = in_folder("sub"), *file = in_folder("sub/file");
    OWNED(free) char *there = in_folder("there"), *up = in_folder("sub/up");
    struct stat st;

    (void)state;
    assert_int_equal(mkdir(sub, 0777), 0);
    assert_int_equal(symlink("../there", up), 0);
    assert_int_equal(symlink(file, there), 0); /* absolute */
    assert_int_equal(file_output_check(up), 1);
    assert_int_equal(file_output(up, "new", 3), OK);
    has(file, "new");
    assert_int_equal(chmod(file, 0640), 0);
    assert_int_equal(file_output(there, "again", 5), OK);
    has(file, "again");
    assert_int_equal(stat(file, &st), 0);
    assert_int_equal(st.st_mode & 07777, 0640);
    assert_int_equal(lstat(up, &st), 0);
    assert_true(S_ISLNK(st.st_mode));
    assert_int_equal(lstat(there, &st), 0);
    assert_true(S_ISLNK(st.st_mode));
}

static void names_of_no_file(void **state)
{
    OWNED(free) char *behind = in_folder("f/x"), *slash = in_folder("new/");
    OWNED(free) char *path = in_folder("f"), *loop = in_folder("loop");
    OWNED(free) char *made = in_folder("f/x/y");

    (void)state;
    assert_int_equal(file_output("", "x", 1), ERR_USAGE);
    assert_non_null(strstr(err_last(), "'' does not name a file"));
    assert_int_equal(file_output(slash, "x", 1), ERR_USAGE);
    assert_non_null(strstr(err_last(), "new/' does not name a file"));
    assert_int_equal(file_output_check(folder), ERR_USAGE);
    assert_int_equal(file_write(path, "", 0), OK);
    assert_int_equal(file_output(behind, "x", 1), ERR_USAGE);
    assert_int_equal(file_mkdirs(made), ERR_USAGE);
    assert_int_equal(symlink("loop", loop), 0);
    assert_int_equal(file_output(loop, "x", 1), ERR_USAGE);
}

/* What a user who is not root may not do.  access() asks for the real user. */
static void forbidden(void **state)
{
    OWNED(free) char *file = in_folder("file"), *pipe = in_folder("pipe");
    OWNED(free) char *sub = in_folder("sub"), *new = in_folder("sub/new");
    int root = !getuid();

    (void)state;
    assert_int_equal(chmod(folder, 0755), 0);
    assert_int_equal(file_write(file, "old", 3), OK);
    assert_int_equal(chmod(file, 0), 0);
    assert_int_equal(mkfifo(pipe, 0400), 0);
    assert_int_equal(mkdir(sub, 0555), 0);
    if (root)
        assert_int_equal(setreuid(65534, (uid_t)-1), 0);
    int named = file_named(file, 0), output = file_output_check(file);
    int in_pipe = file_output_check(pipe), in_sub = file_output_check(new);
    int is_folder = file_named(sub, 1);
    if (root)
        assert_int_equal(setreuid(0, (uid_t)-1), 0);
    assert_int_equal(named, ERR_USAGE);
    assert_int_equal(output, ERR_USAGE);
    assert_int_equal(in_pipe, ERR_USAGE);
    assert_int_equal(in_sub, ERR_USAGE);
    assert_int_equal(is_folder, OK);
    assert_non_null(strstr(err_last(), "sub/new: Permission denied"));
}

/* ---- folders ---- */

static void nearest_names(void **state)
{
    OWNED(free) char *store = in_folder("results");
    OWNED(free) char *part = in_folder("quick.yaml");
    OWNED(free) char *inside = in_folder("results/experiment.json");
    OWNED(free) char *many = in_folder("resutls//");
    OWNED(free) char *typed = in_folder("quik.yaml"), *bare = in_folder("quik");
    OWNED(free) char *nowhere = in_folder("none/results");
    OWNED(arena_free) struct arena *a = arena_new();

    (void)state;
    assert_int_equal(mkdir(store, 0777), 0);
    assert_int_equal(file_write(inside, "", 0), OK);
    assert_int_equal(file_write(part, "", 0), OK);
    assert_string_equal(folder_nearest(many, "/experiment.json", a), store);
    assert_null(folder_nearest(many, "/other.json", a));
    OWNED(free) char *near = in_folder("quick");
    assert_string_equal(folder_nearest(typed, ".yaml", a), near);
    assert_string_equal(folder_nearest(bare, ".yaml", a), near);
    assert_null(folder_nearest(nowhere, "", a));
    assert_null(folder_nearest("/", "", a));
    assert_string_equal(folder_nearest("/proo", "", a), "/proc");
}

static void temporary_folders(void **state)
{
    OWNED(free) char *before = str_copy(getenv("TMPDIR") ? getenv("TMPDIR")
                                                         : "");
    OWNED(free) char *none = in_folder("none");
    char *made;

    (void)state;
    setenv("TMPDIR", folder, 1);
    assert_int_equal(folder_make(&made, "x"), OK);
    assert_int_equal(strncmp(made, folder, strlen(folder)), 0);
    OWNED(free) char *was = str_copy(made);
    folder_unmake(made);
    assert_false(file_exists(was));
    setenv("TMPDIR", none, 1);
    assert_int_equal(folder_make(&made, "x"), ERR_USAGE);
    assert_non_null(strstr(err_last(), "TMPDIR"));
    assert_null(made);
    setenv("TMPDIR", "/proc", 1);
    assert_int_equal(folder_make(&made, "x"), ERR_IO);
    assert_null(made);
    for (int i = 0; i < 2; i++, unsetenv("TMPDIR")) {
        setenv("TMPDIR", "", i == 0);
        assert_int_equal(folder_make(&made, "x"), OK);
        assert_int_equal(strncmp(made, "/tmp/synthbench-x-", 18), 0);
        folder_unmake(made);
    }
    folder_unmake(NULL);
    if (*before)
        setenv("TMPDIR", before, 1);
}

static void folder_of_data(void **state)
{
    OWNED(free) char *file = in_folder("some.yaml"), *found = NULL;

    (void)state;
    assert_int_equal(file_write(file, "", 0), OK);
    setenv("SYNTHBENCH_DATA", folder, 1);
    assert_int_equal(datadir_find(&found, "some.yaml"), OK);
    assert_string_equal(found, file);
    free(found);
    assert_int_equal(datadir_find(&found, "Makefile"), ERR_DATA);
    assert_null(found);
    assert_non_null(strstr(err_last(), folder));
    setenv("SYNTHBENCH_DATA", "", 1); /* as if it were not set */
    assert_int_equal(datadir_find(&found, "Makefile"), OK);
    free(found);
    assert_int_equal(datadir_find(&found, "some.yaml"), ERR_DATA);
    assert_non_null(strstr(err_last(), "/share/synthbench/some.yaml, "));
    unsetenv("SYNTHBENCH_DATA");
}

#define TEST(f, name) {name, f, setup, teardown, NULL}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(causes, "a wrong name is told from a machine that fails"),
        TEST(no_files, "what is no file is neither read nor replaced"),
        TEST(files_that_cannot_be_read, "a file that cannot be read is told"),
        TEST(folder_of_data, "SYNTHBENCH_DATA alone is searched if it is set"),
        TEST(nothing_to_map, "an empty file is mapped as nothing"),
        TEST(links, "an output goes to the end of its links"),
        TEST(names_of_no_file, "an output needs the name of a file"),
        TEST(forbidden, "what a user may not write or read is refused"),
        TEST(nearest_names, "the nearest name in a folder is found"),
        TEST(temporary_folders, "TMPDIR is used, or told if it is wrong")};

    return cmocka_run_group_tests_name("file", tests, NULL, NULL);
}
