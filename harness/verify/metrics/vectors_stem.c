/* vectors: words.txt and stems.txt, line by line. */
#include "harness/metrics/stem.h"
#include "harness/verify/metrics/vector_case.h"

#include "harness/base/str.h"
#include "harness/base/text.h"

#include <string.h>

static char *porter(const void *with, const char *word)
{
    struct text t = {0};

    (void)with;
    text_lower(&t, word, strlen(word));
    t.s[stem_porter(t.s, t.n)] = 0;
    return t.s;
}

static int check_porter(struct vector_case *c)
{
    return case_texts(c, "words.txt", "stems.txt", porter, NULL);
}

static char *snowball(const void *with, const char *word)
{
    struct snowball *const *s = with;

    return str_copy(snowball_stem(*s, word, strlen(word)));
}

static int check_snowball(struct vector_case *c)
{
    struct snowball *s = snowball_new();
    int rc = case_texts(c, "words.txt", "stems.txt", snowball, &s);

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
