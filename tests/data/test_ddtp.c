#include "harness/base/err.h"
#include "harness/base/file.h"
#include "harness/base/str.h"
#include "harness/data/format/deb822.h"
#include "harness/data/sentence.h"
#include "harness/tasks/recipe.h"
#include "tests/support/corpus.h"
#include "tests/support/scratch.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

static char *folder, *apt; /* folder of the test; FOLDER/apt */

static int setup(void **state)
{
    (void)state;
    folder = scratch_make();
    apt = str_format("%s/apt", folder);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    scratch_remove(folder);
    free(apt);
    return 0;
}

/* ---- records ---- */

static int count_record(void *n, const struct deb822 *r)
{
    (void)r;
    ++*(int *)n;
    return OK;
}

static int read_all(const char *text, size_t bytes,
                    int (*take)(void *n, const struct deb822 *r))
{
    char *path = str_format("%s/records", folder);
    int n = 0, rc = file_write(path, text, bytes);

    if (rc == OK)
        rc = deb822_each(path, take, &n);
    free(path);
    return rc < 0 ? rc : n;
}

static int see_record(void *n, const struct deb822 *r)
{
    if (++*(int *)n > 1) {
        assert_string_equal(deb822_get(r, "A"), "x");
        return OK;
    }
    assert_string_equal(deb822_get(r, "a"), "1");
    assert_string_equal(deb822_get(r, "B"), "two \n  more\n .");
    assert_null(deb822_get(r, "C"));
    return OK;
}

static void records(void **state)
{
    static const char text[] = "\n\nA: 1\r\nB:two \n  more\n .\n\n\n\na:  x";

    (void)state;
    assert_int_equal(read_all(text, sizeof text - 1, see_record), 2);
}

static void damaged_records(void **state)
{
    static const struct {
        const char *text, *where;
        size_t bytes;
    } bad[] = {
        {"A: 1\nno colon here\n", "records:2:", 0},
        {"A: 1\ntwo words: x\n", "records:2:", 0},
        {"A: 1\n\n continued\n", "records:3:", 0},
        {"A: 1\nB: caf\xc3\n", "records:2:", 0},
        {"A: 1\n\xed\xa0\x80\n", "records:2:", 0}, /* a surrogate */
        {"A: 1\nB: \xc0\xaf\n", "records:2:", 0},  /* overlong */
        {"A: 1\n\nB: x\0y\n", "records:3:", 13},
        {": x\n", "records:1:", 0},
    };

    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        size_t n = bad[i].bytes ? bad[i].bytes : strlen(bad[i].text);

        assert_int_equal(read_all(bad[i].text, n, count_record),
                         ERR_DATA);
        if (!strstr(err_last(), bad[i].where))
            fail_msg("case %zu: '%s' lacks '%s'", i, err_last(), bad[i].where);
    }
    assert_int_equal(read_all("", 0, count_record), ERR_DATA);
    assert_int_equal(read_all("\n\n", 2, count_record), ERR_DATA);
    assert_non_null(strstr(err_last(), "has no records"));
}

static void huge_record(void **state)
{
    char *text = NULL;
    size_t bytes;
    FILE *f = open_memstream(&text, &bytes);

    (void)state;
    for (int i = 0; i < 129; i++)
        fprintf(f, "F%d: x\n", i);
    fclose(f);
    assert_int_equal(read_all(text, bytes, count_record), ERR_DATA);
    assert_non_null(strstr(err_last(), "records:129:"));
    free(text);
}

/* ---- sentences ---- */

static void sentences(void **state)
{
    static const struct {
        const char *text;
        int n;
    } want[] = {{"", 0},
                {"one", 1},
                {"One. Two! Three? Four: Five", 5},
                {"Version 1.2 of a.b. it stays", 1},
                {"Ende. \xc3\x84hnlich", 2}, /* A umlaut */
                {"Ende. \xc3\xa4hnlich", 1}, /* a umlaut */
                {"One.\xc2\xa0Two", 2},      /* no-break space */
                {"  One.  Two.  ", 2},
                {"One.) Two", 1}};
    struct arena *a = arena_new();
    const char *s = "  One.  Two is here: Three";

    (void)state;
    for (size_t i = 0; i < sizeof want / sizeof *want; i++)
        if (sentence_count(want[i].text) != want[i].n)
            fail_msg("'%s': %d sentences, not %d", want[i].text,
                     sentence_count(want[i].text), want[i].n);
    assert_string_equal(sentence_take(&s, a), "One.");
    assert_string_equal(sentence_take(&s, a), "Two is here:");
    assert_string_equal(sentence_take(&s, a), "Three");
    assert_string_equal(s, "");
    arena_free(a);
}

