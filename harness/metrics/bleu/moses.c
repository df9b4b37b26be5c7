/*
 * The tokenizer passes over a line again and again:
 *
 *   1. white space is one blank, control characters go
 *   2. blanks round what is no alnum, blank, . ' ` , -   (fi, sv: nor a colon
 *      before a lowercase letter)
 *   3. runs of dots are held together as a word DOT...MULTI
 *   4. commas off, but between numbers
 *   5. apostrophes: en don't -> don 't, fr it ga l'a -> l' a, else alone
 *   6. the dot at the end of a word off, always that of the last word; else not
 *      of a word with another dot and a letter, of a listed prefix (a
 *      #NUMERIC_ONLY# one: before a digit), nor before a lowercase letter
 *   7. & | < > ' " [ ] as entities
 */
#include "harness/metrics/bleu/moses.h"

#include "harness/base/err.h"
#include "harness/base/map.h"
#include "harness/base/str.h"
#include "harness/metrics/bleu/tokenize.h"
#include "harness/metrics/ints.h"
#include "harness/metrics/lines.h"

#include <stdlib.h>
#include <string.h>
#include <unictype.h>

enum prefix { NO_PREFIX, ANY_PREFIX, NUMERIC_PREFIX };

struct moses {
    char        language[8], hash[HASH_HEX];
    struct map *words; /* the list */
    struct ints kind;  /* of each  */
};

/* ---- prefixes ---- */

/* "Gov", or "Nr #NUMERIC_ONLY#"; of a word that stands twice the later line
 * counts. */
static void add_prefix(struct moses *m, const char *item)
{
    const char *mark = strstr(item, "#NUMERIC_ONLY#");
    int numeric = mark && mark > item && strchr(" \t", mark[-1]);
    size_t n = numeric ? (size_t)(mark - 1 - item) : strlen(item);
    int word = map_number(m->words, item, n);

    if ((size_t)word == m->kind.n)
        ints_add(&m->kind, NO_PREFIX);
    m->kind.v[word] = numeric ? NUMERIC_PREFIX : ANY_PREFIX;
}

int moses_open(struct moses **out, const char *folder, const char *language)
{
    char *path = str_format("%s/nonbreaking_prefix.%s", folder, language);
    struct moses *m = calloc(1, sizeof *m);
    struct lines list = {.n = 0};
    int rc;

    *out = NULL;
    REQUIRE(strlen(language) < sizeof m->language, "%s", language);
    strcpy(m->language, language);
    m->words = map_of_copies();
    TRY(lines_read(&list, path));
    TRY(hash_file(path, m->hash));
    for (size_t i = 0; i < list.n; i++)
        if (*list.line[i] && *list.line[i] != '#')
            add_prefix(m, list.line[i]);
    *out = m;
out:
    if (rc < 0)
        moses_close(m);
    lines_close(&list);
    free(path);
    return rc;
}

void moses_close(struct moses *m)
{
    if (!m)
        return;
    map_free(m->words);
    ints_free(&m->kind);
    free(m);
}

const char *moses_prefixes(const struct moses *m) { return m->hash; }

static int find_prefix(const struct moses *m, const char *word)
{
    int at = map_find(m->words, word, strlen(word));

    return at < 0 ? NO_PREFIX : m->kind.v[at];
}

static int language_is(const struct moses *m, const char *const list[])
{
    for (int i = 0; list[i]; i++)
        if (!strcmp(m->language, list[i]))
            return 1;
    return 0;
}

/* ---- the dots at the ends of words ---- */

static int has_alpha(const char *s)
{
    size_t n = strlen(s), length;

    for (size_t i = 0; i < n; i += length)
        if (moses_is_alpha(text_decode(s, i, n, &length)))
            return 1;
    return 0;
}

static int starts_lower(const char *s)
{
    size_t length;

    return *s && uc_is_property_lowercase(text_decode(s, 0, strlen(s),
                                                      &length));
}

/* pre: a word without its dot; next: the word behind it, NULL: none. */
static int keeps_dot(const struct moses *m, const char *pre, const char *next)
{
    int kind = find_prefix(m, pre);

    if (!next)
        return 0;
    return (strchr(pre, '.') && has_alpha(pre)) || kind == ANY_PREFIX ||
           starts_lower(next) ||
           (kind == NUMERIC_PREFIX && *next >= '0' && *next <= '9');
}

/* Words are cut at each blank, so that two blanks have an empty one between
 * them, which is no lowercase word. */
static void split_dots(const struct moses *m, struct text *t)
{
    struct text out = {0};

    while (t->n && t->s[t->n - 1] == ' ')
        t->s[--t->n] = 0;
    for (char *word = t->s, *next; word; word = next) {
        size_t n = strcspn(word, " ");

        next = word[n] ? word + n + 1 : NULL;
        word[n] = 0;
        int dot = n > 1 && word[n - 1] == '.';
        if (dot)
            word[--n] = 0;
        text_add(&out, " ", out.n > 0 && n > 0);
        text_add(&out, word, n);
        if (dot) {
            char *end = next ? next + strcspn(next, " ") : NULL, was = 0;

            if (end) {
                was = *end;
                *end = 0;
            }
            text_add(&out, " ", !keeps_dot(m, word, next));
            text_add(&out, ".", 1);
            if (end)
                *end = was;
        }
    }
    text_add(&out, "", 0);
    text_move(t, &out);
}

/* A sentence that ends in ".'" */
static void split_last_quote(struct text *t)
{
    if (t->n < 2 || strcmp(t->s + t->n - 2, ".'"))
        return;
    t->n -= 2;
    text_add(t, " . ' ", 5);
}

static void escape(struct text *t)
{
    static const char *const pair[][2] = {
        {"&", "&amp;"},  {"|", "&#124;"}, {"<", "&lt;"},  {">", "&gt;"},
        {"'", "&apos;"}, {"\"", "&quot;"}, {"[", "&#91;"}, {"]", "&#93;"}};

    for (size_t i = 0; i < sizeof pair / sizeof *pair; i++)
        rule_replace(t, pair[i][0], pair[i][1]);
}

static int is_blank(const char *line)
{
    size_t n = strlen(line), length;

    for (size_t i = 0; i < n; i += length)
        if (!moses_is_space(text_decode(line, i, n, &length)))
            return 0;
    return 1;
}

char *moses_tokenize(const struct moses *m, const char *line, int flags)
{
    static const char *const colons[] = {"fi", "sv", NULL};
    static const char *const right[] = {"en", NULL};
    static const char *const left[] = {"fr", "it", "ga", NULL};
    struct text t = {0};

    if (is_blank(line)) /* as it is */
        return str_copy(line);
    text_add(&t, line, strlen(line));
    moses_squeeze(&t);
    moses_split_signs(&t, language_is(m, colons));
    if (flags & MOSES_AGGRESSIVE)
        moses_split_hyphens(&t);
    moses_hold_dots(&t);
    moses_split_commas(&t);
    moses_split_apostrophes(&t, language_is(m, right)  ? MOSES_RIGHT
                                : language_is(m, left) ? MOSES_LEFT
                                                       : MOSES_ALONE);
    split_dots(m, &t);
    split_last_quote(&t);
    moses_release_dots(&t);
    if (!(flags & MOSES_NO_ESCAPE))
        escape(&t);
    return t.s;
}
