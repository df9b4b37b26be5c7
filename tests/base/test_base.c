#include "harness/base/arena.h"
#include "harness/base/array.h"
#include "harness/base/clock.h"
#include "harness/base/err.h"
#include "harness/base/file.h"
#include "harness/base/hash.h"
#include "harness/base/json.h"
#include "harness/base/map.h"
#include "harness/base/stage.h"
#include "harness/base/str.h"
#include "tests/support/scratch.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- array ---- */

static void lists_grow(void **state)
{
    size_t cap = 0, grown = 0;
    int *list = NULL, n = 0;

    (void)state;
    while (n < 100000) {
        size_t before = cap;

        ARRAY_ROOM(list, n, cap);
        grown += cap != before;
        assert_true((size_t)n < cap);
        list[n] = n;
        n++;
    }
    assert_in_range(grown, 2, 20); /* lists do not grow at each element */
    for (int i = 0; i < n; i++)
        assert_int_equal(list[i], i);
    ARRAY_MORE(list, n, cap, 1000000);
    assert_true(cap >= 1100000);
    assert_int_equal(list[n - 1], n - 1);
    free(list);
}

/* ---- err ---- */

static void errors_keep_message(void **state)
{
    (void)state;
    assert_int_equal(err_set(ERR_DATA, "%s:%d: bad", "a.tsv", 3), ERR_DATA);
    assert_string_equal(err_last(), "a.tsv:3: bad");
    assert_int_equal(err_wrap(ERR_DATA, "task %s", "x"), ERR_DATA);
    assert_string_equal(err_last(), "task x: a.tsv:3: bad");
    err_set(ERR_IO, "<%s>", err_last());
    assert_string_equal(err_last(), "<task x: a.tsv:3: bad>");
}

static void full_disk_is_space(void **state)
{
    static const int full[] = {ENOSPC, EDQUOT, EFBIG, ENOMEM};

    (void)state;
    for (size_t i = 0; i < sizeof full / sizeof *full; i++) {
        errno = full[i];
        assert_int_equal(err_errno(ERR_IO, "f"), ERR_SPACE);
    }
    errno = ENOENT;
    assert_int_equal(err_errno(ERR_IO, "f"), ERR_IO);
    assert_string_equal(err_last(), "f: No such file or directory");
}

static void exit_codes(void **state)
{
    (void)state;
    assert_int_equal(err_exit_code(OK), 0);
    assert_int_equal(err_exit_code(1), 1);
    assert_int_equal(err_exit_code(ERR_USAGE), 2);
    assert_int_equal(err_exit_code(ERR_STORE), 5);
    assert_int_equal(err_exit_code(ERR_BUSY), 6);
    assert_int_equal(err_exit_code(ERR_EMPTY), 7);
    assert_int_equal(err_exit_code(ERR_DATA), 8);
    assert_int_equal(err_exit_code(ERR_SPACE), 9);
    assert_int_equal(err_exit_code(ERR_IO), 9);
    assert_int_equal(err_exit_code(ERR_DIVERGED), 1);
    assert_int_equal(err_exit_code(ERR_STOPPED), 130);
}

/* ---- arena ---- */

static void arena_blocks(void **state)
{
    static const size_t size[] = {1, 63, 64, 65, 0, 70000, 3 << 20, 100,
                                  9 << 20, 5, 11 << 20, 7 << 20};
    enum { BLOCKS = sizeof size / sizeof *size };
    struct arena *a = arena_new();
    unsigned char *p[BLOCKS];

    (void)state;
    for (int i = 0; i < BLOCKS; i++) {
        p[i] = arena_take(a, size[i]);
        assert_int_equal((uintptr_t)p[i] % 64, 0);
        memset(p[i], i, size[i]);
    }
    for (int i = 0; i < BLOCKS; i++)
        for (size_t j = 0; j < size[i]; j++)
            if (p[i][j] != i)
                fail_msg("block %d was written over at %zu", i, j);
    assert_true(arena_peak(a) >= 70000 + (12 << 20));
    arena_free(a);
    arena_free(NULL);
}

static void arena_reuses(void **state)
{
    struct arena *a = arena_new();
    size_t peak = 0;

    (void)state;
    for (int round = 0; round < 5; round++) {
        for (int i = 0; i < 100; i++)
            memset(arena_take(a, 100000), 0xaa, 100000);
        assert_true(round == 0 || arena_peak(a) == peak);
        peak = arena_peak(a);
        arena_reset(a);
    }
    for (int i = 0; i < 4096; i++)
        assert_int_equal(((char *)arena_zero(a, 4096))[i], 0);
    assert_string_equal(arena_text(a, "text"), "text");
    arena_free(a);
}