static void tokens(void **state)
{
    (void)state;
    assert_int_equal(sentence_tokens(""), 0);
    assert_int_equal(sentence_tokens("a b_c d1"), 3);
    assert_int_equal(sentence_tokens("don't (stop)..."), 9);
    assert_int_equal(sentence_tokens("\xc3\xbc"
                                     "ber \xc2\xbbx\xc2\xab"),
                     4);
    assert_int_equal(sentence_tokens(" \t\n"), 0);
}

static void words(void **state)
{
    static const char *const want[] = {"don", "t", "a_b", "2", "\xc3\xbc"
                                                             "ber", NULL};
    const char *s = "(don't) a_b... 2\xc2\xbb\xc3\xbc"
                    "ber!", *word;
    int i = 0;
    size_t n;

    (void)state;
    while ((word = sentence_word(&s, &n))) {
        assert_non_null(want[i]);
        assert_int_equal(n, strlen(want[i]));
        assert_memory_equal(word, want[i], n);
        i++;
    }
    assert_null(want[i]);
    assert_string_equal(s, "");
    assert_null(sentence_word(&s, &n));
}

/* ---- descriptions ---- */

static void fixture(void **state)
{
    struct ddtp d;
    int translated = 0;

    (void)state;
    assert_int_equal(ddtp_open(&d, "tests/data/ddtp", "de"), OK);
    assert_int_equal(d.n, 12); /* of 14 records, two occur twice */
    for (int i = 0; i < d.n; i++)
        translated += d.entry[i].foreign.summary != NULL;
    assert_int_equal(translated, 11); /* of 14: two occur twice, one is not
                                         English */
    const struct ddtp_entry *e = &d.entry[1];
    assert_string_equal(e->source, "beacon"); /* without its version */
    assert_string_equal(e->section, "net");   /* without its area */
    assert_string_equal(e->english.summary, "tool for the brass lantern");
    assert_int_equal(e->english.n, 5);
    assert_string_equal(
        e->english.block[0].text,
        "An honest fishmonger repairs a crate of salted herring on the north "
        "pier. Every dock worker paints the torn mainsail on the north pier.");
    assert_string_equal(e->english.block[3].text,
                        "- ints the harbour bell before the morning tide.");
    assert_int_equal(e->english.block[3].verbatim, 1);
    assert_string_equal(e->foreign.block[4].text, "Webseite: beacon.");
    assert_null(d.entry[6].foreign.summary); /* package gangway is not
                                                translated */
    assert_string_equal(d.entry[0].foreign.summary,
                        "Werkzeug Nr. 0 (anchor)"); /* the first translation
                                                      with this md5 */
    ddtp_close(&d);
}

static void blocks(void **state)
{
    static const char *const want[] = {
        "One two three", "Four", "* five", "six", "seven", "eight . nine"};
    struct corpus c;
    struct ddtp d;

    (void)state;
    corpus_open(&c, folder);
    corpus_add(&c, "p", NULL, "net",
               "short\n One\n two  \n three\n .\n .\n Four\n  * five\n"
               "  six\n\tseven\n .\n eight\n . nine",
               NULL);
    corpus_close(&c);
    assert_int_equal(ddtp_open(&d, apt, NULL), OK);
    const struct ddtp_text *t = &d.entry[0].english;
    assert_int_equal(t->n, 6);
    for (int i = 0; i < t->n; i++)
        assert_string_equal(t->block[i].text, want[i]);
    assert_int_equal(t->block[1].verbatim, 0);
    assert_int_equal(t->block[2].verbatim, 1);
    ddtp_close(&d);
}

/* Adds text to a file of FOLDER/apt. */
static void append(const char *name, const char *text)
{
    char *path = str_format("%s/%s", apt, name);
    FILE *f = fopen(path, "ab");

    assert_non_null(f);
    fputs(text, f);
    fclose(f);
    free(path);
}

static void refuses(const char *name, const char *text, const char *where)
{
    struct corpus c;
    struct ddtp d;

    corpus_open(&c, folder);
    corpus_add(&c, "p", NULL, "net", "short\n Long.", "kurz\n Lang.");
    corpus_close(&c);
    append(name, text);
    assert_int_equal(ddtp_open(&d, apt, "de"), ERR_DATA);
    if (!strstr(err_last(), where))
        fail_msg("'%s' lacks '%s'", err_last(), where);
}

