#include "tests/support/corpus.h"

#include "harness/base/err.h"
#include "harness/base/file.h"
#include "harness/base/hash.h"
#include "harness/base/rng.h"
#include "harness/base/str.h"
#include "tests/support/scratch.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Creates a file in the cache, with its parent folders, and opens it. */
static FILE *new_file(const char *cache, const char *name)
{
    char *path = str_format("%s/%s", cache, name);
    char *slash = strrchr(path, '/');

    *slash = 0;
    REQUIRE(file_mkdirs(path) == OK, "%s", err_last());
    *slash = '/';
    FILE *f = fopen(path, "wb");
    REQUIRE(f, "%s", path);
    free(path);
    return f;
}

void corpus_open(struct corpus *c, const char *cache)
{
    *c = (struct corpus){new_file(cache, "apt/Packages"),
                         new_file(cache, "apt/Translation-en"),
                         new_file(cache, "apt/Translation-de"),
                         new_file(cache, "apt/Translation-fr"), NULL};
}

void corpus_close(struct corpus *c)
{
    fclose(c->packages);
    fclose(c->english);
    fclose(c->german);
    fclose(c->french);
}

static void add_foreign(FILE *f, const char *language, const char *package,
                        const char *md5, const char *text)
{
    fprintf(f, "Package: %s\nDescription-md5: %s\nDescription-%s: %s\n\n",
            package, md5, language, text);
}

void corpus_add(struct corpus *c, const char *package, const char *source,
                const char *section, const char *english, const char *foreign)
{
    char md5[MD5_HEX], *sum = str_format("%s\n", english);

    hash_md5(sum, strlen(sum), md5);
    free(sum);
    fprintf(c->packages, "Package: %s\n", package);
    if (source)
        fprintf(c->packages, "Source: %s\n", source);
    fprintf(c->packages, "Section: %s\nDescription-md5: %s\n\n", section, md5);
    fprintf(c->english,
            "Package: %s\nDescription-md5: %s\nDescription-en: %s\n\n", package,
            md5, english);
    if (foreign) {
        add_foreign(c->german, "de", package, md5, foreign);
        add_foreign(c->french, "fr", package, md5,
                    c->in_french ? c->in_french : foreign);
    }
}

/* Writes n words, drawn for sentence i of package p, each followed by the
 * suffix. The words depend only on p, i and n, so a text and its translation
 * differ only in the suffix. */
static void words(FILE *f, int p, int i, int n, const char *suffix)
{
    static const char *const syllable[] = {"ba", "ko", "ri", "mu", "le", "ta",
                                           "no", "si", "du", "ge", "po", "va"};
    struct rng_key key = {7, RNG_TEST, (uint32_t)i, (uint64_t)p};

    for (int w = 0; w < n; w++) {
        const char *a = syllable[rng_below(key, 2 * (uint64_t)w + 1, 12)];
        const char *b = syllable[rng_below(key, 2 * (uint64_t)w + 2, 12)];

        fprintf(f, "%s%c%s%s%s", w ? " " : "", w ? a[0] : a[0] - 'a' + 'A',
                a + 1, b, suffix);
    }
}

/* Writes sentence i of package p, with the suffix after each word. */
static void sentence(FILE *f, int p, int i, const char *suffix)
{
    struct rng_key key = {7, RNG_TEST, (uint32_t)i, (uint64_t)p};

    words(f, p, i, 4 + (int)rng_below(key, 0, 6), suffix);
    fputc('.', f);
}

static const char *const values[] = {"Perl", "Python", "Java", "Tcl",
                                     "GTK",  "Qt",     "KDE",  "Emacs"};
enum { VALUES = sizeof values / sizeof *values };
enum { SITE_FORM = 9, SITE_SUMMARY };

char *corpus_words(int p, int i, int n, const char *suffix)
{
    char *text = NULL;
    size_t bytes;
    FILE *f = open_memstream(&text, &bytes);

    words(f, p, i, n, suffix);
    fclose(f);
    return text;
}

char *corpus_says(int p, const char *one, const char *two, const char *value)
{
    static const char *const form[] = {
        "%s and %s do %s", "%s is with %s in %s", "it is %s of %s for %s",
        "this was %s with a %s for %s", "the code of %s and %s is of %s",
        "%s and its %s used %s for it", "you can use %s, or %s, from %s",
        "a %s was the %s to write it in %s"};
    struct rng_key key = {7, RNG_TEST, SITE_FORM, (uint64_t)p};

    return str_format(form[rng_below(key, 0, sizeof form / sizeof *form)], one,
                      two, value);
}

