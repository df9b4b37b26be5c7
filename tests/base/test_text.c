/* Characters, and what a terminal says of itself. */
#define _GNU_SOURCE /* posix_openpt */
#include "harness/base/err.h"
#include "harness/base/json.h"
#include "harness/base/key.h"
#include "harness/base/str.h"
#include "harness/base/streams.h"
#include "harness/base/text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

enum { CHARACTERS = 0x110000 };

/* The characters for which Python's str.isspace is true. */
static void spaces_are_pythons(void **state)
{
    static const uint32_t want[] = {
        0x9, 0xa, 0xb, 0xc, 0xd, 0x1c, 0x1d, 0x1e, 0x1f, 0x20, 0x85, 0xa0,
        0x1680, 0x2000, 0x2001, 0x2002, 0x2003, 0x2004, 0x2005, 0x2006, 0x2007,
        0x2008, 0x2009, 0x200a, 0x2028, 0x2029, 0x202f, 0x205f, 0x3000};
    size_t n = 0;

    (void)state;
    for (uint32_t c = 0; c < CHARACTERS; c++) {
        int is = n < sizeof want / sizeof *want && want[n] == c;

        if (text_is_space(c) != is)
            fail_msg("U+%04X", c);
        n += (size_t)is;
    }
}

static void characters_come_back(void **state)
{
    OWNED(text_free) struct text t = {0};

    (void)state;
    for (uint32_t c = 1; c < CHARACTERS; c += c < 0x3000 ? 1 : 0x101) {
        size_t length = 0;

        if (c >= 0xD800 && c < 0xE000)
            continue; /* surrogates are no characters */
        text_clear(&t);
        text_add_char(&t, c);
        assert_int_equal(text_decode(t.s, 0, t.n, &length), c);
        assert_int_equal(length, t.n);
    }
}

static void damaged_text(void **state)
{
    static const char *const bad[] = {"\xff", "a\xc3", "\xe2\x82", "\x80",
                                      "\xed\xa0\x80", "\xc0\xaf", "\x1b[0m",
                                      "\xc2\x85", "two\nlines"};

    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        OWNED(free) char *clean = text_clean(bad[i], 1);

        assert_int_equal(text_printable(bad[i]), 0);
        assert_int_equal(text_printable(clean), 1);
    }
    assert_int_equal(text_printable("na\xc3\xafve"), 1);
    assert_int_equal(text_printable(""), 1);
}

/* ---- names and settings ---- */

static void last_parts_of_names(void **state)
{
    char word[140];
    static const char *const keys[] = {"warm", "schedule.warmup", NULL};
    const char *const longer[] = {word, "xxxxxxx", NULL};

    (void)state;
    memset(word, 'x', sizeof word - 1);
    word[sizeof word - 1] = 0;
    assert_string_equal(str_nearest("warmup", keys), "schedule.warmup");
    assert_string_equal(str_nearest("warmu", keys), "warm");
    assert_int_equal(str_edits("", word), 139);
    assert_string_equal(str_nearest("xxxxxx", longer), "xxxxxxx");
}

struct settings { double real; struct widths widths; };

static void ranges_of_settings(void **state)
{
    static const struct key real = {
        "rate", &key_real, offsetof(struct settings, real), sizeof(double),
        KEY_HASHED, "1", -0.5, 1.5, NULL, ""};
    static const struct key widths = {
        "width", &key_widths, offsetof(struct settings, widths),
        sizeof(struct widths), KEY_HASHED, "7", 1, 99, NULL, ""};
    static const char *const wrong[] = {"-0.6", "1.51", "x", "", "nan", "1 "};
    struct settings of = {.real = 0.25};
    struct text t = {0};

    (void)state;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_int_equal(real.type->set(&real, &of, wrong[i]), ERR_USAGE);
    assert_true(of.real == 0.25);
    assert_int_equal(real.type->set(&real, &of, "-0.5"), OK);
    assert_true(of.real == -0.5);
    assert_int_equal(real.type->set(&real, &of, "1.5"), OK);
    for (int i = 0; i < WIDTHS; i++)
        text_format(&t, "%s%d", i ? "," : "", i + 1);
    assert_int_equal(widths.type->set(&widths, &of, t.s), OK);
    assert_int_equal(of.widths.n, WIDTHS);
    assert_int_equal(of.widths.at[WIDTHS - 1], WIDTHS);
    text_put(&t, ",99");
    assert_int_equal(widths.type->set(&widths, &of, t.s), ERR_USAGE);
    assert_non_null(strstr(err_last(), "width: more than 32 layers"));
    assert_int_equal(widths.type->set(&widths, &of, "3,,5"), ERR_USAGE);
    assert_int_equal(of.widths.n, WIDTHS);
    text_free(&t);
}