static void damaged_descriptions(void **state)
{
    (void)state;
    refuses("Packages", "Package: q\n", "apt/Packages:5: ");
    refuses("Translation-en", "Package: q\n", "apt/Translation-en:6: ");
    refuses("Translation-de", "Package: q\nDescription-md5: 12\n",
            "apt/Translation-de:7: ");
    refuses("Translation-de",
            "Package: q\nDescription-md5: 0000000000000000000000000000000G\n",
            "apt/Translation-de:7: ");
    refuses("Translation-de",
            "Package: q\nDescription-md5: 00000000000000000000000000000000\n",
            "apt/Translation-de:6: ");
    refuses("Translation-en",
            "Package: q\nDescription-md5: 00000000000000000000000000000000\n"
            "Description-en: cut o",
            "apt/Translation-en:8: ");
    refuses("Translation-de", "Package: q\n \xff\n", "apt/Translation-de:7: ");
}

/* Packages that are listed twice or not at all, blanks around texts, and
 * descriptions that differ in form. */
static void odd_descriptions(void **state)
{
    struct corpus c;
    struct ddtp d;

    (void)state;
    corpus_open(&c, folder);
    corpus_add(&c, "p", "first", "net", "short \t\n One.\n  * two",
               "kurz\n Eins.\n Zwei.");
    corpus_add(&c, "p", "second", "mail", "other\n Three.", NULL);
    corpus_add(&c, "q", NULL, "net", "\n Four.\n .\n Five.", "vier");
    corpus_close(&c);
    append("Translation-en", "Package: elsewhere\nDescription-md5: "
           "b1946ac92492d2347c6235b4d2611184\nDescription-en: hello\n");
    if (ddtp_open(&d, apt, "de") != OK)
        fail_msg("%s", err_last());
    assert_int_equal(d.n, 4);
    assert_string_equal(ddtp_package(&d, "p")->source, "first");
    assert_null(ddtp_package(&d, "elsewhere"));
    assert_string_equal(d.entry[0].english.summary, "short");
    assert_string_equal(d.entry[2].english.summary, "");
    assert_string_equal(d.entry[3].source, "elsewhere");
    assert_null(d.entry[3].section);
    assert_int_equal(d.entry[3].english.n, 0);
    const struct ddtp_text *x = &d.entry[0].english, *y = &d.entry[2].english;
    assert_int_equal(x->n, 2);
    assert_int_equal(y->n, 2);
    assert_int_equal(ddtp_alike(x, y), 0); /* a verbatim block, and none */
    assert_int_equal(ddtp_alike(x, x), 1);
    assert_int_equal(ddtp_alike(x, &d.entry[1].english), 0);
    ddtp_close(&d);
}

static void missing_files(void **state)
{
    struct ddtp d;

    (void)state;
    assert_int_equal(ddtp_open(&d, folder, "de"), ERR_DATA);
    assert_non_null(strstr(err_last(), "Packages"));
    assert_int_equal(ddtp_open(&d, "tests/data/ddtp", "fr"), ERR_DATA);
    assert_non_null(strstr(err_last(), "Translation-fr"));
}

static void empty_file(void **state)
{
    struct corpus c;
    struct ddtp d;

    (void)state;
    corpus_open(&c, folder);
    corpus_close(&c);
    assert_int_equal(ddtp_open(&d, apt, "de"), ERR_DATA);
    assert_non_null(strstr(err_last(), "apt/Packages: the file is empty"));
}

/* ---- pairs ---- */

/* Adds pairs in which the one or the other text has too many words. */
static void add_long_texts(struct corpus *c)
{
    enum { MANY = 61 }; /* words: more than a pair may have */
    OWNED(free) char *much = str_format("s\n%0*d", 2 * MANY, 0);
    OWNED(free) char *few = str_format("s\n%0*d", 2 * (MANY - 10), 0);
    for (char *at = strchr(much, '0'); *at; at += 2)
        memcpy(at, " x", 2);
    for (char *at = strchr(few, '0'); *at; at += 2)
        memcpy(at, " y", 2);
    corpus_add(c, "f", NULL, "net", much, few);
    corpus_add(c, "g", NULL, "net", few, much);
}

