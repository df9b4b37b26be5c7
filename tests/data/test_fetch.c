#include "harness/base/child.h"
#include "harness/base/err.h"
#include "harness/base/file.h"
#include "harness/base/str.h"
#include "harness/data/source/fetch.h"
#include "harness/data/source/manifest.h"
#include "tests/support/scratch.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A stand-in for apt-get. As in apt, `update` puts files into the lists folder
 * that is passed, and `indextargets` prints their names for several suites. */
static const char apt_get[] =
    "#!/bin/sh\n"
    "echo run >> \"$0.log\"\n"
    "for i; do case $i in\n"
    "    Dir::State::Lists=*) lists=${i#*=};;\n"
    "    update|indextargets|download) verb=$i;;\n"
    "    *) last=$i;;\n"
    "esac; done\n"
    "if [ -f \"$0.long\" ]; then cat \"$0.long\"; exit 100; fi\n"
    "if [ -f \"$0.broken\" ]; then echo Err: no route; exit 100; fi\n"
    "if [ -f \"$0.offline\" ]; then echo W: cannot resolve; exit 0; fi\n"
    "if [ $verb = download ]; then\n"
    "    [ \"$last\" != \"$(cat \"$0.lacks\" 2>/dev/null)\" ] || exit 100\n"
    "    echo $last > ${last}_1%3a2_all.deb\n"
    "    ! [ -f \"$0.two\" ] || echo x > another.deb\n"
    "    exit\n"
    "fi\n"
    "[ ! -f \"$0.codename\" ] || release=bookworm\n"
    "target() { # KIND LANGUAGE ORIGIN COMPONENT CODENAME SUITE RELEASE FILE\n"
    "    file=$lists/$5_$4_$8\n"
    "    case $verb.$2 in update.fr) [ -f \"$0.nofr\" ] && return;; esac\n"
    "    if [ $verb = update ]; then echo \"$5 $4 $8\" > \"$file\"\n"
    "    else printf '%s\\t' $1 $2 $3 $4 $5 $6 $7; echo \"$file\"; fi\n"
    "}\n"
    "all() { # ORIGIN COMPONENT CODENAME SUITE RELEASE\n"
    "    target Packages '$(LANGUAGE)' $1 $2 $3 $4 $5 Packages\n"
    "    for l in en de fr; do\n"
    "        target Translations $l $1 $2 $3 $4 $5 Translation-$l\n"
    "    done\n"
    "}\n"
    "all Elsewhere main bookworm stable bookworm\n"
    "all Debian main buster oldstable elsewhere\n"
    "all Debian main bookworm-updates stable-updates bookworm-updates\n"
    "all Debian contrib bookworm stable stable\n"
    "all Debian main bookworm stable ${release-stable}\n"
    "all Debian main bookworm stable ${release-stable}\n"
    "all Debian main trixie testing trixie\n";

enum { APT = 1 << SOURCE_APT };
#define HEX32 "0123456789abcdef0123456789abcdef"
#define HEX64 HEX32 HEX32

/* Stand-ins for the programs that unpack a .deb and fetch from npm's
 * registry. */
static const char dpkg_deb[] =
    "#!/bin/sh\n"
    "case $1 in\n"
    "--showformat) echo \"$(cat \"$4\") 1:2\";;\n"
    "-x) to=$3/usr/share/games/wesnoth/9\n"
    "    mkdir -p \"$to\" && cd \"$to\"\n"
    "    mkdir -p data/campaigns/C/scenarios images locale/de/LC_MESSAGES\n"
    "    echo x > data/campaigns/C/scenarios/1.cfg\n"
    "    echo x > images/y.png\n"
    "    echo x > locale/de/LC_MESSAGES/w.mo;;\n"
    "esac\n";
static const char npm[] =
    "#!/bin/sh\n"
    "[ \"$1\" = pack ] || exit 0\n"
    "mkdir -p package/test/fixtures\n"
    "for n in imdb yelp amazon; do\n"
    "    echo '[]' > package/test/fixtures/$n.json\n"
    "done\n"
    "echo 'for (;;);' > package/test/fixtures/fuzz.js\n"
    "tar -czf sentiment-5.0.2.tgz package\n"
    "rm -r package\n";

