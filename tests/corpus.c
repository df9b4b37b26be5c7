#include "tests/corpus.h"

#include "harness/base/err.h"
#include "harness/base/file.h"
#include "harness/base/hash.h"
#include "harness/base/rng.h"
#include "harness/base/str.h"

#include <stdlib.h>
#include <string.h>

static FILE *new_file(const char *cache, const char *name)
{
    char *path = str_format("%s/apt/%s", cache, name);
    FILE *f = fopen(path, "wb");

    REQUIRE(f, "%s", path);
    free(path);
    return f;
}

void corpus_open(struct corpus *c, const char *cache)
{
    char *folder = str_format("%s/apt", cache);

    REQUIRE(file_mkdirs(folder) == OK, "%s", err_last());
    free(folder);
    *c = (struct corpus){new_file(cache, "Packages"),
                         new_file(cache, "Translation-en"),
                         new_file(cache, "Translation-de"),
                         new_file(cache, "Translation-fr")};
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
        add_foreign(c->french, "fr", package, md5, foreign);
    }
}

/* Words of sentence i of package p: the same ones in both languages. */
static void sentence(FILE *f, int p, int i, const char *suffix)
{
    static const char *const syllable[] = {"ba", "ko", "ri", "mu", "le", "ta",
                                           "no", "si", "du", "ge", "po", "va"};
    struct rng_key key = {7, RNG_TEST, (uint32_t)i, (uint64_t)p};
    int words = 4 + (int)rng_below(key, 0, 6);

    for (int w = 0; w < words; w++) {
        const char *a = syllable[rng_below(key, 2 * (uint64_t)w + 1, 12)];
        const char *b = syllable[rng_below(key, 2 * (uint64_t)w + 2, 12)];

        fprintf(f, "%s%c%s%s%s", w ? " " : "", w ? a[0] : a[0] - 'a' + 'A',
                a + 1, b, suffix);
    }
    fputc('.', f);
}

static char *description(int p, const char *suffix, const char *template)
{
    char *text = NULL;
    size_t bytes;
    FILE *f = open_memstream(&text, &bytes);

    REQUIRE(f, "out of memory");
    fprintf(f, "tool%s number %d\n ", suffix, p);
    for (int i = 0; i < 3; i++) {
        sentence(f, p, i, suffix);
        fputs(i < 2 ? " " : "\n .\n ", f);
    }
    fprintf(f, "%s\n  * a verbatim line%s", template, suffix);
    fclose(f);
    return text;
}

void corpus_fill(const char *cache, int packages)
{
    static const char *const section[] = {"games", "math", "net", "sound"};
    struct corpus c;

    corpus_open(&c, cache);
    for (int p = 0; p < packages; p++) {
        char *name = str_format("package%d", p);
        char *english = description(p, "", CORPUS_TEMPLATE);
        char *translated = str_format("Handbuch Nummer %d ist hier.", p);
        char *german = description(p, "en", translated);

        corpus_add(&c, name, NULL, section[p % 4], english, german);
        free(name);
        free(english);
        free(german);
        free(translated);
    }
    corpus_close(&c);
}