/* Returns the number of resident pages of this process. */
static long resident(void)
{
    long all, pages = 0;
    FILE *f = fopen("/proc/self/statm", "r");

    if (f && fscanf(f, "%ld %ld", &all, &pages) != 2)
        pages = 0;
    if (f)
        fclose(f);
    return pages;
}

/* Bytes on both sides of the cleared range stay unchanged. */
static void arena_clears(void **state)
{
    static const size_t sizes[] = {0, 1, 100, 5000, 200000, 16 << 20};
    enum { EDGE = 777, ALL = 20 << 20 };
    struct arena *a = arena_new();
    char *p = arena_take(a, ALL);

    (void)state;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        size_t n = sizes[i];

        memset(p, 1, ALL);
        long before = resident();
        arena_clear(p + EDGE, n);
        if (n == 16 << 20)
            assert_true(before - resident() > (12 << 20) / 4096);
        for (size_t j = 0; j < ALL; j++)
            if (p[j] != (j < EDGE || j >= EDGE + n))
                fail_msg("%zu bytes: byte %zu is %d", n, j, p[j]);
    }
    arena_free(a);
}

/* Takes blocks, releases some of them and takes others. Returns the peak size
 * of the arena. */
static size_t gives_back(struct arena *a, char *p[6])
{
    p[0] = arena_take(a, 1000);
    p[1] = arena_take(a, 5000);
    arena_give(a, p[1], 5000);
    arena_give(a, p[0], 1000);
    p[2] = arena_again(a, 2000); /* from the only sufficient block */
    p[3] = arena_again(a, 1000); /* from the smallest sufficient block */
    p[4] = arena_take(a, 2000);  /* never from a spare block */
    p[5] = arena_again(a, 3100); /* larger than any spare block */
    return arena_peak(a);
}

static void arena_spares(void **state)
{
    struct arena *a = arena_new();
    char *p[6];
    size_t want = 1024 + 5056 + 2048 + 3136;

    (void)state;
    assert_int_equal(gives_back(a, p), want);
#ifndef ARENA_DEBUG
    assert_ptr_equal(p[2], p[1]);
    assert_ptr_equal(p[3], p[0]);
    assert_true(p[5] > p[4] && p[4] >= p[1] + 5056);
    assert_ptr_equal(arena_again(a, 3008), p[1] + 2048);
    arena_give(a, p[1], 2000);
    arena_reset(a); /* the arena forgets spare blocks */
    assert_ptr_equal(arena_again(a, 2000), p[0]);
    assert_ptr_equal(arena_again(a, 2000), p[0] + 2048);
#endif
    arena_free(a);
}

static size_t lent;

static void *lend(size_t bytes, size_t block)
{
    assert_true(block <= bytes);
    lent += bytes;
    return aligned_alloc(64, (bytes + 63) / 64 * 64);
}

static void take_back(void *p, size_t bytes)
{
    lent -= bytes;
    free(p);
}

static void arena_of_others(void **state)
{
    static const struct arena_memory memory = {lend, take_back};
    struct arena *a = arena_of(&memory);

    (void)state;
    for (int round = 0; round < 3; round++) {
        for (int i = 0; i < 10; i++)
            memset(arena_take(a, 300000), 0xaa, 300000);
        assert_true(lent == arena_held(a) && lent >= 3000000);
        arena_reset(a);
    }
    arena_free(a);
    assert_int_equal(lent, 0);
}

/* ---- hash ---- */

static void known_digests(void **state)
{
    char hex[HASH_HEX], md5[MD5_HEX];

    (void)state;
    hash_sha256("abc", 3, hex); /* FIPS 180-4 */
    assert_string_equal(hex, "ba7816bf8f01cfea414140de5dae2223"
                             "b00361a396177a9cb410ff61f20015ad");
    struct sha256_ctx *h = hash_new();
    hash_add(h, "a", 1);
    hash_add(h, "", 0);
    hash_add(h, "bc", 2);
    char parts[HASH_HEX];
    hash_end(h, parts);
    assert_string_equal(parts, hex);
    hash_md5("message digest", 14, md5); /* RFC 1321 */
    assert_string_equal(md5, "f96b697d7cb7938d525a2f31aaf161d0");
    assert_true(hash_name("") == 0xcbf29ce484222325u);
    assert_true(hash_name("foobar") == 0x85944171f73967e8u);
}