static char *folder, *cache, *script, *path_before;

static char *in_folder(const char *name)
{
    return str_format("%s/%s", folder, name);
}

static int program(const char *name, const char *text)
{
    char *path = in_folder(name);
    int rc = file_write(path, text, strlen(text)) | chmod(path, 0755);

    free(path);
    return rc;
}

static int setup(void **state)
{
    (void)state;
    folder = scratch_make();
    cache = in_folder("some cache");
    script = in_folder("apt-get");
    path_before = str_copy(getenv("PATH"));
    char *path = str_format("%s:%s", folder, path_before);
    int rc = program("apt-get", apt_get) | program("dpkg-deb", dpkg_deb) |
             program("npm", npm) | setenv("PATH", path, 1);
    free(path);
    return rc;
}

static int teardown(void **state)
{
    (void)state;
    setenv("PATH", path_before, 1);
    free(path_before);
    free(script);
    free(cache);
    scratch_remove(folder);
    return 0;
}

static void touch(const char *suffix)
{
    char *path = str_format("%s.%s", script, suffix);

    assert_int_equal(file_write(path, "", 0), OK);
    free(path);
}

static size_t runs(void) /* number of apt-get runs */
{
    char *path = str_format("%s.log", script), *text;
    size_t bytes = 0;

    if (file_exists(path)) {
        assert_int_equal(file_read(&text, &bytes, path), OK);
        free(text);
    }
    free(path);
    return bytes / strlen("run\n");
}

static void check_file(const char *name, const char *want)
{
    char *path = str_format("%s/apt/%s", cache, name), *text;

    assert_int_equal(file_read(&text, NULL, path), OK);
    assert_string_equal(text, want);
    free(text);
    free(path);
}

static void fetches(void **state)
{
    struct manifest m;
    char *work = str_format("%s/fetch.new", cache);

    (void)state;
    assert_int_equal(fetch_sources(cache, APT, 0), OK);
    check_file("Packages", "bookworm main Packages\n");
    check_file("Translation-en", "bookworm main Translation-en\n");
    check_file("Translation-de", "bookworm main Translation-de\n");
    check_file("Translation-fr", "bookworm main Translation-fr\n");
    assert_false(file_exists(work));
    assert_int_equal(manifest_open(&m, cache, SOURCE_APT), OK);
    assert_string_equal(m.origin, "Debian bookworm");
    assert_int_equal(m.n, 4);
    assert_int_equal(manifest_verify(&m), OK);
    free(work);
}

/* An index of the release may be named by its codename, be listed twice, or not
 * have been fetched. */
static void other_lists(void **state)
{
    struct manifest m;

    (void)state;
    touch("codename");
    touch("nofr");
    assert_int_equal(fetch_sources(cache, APT, 0), OK);
    check_file("Packages", "bookworm main Packages\n");
    check_file("Translation-de", "bookworm main Translation-de\n");
    assert_int_equal(manifest_open(&m, cache, SOURCE_APT), OK);
    assert_int_equal(m.n, 3);
    assert_string_equal(m.origin, "Debian bookworm");
}

static void pinned(void **state)
{
    (void)state;
    assert_int_equal(fetch_sources(cache, APT, 0), OK);
    assert_int_equal(runs(), 2);
    assert_int_equal(fetch_sources(cache, APT, 0), OK);
    assert_int_equal(runs(), 2);
    assert_int_equal(fetch_sources(cache, APT, 1), OK);
    assert_int_equal(runs(), 4);
    touch("offline"); /* if a refresh fails, the old files stay */
    assert_int_equal(fetch_sources(cache, APT, 1), ERR_DATA);
    check_file("Packages", "bookworm main Packages\n");
}

