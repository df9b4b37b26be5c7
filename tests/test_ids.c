/* Ids of cells last: what is at its default is left out of what they hash, so
 * a key that comes later changes none. */
#include "harness/config/key_table.h"

#include <stddef.h>

/* The keys that settings.c reads below. */
static const struct key *keys = key_table;
#define key_table keys
#include "harness/config/settings.c" /* IWYU pragma: keep */
#undef key_table

#include "harness/base/arena.h"
#include "harness/base/file.h"
#include "harness/store/cell_config.h"

#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>

enum { WORDS = 12 };

/* "key=value key=value ..." is changed. */
static struct config config_of(char *words)
{
    struct assign a[WORDS];
    struct config c;
    int n = 0;

    for (char *w = strtok(words, " "); w; w = strtok(NULL, " ")) {
        char *value = strchr(w, '=');

        *value++ = 0;
        a[n++] = (struct assign){w, value, "tests/data/ids.tsv"};
    }
    if (settings_resolve(&c, a, n) < 0)
        fail_msg("%s", err_last());
    return c;
}

/* The id of a line is that of data recipe 1 and numerics 1. */
static int same_id(char *line, int at)
{
    char *words = strchr(line, '\t'), id[CELL_ID];

    *words++ = 0;
    struct config c = config_of(words);
    char *config = settings_text(&c, 1);
    cell_id(id, config, 1, 1);
    if (strcmp(id, line))
        print_error("tests/data/ids.tsv:%d: %s is now %s, of %s\n", at, line,
                    id, config);
    free(config);
    return !strcmp(id, line);
}

static void ids_are_known(void)
{
    char *text;
    size_t bytes;
    int at = 0, lines = 0, same = 0;

    assert_int_equal(file_read(&text, &bytes, "tests/data/ids.tsv"), OK);
    for (char *line = text, *next; *line; line = next) {
        next = strchr(line, '\n');
        *next++ = 0;
        at++;
        if (*line == '#')
            continue;
        lines++;
        same += same_id(line, at);
    }
    free(text);
    assert_int_equal(lines, 40);
    assert_int_equal(same, lines);
}

static void ids_stay(void **state)
{
    (void)state;
    ids_are_known();
}

/* ---- a key that comes later ---- */

static int set_later(const struct key *k, struct config *c, const char *text)
{
    (void)k, (void)c, (void)text;
    return OK;
}

static char *json_later(const struct key *k, const struct config *c)
{
    (void)c;
    return str_copy(k->initial);
}

static void ids_stay_with_more_keys(void **state)
{
    static const struct key_type later = {set_later, json_later};
    static const struct key more[] = {
        {.name = "AAA", .type = &later, .role = KEY_HASHED, .initial = "7"},
        {.name = "zzz", .type = &later, .role = KEY_HASHED,
         .initial = "false"}};
    static struct key all[KEY_COUNT_MAX + 3];
    int n = 0;

    (void)state;
    all[n++] = more[0];
    for (const struct key *k = key_table; k->name; k++)
        all[n++] = *k;
    all[n] = more[1];
    keys = all;
    ids_are_known();
    keys = key_table;
}

/* ---- what is hashed ---- */

static void left_out(void **state)
{
    char first[] = "variant=dense+random task=wmt14_ende";
    char second[] = "variant=vanilla task=lm1b scale=reduced length=64 rank=9";
    struct config c = config_of(first);
    char *text = settings_text(&c, 1), *other = settings_text(&c, 0);

    (void)state;
    assert_string_equal(text, "{\"label_smoothing\":0.10000000000000001,"
                        "\"scale\":\"quick\",\"seed\":1,"
                        "\"task\":\"wmt14_ende\","
                        "\"variant\":\"random+dense\"}");
    assert_string_equal(other, "{}");
    free(other);
    free(text);
    c = config_of(second);
    text = settings_text(&c, 1);
    assert_string_equal(text, "{\"rank\":9,\"scale\":\"reduced\",\"seed\":1,"
                        "\"task\":\"lm1b\",\"tied\":false,"
                        "\"variant\":\"vanilla\"}");
    free(text);
}

/* Whoever writes experiment.json anew may sort it otherwise. */
static void any_order(void **state)
{
    json_t *config = json_loads("{\"variant\": \"v\", \"N\": 9, \"task\": "
                                "\"t\", \"a\": 1.5}", 0, NULL);
    struct arena *a = arena_new();

    (void)state;
    assert_string_equal(cell_config_text(config, a),
                        "{\"N\":9,\"a\":1.5,\"task\":\"t\","
                        "\"variant\":\"v\"}");
    arena_free(a);
    json_decref(config);
}

/* Each is text that people can read, and the program reads it back. */
static void restored(void **state)
{
    char words[] = "variant=vanilla task=lm1b N=96 threads=3 seed=4";
    struct config c = config_of(words), back;
    char *text = settings_text(&c, 1), *other = settings_text(&c, 0);

    (void)state;
    assert_string_equal(other, "{\"threads\":3}");
    assert_int_equal(settings_restore(&back, text, other), OK);
    assert_int_equal(back.length, 96);
    assert_int_equal(back.threads, 3);
    for (int hashed = 0; hashed < 2; hashed++) {
        char *was = settings_all(&c, hashed);
        char *is = settings_all(&back, hashed);

        assert_string_equal(is, was);
        free(is);
        free(was);
    }
    free(other);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        {"forty configurations keep their ids", ids_stay, NULL, NULL, NULL},
        {"keys that come later change no id", ids_stay_with_more_keys, NULL,
         NULL, NULL},
        {"an id hashes the axes and what is not at its default", left_out,
         NULL, NULL, NULL},
        {"the order of keys makes no other id", any_order, NULL, NULL, NULL},
        {"what is left out is restored", restored, NULL, NULL, NULL},
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