static char *description(int p, const char *suffix, const char *template)
{
    static const char *const name[] = {"Kota", "Remu", "Sila", "Nodu"};
    const char *one = name[p % 4], *two = name[(p + 1 + p / 4 % 3) % 4];
    char *text = NULL;
    size_t bytes;
    FILE *f = open_memstream(&text, &bytes);
    OWNED(free) char *first = str_format("%s%d", one, p);
    OWNED(free) char *second = str_format("%s%d", two, p);
    OWNED(free) char *says =
        corpus_says(p, first, second, values[p / 4 % VALUES]);

    fprintf(f, "tool%s number %d ", suffix, p);
    words(f, p, SITE_SUMMARY, 5, suffix);
    fputs("\n ", f);
    for (int i = 0; i < 3; i++) {
        sentence(f, p, i, suffix);
        fputs(" ", f);
    }
    fprintf(f, "Now%s %s.\n .\n %s\n .\n", suffix, says, template);
    fprintf(f, " At last%s %s%d is seen.\n  * a verbatim line%s", suffix,
            p % 3 ? one : two, p, suffix);
    fclose(f);
    return text;
}

void corpus_fill(const char *cache, int packages)
{
    static const char *const section[] = {"games", "math", "net", "sound"};
    struct corpus c;

    corpus_open(&c, cache);
    for (int p = 0; p < packages + packages / 2; p++) {
        char *name = str_format("package%d", p);
        char *english = description(p, "", CORPUS_TEMPLATE);
        char *translated = str_format("Handbuch Nummer %d ist hier.", p);
        char *german = description(p, "en", translated);

        corpus_add(&c, name, NULL, p < packages ? section[p % 4] : "perl",
                   english, german);
        free(name);
        free(english);
        free(german);
        free(translated);
    }
    corpus_close(&c);
}

/* Writes 20 turns. Neighbouring turns form 19 pairs, except where the narrator
 * speaks. */
static void fill_scenario(const char *cache, int number)
{
    static const char *const speaker[] = {"Marit", "Teo", "narrator", "Ines"};
    char *name = str_format("wesnoth/Harbour/scenarios/%02d_Tide.cfg", number);
    FILE *f = new_file(cache, name);

    fputs("[scenario]\n", f);
    for (int i = 0; i < CORPUS_TURNS; i++) {
        fprintf(f, "[message]\nspeaker=%s\nmessage= _ \"", speaker[i % 4]);
        sentence(f, 1000 * (number + 1), i, "");
        fputs("\"\n[/message]\n", f);
    }
    fputs("[/scenario]\n", f);
    fclose(f);
    free(name);
}

static void fill_reviews(const char *cache, const char *origin, int number)
{
    char *name = str_format("sentiment/package/test/fixtures/%s.json", origin);
    FILE *f = new_file(cache, name);

    fputs("[", f);
    for (int i = 0; i < CORPUS_REVIEWS; i++) {
        fputs("{\"text\":\"", f);
        sentence(f, 500000 + number, i, i % 2 ? "" : "ix");
        fprintf(f, "  \",\"class\":%d},\n", i % 2);
    }
    fputs("{\"text\":\"\",\"class\":null}]", f);
    fclose(f);
    free(name);
}

void corpus_fill_others(const char *cache)
{
    for (int i = 0; i < CORPUS_SCENARIOS; i++)
        fill_scenario(cache, i);
    fill_reviews(cache, "imdb", 0);
    fill_reviews(cache, "yelp", 1);
    fill_reviews(cache, "amazon", 2);
}

char *corpus_real(void)
{
    static const char *const source[] = {"apt", "sentiment", NULL};
    const char *from = getenv("REAL_TEXT");
    char *cache = scratch_make();

    REQUIRE(from, "REAL_TEXT names no folder of text");
    for (int i = 0; source[i]; i++) {
        OWNED(free) char *there = str_format("%s/%s", from, source[i]);
        OWNED(free) char *here = str_format("%s/%s", cache, source[i]);

        REQUIRE(access(there, R_OK) == 0, "REAL_TEXT: no %s", there);
        REQUIRE(symlink(there, here) == 0, "%s", here);
    }
    return cache;
}