static void fails(void **state)
{
    struct manifest m;

    (void)state;
    touch("offline");
    assert_int_equal(fetch_sources(cache, APT, 0), ERR_DATA);
    assert_non_null(strstr(err_last(), "no network"));
    assert_non_null(strstr(err_last(), "apt reported: W: cannot resolve"));
    touch("broken");
    assert_int_equal(fetch_sources(cache, APT, 0), ERR_DATA);
    assert_non_null(strstr(err_last(), "exit status 100"));
    assert_non_null(strstr(err_last(), "Err: no route"));
    setenv("PATH", cache, 1);
    assert_int_equal(fetch_sources(cache, APT, 0), ERR_DATA);
    assert_non_null(strstr(err_last(), "apt-get: No such file"));
    assert_int_equal(manifest_open(&m, cache, SOURCE_APT), ERR_DATA);
    assert_non_null(strstr(err_last(), "synthbench data fetch"));
}

/* If apt prints much, the message has the last 500 bytes, from the start of a
 * line if there is one. */
static void much_output(void **state)
{
    OWNED(free) char *path = str_format("%s.long", script);
    OWNED(free) char *lines = str_format("%0400d\n%0300d\nlast line %0100d\n"
                                         "  \n\n", 1, 2, 3);
    OWNED(free) char *line = str_format("first%0700d.end\n", 4);
    OWNED(free) char *some = str_format("reported: %0300d\nlast line %0100d",
                                        2, 3);
    OWNED(free) char *rest = str_format("reported: %0496d.end", 4);

    (void)state;
    assert_int_equal(file_write(path, lines, strlen(lines)), OK);
    assert_int_equal(fetch_sources(cache, APT, 0), ERR_DATA);
    assert_non_null(strstr(err_last(), some));
    assert_int_equal(file_write(path, line, strlen(line)), OK);
    assert_int_equal(fetch_sources(cache, APT, 0), ERR_DATA);
    assert_non_null(strstr(err_last(), rest));
    assert_int_equal(file_write(path, " \n", 2), OK);
    assert_int_equal(fetch_sources(cache, APT, 0), ERR_DATA);
    assert_null(strstr(err_last(), "reported"));
}

/* ---- packages ---- */

enum { ALL = (1 << SOURCES) - 1 };

static int is_there(const char *name)
{
    char *path = str_format("%s/%s", cache, name);
    int there = file_exists(path);

    free(path);
    return there;
}

static void packages(void **state)
{
    struct manifest m;

    (void)state;
    assert_int_equal(fetch_sources(cache, ALL, 0), OK);
    assert_int_equal(runs(), 3); /* update, indextargets, a download */
    assert_true(is_there("wesnoth/C/scenarios/1.cfg"));
    assert_true(is_there("wesnoth/locale/de/LC_MESSAGES/w.mo"));
    assert_false(is_there("wesnoth/images"));
    assert_true(is_there("sentiment/package/test/fixtures/yelp.json"));
    assert_false(is_there("sentiment/package/test/fixtures/fuzz.js"));
    assert_false(is_there("fetch.new"));
    assert_int_equal(manifest_open(&m, cache, SOURCE_WESNOTH), OK);
    assert_string_equal(m.origin, "wesnoth-1.16-utbs 1:2");
    assert_int_equal(m.n, 2);
    assert_int_equal(manifest_verify(&m), OK);
    assert_int_equal(fetch_sources(cache, ALL, 0), OK);
    assert_int_equal(runs(), 3);
}

/* If a package is not available, the others are still fetched. */
static void without_a_package(void **state)
{
    enum { WESNOTH = 1 << SOURCE_WESNOTH };
    char *lacks = str_format("%s.lacks", script);
    const char *name = "wesnoth-1.16-utbs\n";

    (void)state;
    assert_int_equal(file_write(lacks, name, strlen(name)), OK);
    free(lacks);
    assert_int_equal(fetch_sources(cache, ALL, 0), OK);
    assert_false(is_there("wesnoth"));
    assert_true(is_there("sentiment/manifest"));
    assert_int_equal(fetch_sources(cache, WESNOTH, 0), ERR_DATA);
    assert_non_null(strstr(err_last(), "cannot download wesnoth-1.16-utbs"));
}

