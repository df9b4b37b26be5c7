#include "harness/metrics/labels/benchmark.h"

#include "harness/base/text.h"

#include <string.h>

static const char *const left_out[] = {
    "a",    "an",   "each",  "every", "few",  "her",   "his",   "many",
    "much", "my",   "our",   "some",  "that", "the",   "their", "these",
    "this", "those", "which", "whose", "your", NULL};

static int is_left_out(struct slice w)
{
    for (const char *const *s = left_out; *s; s++)
        if (slice_equal(w, (struct slice){*s, strlen(*s)}))
            return 1;
    return 0;
}

struct name {
    struct text text; /* lower case */
    struct words words;
};

static void read_name(struct name *n, const char *s)
{
    text_clear(&n->text);
    text_lower(&n->text, s, strlen(s));
    words_split(&n->words, n->text.s, n->text.n);
    size_t all = n->words.n;
    n->words.n = 0;
    for (size_t i = 0; i < all; i++)
        if (!is_left_out(n->words.word[i]))
            n->words.word[n->words.n++] = n->words.word[i];
}

static void free_name(struct name *n)
{
    words_free(&n->words);
    text_free(&n->text);
}
OWNER_OF_VALUE(free_name, struct name)

static int is_part(const struct words *a, const struct words *of)
{
    for (size_t i = 0, k; i < a->n; i++) {
        for (k = 0; k < of->n && !slice_equal(a->word[i], of->word[k]); k++)
            ;
        if (k == of->n)
            return 0;
    }
    return 1;
}

int referent_same(const char *answer, const char *referent)
{
    OWNED(free_name) struct name a = {.text = {0}}, b = {.text = {0}};

    read_name(&a, answer);
    read_name(&b, referent);
    if (!a.words.n)
        return -1;
    return !strchr(a.text.s, '\'') == !strchr(b.text.s, '\'') &&
           (is_part(&a.words, &b.words) || is_part(&b.words, &a.words));
}
