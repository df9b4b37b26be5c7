/*
 * index.POS  lemma pos n p [p pointers] senses tagged [n offsets]; lines that
 *            start with a blank are the licence
 * POS.exc    form base [base ...]
 */
#include "harness/metrics/meteor/meteor.h"

#include "harness/base/err.h"
#include "harness/base/hash.h"
#include "harness/base/map.h"
#include "harness/base/str.h"
#include "harness/base/text.h"
#include "harness/metrics/ints.h"
#include "harness/metrics/lines.h"

#include <stdlib.h>
#include <string.h>

static const char *const parts[] = {"noun", "verb", "adj", "adv"};
enum { PARTS = 4 };

/* A list of numbers for each word: node i holds number[i], and next[i] is the
 * node behind it; -1 ends a list. */
struct lists { struct map *words; struct ints head, number, next; };

struct wordnet {
    struct lists synsets; /* of a lemma                       */
    struct lists bases;   /* of an irregular form: its lemmas */
    char digest[9];
};

static int lists_word(struct lists *l, struct slice word)
{
    int id = map_number(l->words, word.s, word.n);

    if ((size_t)id == l->head.n)
        ints_add(&l->head, -1);
    return id;
}

static void lists_add(struct lists *l, struct slice word, int number)
{
    int id = lists_word(l, word);

    ints_add(&l->number, number);
    ints_add(&l->next, l->head.v[id]);
    l->head.v[id] = (int)l->number.n - 1;
}

static void lists_free(struct lists *l)
{
    map_free(l->words);
    ints_free(&l->head);
    ints_free(&l->number);
    ints_free(&l->next);
}

/* ---- reading ---- */

static int to_number(int *out, struct slice s)
{
    *out = 0;
    if (!s.n || s.n > 9)
        return -1;
    for (size_t i = 0; i < s.n; i++) {
        if (s.s[i] < '0' || s.s[i] > '9')
            return -1;
        *out = *out * 10 + s.s[i] - '0';
    }
    return 0;
}

static int read_index(struct wordnet *w, const struct lines *l, size_t i,
                      const struct words *field)
{
    int n, offset;

    if (field->n < 6 || to_number(&n, field->word[2]) ||
        field->n < (size_t)n + 6)
        return lines_bad(l, i, "not a line of WordNet's index");
    for (size_t k = field->n - (size_t)n; k < field->n; k++) {
        if (to_number(&offset, field->word[k]))
            return lines_bad(l, i, "'%.*s' is not an offset",
                             (int)field->word[k].n, field->word[k].s);
        lists_add(&w->synsets, field->word[0], offset);
    }
    return OK;
}

static int read_exception(struct wordnet *w, const struct lines *l, size_t i,
                          const struct words *field)
{
    if (field->n < 2)
        return lines_bad(l, i, "expected a form and its base forms");
    lists_word(&w->bases, field->word[0]);
    for (size_t k = 1; k < field->n; k++) {
        int lemma = map_find(w->synsets.words, field->word[k].s,
                             field->word[k].n);

        if (lemma >= 0)
            lists_add(&w->bases, field->word[0], lemma);
    }
    return OK;
}

static int read_file(struct wordnet *w, struct sha256_ctx *sum, char *own_path,
                     int (*read)(struct wordnet *, const struct lines *, size_t,
                                 const struct words *))
{
    OWNED(lines_close) struct lines l = {0};
    OWNED(words_free) struct words field = {0};
    OWNED(free) char *path = own_path;
    int rc = lines_read(&l, path);

    if (rc < 0)
        return err_set(rc, "%s (WordNet 3.0, Debian's wordnet-base; or leave "
                       "the stage \"synonym\" out)", err_last());
    for (size_t i = 0; i < l.n; i++) {
        hash_add(sum, l.line[i], strlen(l.line[i]));
        hash_add(sum, "\n", 1);
        words_split(&field, l.line[i], strlen(l.line[i]));
        if (l.line[i][0] != ' ')
            PASS(read(w, &l, i, &field));
    }
    return OK;
}

int wordnet_open(struct wordnet **out, const char *folder)
{
    struct wordnet *w = calloc(1, sizeof *w);
    struct sha256_ctx *sum = hash_new();
    char hex[HASH_HEX];
    int rc = OK;

    w->synsets.words = map_of_copies();
    w->bases.words = map_of_copies();
    for (int i = 0; i < PARTS; i++)
        TRY(read_file(w, sum, str_format("%s/index.%s", folder, parts[i]),
                      read_index));
    for (int i = 0; i < PARTS; i++)
        TRY(read_file(w, sum, str_format("%s/%s.exc", folder, parts[i]),
                      read_exception));
out:
    hash_end(sum, hex);
    memcpy(w->digest, hex, sizeof w->digest - 1);
    if (rc < 0) {
        wordnet_close(w);
        w = NULL;
    }
    *out = w;
    return rc;
}

void wordnet_close(struct wordnet *w)
{
    if (!w)
        return;
    lists_free(&w->synsets);
    lists_free(&w->bases);
    free(w);
}

const char *wordnet_digest(const struct wordnet *w)
{
    return w->digest;
}

/* ---- looking up ---- */

/* The lemma that the first rule of detachment finds, or -1. */
static int detach(const struct wordnet *w, const char *word, size_t bytes)
{
    static const struct { const char *suffix, *with; } rules[] = {
        /* nouns */
        {"s", ""},   {"ses", "s"},   {"xes", "x"},   {"zes", "z"},
        {"ches", "ch"}, {"shes", "sh"}, {"men", "man"}, {"ies", "y"},
        /* verbs */
        {"s", ""},   {"ies", "y"},   {"es", "e"},    {"es", ""},
        {"ed", "e"}, {"ed", ""},     {"ing", "e"},   {"ing", ""},
        /* adjectives */
        {"er", ""},  {"est", ""},    {"er", "e"},    {"est", "e"},
    };
    char base[128]; /* longer than any lemma */

    if (bytes <= 2 || bytes >= sizeof base ||
        !memcmp(word + bytes - 2, "ss", 2))
        return -1;
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
        size_t n = strlen(rules[i].suffix), m = strlen(rules[i].with);

        if (bytes < n || memcmp(word + bytes - n, rules[i].suffix, n))
            continue;
        memcpy(base, word, bytes - n);
        memcpy(base + bytes - n, rules[i].with, m);
        int lemma = map_find(w->synsets.words, base, bytes - n + m);
        if (lemma >= 0)
            return lemma;
    }
    return -1;
}

static void add_synsets(struct ints *out, const struct wordnet *w, int lemma)
{
    const struct lists *l = &w->synsets;

    for (int at = lemma < 0 ? -1 : l->head.v[lemma]; at >= 0;
         at = l->next.v[at])
        ints_add(out, l->number.v[at]);
}

void wordnet_synsets(struct ints *out, const struct wordnet *w,
                     const char *word, size_t bytes)
{
    int form = map_find(w->bases.words, word, bytes);

    out->n = 0;
    add_synsets(out, w, map_find(w->synsets.words, word, bytes));
    if (form < 0)
        add_synsets(out, w, detach(w, word, bytes));
    for (int at = form < 0 ? -1 : w->bases.head.v[form]; at >= 0;
         at = w->bases.next.v[at])
        add_synsets(out, w, w->bases.number.v[at]);
    ints_sort(out);
}