/* A download of two files, and one without its texts. */
static void strange_packages(void **state)
{
    enum { WESNOTH = 1 << SOURCE_WESNOTH };
    OWNED(free) char *two = str_format("%s.two", script);

    (void)state;
    touch("two");
    assert_int_equal(fetch_sources(cache, WESNOTH, 0), ERR_DATA);
    assert_non_null(strstr(err_last(), "found 2 files *.deb, expected 1"));
    assert_int_equal(unlink(two), 0);
    assert_int_equal(program("dpkg-deb", "#!/bin/sh\necho 'w 7'\n"), 0);
    assert_int_equal(fetch_sources(cache, WESNOTH, 0), ERR_DATA);
    assert_non_null(strstr(err_last(), "incomplete dialogue"));
    assert_false(is_there("wesnoth"));
    assert_int_equal(program("dpkg-deb", "#!/bin/sh\necho no such\nexit 2\n"),
                     0);
    assert_int_equal(fetch_sources(cache, WESNOTH, 0), ERR_DATA);
    assert_non_null(strstr(err_last(), "exit status 2; its output: no such"));
}

static void without_npm(void **state)
{
    enum { SENTIMENT = 1 << SOURCE_SENTIMENT };
    char *path = in_folder("npm"), *before = str_copy(getenv("PATH"));

    (void)state;
    assert_int_equal(unlink(path), 0);
    setenv("PATH", folder, 1);
    assert_int_equal(fetch_sources(cache, SENTIMENT, 0), ERR_DATA);
    assert_non_null(strstr(err_last(), "npm: No such file"));
    setenv("PATH", before, 1);
    free(before);
    free(path);
}

/* ---- files that a user put there ---- */

static void put(const char *name, const char *text)
{
    char *path = str_format("%s/apt/%s", cache, name);

    assert_int_equal(file_write(path, text, strlen(text)), OK);
    free(path);
}

static void put_all(void)
{
    char *path = str_format("%s/apt", cache);

    assert_int_equal(file_mkdirs(path), OK);
    free(path);
    put("Packages", "p");
    put("Translation-en", "en");
    put("Translation-de", "de");
}

static void by_hand(void **state)
{
    struct manifest m, again;
    char want[HASH_HEX];

    (void)state;
    put_all();
    assert_int_equal(fetch_sources(cache, APT, 0), OK);
    assert_int_equal(runs(), 0);
    assert_int_equal(manifest_open(&m, cache, SOURCE_APT), OK);
    assert_int_equal(m.n, 3);
    assert_string_equal(m.origin, "");
    hash_sha256("de", 2, want);
    assert_string_equal(m.file[2].name, "Translation-de"); /* there is no -fr */
    assert_string_equal(m.file[2].sha256, want);
    assert_int_equal(manifest_open(&again, cache, SOURCE_APT), OK);
    assert_string_equal(again.origin, "");
    assert_int_equal(again.n, 3);
    assert_memory_equal(again.file, m.file, 3 * sizeof *m.file);
}

static void changed(void **state)
{
    struct manifest m;

    (void)state;
    put_all();
    assert_int_equal(manifest_open(&m, cache, SOURCE_APT), OK);
    put("Translation-en", "EN"); /* same length as before */
    assert_int_equal(manifest_open(&m, cache, SOURCE_APT), OK);
    assert_int_equal(manifest_verify(&m), ERR_DATA);
    assert_non_null(strstr(err_last(), "apt/Translation-en"));
    put("Translation-en", "longer");
    assert_int_equal(manifest_open(&m, cache, SOURCE_APT), ERR_DATA);
    assert_non_null(strstr(err_last(), "apt/Translation-en: 6 bytes, but 2"));
}

static void bad_manifest(void **state)
{
    static const char *const bad[] = {
        "origin x\ndate y\nfile 12 3 Packages\n",
        "origin x\ndate y\nPackages\n",
        "origin x\n\n",
        "file " HEX64 " 1 Packages\nfile " HEX64 " 1 Packages more\n",
    };
    static const char *const where[] = {
        "manifest:3:", "manifest:3:", "manifest:2:", "manifest:2:"};
    struct manifest m;

    (void)state;
    put_all();
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        put("manifest", bad[i]);
        assert_int_equal(manifest_open(&m, cache, SOURCE_APT), ERR_DATA);
        assert_non_null(strstr(err_last(), where[i]));
    }
}