static void pair_rules(void **state)
{
    static const char *const want[][2] = {
        {"One is here.", "Eins ist hier."},
        {"Two is there.", "Zwei ist dort."},
        {"Three is not. Four neither.", "Drei nicht und vier auch nicht."},
        {"* a list item", "* ein Listeneintrag"},
        {"flowed text of b", "Flie\xc3\x9ftext von b"},
    };
    struct corpus c;
    struct texts t = {.memory = arena_new()};
    struct items of[SPLITS] = {{0}};
    const struct task *task;
    int n = 0;

    (void)state;
    corpus_open(&c, folder);
    corpus_add(&c, "a", NULL, "net",
               "s\n One is here. Two is there. Short. The same in both.\n .\n"
               " Three is not. Four neither.\n .\n never translated text\n"
               "  * a list item",
               "s\n Eins ist hier. Zwei ist dort. Kurz. The same in both.\n"
               " .\n"
               " Drei nicht und vier auch nicht.\n .\n never translated text\n"
               "  * ein Listeneintrag");
    corpus_add(&c, "b", NULL, "net", "s\n flowed text of b\n  * x y z\n  * u",
               "s\n Flie\xc3\x9ftext von b\n  * x y z u");
    corpus_add(&c, "c", NULL, "net", "s\n One text here.\n .\n Another.",
               "s\n Ein Text hier und noch einer.");
    corpus_add(&c, "d", NULL, "net", "s\n one two three",
               "s\n eins zwei drei vier f\xc3\xbcnf sechs sieben");
    corpus_add(&c, "e", NULL, "net", "s\n one two three four five six seven",
               "s\n sieben W\xc3\xb6rter hier");
    add_long_texts(&c);
    corpus_close(&c);
    assert_int_equal(ddtp_open(&t.ddtp, apt, "de"), OK);
    assert_int_equal(task_find(&task, "wmt14_ende"), OK);
    task->recipe->gather(of, &t);
    /* The pairs omit c, whose structure differs; "Short.", which has 2 tokens;
     * "The same in both." and the block "never translated text", which are
     * equal in both languages; and d, whose lengths differ too much. */
    for (int s = 0; s < SPLITS; s++)
        for (int i = 0; i < of[s].n; i++, n++) {
            int k = 0;

            while (k < 4 && strcmp(of[s].item[i].source, want[k][0]))
                k++;
            assert_string_equal(of[s].item[i].source, want[k][0]);
            assert_string_equal(of[s].item[i].target, want[k][1]);
        }
    assert_int_equal(n, 5);
    for (int s = 0; s < SPLITS; s++)
        free(of[s].item);
    texts_close(&t);
}

static void splits(void **state)
{
    int n[SPLITS] = {0};

    (void)state;
    for (int i = 0; i < 10000; i++) {
        char *name = str_format("source-%d", i);

        n[ddtp_split(name, 5, 10)]++;
        free(name);
    }
    assert_in_range(n[SPLIT_VALID], 400, 600);
    assert_in_range(n[SPLIT_TEST], 850, 1150);
    /* FNV-1a of "jib", "keel" and "anchor" modulo 100 is 6, 8 and 88 */
    assert_int_equal(ddtp_split("jib", 5, 5), SPLIT_TEST);
    assert_int_equal(ddtp_split("keel", 5, 5), SPLIT_TEST);
    assert_int_equal(ddtp_split("anchor", 5, 5), SPLIT_TRAIN);
    assert_int_equal(ddtp_split("anchor", 100, 0), SPLIT_VALID);
}

int main(void)
{
#define FOLDER_TEST(name, fn)                                                  \
    {                                                                          \
        name, fn, setup, teardown, NULL                                        \
    }
    const struct CMUnitTest tests[] = {
        FOLDER_TEST("records are split into fields and continuations", records),
        FOLDER_TEST("a damaged record is refused with file and line",
                    damaged_records),
        FOLDER_TEST("a record of too many fields is refused", huge_record),
        {"a sentence ends before a blank and a capital", sentences, NULL, NULL,
         NULL},
        {"a token is a run of word characters or one sign", tokens, NULL, NULL,
         NULL},
        {"the words of a sentence are its runs of word characters", words, NULL,
         NULL, NULL},
        {"descriptions are aligned by md5; the first record of each counts",
         fixture, NULL, NULL, NULL},
        FOLDER_TEST("lines become paragraphs and verbatim blocks", blocks),
        FOLDER_TEST("a damaged description is refused with file and line",
                    damaged_descriptions),
        FOLDER_TEST("odd descriptions are read as they are", odd_descriptions),
        FOLDER_TEST("a missing file is named", missing_files),
        FOLDER_TEST("an empty file is refused and named", empty_file),
        FOLDER_TEST("sentences pair one to one, or the paragraph is a pair",
                    pair_rules),
        {"the split of a source package is given by its hash", splits, NULL,
         NULL, NULL},
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