static void file_digest(void **state)
{
    char *folder = scratch_make(), *path = str_format("%s/f", folder);
    size_t n = 200001;
    char *data = malloc(n), hex[HASH_HEX], want[HASH_HEX];

    (void)state;
    for (size_t i = 0; i < n; i++)
        data[i] = (char)(i * 7);
    assert_int_equal(file_write(path, data, n), OK);
    hash_sha256(data, n, want);
    assert_int_equal(hash_file(path, hex), OK);
    assert_string_equal(hex, want);
    assert_int_equal(hash_file(folder, hex), ERR_IO);
    free(data);
    free(path);
    scratch_remove(folder);
}

/* ---- file ---- */

static void whole_files(void **state)
{
    char *folder = scratch_make(), *deep = str_format("%s/a/b/c", folder);
    char *path = str_format("%s/f", deep), *data;
    size_t n = 300000;
    char *big = calloc(1, n), *got;

    (void)state;
    assert_int_equal(file_mkdirs(deep), OK);
    assert_int_equal(file_mkdirs(deep), OK);
    assert_int_equal(file_write(path, "", 0), OK);
    assert_int_equal(file_read(&data, &n, path), OK);
    assert_int_equal(n, 0);
    assert_string_equal(data, "");
    free(data);
    n = 300000;
    big[n - 1] = 'x';
    assert_int_equal(file_write(path, big, n), OK);
    assert_int_equal(file_read(&got, &n, path), OK);
    assert_int_equal(n, 300000);
    assert_memory_equal(got, big, n);
    assert_int_equal(file_mkdirs(path), ERR_USAGE);
    assert_non_null(strstr(err_last(), path));
    assert_int_equal(file_read(&data, NULL, deep), ERR_IO);
    assert_null(data);
    assert_int_equal(file_exists(path), 1);
    assert_int_equal(unlink(path), 0);
    assert_int_equal(rmdir(deep), 0); /* no temporary file is left */
    free(got);
    free(big);
    free(path);
    free(deep);
    scratch_remove(folder);
}

/* Processes in other containers can have the same pid. */
static void a_process_of_the_same_number_keeps_its_file(void **state)
{
    char *folder = scratch_make(), *path = str_format("%s/f", folder), *data;
    char *theirs = str_format("%s.%ld.tmp", path, (long)getpid());
    char *mine = file_temporary(path), *again = file_temporary(path);
    char *end = str_format(".%ld.tmp", (long)getpid());

    (void)state;
    assert_string_not_equal(mine, again);
    assert_int_equal(strspn(mine + strlen(path) + 1, "0123456789abcdef"), 8);
    assert_string_equal(mine + strlen(path) + 1 + 8, end);
    assert_int_equal(file_write(theirs, "half", 4), OK);
    assert_int_equal(file_write(path, "mine", 4), OK);
    assert_int_equal(file_read(&data, NULL, theirs), OK);
    assert_string_equal(data, "half");
    free(data);
    free(end);
    free(mine);
    free(again);
    free(theirs);
    free(path);
    scratch_remove(folder);
}

