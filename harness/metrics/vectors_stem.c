/* words.txt and stems.txt, line by line. */
#include "harness/base/err.h"
#include "harness/metrics/stem.h"
#include "harness/metrics/text.h"
#include "harness/metrics/vector_case.h"

#include <string.h>

static int check(struct vector_case *c, void (*stem)(struct text *, void *),
                 void *with)
{
    struct lines words = {0}, stems = {0};
    struct text word = {0};
    int rc;

    TRY(case_lines(c, &words, "words.txt"));
    TRY(case_lines(c, &stems, "stems.txt"));
    TRY(case_equal_real(c, "lines", (double)stems.n, (double)words.n));
    for (size_t i = 0; i < stems.n; i++) {
        word.n = 0;
        text_lower(&word, words.line[i], strlen(words.line[i]));
        stem(&word, with);
        TRY(case_equal_text(c, "stems.txt", i, stems.line[i], word.s));
    }
out:
    text_free(&word);
    lines_close(&words);
    lines_close(&stems);
    return rc;
}

static void porter(struct text *word, void *with)
{
    (void)with;
    word->n = stem_porter(word->s, word->n);
    word->s[word->n] = 0;
}

static int check_porter(struct vector_case *c)
{
    return check(c, porter, NULL);
}

static void snowball(struct text *word, void *with)
{
    const char *stem = snowball_stem(with, word->s, word->n);

    word->n = 0;
    text_add(word, stem, strlen(stem));
}

static int check_snowball(struct vector_case *c)
{
    struct snowball *s = snowball_new();
    int rc = check(c, snowball, s);

    snowball_free(s);
    return rc;
}

const struct vectors vectors_stem_porter = {
    .folders = (const char *const[]){"stem_porter_nltk", NULL},
    .check = check_porter,
};

const struct vectors vectors_stem_snowball = {
    .folders = (const char *const[]){"stem_snowball_english", NULL},
    .check = check_snowball,
};
