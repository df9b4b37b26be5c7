/* Ids of cells are permanent: the hash omits settings with default values, so a
 * new key changes no id. */
#include "harness/config/key_table.h"

#include <stddef.h>

/* Replaces the function that supplies the keys to settings.c, which is included
 * below. */
static const struct key *more_at(int i, const struct variant **by);
#define key_at more_at
#include "harness/config/settings.c" /* IWYU pragma: keep */
#undef key_at

#include "harness/base/arena.h"
#include "harness/base/file.h"
#include "harness/store/cell.h"
#include "harness/store/store_private.h"
#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>

enum { WORDS = 12 };

/* Returns the configuration for `words`, such as "key=value key=value".
 * Modifies `words`. */
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

/* Returns 1 if the line contains the id of its configuration with data recipe 1
 * and numerics 1. */
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
    assert_int_equal(lines, 42);
    assert_int_equal(same, lines);
}

static void ids_stay(void **state)
{
    (void)state;
    ids_are_known();
}

/* ---- a new key ---- */

static int set_later(const struct key *k, void *of, const char *text)
{
    (void)k, (void)of, (void)text;
    return OK;
}

static char *json_later(const struct key *k, const void *of)
{
    (void)of;
    return str_copy(k->initial);
}

static const struct key_type type_later = {set_later, json_later};
static const struct key AAA = {
    .name = "AAA", .type = &type_later, .role = KEY_HASHED, .initial = "7"};

static const char *const shapes[] = {"round", "flat", NULL};
static const struct key knobs[] = {
    {.name = "hot", .type = &key_real, .initial = "0.5", .high = 9},
    {.name = "a.count", .type = &key_int, .initial = "2", .high = 9},
    {.name = "zzz", .type = &key_bool, .initial = "true"},
    {.name = "shape", .type = &key_enum, .initial = "flat",
     .choices = shapes},
    {.name = "k5", .type = &key_int, .initial = "1", .high = 9},
    {.name = "k6", .type = &key_int, .initial = "1", .high = 9},
    {.name = "k7", .type = &key_int, .initial = "1", .high = 9},
    {.name = "k8", .type = &key_int, .initial = "1", .high = 9},
    {.name = "k9", .type = &key_int, .initial = "1", .high = 9},
    {.name = NULL}};
static const struct variant variant_later = {.name = "later", .knobs = knobs};

/* Adds a key before all others, and a variant after them. */
static int more;

static const struct key *more_at(int i, const struct variant **by)
{
    const struct key *k;
    int n = 0;

    if (!more)
        return key_at(i, by);
    *by = NULL;
    if (i == 0)
        return &AAA;
    if ((k = key_at(i - 1, by)))
        return k;
    while (key_at(n, by))
        n++;
    *by = &variant_later;
    k = &knobs[i - 1 - n];
    return k->name ? k : NULL;
}

static void ids_stay_with_more_keys(void **state)
{
    (void)state;
    more = 1;
    ids_are_known();
    more = 0;
}

/* ---- knobs without a field ---- */