static void full_devices(void **state)
{
    OWNED(json_decref) json_t *j = json_string("\xe2\x80\xae"); /* steers */
    FILE *f = fopen("/dev/full", "w");

    (void)state;
    assert_non_null(f);
    setvbuf(f, NULL, _IONBF, 0);
    assert_int_equal(json_dumpf(j, f, JSON_ENCODE_ANY), -1);
    fclose(f);
}

/* ---- terminals ---- */

static int open_terminal(unsigned short columns)
{
    struct winsize size = {.ws_row = 24, .ws_col = columns};
    int main = posix_openpt(O_RDWR | O_NOCTTY);

    assert_true(main >= 0);
    assert_int_equal(grantpt(main), 0);
    assert_int_equal(unlockpt(main), 0);
    int fd = open(ptsname(main), O_RDWR | O_NOCTTY);
    assert_true(fd >= 0);
    assert_int_equal(ioctl(fd, TIOCSWINSZ, &size), 0);
    /* `main` stays open: without it, the terminal has hung up */
    return fd;
}

static void set(const char *name, const char *value)
{
    if (value)
        setenv(name, value, 1);
    else
        unsetenv(name);
}

static void widths_of_terminals(void **state)
{
    static const struct { const char *columns; int pipe, terminal; } is[] = {
        {NULL, 0, 37}, {"", 0, 37}, {"0", 0, 37}, {"-4", 0, 37}, {"x", 0, 37},
        {"61", 61, 61}, {"2147483647", 2147483647, 2147483647},
        {"2147483648", 0, 37}};
    int fd = open_terminal(37), end[2];

    (void)state;
    assert_int_equal(pipe(end), 0);
    for (size_t i = 0; i < sizeof is / sizeof *is; i++) {
        set("COLUMNS", is[i].columns);
        assert_int_equal(streams_width(end[1]), is[i].pipe);
        assert_int_equal(streams_width(fd), is[i].terminal);
    }
    unsetenv("COLUMNS");
    close(end[0]);
    close(end[1]);
    close(fd);
}

static void colours_of_terminals(void **state)
{
    static const struct { const char *term, *no; int moves, colours; } is[] = {
        {"xterm", NULL, 1, 1}, {"xterm", "", 1, 1}, {"xterm", "1", 1, 0},
        {"dumb", NULL, 0, 0}, {"", NULL, 0, 0}, {NULL, NULL, 0, 0}};
    int fd = open_terminal(80), file = open("/dev/null", O_WRONLY);

    (void)state;
    for (size_t i = 0; i < sizeof is / sizeof *is; i++) {
        set("TERM", is[i].term);
        set("NO_COLOR", is[i].no);
        assert_int_equal(streams_moves(fd), is[i].moves);
        assert_int_equal(streams_colours(fd), is[i].colours);
        assert_int_equal(streams_moves(file), 0);
        assert_int_equal(streams_colours(file), 0);
    }
    close(file);
    close(fd);
}

#define TEST(f, name) {name, f, NULL, NULL, NULL}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(spaces_are_pythons, "spaces are those of Python"),
        TEST(characters_come_back, "a character is read as it was written"),
        TEST(damaged_text, "text that is no UTF-8 or steers is cleaned"),
        TEST(last_parts_of_names, "the part behind the dot finds a name"),
        TEST(ranges_of_settings, "a setting out of range changes nothing"),
        TEST(full_devices, "JSON that cannot be written is an error"),
        TEST(widths_of_terminals, "COLUMNS counts before the terminal"),
        TEST(colours_of_terminals, "colours need a terminal and its leave")};

    return cmocka_run_group_tests_name("text", tests, NULL, NULL);
}