/* A manifest has one word for each file. */
static void names_of_files(void **state)
{
    OWNED(free) char *to = str_format("%s/wesnoth/a/scenarios", cache);
    OWNED(free) char *blank = str_format("%s/b c.cfg", to);
    OWNED(free) char *longer = str_format("%s/%0120d.cfg", to, 5);
    struct manifest m;

    (void)state;
    assert_int_equal(file_mkdirs(to), OK);
    assert_int_equal(file_write(blank, "x", 1), OK);
    assert_int_equal(manifest_open(&m, cache, SOURCE_WESNOTH), ERR_DATA);
    assert_non_null(strstr(err_last(), "a/scenarios/b c.cfg: "));
    assert_int_equal(unlink(blank), 0);
    assert_int_equal(file_write(longer, "x", 1), OK);
    assert_int_equal(manifest_open(&m, cache, SOURCE_WESNOTH), ERR_DATA);
    assert_non_null(strstr(err_last(), "the name is too long"));
    assert_int_equal(unlink(longer), 0);
    for (int i = 0; i <= MANIFEST_FILES; i++) {
        OWNED(free) char *one = str_format("%s/%03d.cfg", to, i);

        assert_int_equal(file_write(one, "x", 1), OK);
        if (i == MANIFEST_FILES - 1) {
            assert_int_equal(manifest_open(&m, cache, SOURCE_WESNOTH), OK);
            assert_int_equal(m.n, MANIFEST_FILES);
            OWNED(free) char *path = str_format("%s/manifest", m.folder);
            assert_int_equal(unlink(path), 0);
        }
    }
    assert_int_equal(manifest_open(&m, cache, SOURCE_WESNOTH), ERR_DATA);
    assert_non_null(strstr(err_last(), "more than "));
}

/* ---- child processes ---- */

static void children(void **state)
{
    static const char *const echo[] = {"sh", "-c", "echo a; echo b >&2", NULL};
    static const char *const fail[] = {"sh", "-c", "echo why; exit 3", NULL};
    static const char *const die[] = {"sh", "-c", "kill -9 $$", NULL};
    static const char *const none[] = {"/nonexistent/program", NULL};
    char *said;

    (void)state;
    assert_int_equal(child_run(&said, echo), OK);
    assert_string_equal(said, "a\nb\n");
    free(said);
    assert_int_equal(child_run(&said, fail), ERR_DATA);
    assert_string_equal(said, "why\n");
    assert_non_null(strstr(err_last(), "exit status 3"));
    free(said);
    assert_int_equal(child_run(&said, die), ERR_DATA);
    assert_non_null(strstr(err_last(), "signal 9"));
    free(said);
    assert_int_equal(child_run(&said, none), ERR_DATA);
    assert_null(said);
}

int main(void)
{
#define FOLDER_TEST(name, fn)                                                  \
    {                                                                          \
        name, fn, setup, teardown, NULL                                        \
    }
    const struct CMUnitTest tests[] = {
        FOLDER_TEST("apt's files of the suite of the release are fetched",
                    fetches),
        FOLDER_TEST("lists of another form are understood", other_lists),
        FOLDER_TEST("fetched files stay until a refresh succeeds", pinned),
        FOLDER_TEST("without network or apt, the message quotes apt", fails),
        FOLDER_TEST("of much output, the message quotes the end",
                    much_output),
        FOLDER_TEST("a file whose name a manifest cannot hold is named",
                    names_of_files),
        FOLDER_TEST("only the texts of packages are kept", packages),
        FOLDER_TEST("a missing package affects no other source",
                    without_a_package),
        FOLDER_TEST("a package of another form is refused", strange_packages),
        FOLDER_TEST("without npm the message says so", without_npm),
        FOLDER_TEST("files put there by hand are accepted", by_hand),
        FOLDER_TEST("a changed file is refused and named", changed),
        FOLDER_TEST("a damaged manifest is refused with its line",
                    bad_manifest),
        {"the output and the exit status of a child are reported", children,
         NULL, NULL, NULL},
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