static void knobs_are_kept(void **state)
{
    static const char *const set[][2] = {
        {"hot", "2.5"}, {"a.count", "0"}, {"zzz", "false"}, {"shape", "round"}};
    char words[] = "variant=vanilla task=lm1b";
    char was[SETTINGS_ID], is[SETTINGS_ID];
    struct config c, back;

    (void)state;
    more = 1;
    c = config_of(words);
    settings_id(&c, was);
    assert_true(knob_value(&c.model, &knobs[0]) == 0.5);
    for (int i = 0; i < 4; i++) {
        assert_int_equal(settings_set(&c, set[i][0], set[i][1]), OK);
        settings_id(&c, is);
        assert_string_not_equal(is, was);
    }
    char *text = settings_text(&c, 1), *other = settings_text(&c, 0);
    assert_string_equal(text, "{\"a.count\":0,\"hot\":2.5,\"scale\":\"quick\","
                        "\"seed\":1,\"shape\":\"round\",\"task\":\"lm1b\","
                        "\"tied\":false,\"variant\":\"vanilla\","
                        "\"zzz\":false}");
    assert_int_equal(settings_restore(&back, text, other), OK);
    assert_true(knob_value(&back.model, &knobs[0]) == 2.5);
    assert_true(knob_value(&back.model, &knobs[1]) == 0);
    assert_true(knob_value(&back.model, &knobs[2]) == 0);
    assert_true(knob_value(&back.model, &knobs[3]) == 0);
    for (int i = 0; i < 4; i++)
        assert_int_equal(settings_set(&c, knobs[i].name, knobs[i].initial),
                         OK);
    settings_id(&c, is);
    assert_string_equal(is, was);
    free(other);
    free(text);
    more = 0;
}

static void knobs_are_refused(void **state)
{
    char words[] = "variant=vanilla task=lm1b";
    struct config c;

    (void)state;
    more = 1;
    c = config_of(words);
    assert_int_equal(settings_set(&c, "hot", "9.5"), ERR_USAGE);
    assert_string_equal(err_last(), "hot: 9.5 is out of range, 0 to 9 are "
                        "allowed");
    assert_int_equal(settings_set(&c, "shape", "oval"), ERR_USAGE);
    assert_true(knob_value(&c.model, &knobs[0]) == 0.5);
    for (int i = 0; i < 9; i++) /* only the first KNOBS of them fit */
        assert_int_equal(settings_set(&c, knobs[i].name,
                                      i == 2 ? "false" : i == 3 ? "round"
                                                                : "9"),
                         i < KNOBS ? OK : ERR_USAGE);
    assert_int_equal(settings_set(&c, "k9", "1"), OK);
    assert_int_equal(settings_set(&c, "k5", "1"), OK);
    assert_int_equal(settings_set(&c, "k9", "3"), OK);
    assert_true(knob_value(&c.model, &knobs[7]) == 9);
    assert_true(knob_value(&c.model, &knobs[8]) == 3);
    more = 0;
}

/* ---- the table ---- */

static int has_digits_and_letters(const char *name)
{
    return name[strspn(name, "0123456789_.-"
                             "abcdefghijklmnopqrstuvwxyz"
                             "ABCDEFGHIJKLMNOPQRSTUVWXYZ")] == 0;
}

static void one_name_each(void **state)
{
    const struct variant *by;
    const struct key *k;
    int from_variants = 0;

    (void)state;
    for (int i = 0; (k = key_at(i, &by)); i++) {
        from_variants += by != NULL;
        if (!has_digits_and_letters(k->name) || !*k->help || !k->initial)
            fail_msg("%s is no key", k->name);
        for (int j = 0; j < i; j++)
            if (!strcmp(settings_name(j), k->name))
                fail_msg("%s is declared twice", k->name);
    }
    assert_true(from_variants >= 11);
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

/* The order of keys in experiment.json does not matter, as a program that
 * rewrites the file may sort them differently. */
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

/* Each value is readable text, which the program reads back. */
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
        {"forty-two configurations keep their ids", ids_stay, NULL, NULL, NULL},
        {"keys that come later change no id", ids_stay_with_more_keys, NULL,
         NULL, NULL},
        {"a variant's own knob is set, hashed where it is not at its default, "
         "and restored", knobs_are_kept, NULL, NULL, NULL},
        {"a wrong value of a knob, and one too many, are refused",
         knobs_are_refused, NULL, NULL, NULL},
        {"each key is declared once", one_name_each, NULL, NULL, NULL},
        {"an id hashes the axes and what is not at its default", left_out,
         NULL, NULL, NULL},
        {"the order of keys makes no other id", any_order, NULL, NULL, NULL},
        {"what is left out is restored", restored, NULL, NULL, NULL},
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