/* Writes in a child that cannot write beyond `limit` bytes of a file. */
static int write_limited(const char *path, size_t limit)
{
    pid_t child = fork();
    int status;

    if (child == 0) {
        struct rlimit r = {limit, limit};
        char data[8192] = {0};

        signal(SIGXFSZ, SIG_IGN);
        setrlimit(RLIMIT_FSIZE, &r);
        _exit(err_exit_code(file_write(path, data, sizeof data)));
    }
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void full_disk(void **state)
{
    char *folder = scratch_make(), *path = str_format("%s/f", folder), *data;

    (void)state;
    assert_int_equal(file_write(path, "old", 3), OK);
    assert_int_equal(write_limited(path, 4096), -ERR_SPACE);
    assert_int_equal(file_read(&data, NULL, path), OK);
    assert_string_equal(data, "old");
    assert_int_equal(unlink(path), 0);
    assert_int_equal(rmdir(folder), 0); /* no temporary file is left */
    free(data);
    free(path);
    free(folder);
}

/* An output file is replaced as by the shell's >: a device stays a device, a
 * link stays a link. */
static void outputs(void **state)
{
    char *folder = scratch_make(), *path = str_format("%s/f", folder), *data;
    char *link = str_format("%s/link", folder);
    char *none = str_format("%s/none/f", folder);
    char *pipe = str_format("%s/pipe", folder);
    struct stat st;

    (void)state;
    assert_int_equal(symlink("f", link), 0);
    assert_int_equal(file_output(link, "new", 3), OK);
    assert_int_equal(file_read(&data, NULL, path), OK);
    assert_string_equal(data, "new");
    assert_int_equal(lstat(link, &st), 0);
    assert_true(S_ISLNK(st.st_mode));
    assert_int_equal(mkfifo(pipe, 0600), 0);
    int fd = open(pipe, O_RDWR);
    assert_int_equal(file_output(pipe, "new", 3), OK);
    assert_int_equal(read(fd, &st, sizeof st), 3);
    assert_int_equal(lstat(pipe, &st), 0);
    assert_true(S_ISFIFO(st.st_mode));
    close(fd);
    assert_int_equal(unlink(link), 0);
    assert_int_equal(symlink("/dev/full", link), 0);
    assert_int_equal(file_output(link, "x", 1), ERR_SPACE);
    assert_int_equal(file_output(folder, "x", 1), ERR_USAGE);
    assert_int_equal(file_output(none, "x", 1), ERR_USAGE);
    free(data);
    free(pipe);
    free(none);
    free(link);
    free(path);
    scratch_remove(folder);
}

static void names(void **state)
{
    char *folder = scratch_make(), *path = str_format("%s/f", folder);
    char *loop = str_format("%s/loop", folder);

    (void)state;
    assert_int_equal(file_named(path, 0), ERR_USAGE);
    assert_int_equal(file_exists(path), 0);
    assert_int_equal(file_write(path, "", 0), OK);
    assert_int_equal(file_named(path, 0), OK);
    assert_int_equal(file_named(path, 1), ERR_USAGE);
    assert_int_equal(file_named(folder, 1), OK);
    assert_int_equal(file_named(folder, 0), ERR_USAGE);
    assert_int_equal(symlink("loop", loop), 0);
    assert_int_equal(file_named(loop, 0), ERR_USAGE);
    assert_int_equal(file_exists(loop), 1); /* its state is unknown */
    free(loop);
    free(path);
    scratch_remove(folder);
}

/* ---- json ---- */

static void nothing_is_lost(void **state)
{
    json_t *j = json_pack("{s:s, s:s, s:f, s:[i,n,b], s:s?, s:s*, s:o*, s:{}}",
                          "bytes", "a\xff\xc3", "text", "\xc3\xa9", "real",
                          (double)NAN, "list", 1, 1, "none", NULL, "left",
                          NULL, "out", NULL, "empty");

    (void)state;
    OWNED(json_decref) json_t *own = json_integer(4), *more = json_pack(
        "[I,w,w,O,o,o?]", (json_int_t)1 << 40, 3.0, 2.5, own, json_true(),
        NULL);
    OWNED(free) char *list = json_dumps(more, JSON_COMPACT);
    assert_string_equal(list, "[1099511627776,3,2.5,4,true,null]");
    json_object_set_new(j, "k\xff", json_string(NULL));
    json_object_set_new(j, "far", json_real(HUGE_VAL));
    char *s = json_dumps(j, JSON_COMPACT);
    assert_string_equal(
        s, "{\"bytes\":\"a\xef\xbf\xbd\xef\xbf\xbd\",\"text\":\"\xc3\xa9\","
        "\"real\":null,\"list\":[1,null,true],\"none\":null,\"empty\":{},"
        "\"k\xef\xbf\xbd\":null,\"far\":null}");
    free(s);
    json_decref(j);
}

/* ---- map ---- */

static void strings_are_numbered(void **state)
{
    struct map *m = map_of_copies();
    char s[16];

    (void)state;
    for (int life = 0; life < 2; life++) {
        for (int pass = 0; pass < 2; pass++)
            for (int i = 0; i < 5000; i++) {
                int n = snprintf(s, sizeof s, "w%d", i);

                assert_int_equal(map_number(m, s, (size_t)n), i);
            }
        assert_int_equal(map_find(m, "w4999", 5), 4999);
        assert_int_equal(map_find(m, "w49990", 5), 4999);
        assert_int_equal(map_find(m, "w5000", 5), -1);
        assert_int_equal(map_number(m, "", 0), 5000);
        assert_int_equal(map_count(m), 5001);
        map_clear(m);
        assert_int_equal(map_find(m, "w1", 2), -1);
        assert_int_equal(map_count(m), 0);
    }
    map_free(m);
}

static void strings_have_numbers(void **state)
{
    struct map *m = map_new();
    char key[5000][16];

    (void)state;
    for (int i = 0; i < 5000; i++) {
        snprintf(key[i], sizeof key[i], "key %d", i);
        assert_int_equal(map_add(m, key[i], 7 - i), 1);
        assert_int_equal(map_add(m, key[i], -5), 0);
    }
    for (int i = 0; i < 5000; i++)
        assert_int_equal(map_get(m, key[i], 9), 7 - i);
    assert_int_equal(map_get(m, "key", 9), 9);
    map_free(m);
}

/* Room at least doubles, but not beyond the most that may be counted. */
static void room_of_lists(void **state)
{
    static const struct { size_t room, n, more, most, want; } is[] = {
        {0, 0, 1, 1000, 16}, {0, 0, 17, 1000, 17}, {16, 16, 1, 1000, 32},
        {12, 12, 1, 20, 20}, {20, 12, 8, 20, 20}, {10, 10, 1, 20, 20},
        {9, 9, 30, 1000, 39}};

    (void)state;
    for (size_t i = 0; i < sizeof is / sizeof *is; i++) {
        size_t room = is[i].room;
        void *list = array_grow(NULL, is[i].n, &room, is[i].more, 3,
                                is[i].most);

        assert_int_equal(room, is[i].want);
        memset(list, 1, 3 * room);
        free(list);
    }
}

/* Among so many strings, some have the same hash of 32 bits. */
static void strings_of_one_hash(void **state)
{
    enum { MANY = 200000 };
    struct map *m = map_of_copies();
    char s[16];

    (void)state;
    for (int pass = 0; pass < 2; pass++)
        for (int i = 0; i < MANY; i++) {
            int n = snprintf(s, sizeof s, "%d", i);

            if (map_number(m, s, (size_t)n) != i)
                fail_msg("%d has the number of another string", i);
        }
    map_free(m);
}

/* ---- str ---- */

static void nearest(void **state)
{
    static const char *const names[] = {"vanilla", "dense", "random",
                                        "factorized-random", NULL};

    (void)state;
    assert_string_equal(str_nearest("vanila", names), "vanilla");
    assert_string_equal(str_nearest("ramdon", names), "random");
    assert_string_equal(str_nearest("factorised-random", names),
                        "factorized-random");
    assert_null(str_nearest("linformer", names));
    assert_string_equal(str_nearest("dens", names), "dense");
}

static void integers(void **state)
{
    static const char *const wrong[] = {"", " 1", "\t1", "1 ", "+1", "1.0",
                                        "0x10", "1e3", "a", "-", "--1",
                                        "9223372036854775808"};
    long long v;

    (void)state;
    assert_int_equal(str_to_int("-9223372036854775807", &v), 0);
    assert_true(v == -9223372036854775807LL);
    assert_int_equal(str_to_int("0", &v), 0);
    assert_true(v == 0);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        if (str_to_int(wrong[i], &v) == 0)
            fail_msg("'%s' was taken for %lld", wrong[i], v);
}

static void reals(void **state)
{
    static const char *const wrong[] = {"", " 1", "1 ", "inf", "-inf", "nan",
                                        "-nan", "0x1p3", "1,5", "1e400", "-",
                                        "1.2.3", "+1"};
    double v;

    (void)state;
    assert_int_equal(str_to_real("-1.5e-3", &v), 0);
    assert_true(v == -1.5e-3);
    assert_int_equal(str_to_real(".5", &v), 0);
    assert_true(v == .5);
    assert_int_equal(str_to_real("7", &v), 0);
    assert_true(v == 7);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        if (str_to_real(wrong[i], &v) == 0)
            fail_msg("'%s' was taken for %g", wrong[i], v);
}

static void real_texts(void **state)
{
    static const char *const texts[] = {
        "1", "0.03", "0.1", "1e-09", "-2.5", "0.3333333333333333",
        "0.30000000000000004", "1.7976931348623157e+308"};
    char s[32];
    double x;

    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        assert_int_equal(str_to_real(texts[i], &x), 0);
        assert_string_equal(str_real(x, s), texts[i]);
    }
}

static void durations(void **state)
{
    char s[32];

    (void)state;
    assert_string_equal(str_duration(0.2, s), "0 s");
    assert_string_equal(str_duration(59.4, s), "59 s");
    assert_string_equal(str_duration(59.6, s), "1 min 00 s");
    assert_string_equal(str_duration(185, s), "3 min 05 s");
    assert_string_equal(str_duration(3720, s), "1 h 02 min");
    assert_string_equal(str_duration(359999, s), "99 h 59 min");
    assert_string_equal(str_duration(1e7, s), "116 days");
    assert_string_equal(str_duration(NAN, s), "0 s");
}

/* ---- stage ---- */

/* Returns what stage_show writes to stderr, after `seconds` of work. */
static char *stage_says(double seconds)
{
    char *folder = scratch_make();
    OWNED(free) char *path = str_format("%s/err", folder);
    struct stage s = {.what = "reading cells"};
    char *text = NULL;
    pid_t child = fork();

    if (!child) {
        if (!freopen(path, "w", stderr))
            _exit(1);
        s.began = clock_seconds() - seconds;
        stage_show(&s, 3, 9);
        stage_show(&s, 4, 9); /* soon after the line before */
        stage_end(&s);
        fflush(stderr);
        _exit(0);
    }
    waitpid(child, NULL, 0);
    assert_int_equal(file_read(&text, NULL, path), OK);
    scratch_remove(folder);
    return text;
}

static void stages(void **state)
{
    OWNED(free) char *soon = stage_says(1), *late = stage_says(6);

    (void)state;
    assert_string_equal(soon, "");
    assert_string_equal(late, "synthbench: reading cells: 3 of 9\n");
}

static void hash_parts(void **state)
{
    char part[HASH_HEX], all[HASH_HEX], want[HASH_HEX];
    static const char text[] = "a text that is longer than one block of "
                               "SHA-256, which has sixty-four bytes";

    (void)state;
    for (size_t n = 0; n < sizeof text; n++) {
        hash_sha256_of_part(text, n, sizeof text, part, all);
        hash_sha256(text, n, want);
        assert_string_equal(part, want);
        hash_sha256(text, sizeof text, want);
        assert_string_equal(all, want);
    }
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        {"work that takes long says how far it is, once", stages, NULL, NULL,
         NULL},
        {"the digests of a part and of the whole, in one pass", hash_parts,
         NULL, NULL, NULL},
        {"a list grows and keeps what it has", lists_grow, NULL, NULL, NULL},
        {"an error keeps its message and takes a context in front",
         errors_keep_message, NULL, NULL, NULL},
        {"a full disk is ERR_SPACE whatever the caller said",
         full_disk_is_space, NULL, NULL, NULL},
        {"error codes map to the exit codes of the program", exit_codes, NULL,
         NULL, NULL},
        {"arena blocks are aligned and do not overlap", arena_blocks, NULL,
         NULL, NULL},
        {"an arena takes again what was given back", arena_spares, NULL, NULL,
         NULL},
        {"an arena's memory is another's, who gets all of it back",
         arena_of_others, NULL, NULL, NULL},
        {"an arena that was reset allocates nothing new", arena_reuses, NULL,
         NULL, NULL},
        {"what is cleared is zeros, and no memory", arena_clears, NULL, NULL,
         NULL},
        {"digests agree with the published ones", known_digests, NULL, NULL,
         NULL},
        {"the digest of a file is that of its bytes", file_digest, NULL, NULL,
         NULL},
        {"whole files are written and read, folders made", whole_files, NULL,
         NULL, NULL},
        {"what a process of the same number is writing stays as it is",
         a_process_of_the_same_number_keeps_its_file, NULL, NULL, NULL},
        {"a full disk leaves the old file and no other", full_disk, NULL, NULL,
         NULL},
        {"-o writes through links and into pipes, as the shell does", outputs,
         NULL, NULL, NULL},
        {"a wrong name is told from a machine that refuses", names, NULL, NULL,
         NULL},
        {"JSON loses no byte, number or key", nothing_is_lost, NULL, NULL,
         NULL},
        {"a map numbers strings in the order of first sight, of copies",
         strings_are_numbered, NULL, NULL, NULL},
        {"the room of a list doubles up to its most", room_of_lists, NULL,
         NULL, NULL},
        {"a map tells strings of one hash apart", strings_of_one_hash, NULL,
         NULL, NULL},
        {"a map keeps the number that a string was given",
         strings_have_numbers, NULL, NULL, NULL},
        {"the nearest name is found, a far one is not", nearest, NULL, NULL,
         NULL},
        {"an integer is read whole or not at all", integers, NULL, NULL, NULL},
        {"a real is read whole, finite, or not at all", reals, NULL, NULL,
         NULL},
        {"a real is written in the fewest digits that read back to it",
         real_texts, NULL, NULL, NULL},
        {"durations are printed for people", durations, NULL, NULL, NULL},
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
